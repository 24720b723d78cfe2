interface Waiting {
  start(): void;
  refuse(): void;
}

/** Where work waits: with others of its lane, and whether before all that is not urgent. */
export interface Place {
  readonly lane: string;
  readonly urgent: boolean;
}

/** The queue is full. */
export class QueueFullError extends Error {}

/**
 * Runs a bounded number of jobs at once and lets a bounded number wait. Lanes take turns, so that one that sends much
 * delays itself; when the queue is full, the longest lane gives its newest place up to a shorter one.
 */
export class FairQueue {
  private readonly lanes = { urgent: new Map<string, Waiting[]>(), other: new Map<string, Waiting[]>() };
  private running = 0;
  private waiting = 0;

  constructor(
    private readonly atOnce: number,
    private readonly maxWaiting: number,
  ) {}

  /** Throws QueueFullError, also later, where others had to be preferred. */
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
    const [lane, longest] = [...other].reduce<[string, Waiting[]]>(
      (best, each) => (each[1].length > best[1].length ? each : best),
      ['', []],
    );
    if (longest.length <= (urgent ? 0 : length + 1)) return false;
    longest.pop()?.refuse();
    if (longest.length === 0) other.delete(lane);
    this.waiting--;
    return true;
  }

  /** Hands the place of one that ended to the first of the lane whose turn it is. */
  private startNext(): void {
    for (const lanes of [this.lanes.urgent, this.lanes.other]) {
      for (const [lane, queue] of lanes) {
        // To the end: the other lanes come first now.
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
