interface WaitingJob {
  start(): void;
  refuse(): void;
}

/** Where a job waits. Jobs of the same lane run in order, and urgent jobs run before all others. */
export interface Place {
  readonly lane: string;
  readonly urgent: boolean;
  /** Whether the jobs of the lane are counted apart: they take turns with the other ones, but never their places. */
  readonly apart?: boolean;
}

interface Lane {
  readonly count: 'together' | 'apart';
  readonly jobs: WaitingJob[];
}

/** The queue is full and rejects a job. */
export class QueueFullError extends Error {}

/**
 * Limits how many jobs run at a time, and how many wait. Lanes take turns, so that a busy lane delays only itself. When
 * the queue is full, a new job replaces the newest job of the longest lane if the new job is urgent or of a shorter
 * lane. Urgent jobs are never replaced. As many jobs apart wait again, and replace each other only.
 */
export class FairQueue {
  private readonly lanes = { urgent: new Map<string, Lane>(), others: new Map<string, Lane>() };
  private running = 0;
  private readonly waiting = { together: 0, apart: 0 };

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

  private turn({ lane: name, urgent, apart = false }: Place): Promise<void> {
    const lanes = urgent ? this.lanes.urgent : this.lanes.others;
    const lane = lanes.get(name) ?? { count: apart ? 'apart' : 'together', jobs: [] };
    const { count } = lane;
    if (this.waiting[count] >= this.maxWaiting && !this.makeRoom(urgent, lane)) {
      return Promise.reject(new QueueFullError());
    }
    this.waiting[count]++;
    return new Promise((resolve, reject) => {
      lanes.set(name, lane);
      lane.jobs.push({ start: resolve, refuse: () => reject(new QueueFullError()) });
    });
  }

  private makeRoom(urgent: boolean, { count, jobs: { length } }: Lane): boolean {
    const { others } = this.lanes;
    const [name, { jobs }] = [...others]
      .filter(([, lane]) => lane.count === count)
      .reduce<[string, Lane]>(
        (best, each) => (each[1].jobs.length > best[1].jobs.length ? each : best),
        ['', { count, jobs: [] }],
      );
    if (jobs.length <= (urgent ? 0 : length + 1)) return false;
    jobs.pop()?.refuse();
    if (jobs.length === 0) others.delete(name);
    this.waiting[count]--;
    return true;
  }

  /** Starts the first job of the next lane after a job has ended. */
  private startNext(): void {
    for (const lanes of [this.lanes.urgent, this.lanes.others]) {
      for (const [name, lane] of lanes) {
        // Reinserting the lane moves it behind the others.
        lanes.delete(name);
        const next = lane.jobs.shift();
        if (lane.jobs.length > 0) lanes.set(name, lane);
        if (!next) continue;
        this.waiting[lane.count]--;
        next.start();
        return;
      }
    }
    this.running--;
  }
}
