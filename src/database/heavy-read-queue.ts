import { BusyError, TooSlowError } from '../errors';

interface Limits {
  /** The maximum number of reads that run at the same time. One caller gets at most half of the slots, rounded up. */
  readonly slots: number;
  /** The maximum number of waiting reads. One caller gets at most half of the places. */
  readonly waiting: number;
  /** The time limit of a read, including its wait. */
  readonly milliseconds: number;
}

interface Turn {
  readonly caller: string;
  readonly timer: NodeJS.Timeout;
  readonly start: () => void;
}

/** Runs heavy reads in a few slots, shared fairly among callers. */
export class HeavyReadQueue {
  private readonly running = new Map<string, number>();
  private readonly waiting = new Set<Turn>();

  constructor(private readonly limits: Limits) {}

  /**
   * Runs `work` when a slot is free, and passes it the number of milliseconds that are left. Throws BusyError if the
   * queue is full, and TooSlowError if the time limit ends in the queue.
   */
  run<T>(caller: string, work: (milliseconds: number) => Promise<T>): Promise<T> {
    const { waiting, milliseconds } = this.limits;
    const ownWaiting = [...this.waiting].filter((turn) => turn.caller === caller).length;
    if (this.waiting.size >= waiting || ownWaiting >= waiting / 2) return Promise.reject(new BusyError());
    const end = performance.now() + milliseconds;
    return new Promise<T>((resolve, reject) => {
      const turn: Turn = {
        caller,
        timer: setTimeout(() => {
          this.waiting.delete(turn);
          reject(new TooSlowError());
        }, milliseconds),
        start: () => {
          clearTimeout(turn.timer);
          work(Math.max(end - performance.now(), 1))
            .finally(() => {
              this.count(caller, -1);
              this.next();
            })
            .then(resolve, reject);
        },
      };
      this.waiting.add(turn);
      this.next();
    });
  }

  /**
   * Starts waiting reads while slots are free. Reads of the caller with the fewest slots come first, and among them,
   * the read that has waited longest.
   */
  private next(): void {
    const { slots } = this.limits;
    while (this.total < slots) {
      let first: Turn | undefined;
      for (const turn of this.waiting) {
        if (this.slotsOf(turn.caller) < (first ? this.slotsOf(first.caller) : Math.ceil(slots / 2))) first = turn;
      }
      if (!first) return;
      this.waiting.delete(first);
      this.count(first.caller, 1);
      first.start();
    }
  }

  private get total(): number {
    return [...this.running.values()].reduce((sum, count) => sum + count, 0);
  }

  private slotsOf(caller: string): number {
    return this.running.get(caller) ?? 0;
  }

  private count(caller: string, change: 1 | -1): void {
    const slots = this.slotsOf(caller) + change;
    if (slots > 0) this.running.set(caller, slots);
    else this.running.delete(caller);
  }
}
