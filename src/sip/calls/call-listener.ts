import type { Call } from './call';
import { matches, type CallQuery } from './call-query';

/** What happened to a call. MISSED stands for events that are not delivered one by one, because there are too many. */
export const CALL_EVENTS = ['BEGUN', 'RINGING', 'ANSWERED', 'ENDED', 'MISSED'] as const;
export type CallEvent = (typeof CALL_EVENTS)[number];

/** An event of a call. */
export interface CallChange {
  /** Identifies the event in this process, so that subscribers share its result: a number and milliseconds since the epoch. */
  readonly id: number;
  readonly at: number;
  readonly event: CallEvent;
  /** The call as it is now; null for MISSED. */
  readonly call: Call | null;
}

/** An event before it is known who sees it. */
export interface Happened {
  /** The call, not shortened, for conditions. */
  readonly call: Call;
  readonly full: CallChange;
  readonly shortened: CallChange;
}

/** What a subscriber asks for. */
export interface CallListening {
  readonly query: CallQuery;
  /** Whether the subscriber sees shortened numbers, and no addresses. */
  readonly isShortened: boolean;
  /** Aborted, with an error as its reason, when the subscriber loses its permission. */
  readonly ended?: AbortSignal | undefined;
  /** Disconnects a subscriber that takes its events too slowly. */
  readonly cut?: (() => void) | undefined;
  /** Called when the subscription ends. */
  readonly left?: (() => void) | undefined;
}

// The events that are held in memory for a subscriber. The events of all subscribers share the calls.
const MOST_QUEUED = 1000;
// Milliseconds after which a subscriber that does not take an event is disconnected.
const STALL_TIMEOUT = 10_000;

const MISSED: CallChange = { id: 0, at: 0, event: 'MISSED', call: null };
const DONE: IteratorResult<CallChange> = { value: undefined, done: true };

/** Delivers the events of calls to one subscriber. A subscriber that is too slow for them gets MISSED instead. */
export class CallListener implements AsyncIterableIterator<CallChange> {
  private queue: CallChange[] = [];
  private waiter: { resolve(result: IteratorResult<CallChange>): void; reject(error: Error): void } | undefined;
  private failure: Error | undefined;
  private isOver = false;
  private takenAt = Date.now();

  constructor(
    private readonly listening: CallListening,
    private readonly leave: (listener: CallListener) => void,
  ) {
    listening.ended?.addEventListener('abort', this.onEnded);
    if (listening.ended?.aborted === true) this.onEnded();
  }

  /** Delivers an event if the subscriber asks for it. */
  push({ call, full, shortened }: Happened): void {
    const { query, isShortened } = this.listening;
    if (!this.isOver && matches(query, call)) this.deliver(isShortened ? shortened : full);
  }

  /** Says that events are missing. */
  miss(): void {
    if (!this.isOver && this.queue.at(-1) !== MISSED) this.deliver(MISSED);
  }

  next(): Promise<IteratorResult<CallChange>> {
    this.takenAt = Date.now();
    const change = this.queue.shift();
    if (change) return Promise.resolve({ value: change, done: false });
    if (this.failure) {
      const { failure } = this;
      this.failure = undefined;
      return Promise.reject(failure);
    }
    if (this.isOver) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => (this.waiter = { resolve, reject }));
  }

  return(): Promise<IteratorResult<CallChange>> {
    this.end();
    return Promise.resolve(DONE);
  }

  throw(error: unknown): Promise<IteratorResult<CallChange>> {
    this.end();
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }

  /** Disconnects the subscriber if it has not taken an event for too long. */
  endIfStalled(now: number): void {
    if (this.queue.length === 0 || now - this.takenAt < STALL_TIMEOUT) return;
    this.end();
    this.listening.cut?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private deliver(change: CallChange): void {
    if (this.waiter) {
      // The stall timer starts here: before, the subscriber was waiting for an event.
      this.takenAt = Date.now();
      this.waiter.resolve({ value: change, done: false });
      this.waiter = undefined;
    } else if (this.queue.push(change) > MOST_QUEUED) this.queue = [MISSED];
  }

  private readonly onEnded = (): void => {
    const error = this.listening.ended?.reason as Error; // guaranteed by CallListening
    if (this.waiter) this.waiter.reject(error);
    else this.failure = error;
    this.end();
  };

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.queue = [];
    this.listening.ended?.removeEventListener('abort', this.onEnded);
    this.leave(this);
    this.listening.left?.();
    this.waiter?.resolve(DONE);
    this.waiter = undefined;
  }
}
