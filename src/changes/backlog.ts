import { setTimeout as pause } from 'node:timers/promises';

import { RateLimitedError, UnavailableError } from '../errors';
import type { FairQueue } from '../limits/fair-queue';
import type { Change, ChangeCursor } from './change';
import type { ChangeLog } from './change-log';
import type { Source, Subscriber } from './delivery';

const PAGE = 500;
/** Changes that are read and passed over in the time that an object takes. */
const CHANGES_PER_OBJECT = 10;
// Milliseconds between attempts while the database is unavailable.
const RETRY = 1000;
// Milliseconds between attempts while the user is over budget. The user's requests find a part of the budget meanwhile.
const REFILL = 5000;

/** Selects the changes of a subscriber. */
export type Wanted = (change: Change) => boolean;

/** What a subscriber asks for. */
export interface Listening extends Subscriber {
  readonly wanted: Wanted;
  /** Whether the subscriber needs the changes that the SIP server makes, which are found by polling. */
  readonly live: boolean;
  /** The cursor after which to start. If undefined, only new changes are delivered. */
  readonly since?: ChangeCursor;
  /** Users take turns to read the changes after `since`, however many subscriptions they have. */
  readonly user: string;
  /** Charges the user for reading changes after `since`, in objects. Throws RateLimitedError. */
  readonly spend: (objects: number) => void;
}

/**
 * The range of the outbox that a subscriber has not received yet. The range is read page by page, as fast as the
 * subscriber takes the changes, so a slow subscriber needs little memory.
 */
export class Backlog implements Source<Change> {
  private page: Change[] = [];
  private readonly stopped = new AbortController();
  /** The number of the last change that the user pays for. What others change later is free of charge. */
  private paidUpTo: number;

  constructor(
    private readonly log: ChangeLog,
    /** Where the backlogs of all subscribers wait to read a page, so that they delay no requests. */
    private readonly queue: FairQueue,
    private readonly listening: Pick<Listening, 'wanted' | 'user' | 'spend'>,
    /** Numbers of changes: the range excludes `after` and includes `upTo`. */
    private range: { after: number; upTo: number },
  ) {
    this.paidUpTo = range.upTo;
  }

  private get isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  get isEmpty(): boolean {
    return this.page.length === 0 && this.range.after >= this.range.upTo;
  }

  /** Extends the range up to and including this change, unless all before it was read. */
  covers({ id }: Change): boolean {
    if (this.isEmpty) return false;
    this.range.upTo = id;
    return true;
  }

  /** Reads these changes, of which there are too many to hold in memory, again. The backlog must be empty. */
  readonly refill = (changes: readonly Change[]): Change[] => {
    this.paidUpTo = 0;
    this.range = { after: (changes[0]?.id ?? 0) - 1, upTo: changes.at(-1)?.id ?? 0 };
    return [];
  };

  stop(): void {
    this.stopped.abort();
    this.page = [];
  }

  /**
   * Returns the next change; undefined if there is none. Waits for the user's budget: a subscriber that wants few of
   * the changes receives no cursor from which it could continue later. Throws CursorGoneError if changes in the range
   * have been deleted.
   */
  async next(): Promise<Change | undefined> {
    while (!this.isStopped && !this.isEmpty && this.page.length === 0) {
      const { after, upTo } = this.range;
      await this.pay(Math.min(this.paidUpTo - after, PAGE));
      const found = await this.read(after, upTo);
      this.range.after = found.at(-1)?.id ?? upTo;
      this.page = found.filter(this.listening.wanted);
    }
    return this.isStopped ? undefined : this.page.shift();
  }

  private async pay(changes: number): Promise<void> {
    while (changes > 0 && !this.isStopped) {
      try {
        this.listening.spend(Math.ceil(changes / CHANGES_PER_OBJECT));
        return;
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error;
        await this.wait(REFILL);
      }
    }
  }

  private async read(after: number, upTo: number): Promise<readonly Change[]> {
    const place = { lane: this.listening.user, urgent: false };
    while (!this.isStopped) {
      try {
        return await this.queue.run(place, () => this.readPage(after, upTo));
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        await this.wait(RETRY);
      }
    }
    return [];
  }

  private async wait(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { ref: false, signal: this.stopped.signal }).catch(() => undefined);
  }

  private async readPage(after: number, upTo: number): Promise<readonly Change[]> {
    if (this.isStopped) return [];
    const found = await this.log.between(after, upTo, PAGE);
    await this.log.assertComplete('since', { id: after, at: undefined });
    return found;
  }
}
