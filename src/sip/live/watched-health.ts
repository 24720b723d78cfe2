import { noteChange } from '../../changes/outbox';
import { raw, sql, type Fragment } from '../../database/fragment';
import { places, type OwnTransaction, type Row } from '../../database/sql';
import { measuredAt } from '../../model/gateway-health';

const BATCH = 500;

/** Stores the health of gateways as the baseline for the next poll. Gateways in an UNKNOWN state have no row. */
export async function beginWithHealth(transaction: OwnTransaction, now: number): Promise<void> {
  await transaction.run('DELETE FROM watched_health', []);
  const { text, values } = knownAt(now);
  // Separate statements: as part of the INSERT, the SELECT would lock the SIP server's rows on MySQL.
  const rows = (await transaction.rows(text, values)).map(toState);
  for (let start = 0; start < rows.length; start += BATCH) await insert(transaction, rows.slice(start, start + BATCH));
}

/**
 * Publishes an event for each gateway whose health is in another state than at the last poll. A check that confirms the
 * state is no change. A gateway that was deleted becomes UNKNOWN.
 *
 * Every poll compares all rows, because there is at most one for each gateway.
 */
export async function lookAtHealth(transaction: OwnTransaction, now: number): Promise<void> {
  const current = knownAt(now);
  const { text, values } = sql`SELECT k.gw_ref, k.state FROM (${current}) k
      LEFT JOIN watched_health w ON w.gw_ref = k.gw_ref WHERE w.gw_ref IS NULL OR w.state <> k.state
    UNION ALL SELECT w.gw_ref, 'UNKNOWN' FROM watched_health w
      WHERE NOT EXISTS (SELECT 1 FROM (${current}) k WHERE k.gw_ref = w.gw_ref) ORDER BY 1`;
  const changed = (await transaction.rows(text, values)).map(toState);
  for (let start = 0; start < changed.length; start += BATCH) {
    const batch = changed.slice(start, start + BATCH);
    const refs = batch.map(([ref]) => ref);
    await transaction.run(`DELETE FROM watched_health WHERE gw_ref IN (${places(refs.length)})`, refs);
    const known = batch.filter(([, state]) => state !== 'UNKNOWN');
    if (known.length > 0) await insert(transaction, known);
  }
  for (const [ref, event] of changed) noteChange(transaction, { kind: 'Health', ref, event });
}

/** The gateways whose health is known, at a time in milliseconds since the epoch. */
function knownAt(now: number): Fragment {
  return sql`SELECT g.ref AS gw_ref, h.state AS state FROM gateways g JOIN gateway_health h ON ${raw(measuredAt('g'))}
    WHERE h.expires_at > ${now} AND h.state <> 'UNKNOWN'`;
}

/** The ref of a gateway, and the state of its health. */
type Known = readonly [ref: string, state: string];

function toState([ref, state]: Row): Known {
  return [String(ref), String(state)];
}

async function insert(transaction: OwnTransaction, states: readonly Known[]): Promise<void> {
  const rows = states.map(() => '(?, ?)').join(', ');
  await transaction.run(`INSERT INTO watched_health (gw_ref, state) VALUES ${rows}`, states.flat());
}
