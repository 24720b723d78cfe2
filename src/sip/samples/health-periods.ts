import type { Database } from '../../database/database';
import { raw, sql, type Fragment } from '../../database/fragment';
import { insertRows } from '../../database/batches';
import { numberOrNull, type SqlValue, type Transaction } from '../../database/sql';
import { OPEN } from './series';

const COLUMNS = 'gw_ref, is_host, host, port, transport, state, since_on, until_on';

/** A health that began or ended: the row of the period that ends, and the columns of the one that begins. */
interface HealthTransition {
  readonly ended: number | null;
  readonly on: number;
  /** Null if the place is no longer checked. */
  readonly begun: readonly SqlValue[] | null;
}

/**
 * Reads which hosts and destinations of gateways respond or do not, otherwise than is stored, at a time in milliseconds since the
 * epoch. The SIP server knows since when. A state that ended before it was seen, within a minute, is not known.
 */
export async function healthTransitionsOf(
  { maintenance }: Database,
  now: number,
): Promise<readonly HealthTransition[]> {
  const isOpen = sql`t.until_on = ${OPEN} AND t.host = k.host AND t.port = k.port AND t.transport = k.transport`;
  const isKnown = sql`k.expires_at > ${now} AND k.state IN ('UP', 'DOWN')`;
  const selectBegun = (table: string, isHost: number): Fragment =>
    sql`SELECT t.id, k.gw_ref, k.host, k.port, k.transport, k.state, k.since, ${raw(String(isHost))} AS is_host
      FROM ${raw(table)} k LEFT JOIN health_states t ON t.gw_ref = k.gw_ref AND t.is_host = ${isHost} AND ${isOpen}
      WHERE ${isKnown} AND (t.id IS NULL OR t.state <> k.state)`;
  const selectEnded = (table: string, isHost: number): Fragment =>
    sql`SELECT t.id, NULL, NULL, NULL, NULL, NULL, NULL, ${raw(String(isHost))} FROM health_states t
      WHERE t.until_on = ${OPEN} AND t.is_host = ${isHost}
        AND NOT EXISTS (SELECT 1 FROM ${raw(table)} k WHERE k.gw_ref = t.gw_ref AND ${isOpen} AND ${isKnown})`;
  const { text, values } = sql`${selectBegun('gateway_health', 1)} UNION ALL ${selectBegun('destination_health', 0)}
    UNION ALL ${selectEnded('gateway_health', 1)} UNION ALL ${selectEnded('destination_health', 0)}`;
  return (await maintenance.rows(text, values)).map(([id, ref, host, port, transport, state, since, isHost]) => {
    const on = since === null || since === undefined ? now : Math.min(Number(since), now);
    return {
      ended: numberOrNull(id),
      on,
      begun:
        ref === null || ref === undefined
          ? null
          : [ref, Number(isHost), host ?? '', port ?? 0, transport ?? '', state ?? '', on, OPEN],
    };
  });
}

/** Stores transitions of the health of gateways. */
export async function storeHealthTransitions(
  transaction: Transaction,
  transitions: readonly HealthTransition[],
): Promise<void> {
  for (const { ended, on } of transitions)
    if (ended !== null)
      await transaction.run('UPDATE health_states SET until_on = ? WHERE id = ? AND until_on = ?', [on, ended, OPEN]);
  const begun = transitions.flatMap((each) => (each.begun === null ? [] : [each.begun]));
  await insertRows(transaction, 'health_states', COLUMNS, begun);
}
