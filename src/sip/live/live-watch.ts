import { unwatchedCursor } from '../../changes/change';
import { CLOCK_TOLERANCE, noteChange } from '../../changes/outbox';
import type { Database } from '../../database/database';
import { raw, sql, type Fragment } from '../../database/fragment';
import type { OwnTransaction, Row } from '../../database/sql';
import { beginWithAlerts, lookAtAlerts } from './call-alerts';
import { stateOf } from './registration-reader';
import { beginWithContacts, lookAtContacts, seenBefore } from './watched-contacts';
import { beginWithDestinations, lookAtDestinations } from './watched-destinations';
import { beginWithHealth, lookAtHealth } from './watched-health';

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
        await lookAtRegistrations(transaction, now);
        await lookAtHealth(transaction, now);
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
    await beginWithRegistrations(transaction, now);
    await beginWithHealth(transaction, now);
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

/** Stores the current registrations of gateways as the baseline for the next poll. */
async function beginWithRegistrations(transaction: OwnTransaction, now: number): Promise<void> {
  await transaction.run('DELETE FROM watched_registrations', []);
  const refusal = refusalIn(stateOf(now));
  const { text, values } = sql`SELECT r.gw_ref, ${stateOf(now)}, r.ip, ${refusal} FROM gateway_registrations r
    JOIN gateways g ON g.ref = r.gw_ref`;
  for (const row of await transaction.rows(text, values)) await insert(transaction, row);
}

/**
 * Publishes an event for each gateway whose registration has changed since the last poll: its state, IP address or
 * error response, or whether it has a registration at all. A refresh is not a change.
 *
 * Every poll compares all rows, because there is at most one for each gateway.
 */
async function lookAtRegistrations(transaction: OwnTransaction, now: number): Promise<void> {
  const state = stateOf(now);
  const refusal = refusalIn(state);
  const changed = sql`SELECT r.gw_ref, ${state}, r.ip, ${refusal} FROM gateway_registrations r JOIN gateways g ON g.ref = r.gw_ref
    LEFT JOIN watched_registrations w ON w.gw_ref = r.gw_ref
    WHERE w.gw_ref IS NULL OR w.state <> ${state} OR w.ip <> r.ip OR w.last_response <> ${refusal}`;
  const gone = raw(`SELECT w.gw_ref, 'GONE', '', '' FROM watched_registrations w WHERE NOT EXISTS
    (SELECT 1 FROM gateway_registrations r JOIN gateways g ON g.ref = r.gw_ref WHERE r.gw_ref = w.gw_ref)`);
  const { text, values }: Fragment = sql`${changed} UNION ALL ${gone} ORDER BY 1`;
  for (const [ref, event, ip, response] of await transaction.rows(text, values)) {
    await transaction.run('DELETE FROM watched_registrations WHERE gw_ref = ?', [ref ?? null]);
    if (event !== 'GONE') await insert(transaction, [ref ?? null, event ?? null, ip ?? null, response ?? null]);
    noteChange(transaction, { kind: 'Registration', ref: String(ref), event: String(event) });
  }
}

async function insert(transaction: OwnTransaction, row: Row): Promise<void> {
  const text = 'INSERT INTO watched_registrations (gw_ref, state, ip, last_response) VALUES (?, ?, ?, ?)';
  await transaction.run(text, row);
}

/** Returns SQL for the provider's error response, which is empty if the gateway is registered. */
function refusalIn(state: Fragment): Fragment {
  return sql`CASE ${state} WHEN 'REGISTERED' THEN '' ELSE COALESCE(r.last_response, '') END`;
}
