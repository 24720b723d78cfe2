import { noteChange } from '../../changes/outbox';
import { raw, sql, type Fragment } from '../../database/fragment';
import { batchesOf, insertRows } from '../../database/batches';
import { places, type OwnTransaction } from '../../database/sql';
import { measuredAt } from '../../model/gateway-health';
import { registrationState } from './registration-reader';

/** What is watched of gateways, of which each has at most one row, so that every poll compares all rows. */
interface Watched {
  /** The kind of the changes. */
  readonly kind: string;
  /** The table with the rows of the last poll, and its columns. */
  readonly table: string;
  readonly columns: readonly ['gw_ref', 'state', ...string[]];
  /** The state of a gateway that has no row any more. */
  readonly gone: string;
  /** Selects the columns, at a time in milliseconds since the epoch. */
  readonly current: (now: number) => Fragment;
}

/**
 * The registrations of gateways: their state, their IP address, and the provider's error response, which is empty if the gateway is
 * registered. A refresh is not a change.
 */
const REGISTRATIONS: Watched = {
  kind: 'Registration',
  table: 'watched_registrations',
  columns: ['gw_ref', 'state', 'ip', 'last_response'],
  gone: 'GONE',
  current: (now) => sql`SELECT r.gw_ref AS gw_ref, ${registrationState(now)} AS state, r.ip AS ip,
    CASE ${registrationState(now)} WHEN 'REGISTERED' THEN '' ELSE COALESCE(r.last_response, '') END AS last_response
    FROM gateway_registrations r JOIN gateways g ON g.ref = r.gw_ref`,
};

/** The health of gateways. A check that confirms the state is no change. A gateway that was deleted becomes UNKNOWN. */
const HEALTH: Watched = {
  kind: 'Health',
  table: 'watched_health',
  columns: ['gw_ref', 'state'],
  gone: 'UNKNOWN',
  current: (
    now,
  ) => sql`SELECT g.ref AS gw_ref, h.state AS state FROM gateways g JOIN gateway_health h ON ${raw(measuredAt('g'))}
    WHERE h.expires_at > ${now} AND h.state <> 'UNKNOWN'`,
};

/** Stores the registrations and the health of gateways as the baseline for the next poll. */
export async function beginWithGateways(transaction: OwnTransaction, now: number): Promise<void> {
  for (const { table, columns, current } of [REGISTRATIONS, HEALTH]) {
    await transaction.run(`DELETE FROM ${table}`, []);
    // Separate statements: as part of the INSERT, the SELECT would lock the SIP server's rows on MySQL.
    const { text, values } = current(now);
    await insertRows(transaction, table, columns.join(', '), await transaction.rows(text, values));
  }
}

/** Publishes an event for each gateway whose registration or health has changed since the last poll. */
export async function lookAtGateways(transaction: OwnTransaction, now: number): Promise<void> {
  for (const watched of [REGISTRATIONS, HEALTH]) await look(transaction, watched, now);
}

async function look(
  transaction: OwnTransaction,
  { kind, table, columns, gone, current }: Watched,
  now: number,
): Promise<void> {
  const [, ...compared] = columns;
  const list = (of: string): string => columns.map((column) => `${of}.${column}`).join(', ');
  const differs = compared.map((column) => `w.${column} <> k.${column}`).join(' OR ');
  const empty = compared.slice(1).map(() => ", ''");
  const { text, values } = sql`SELECT ${raw(list('k'))} FROM (${current(now)}) k
      LEFT JOIN ${raw(table)} w ON w.gw_ref = k.gw_ref WHERE w.gw_ref IS NULL OR ${raw(differs)}
    UNION ALL SELECT w.gw_ref, ${gone}${raw(empty.join(''))} FROM ${raw(table)} w
      WHERE NOT EXISTS (SELECT 1 FROM (${current(now)}) k WHERE k.gw_ref = w.gw_ref) ORDER BY 1`;
  const changed = await transaction.rows(text, values);
  for (const refs of batchesOf(changed.map(([ref]) => String(ref))))
    await transaction.run(`DELETE FROM ${table} WHERE gw_ref IN (${places(refs.length)})`, refs);
  const known = changed.filter(([, state]) => state !== gone);
  await insertRows(transaction, table, columns.join(', '), known);
  for (const [ref, event] of changed) noteChange(transaction, { kind, ref: String(ref), event: String(event) });
}
