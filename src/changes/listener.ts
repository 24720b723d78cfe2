import { setTimeout as pause } from 'node:timers/promises';

import { UnavailableError } from '../errors';
import type { Change, ChangeCursor } from './change';
import type { ChangeLog } from './change-log';

const PAGE = 500;
// Milliseconds between attempts while the database is unavailable.
const RETRY = 1000;

/**
 * The range of the outbox that a subscriber has not received yet. The range is read page by page, as fast as the
 * subscriber takes the changes.
 */
class Backlog {
  /** The time of the last retry after a failed read. Until then, the subscriber was waiting for the database. */
  retriedAt = 0;
  private page: Change[] = [];
  private isStopped = false;

  constructor(
    private readonly log: ChangeLog,
    private readonly wanted: (change: Change) => boolean,
    /** Numbers of changes: the range excludes `after` and includes `upTo`. */
    private range: { after: number; upTo: number },
  ) {}

  get isEmpty(): boolean {
    return this.page.length === 0 && this.range.after >= this.range.upTo;
  }

  /** Extends the range up to and including this change. */
  extend(upTo: number): void {
    this.range.upTo = upTo;
  }

  /** Sets a new range. The backlog must be empty. */
  refill(after: number, upTo: number): void {
    this.range = { after, upTo };
  }

  stop(): void {
    this.isStopped = true;
    this.page = [];
  }

  /**
   * Returns the next change; undefined if there is none. Throws InvalidInputError if changes in the range have been
   * deleted.
   */
  async next(): Promise<Change | undefined> {
    while (!this.isStopped && !this.isEmpty && this.page.length === 0) {
      const { after, upTo } = this.range;
      const found = await this.read(after, upTo);
      this.range.after = found.at(-1)?.id ?? upTo;
      this.page = found.filter(this.wanted);
    }
    return this.isStopped ? undefined : this.page.shift();
  }

  private async read(after: number, upTo: number): Promise<readonly Change[]> {
    for (;;) {
      try {
        const found = await this.log.between(after, upTo, PAGE);
        await this.log.assertComplete('since', { id: after, at: undefined });
        return found;
      } catch (error) {
        if (!(error instanceof UnavailableError) || this.isStopped) throw error;
        await pause(RETRY, undefined, { ref: false });
        this.retriedAt = Date.now();
      }
    }
  }
}

/** Selects the changes of a subscriber. */
export type Wanted = (change: Change) => boolean;

/** What a subscriber asks for. */
export interface Listening {
  readonly wanted: Wanted;
  /** Whether the subscriber needs the changes that the SIP server makes, which are found by polling. */
  readonly live: boolean;
  /** The cursor after which to start. If undefined, only new changes are delivered. */
  readonly since?: ChangeCursor;
  /** Aborted, with an error as its reason, when the subscriber loses its permission. */
  readonly ended?: AbortSignal;
  /** Disconnects a subscriber that takes its changes too slowly. Such a subscriber would not read an error message. */
  readonly cut?: () => void;
  /** Called when the subscription ends. */
  readonly left?: () => void;
}

// The maximum number of changes that are held in memory while the subscriber processes another one.
const MAX_QUEUED = 100;
// Milliseconds after which a subscriber that does not take a change is disconnected.
const STALL_TIMEOUT = 10_000;

const DONE: IteratorResult<Change> = { value: undefined, done: true };

/**
 * Delivers the changes to one subscriber, in order and each once. Changes that the subscriber missed, and changes that
 * arrive faster than the subscriber takes them, are read from the outbox on demand, so a slow subscriber needs little
 * memory.
 */
export class Listener implements AsyncIterableIterator<Change> {
  /** Whether the subscription has ended. */
  over = false;
  private readonly backlog: Backlog;
  private queue: Change[] = [];
  private waiter: { resolve(result: IteratorResult<Change>): void; reject(error: Error): void } | undefined;
  private failure: Error | undefined;
  private takenAt = Date.now();

  constructor(
    log: ChangeLog,
    private readonly listening: Listening,
    /** The numbers of the range to read from the outbox first: after the first one, up to the second one. */
    missed: { readonly after: number; readonly upTo: number },
    private readonly leave: (listener: Listener) => void,
  ) {
    this.backlog = new Backlog(log, listening.wanted, { ...missed });
    listening.ended?.addEventListener('abort', this.onEnded);
    if (listening.ended?.aborted === true) this.onEnded();
  }

  private readonly onEnded = (): void => this.fail(this.listening.ended?.reason as Error); // guaranteed by Listening

  /** Delivers a new change. */
  push(change: Change): void {
    if (this.over || !this.listening.wanted(change)) return;
    if (!this.backlog.isEmpty) this.backlog.extend(change.id);
    else if (this.waiter) {
      // The stall timer starts here: before, the subscriber was waiting for a change.
      this.takenAt = Date.now();
      this.waiter.resolve({ value: change, done: false });
      this.waiter = undefined;
    } else if (this.queue.push(change) > MAX_QUEUED) {
      this.backlog.refill((this.queue[0]?.id ?? change.id) - 1, change.id);
      this.queue = [];
    }
  }

  async next(): Promise<IteratorResult<Change>> {
    this.takenAt = Date.now();
    let change: Change | undefined;
    // While the last page was being read, the queue may have overflowed into the backlog.
    do change = (await this.backlog.next()) ?? this.queue.shift();
    while (!change && !this.backlog.isEmpty && !this.over);
    if (change) return { value: change, done: false };
    if (this.failure) {
      const { failure } = this;
      this.failure = undefined;
      throw failure;
    }
    if (this.over) return DONE;
    return new Promise((resolve, reject) => (this.waiter = { resolve, reject }));
  }

  return(): Promise<IteratorResult<Change>> {
    this.end();
    return Promise.resolve(DONE);
  }

  throw(error: unknown): Promise<IteratorResult<Change>> {
    this.end();
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }

  /** Ends the subscription with an error, which the pending or the next call of `next` throws. */
  fail(error: Error): void {
    if (this.over) return;
    if (this.waiter) this.waiter.reject(error);
    else this.failure = error;
    this.end();
  }

  /** Disconnects the subscriber if it has not taken a change for too long. */
  endIfStalled(now: number): void {
    const hasChanges = this.queue.length > 0 || !this.backlog.isEmpty;
    // Time that the database was unavailable does not count.
    if (!hasChanges || now - Math.max(this.takenAt, this.backlog.retriedAt) < STALL_TIMEOUT) return;
    this.end();
    this.listening.cut?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.queue = [];
    this.backlog.stop();
    this.listening.ended?.removeEventListener('abort', this.onEnded);
    this.leave(this);
    this.listening.left?.();
    this.waiter?.resolve(DONE);
    this.waiter = undefined;
  }
}
