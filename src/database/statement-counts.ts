import { isCallersFault } from './failure-counts';
import type { Need } from './sql';

type Outcome = 'ok' | 'rejected' | 'cancelled' | 'failed';

/**
 * Counts statements that ended, by outcome. `rejected`: the caller is the cause, as of a duplicate. `cancelled`: the
 * request was over, perhaps before the statement was sent.
 */
export class StatementCounts {
  private readonly counts: Record<Outcome, number> = { ok: 0, rejected: 0, cancelled: 0, failed: 0 };

  get byOutcome(): Readonly<Record<Outcome, number>> {
    return this.counts;
  }

  /** Returns the result of a statement for `need`, and counts the statement. */
  async counting<T>(statement: () => Promise<T> | T, need?: Need): Promise<T> {
    try {
      const result = await statement();
      this.counts.ok++;
      return result;
    } catch (error) {
      // The error of a cancelled statement may be that of its connection, which was closed.
      if (need?.over) this.counts.cancelled++;
      else this.counts[isCallersFault(error) ? 'rejected' : 'failed']++;
      throw error;
    }
  }
}
