import { setTimeout as pause } from 'node:timers/promises';

import { UnavailableError } from '../errors';
import type { Change } from './change';
import type { ChangeLog } from './change-log';

const PAGE = 500;
// Milliseconds between attempts while the database is unavailable.
const RETRY = 1000;

/**
 * The range of the outbox that a subscriber has not received yet. The range is read page by page, as fast as the
 * subscriber takes the changes.
 */
export class Backlog {
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
