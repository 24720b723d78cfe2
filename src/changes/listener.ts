import { setTimeout as pause } from 'node:timers/promises';

import { UnavailableError } from '../errors';
import type { Change } from './change';
import type { ChangeLog } from './change-log';

/** Which changes a listener hears. */
export type Wanted = (change: Change) => boolean;

/** What a listener asks for. */
export interface Listening {
  readonly wanted: Wanted;
  /** Also what the SIP server writes, which has to be looked for. */
  readonly live: boolean;
  /** Behind which change it goes on; from now on where it is left out. */
  readonly since?: number;
  /** Aborted, with an error as its reason, when it may not listen any more. */
  readonly ended?: AbortSignal;
  /** What is done with one that takes its changes too slowly, which cannot be told so. */
  readonly cut?: () => void;
  /** Told when it hears nothing more. */
  readonly left?: () => void;
}

// Changes that are kept for a listener that is busy with one.
const PATIENCE = 100;
const PAGE = 500;
// Milliseconds that a change may wait for a listener before it is taken for dead.
const STALLED = 10_000;
// Milliseconds after which the database is asked again when it was away.
const RETRY = 1000;

const DONE: IteratorResult<Change> = { value: undefined, done: true };

/**
 * The changes that one subscriber wants, in order, each once. Those that it missed, and those that come faster than it takes
 * them, are read from the outbox as it takes them: nothing is kept for it but where it stands.
 */
export class Listener implements AsyncIterableIterator<Change> {
  /** Whether it hears nothing more. */
  over = false;
  private waiting: Change[] = [];
  private page: Change[] = [];
  private waiter: { resolve(result: IteratorResult<Change>): void; reject(error: Error): void } | undefined;
  private failure: Error | undefined;
  private takenAt = Date.now();

  constructor(
    private readonly log: ChangeLog,
    private readonly listening: Listening,
    /** What it has to read: from behind the first id up to the second. */
    private missed: { after: number; upTo: number },
    private readonly leave: (listener: Listener) => void,
  ) {
    listening.ended?.addEventListener('abort', this.onEnded);
    if (listening.ended?.aborted === true) this.onEnded();
  }

  private readonly onEnded = (): void => this.fail(this.listening.ended?.reason as Error); // as Listening has it

  /** Tells it of a change that happened. */
  push(change: Change): void {
    if (this.over || !this.listening.wanted(change)) return;
    if (this.isBehind) this.missed.upTo = change.id;
    else if (this.waiter) {
      // However long ago it asked: from now on it is its turn.
      this.takenAt = Date.now();
      this.waiter.resolve({ value: change, done: false });
      this.waiter = undefined;
    } else if (this.waiting.push(change) > PATIENCE) {
      this.missed = { after: (this.waiting[0]?.id ?? change.id) - 1, upTo: change.id };
      this.waiting = [];
    }
  }

  async next(): Promise<IteratorResult<Change>> {
    this.takenAt = Date.now();
    let change: Change | undefined;
    // While the last page was on its way, more may have come than is kept.
    do change = (await this.read()) ?? this.waiting.shift();
    while (!change && this.isBehind && !this.over);
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

  /** Ends it with an error, which it is told next. */
  fail(error: Error): void {
    if (this.over) return;
    if (this.waiter) this.waiter.reject(error);
    else this.failure = error;
    this.end();
  }

  /** Cuts it off if it does not take what waits for it. */
  endIfStalled(now: number): void {
    const waits = this.waiting.length > 0 || this.isBehind;
    if (!waits || now - this.takenAt < STALLED) return;
    this.end();
    this.listening.cut?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private get isBehind(): boolean {
    return this.page.length > 0 || this.missed.after < this.missed.upTo;
  }

  private async read(): Promise<Change | undefined> {
    while (!this.over && this.page.length === 0 && this.isBehind) {
      const { after, upTo } = this.missed;
      const found = await this.between(after, upTo);
      this.missed.after = found.at(-1)?.id ?? upTo;
      this.page = found.filter(this.listening.wanted);
    }
    return this.over ? undefined : this.page.shift();
  }

  /** All that happened, or an InvalidInputError where some of it is forgotten by now. */
  private async between(after: number, upTo: number): Promise<readonly Change[]> {
    for (;;) {
      try {
        const found = await this.log.between(after, upTo, PAGE);
        await this.log.assertComplete('since', after);
        return found;
      } catch (error) {
        if (!(error instanceof UnavailableError) || this.over) throw error;
        await pause(RETRY, undefined, { ref: false });
        this.takenAt = Date.now(); // it is not the subscriber who is slow
      }
    }
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.waiting = [];
    this.page = [];
    this.listening.ended?.removeEventListener('abort', this.onEnded);
    this.leave(this);
    this.listening.left?.();
    this.waiter?.resolve(DONE);
    this.waiter = undefined;
  }
}
