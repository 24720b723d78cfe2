interface WaitingJob {
  start(): void;
  refuse(): void;
}

/** Where a job waits. Jobs of the same lane run in order, and urgent jobs run before all others. */
export interface Place {
  readonly lane: string;
  readonly urgent: boolean;
}

/** The queue is full and rejects a job. */
export class QueueFullError extends Error {}

/**
 * Limits how many jobs run at a time, and how many wait. Lanes take turns, so that a busy lane delays only itself. When
 * the queue is full, a new job replaces the newest job of the longest lane if the new job is urgent or of a shorter
 * lane. Urgent jobs are never replaced.
 */
export class FairQueue {
  private readonly lanes = { urgent: new Map<string, WaitingJob[]>(), other: new Map<string, WaitingJob[]>() };
  private running = 0;
  private waiting = 0;

  constructor(
    private readonly atOnce: number,
    private readonly maxWaiting: number,
  ) {}

  /**
   * Runs `work` when its turn comes, and returns its result. Throws QueueFullError if the queue is full, or if another
   * job replaces the waiting job.
   */
  async run<T>(place: Place, work: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running++;
    else await this.turn(place);
    try {
      return await work();
    } finally {
      this.startNext();
    }
  }

  private turn({ lane, urgent }: Place): Promise<void> {
    const lanes = urgent ? this.lanes.urgent : this.lanes.other;
    const queue = lanes.get(lane) ?? [];
    if (this.waiting >= this.maxWaiting && !this.makeRoom(urgent, queue.length)) {
      return Promise.reject(new QueueFullError());
    }
    this.waiting++;
    return new Promise((resolve, reject) => {
      lanes.set(lane, queue);
      queue.push({ start: resolve, refuse: () => reject(new QueueFullError()) });
    });
  }

  private makeRoom(urgent: boolean, length: number): boolean {
    const { other } = this.lanes;
    const [lane, longest] = [...other].reduce<[string, WaitingJob[]]>(
      (best, each) => (each[1].length > best[1].length ? each : best),
      ['', []],
    );
    if (longest.length <= (urgent ? 0 : length + 1)) return false;
    longest.pop()?.refuse();
    if (longest.length === 0) other.delete(lane);
    this.waiting--;
    return true;
  }

  /** Starts the first job of the next lane after a job has ended. */
  private startNext(): void {
    for (const lanes of [this.lanes.urgent, this.lanes.other]) {
      for (const [lane, queue] of lanes) {
        // Reinserting the lane moves it behind the others.
        lanes.delete(lane);
        const next = queue.shift();
        if (queue.length > 0) lanes.set(lane, queue);
        if (!next) continue;
        this.waiting--;
        next.start();
        return;
      }
    }
    this.running--;
  }
}
