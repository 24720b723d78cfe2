import type { Database } from '../database/database';
import type { OwnTransaction } from '../database/sql';
import { unwatched } from './change';
import { beginWithContacts, lookAtContacts, seenBefore } from './watched-contacts';
import { beginWithRegistrations, lookAtRegistrations } from './watched-registrations';

// Milliseconds: how often the live tables are looked at, at most and by all replicas together.
const WATCH_INTERVAL = 1000;
// Milliseconds that the clock may be set back by without the last look's being taken for wrong.
const CLOCK_TOLERANCE = 5000;

/**
 * Finds what has changed in the tables that the SIP server writes, and puts it into the outbox. What was seen is kept in the
 * database: whoever looks next, after a restart or on another replica, goes on from there.
 */
export class LiveWatch {
  constructor(
    private readonly database: Database,
    /** Milliseconds after which it is no use to tell what has changed since the last look. */
    private readonly memory: number,
  ) {}

  /** Looks, unless somebody has within the last second. */
  async look(): Promise<void> {
    // The clocks of replicas differ: what has ended for one would not have for another.
    const { database } = this;
    const [row] = await database.rows(`SELECT watched_on, ${database.clock} FROM live_watch WHERE id = 1`, []);
    const [last, now] = [Number(row?.[0]), Number(row?.[1]) * 1000];
    // A time to come is of a clock that was wrong.
    const recent = [now - WATCH_INTERVAL + 1, now + CLOCK_TOLERANCE] as const;
    if (last >= recent[0] && last <= recent[1]) return;
    await database.transaction(async (transaction) => {
      const turn = await transaction.run(
        'UPDATE live_watch SET previous = watched_on, watched_on = ? WHERE id = 1 AND watched_on NOT BETWEEN ? AND ?',
        [now, ...recent],
      );
      if (turn.rows === 0) return;
      const seen = await seenBefore(transaction);
      if (seen.previous < now - this.memory) await this.begin(transaction, now);
      else {
        await lookAtContacts(transaction, now, seen);
        await lookAtRegistrations(transaction, now);
      }
    });
  }

  /** Whether everything behind this change was watched; throws InvalidInputError. */
  async assertComplete(argument: string, after: number): Promise<void> {
    const [row] = await this.database.rows('SELECT begun FROM live_watch WHERE id = 1', []);
    if (after < Number(row?.[0])) throw unwatched(argument);
  }

  /** Takes what is there for seen, without telling anybody: what came before is not known, and no cursor leads there. */
  private async begin(transaction: OwnTransaction, now: number): Promise<void> {
    await transaction.run('UPDATE change_head SET last = last + 1 WHERE id = 1', []);
    const [head] = await transaction.rows('SELECT last FROM change_head WHERE id = 1', []);
    await transaction.run('UPDATE live_watch SET begun = ? WHERE id = 1', [Number(head?.[0])]);
    await beginWithContacts(transaction, now);
    await beginWithRegistrations(transaction, now);
  }
}
