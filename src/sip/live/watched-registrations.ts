import { raw, sql, type Fragment } from '../../database/fragment';
import type { OwnTransaction, Row } from '../../database/sql';
import { stateOf } from './registration-reader';
import { noteChange } from '../../changes/outbox';

/** Stores the current registrations of gateways as the baseline for the next poll. */
export async function beginWithRegistrations(transaction: OwnTransaction, now: number): Promise<void> {
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
export async function lookAtRegistrations(transaction: OwnTransaction, now: number): Promise<void> {
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
