import { batchesOf } from '../database/batches';

// Values times subscribers. More in a turn of the event loop would delay other requests.
const OFFERS_PER_TURN = 2000;

/** Divides values into groups, each of which can be offered to this many subscribers in a turn of the event loop. */
export function groupsOf<T>(values: readonly T[], subscribers: number): readonly (readonly T[])[] {
  return batchesOf(values, Math.ceil(OFFERS_PER_TURN / (subscribers + 1)));
}

/** A subscriber, as far as it concerns how values are delivered. */
export interface Subscriber {
  /** Aborted, with an error as its reason, when the subscriber loses its permission. */
  readonly ended?: AbortSignal | undefined;
  /** Disconnects a subscriber that takes its values too slowly. Such a subscriber would not read an error message. */
  readonly cut?: (() => void) | undefined;
  /** Called when the subscription ends. */
  readonly left?: (() => void) | undefined;
}

/** Values that are read on demand. They come before those that are held in memory. */
export interface Source<T> {
  readonly isEmpty: boolean;
  /** Whether the source will return this value, so that it need not be held in memory. */
  covers(value: T): boolean;
  /** Returns the next value; undefined if there is none. */
  next(): Promise<T | undefined>;
  stop(): void;
}

/** How values are delivered. */
export interface DeliveryOptions<T> extends Subscriber {
  /** The maximum number of values that are held in memory while the subscriber processes another one. */
  readonly most: number;
  /** Returns the values to hold in memory in place of too many. */
  readonly overflow: (queue: readonly T[]) => T[];
  /** Called when the subscription ends, which it may do before the constructor returns. */
  readonly leave: (delivery: Delivery<T>) => void;
  readonly source?: Source<T>;
  /** Whether the subscription ends after this value. */
  readonly isLast?: (value: T) => boolean;
}

// Milliseconds after which a subscriber that does not take a value is disconnected.
const STALL_TIMEOUT = 10_000;

const DONE: IteratorResult<never> = { value: undefined, done: true };

/** Delivers values to one subscriber, in order. */
export class Delivery<T> implements AsyncIterableIterator<T> {
  /** Whether the subscription has ended. */
  isOver = false;
  private queue: T[] = [];
  private waiter: { resolve(result: IteratorResult<T>): void; reject(error: Error): void } | undefined;
  private failure: Error | undefined;
  /** Whether the subscriber waits for the source, for example while the database is unavailable. */
  private isReading = false;
  private takenAt = Date.now();

  constructor(private readonly options: DeliveryOptions<T>) {
    const { ended } = options;
    ended?.addEventListener('abort', this.onEnded);
    if (ended?.aborted === true) this.onEnded();
  }

  /** Delivers a value. One that is the last in memory already is not delivered again. */
  push(value: T): void {
    const { most, overflow, source } = this.options;
    if (this.isOver || source?.covers(value) === true || this.queue.at(-1) === value) return;
    const { waiter } = this;
    if (waiter) {
      // The stall timer starts here: before, the subscriber was waiting for a value.
      this.takenAt = Date.now();
      this.waiter = undefined;
      waiter.resolve(this.deliver(value));
    } else if (this.queue.push(value) > most) this.queue = overflow(this.queue);
  }

  async next(): Promise<IteratorResult<T>> {
    const { source } = this.options;
    this.isReading = true;
    let value: T | undefined;
    try {
      // While the source was being read, the queue may have overflowed into it.
      do value = (await source?.next()) ?? this.queue.shift();
      while (value === undefined && source?.isEmpty === false && !this.isOver);
    } catch (error) {
      this.end();
      throw error;
    } finally {
      this.isReading = false;
      this.takenAt = Date.now();
    }
    // No await from here on: a value that comes later finds the waiter.
    if (value !== undefined) return this.deliver(value);
    if (this.failure) {
      const { failure } = this;
      this.failure = undefined;
      throw failure;
    }
    if (this.isOver) return DONE;
    return new Promise((resolve, reject) => (this.waiter = { resolve, reject }));
  }

  return(): Promise<IteratorResult<T>> {
    this.end();
    return Promise.resolve(DONE);
  }

  /** Ends the subscription with an error, which the pending or the next call of `next` throws. */
  fail(error: Error): void {
    if (this.isOver) return;
    if (this.waiter) this.waiter.reject(error);
    else this.failure = error;
    this.end();
  }

  /** Disconnects the subscriber if it has not taken a value for too long. */
  endIfStalled(now: number): void {
    const { source, cut } = this.options;
    const hasValues = this.queue.length > 0 || source?.isEmpty === false;
    if (!hasValues || this.isReading || now - this.takenAt < STALL_TIMEOUT) return;
    this.end();
    cut?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private readonly onEnded = (): void => this.fail(this.options.ended?.reason as Error); // guaranteed by Subscriber

  private deliver(value: T): IteratorResult<T> {
    if (this.options.isLast?.(value) === true) this.end();
    return { value, done: false };
  }

  private end(): void {
    if (this.isOver) return;
    const { source, ended, leave, left } = this.options;
    this.isOver = true;
    this.queue = [];
    source?.stop();
    ended?.removeEventListener('abort', this.onEnded);
    leave(this);
    left?.();
    this.waiter?.resolve(DONE);
    this.waiter = undefined;
  }
}
