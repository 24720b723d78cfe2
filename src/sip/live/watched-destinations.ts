import { DESTINATION } from '../../changes/change';
import { noteChange } from '../../changes/outbox';
import { raw, sql, type Fragment } from '../../database/fragment';
import { insertRows } from '../../database/batches';
import { numberOrNull, pad, places, type OwnTransaction, type Reads, type Row } from '../../database/sql';
import type { HealthState } from '../../model/gateway-health';

const WITHOUT_ID = 'gw_ref, host, port, transport, state, since, last_status';
const COLUMNS = `id, ${WITHOUT_ID}`;
const IS_SAME_PLACE = raw('w.gw_ref = k.gw_ref AND w.host = k.host AND w.port = k.port AND w.transport = k.transport');

/** A destination of a gateway, with its health when it was last seen. */
export interface WatchedDestination {
  readonly host: string;
  /** Null for that of the transport. */
  readonly port: number | null;
  readonly transport: string;
  readonly state: HealthState;
  /** When the state began, in milliseconds since the epoch; null if it is UNKNOWN. */
  readonly since: number | null;
  /** The status code of the response after which the state began; null if there was none. */
  readonly lastStatus: number | null;
}

/** The ref of a change of a destination: that of its gateway, and the row id of the destination. */
export function destinationIdIn(ref: string): { readonly gatewayRef: string; readonly id: number } {
  const [gatewayRef = '', id] = ref.split(' ');
  return { gatewayRef, id: Number(id) };
}

/** Stores the health of destinations as the baseline for the next poll. */
export async function beginWithDestinations(transaction: OwnTransaction, now: number): Promise<void> {
  await storeChanged(transaction, now);
}

/**
 * Publishes an event for each destination of a gateway whose health is in another state than at the last poll. A destination that
 * is no longer checked becomes UNKNOWN; that of a deleted gateway at once. `memory` is the time in milliseconds for which the
 * destinations of deleted gateways are kept.
 *
 * Every poll compares all rows, because a gateway has few.
 */
export async function lookAtDestinations(transaction: OwnTransaction, now: number, memory: number): Promise<void> {
  const changed = await storeChanged(transaction, now);
  for (const [id, gatewayRef, , , , state] of changed)
    noteChange(transaction, {
      kind: DESTINATION,
      ref: `${String(gatewayRef)} ${String(id)}`,
      event: String(state),
    });
  if (changed.length > 0)
    await transaction.run(
      `DELETE FROM watched_destinations WHERE state = 'UNKNOWN' AND since < ?
       AND NOT EXISTS (SELECT 1 FROM gateways g WHERE g.ref = watched_destinations.gw_ref)`,
      [now - memory],
    );
}

/** The destinations with these row ids, by row id. Those of gateways that were deleted long ago are missing. */
export async function destinationsOf(
  sql: Pick<Reads, 'rows'>,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, WatchedDestination>> {
  if (rowIds.length === 0) return new Map();
  const ids = pad(rowIds, 0);
  const rows = await sql.rows(`SELECT ${COLUMNS} FROM watched_destinations WHERE id IN (${places(ids.length)})`, ids);
  return new Map(rows.map((row) => [Number(row[0]), toDestination(row)]));
}

/** Stores the states that are not those of the last poll, and returns their rows, in the order of COLUMNS. */
async function storeChanged(transaction: OwnTransaction, now: number): Promise<readonly Row[]> {
  let changed = await changedAt(transaction, now);
  const unseen = changed.filter(([id]) => id === null);
  if (unseen.length > 0) {
    const rows = unseen.map((row) => [...row.slice(1, 5), 'UNKNOWN', now, null]);
    await insertRows(transaction, 'watched_destinations', WITHOUT_ID, rows);
    changed = await changedAt(transaction, now);
  }
  await insertRows(transaction, 'watched_destinations', COLUMNS, changed, 'REPLACE');
  return changed;
}

/** Reads what has changed since the last poll: rows in the order of COLUMNS, whose id is null if the place is new. */
async function changedAt(transaction: OwnTransaction, now: number): Promise<readonly Row[]> {
  const known = sql`SELECT d.gw_ref, d.host, d.port, d.transport, d.state, d.since, d.last_status
    FROM destination_health d JOIN gateways g ON g.ref = d.gw_ref WHERE d.expires_at > ${now} AND d.state <> 'UNKNOWN'`;
  const { text, values }: Fragment =
    sql`SELECT w.id, k.gw_ref, k.host, k.port, k.transport, k.state, k.since, k.last_status
      FROM (${known}) k LEFT JOIN watched_destinations w ON ${IS_SAME_PLACE} WHERE w.id IS NULL OR w.state <> k.state
    UNION ALL SELECT w.id, w.gw_ref, w.host, w.port, w.transport, 'UNKNOWN', ${now}, NULL FROM watched_destinations w
      WHERE w.state <> 'UNKNOWN' AND NOT EXISTS (SELECT 1 FROM (${known}) k WHERE ${IS_SAME_PLACE}) ORDER BY 2, 1`;
  return transaction.rows(text, values);
}

function toDestination([, , host, port, transport, state, since, lastStatus]: Row): WatchedDestination {
  return {
    host: String(host),
    port: Number(port) === 0 ? null : Number(port),
    transport: String(transport),
    state: state as HealthState, // storeChanged stores no others
    since: state === 'UNKNOWN' ? null : Number(since),
    lastStatus: numberOrNull(lastStatus),
  };
}
