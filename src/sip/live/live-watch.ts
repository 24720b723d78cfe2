import { unwatchedCursor } from '../../changes/change';
import { CLOCK_TOLERANCE } from '../../changes/outbox';
import type { Database } from '../../database/database';
import type { OwnTransaction } from '../../database/sql';
import { beginWithAlerts, lookAtAlerts } from './call-alerts';
import { beginWithContacts, lookAtContacts, seenBefore } from './watched-contacts';
import { beginWithDestinations, lookAtDestinations } from './watched-destinations';
import { beginWithGateways, lookAtGateways } from './watched-gateways';

// Milliseconds: the shortest time between two polls of the live tables, by all replicas together.
const WATCH_INTERVAL = 1000;

/**
 * Polls the tables that the SIP server writes, and adds their changes to the outbox. The last seen state is stored in
 * the database, so the next poll continues from that state after a restart and on another replica.
 */
export class LiveWatch {
  constructor(
    private readonly database: Database,
    /** Milliseconds after which the last poll is too old to compare with. */
    private readonly memory: number,
  ) {}

  /** Polls the tables, unless this or another replica has polled them within the last second. */
  async look(): Promise<void> {
    // The time comes from the database, because the clocks of replicas may differ, and a row that is expired for one
    // replica could be live for another.
    const { database } = this;
    const [row] = await database.rows(`SELECT watched_on, ${database.clock} FROM live_watch WHERE id = 1`, []);
    const [last, now] = [Number(row?.[0]), Number(row?.[1]) * 1000];
    // A time in the future was written while the clock was wrong.
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
        await lookAtGateways(transaction, now);
        await lookAtDestinations(transaction, now, this.memory);
      }
      // Each is a row of its own, so none is missed.
      await lookAtAlerts(transaction);
    });
  }

  /** Throws InvalidInputError unless the live tables have been watched since this change. */
  async assertComplete(argument: string, after: number): Promise<void> {
    const [row] = await this.database.rows('SELECT begun FROM live_watch WHERE id = 1', []);
    if (after < Number(row?.[0])) throw unwatchedCursor(argument);
  }

  /**
   * Stores the current state without publishing changes. Earlier cursors become invalid, because the changes are
   * unknown.
   */
  private async begin(transaction: OwnTransaction, now: number): Promise<void> {
    await beginWithContacts(transaction, now);
    await beginWithGateways(transaction, now);
    await beginWithDestinations(transaction, now);
    await beginWithAlerts(transaction, now);
    // Last in the transaction: the lock of the row stops the sequencer until the commit.
    transaction.beforeCommit(async () => {
      await transaction.run('UPDATE change_head SET last = last + 1 WHERE id = 1', []);
      const [head] = await transaction.rows('SELECT last FROM change_head WHERE id = 1', []);
      await transaction.run('UPDATE live_watch SET begun = ? WHERE id = 1', [Number(head?.[0])]);
    });
  }
}
