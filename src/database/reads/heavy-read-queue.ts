import { BusyError, TooSlowError } from '../../errors';
import { FairGate, GateFullError, type GateSize } from '../../limits/fair-gate';

/** Runs heavy reads a few at a time, shared fairly among callers. */
export class HeavyReadQueue {
  readonly gate: FairGate;
  /** The signals of requests that had a turn. Their further reads go first, or what they read would be for nothing. */
  private readonly begun = new WeakSet<AbortSignal>();

  /** `milliseconds` is the time limit of a read, including its wait. */
  constructor(
    size: GateSize,
    private readonly milliseconds: number,
  ) {
    this.gate = new FairGate(size);
  }

  /**
   * Runs `work` when there is a place, and passes it the number of milliseconds that are left. Throws BusyError if the
   * queue is full or too long for the pace of the caller's reads, TooSlowError if the time limit ends in the queue, and
   * the reason of the signal if it is aborted there.
   */
  async run<T>(caller: string, work: (milliseconds: number) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { gate, milliseconds } = this;
    const end = performance.now() + milliseconds;
    try {
      await gate.enter(caller, 1, { milliseconds, signal, isFurther: signal !== undefined && this.begun.has(signal) });
    } catch (error) {
      if (!(error instanceof GateFullError)) throw error;
      throw error.reason === 'queue' ? new BusyError() : new TooSlowError();
    }
    if (signal) this.begun.add(signal);
    const start = performance.now();
    let took: number | undefined;
    try {
      const result = await work(Math.max(end - start, 1));
      took = performance.now() - start;
      return result;
    } finally {
      // One that was cancelled says nothing about the pace.
      gate.leave(caller, 1, took);
    }
  }
}
