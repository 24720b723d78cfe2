/**
 * Runs a task repeatedly between `start` and `stop`: after an interval, or immediately when woken. The task never runs
 * twice at the same time.
 */
export class RepeatedTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStarted = false;
  private isWoken = false;

  /** `task` must not reject. */
  constructor(
    private readonly task: () => Promise<void>,
    private readonly interval: number,
  ) {}

  start(): void {
    this.isStarted = true;
    this.schedule(this.interval);
  }

  stop(): void {
    this.isStarted = false;
    clearTimeout(this.timer);
  }

  /** Runs the task now. A task that is already running runs again when it has finished. */
  wake(): void {
    if (!this.isStarted) return;
    if (this.running) this.isWoken = true;
    else this.schedule(0);
  }

  /** Resolves when the task is not running. */
  async settle(): Promise<void> {
    await this.running;
  }

  private schedule(delay: number): void {
    if (this.running) return; // `run` schedules the next run
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), delay).unref();
  }

  private async run(): Promise<void> {
    this.running = this.task();
    await this.running;
    this.running = undefined;
    const delay = this.isWoken ? 0 : this.interval;
    this.isWoken = false;
    if (this.isStarted) this.schedule(delay);
  }
}
