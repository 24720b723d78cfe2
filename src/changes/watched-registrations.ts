import { raw, sql, type Fragment } from '../database/fragment';
import type { OwnTransaction, Row } from '../database/sql';
import { stateOf } from '../live/registration-reader';
import { noteChange } from './outbox';

/** Takes how the gateways stand for seen. */
export async function beginWithRegistrations(transaction: OwnTransaction, now: number): Promise<void> {
  await transaction.run('DELETE FROM watched_registrations', []);
  const answer = refusalIn(stateOf(now));
  const { text, values } = sql`SELECT r.gw_ref, ${stateOf(now)}, r.ip, ${answer} FROM gateway_registrations r
    JOIN gateways g ON g.ref = r.gw_ref`;
  for (const row of await transaction.rows(text, values)) await keep(transaction, row);
}

/**
 * Notes which gateways stand otherwise than at the last look.
 *
 * There are as many rows as gateways that register: they are compared each time. A refresh changes nothing here.
 */
export async function lookAtRegistrations(transaction: OwnTransaction, now: number): Promise<void> {
  const state = stateOf(now);
  const answer = refusalIn(state);
  const known = sql`SELECT r.gw_ref, ${state}, r.ip, ${answer} FROM gateway_registrations r JOIN gateways g ON g.ref = r.gw_ref
    LEFT JOIN watched_registrations w ON w.gw_ref = r.gw_ref
    WHERE w.gw_ref IS NULL OR w.state <> ${state} OR w.ip <> r.ip OR w.last_response <> ${answer}`;
  const gone = raw(`SELECT w.gw_ref, 'GONE', '', '' FROM watched_registrations w WHERE NOT EXISTS
    (SELECT 1 FROM gateway_registrations r JOIN gateways g ON g.ref = r.gw_ref WHERE r.gw_ref = w.gw_ref)`);
  const { text, values }: Fragment = sql`${known} UNION ALL ${gone} ORDER BY 1`;
  for (const [ref, is, ip, response] of await transaction.rows(text, values)) {
    await transaction.run('DELETE FROM watched_registrations WHERE gw_ref = ?', [ref ?? null]);
    if (is !== 'GONE') await keep(transaction, [ref ?? null, is ?? null, ip ?? null, response ?? null]);
    noteChange(transaction, 'Registration', String(ref), String(is));
  }
}

async function keep(transaction: OwnTransaction, row: Row): Promise<void> {
  const text = 'INSERT INTO watched_registrations (gw_ref, state, ip, last_response) VALUES (?, ?, ?, ?)';
  await transaction.run(text, row);
}

/** What the provider said against it; how it says yes is of no interest. */
function refusalIn(state: Fragment): Fragment {
  return sql`CASE ${state} WHEN 'REGISTERED' THEN '' ELSE COALESCE(r.last_response, '') END`;
}
