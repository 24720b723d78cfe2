import { CALL_ALERT, type Change } from '../../changes/change';
import { noteChange } from '../../changes/outbox';
import { batchesOf } from '../../database/batches';
import { numberOrNull, pad, places, textOrNull, type OwnTransaction, type Reads, type Row } from '../../database/sql';

/** What the SIP server tells about calls. */
export const CALL_ALERTS = ['LIMIT_NEARLY_REACHED', 'LIMIT_REACHED', 'EMERGENCY_CALL'] as const;
export type CallAlertEvent = (typeof CALL_ALERTS)[number];

/** The events as changes have them, whose column has 16 characters. */
const SHORT = {
  LIMIT_NEARLY_REACHED: 'NEARLY_REACHED',
  LIMIT_REACHED: 'REACHED',
  EMERGENCY_CALL: 'EMERGENCY_CALL',
} as const satisfies Record<CallAlertEvent, string>;

/** The event of a change. */
export function alertEventOf({ event }: Pick<Change, 'event'>): CallAlertEvent {
  return CALL_ALERTS.find((each) => SHORT[each] === event) ?? 'LIMIT_REACHED';
}

/** The limits of calls. */
const CALL_LIMITS = ['MAX_CALLS', 'MAX_CALLS_PER_SECOND', 'DAILY_MINUTES'] as const;
export type CallLimit = (typeof CALL_LIMITS)[number];

/** An alert of the SIP server. */
export interface CallAlert {
  readonly event: CallAlertEvent;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What has the limit; the caller's domain for an emergency call. */
  readonly kind: string | null;
  readonly ref: string | null;
  /** The limit, and how many calls or minutes there were. Null for an emergency call. */
  readonly limit: CallLimit | null;
  readonly used: number | null;
  readonly most: number | null;
  /** Who called an emergency number, and through which gateway it left first. Null for a limit. */
  readonly domain: string | null;
  readonly agentRef: string | null;
  readonly peerRef: string | null;
  readonly number: string | null;
  readonly gatewayRef: string | null;
}

const BATCH = 500;
// Milliseconds for which an alert is news when the watch begins.
const RECENT = 60_000;
const COLUMNS = 'id, event, at, kind, ref, what, used, most, domain, caller, number, gateway_ref';

/** Publishes an event for each alert that was not published. One statement if there is none. */
export async function lookAtAlerts(transaction: OwnTransaction): Promise<void> {
  const rows = await transaction.rows('SELECT id, event FROM call_alerts WHERE told = 0 ORDER BY id LIMIT ?', [BATCH]);
  if (rows.length === 0) return;
  await markAsTold(transaction, rows);
  for (const [id, event] of rows) {
    // A later version of the SIP server's configuration may know others.
    const known = CALL_ALERTS.find((each) => each === event);
    if (known !== undefined) noteChange(transaction, { kind: CALL_ALERT, ref: String(id), event: SHORT[known] });
  }
}

/** Marks the alerts of the time when nobody watched as published. Those of the last minute are published as usual. */
export async function beginWithAlerts(transaction: OwnTransaction, now: number): Promise<void> {
  // Separate statements: an UPDATE by `told` would lock the place where the SIP server inserts.
  const rows = await transaction.rows('SELECT id FROM call_alerts WHERE told = 0 AND at < ?', [now - RECENT]);
  for (const batch of batchesOf(rows)) await markAsTold(transaction, batch);
}

async function markAsTold(transaction: OwnTransaction, rows: readonly Row[]): Promise<void> {
  const ids = rows.map(([id]) => Number(id));
  await transaction.run(`UPDATE call_alerts SET told = 1 WHERE id IN (${places(ids.length)})`, ids);
}

/** The alerts with these row ids, by row id. Those that are no longer kept are missing. */
export async function alertsOf(
  sql: Pick<Reads, 'rows'>,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, CallAlert>> {
  if (rowIds.length === 0) return new Map();
  const ids = pad(rowIds, 0);
  const rows = await sql.rows(`SELECT ${COLUMNS} FROM call_alerts WHERE id IN (${places(ids.length)})`, ids);
  return new Map(rows.map((row) => [Number(row[0]), toAlert(row)]));
}

function toAlert([, event, at, kind, ref, what, used, most, domain, caller, number, gateway]: Row): CallAlert {
  const [, party, partyRef = null] = /^(agent|peer):(.+)$/.exec(String(caller)) ?? [];
  return {
    event: event as CallAlertEvent, // the SIP server stores no others
    at: Number(at),
    kind: textOrNull(kind),
    ref: textOrNull(ref),
    limit: CALL_LIMITS.find((each) => each === what) ?? null,
    used: numberOrNull(used),
    most: numberOrNull(most),
    domain: textOrNull(domain),
    agentRef: party === 'agent' ? partyRef : null,
    peerRef: party === 'peer' ? partyRef : null,
    number: textOrNull(number),
    gatewayRef: gateway === '' ? null : textOrNull(gateway),
  };
}
