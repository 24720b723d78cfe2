/**
 * Runs a task repeatedly between `start` and `stop`: after an interval, or immediately when woken. The task never runs
 * twice at the same time.
 */
export class RepeatedTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStarted = false;
  private isWoken = false;
  private isFailing = false;

  /** `onFailure` receives the first error of an outage, unless the task was stopped. */
  constructor(
    private readonly task: () => Promise<void>,
    private readonly interval: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Runs the task after `delay` for the first time. */
  start(delay = this.interval): this {
    this.isStarted = true;
    this.schedule(delay);
    return this;
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

  /** Stops, and resolves when the task is not running. */
  async close(): Promise<void> {
    this.stop();
    await this.running;
  }

  private schedule(delay: number): void {
    if (this.running) return; // `run` schedules the next run
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), delay).unref();
  }

  private async run(): Promise<void> {
    this.running = this.attempt();
    await this.running;
    this.running = undefined;
    const delay = this.isWoken ? 0 : this.interval;
    this.isWoken = false;
    if (this.isStarted) this.schedule(delay);
  }

  private async attempt(): Promise<void> {
    try {
      await this.task();
      this.isFailing = false;
    } catch (error) {
      if (this.isStarted && !this.isFailing) this.onFailure(error);
      this.isFailing = this.isStarted;
    }
  }
}
