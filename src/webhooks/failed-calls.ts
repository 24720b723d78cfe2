import { batchesBySize } from '../database/batches';
import type { Database } from '../database/database';
import { all, any, list, raw, sql, TRUE, useIndex, type Fragment } from '../database/fragment';
import { pad, type Row, type Transaction } from '../database/sql';
import { globalId } from '../model/global-id';
import { isoTime } from '../resources/documents/iso-time';
import { withoutNulls } from '../resources/documents/members';
import { CALL_STATES } from '../sip/calls/call';
import { callCondition } from '../sip/calls/call-query';
import { countOpen, insertDeliveries, MAX_OPEN } from './delivery-store';
import { message } from './messages';
import { EVERY_FAILED_CALL, type ActiveWebhook } from './webhook';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/**
 * Calls are recognized by the minute in which they began: what a minute has gained since the last look has failed since.
 * Most calls fail within the time of a look. Those that ring longer, and those that the SIP server could not record at
 * once, are found by a thorough look.
 */
const LOOK = 3 * MINUTE;
const THOROUGH_LOOK = HOUR;
/** Failed calls that a look reads, the newest first. A flood hides late ones, and costs no more than this. */
const MOST_READ = 200_000;
// The columns of a call on which `matching` depends.
const READ =
  'begun, ended, direction, status, reason, reason_header, number, caller, callee, gateway_ref, domain_ref, route_ref';
const FAILED = CALL_STATES.indexOf('FAILED') + 1;
/** Values of a statement. SQLite takes 32,766. */
const MOST_VALUES = 20_000;
/** The ids of calls in a message. */
const MOST_IDS = 5;

/** What is known about the failed calls of a webhook. Times are milliseconds since the epoch. */
interface Memory {
  /** Calls that failed before are not told. */
  readonly since: number;
  readonly lookedOn: number;
  /** When the last message was made; 0 without one. */
  readonly toldOn: number;
  /** How many calls that began in a minute have been counted, by its start. */
  readonly counted: Readonly<Record<string, number>>;
  /** How many failed calls were found, and not told, by minute: the time when the last of them was found. */
  readonly untold: readonly (readonly [at: number, calls: number])[];
}

/** Whether the webhook is told of failed calls. */
export function watchesFailures({ events }: Pick<ActiveWebhook, 'events'>): boolean {
  return events.includes('CALL_FAILED');
}

/** Begins to count failed calls from now on, unless the webhook counted the same ones `before`. */
export async function restartFailures(
  transaction: Transaction,
  webhook: ActiveWebhook,
  before?: ActiveWebhook,
): Promise<void> {
  const counts = (each: ActiveWebhook): string =>
    JSON.stringify([watchesFailures(each), each.refs, each.failedCalls ?? EVERY_FAILED_CALL]);
  if (before && counts(before) === counts(webhook)) return;
  await transaction.run('DELETE FROM webhook_failures WHERE webhook_id = ?', [webhook.rowId]);
  if (!watchesFailures(webhook)) return;
  const now = Date.now();
  await transaction.run(
    `INSERT INTO webhook_failures (webhook_id, since, looked_on, told_on, counted, untold) VALUES (?, ?, ?, 0, '{}', '[]')`,
    [webhook.rowId, now, now],
  );
}

/** A webhook whose failed calls are counted, and the time from which calls are read. */
interface Watched {
  readonly webhook: ActiveWebhook;
  readonly memory: Memory;
  readonly from: number;
  /** The number of its calls in a minute. */
  readonly count: Fragment;
}

/** Makes the messages about failed calls that are due. Webhooks share reads of the calls. */
export async function lookAtFailures(
  database: Database,
  webhooks: readonly ActiveWebhook[],
  isThorough: boolean,
): Promise<void> {
  const now = Date.now();
  const memories = await memoriesOf(database, webhooks);
  const watched = webhooks.flatMap((webhook): Watched[] => {
    const memory = memories.get(webhook.rowId);
    if (!memory) return [];
    const count = sql`SUM(CASE WHEN ${matching(webhook, memory.since)} THEN 1 ELSE 0 END)`;
    return [{ webhook, memory, from: startOf(memory, now, isThorough), count }];
  });
  for (const some of batchesBySize(watched, ({ count }) => count.values.length, MOST_VALUES))
    await lookAt(database, some, now);
}

async function lookAt(database: Database, watched: readonly Watched[], now: number): Promise<void> {
  const columns = watched.map(({ count }) => count).reduce((one, other) => sql`${one}, ${other}`);
  const from = Math.min(...watched.map((each) => each.from));
  const { text, values } = sql`SELECT minute, ${columns} FROM (
      SELECT begun - begun % ${MINUTE} AS minute, ${raw(READ)} FROM calls c ${useIndex(database.product, 'calls_state')}
      WHERE state = ${FAILED} AND begun >= ${from} ORDER BY begun DESC LIMIT ${MOST_READ}) c GROUP BY minute`;
  const rows = await database.heavy(text, values);
  for (const [n, { webhook, memory, from: start }] of watched.entries()) {
    const found = rows
      .map((row): readonly [number, number] => [Number(row[0]), Number(row[n + 1])])
      .filter(([minute]) => minute >= start);
    await note(database, webhook, memory, { found, now });
  }
}

/** The start of the minute from which calls are read. Minutes before have been forgotten. */
function startOf({ lookedOn }: Memory, now: number, isThorough: boolean): number {
  const start = Math.min(now, lookedOn) - (isThorough ? THOROUGH_LOOK : LOOK);
  return minuteOf(Math.max(start, now - DAY));
}

function minuteOf(at: number): number {
  return at - (at % MINUTE);
}

/** Adds what the minutes have gained, and makes a message if it is due. */
async function note(
  database: Database,
  webhook: ActiveWebhook,
  memory: Memory,
  { found, now }: { readonly found: readonly (readonly [number, number])[]; readonly now: number },
): Promise<void> {
  const { maintenance } = database;
  const { count, minutes } = webhook.failedCalls ?? EVERY_FAILED_CALL;
  const counted = new Map(Object.entries(memory.counted).map(([minute, calls]) => [Number(minute), calls]));
  let gained = 0;
  for (const [minute, calls] of found) {
    const known = counted.get(minute) ?? 0;
    if (calls <= known) continue;
    counted.set(minute, calls);
    gained += calls - known;
  }
  const period = minutes * MINUTE;
  const isEarly = memory.toldOn <= now && now - memory.toldOn < period;
  const isBlocked = isEarly || (await countOpen(maintenance, webhook.rowId)) >= MAX_OPEN;
  // While no message can be made, what failed meanwhile is kept for the next one. A webhook for single calls is told all.
  const untold = addCalls(memory.untold, now, gained).filter(([at]) => isBlocked || count === 1 || at > now - period);
  const failed = untold.reduce((sum, [, calls]) => sum + calls, 0);
  const isDue = !isBlocked && failed >= count;
  if (gained === 0 && !isDue && now - memory.lookedOn < MINUTE) return;
  const oldest = minuteOf(now - THOROUGH_LOOK) - MINUTE;
  const kept = Object.fromEntries([...counted].filter(([minute]) => minute >= oldest));
  const ids = isDue ? await newest(database, webhook, memory) : [];
  await maintenance.transaction(async (transaction) => {
    // Another process may have looked meanwhile.
    const { rows } = await transaction.run(
      `UPDATE webhook_failures SET looked_on = ?, told_on = ?, counted = ?, untold = ?
       WHERE webhook_id = ? AND looked_on = ? AND told_on = ? AND since = ?`,
      [
        ...[now, isDue ? now : memory.toldOn, JSON.stringify(kept), JSON.stringify(isDue ? [] : untold)],
        ...[webhook.rowId, memory.lookedOn, memory.toldOn, memory.since],
      ],
    );
    if (rows === 0 || !isDue) return;
    const data = {
      count: failed,
      since: isoTime(Math.max(memory.since, minuteOf(untold[0]?.[0] ?? now))),
      until: isoTime(now),
      calls: ids,
    };
    await insertDeliveries(transaction, webhook.rowId, [message('Call failed', 'call.failed', now, data)]);
  });
}

/** Adds calls to the untold ones, in one entry a minute. */
function addCalls(untold: Memory['untold'], now: number, calls: number): Memory['untold'] {
  if (calls === 0) return untold;
  const last = untold.at(-1);
  if (!last || minuteOf(last[0]) !== minuteOf(now)) {
    // A webhook whose messages wait for very long: the oldest are added up.
    const [first, second, ...rest] = untold;
    const few =
      first && second && untold.length > DAY / MINUTE ? [[first[0], first[1] + second[1]] as const, ...rest] : untold;
    return [...few, [now, calls]];
  }
  return [...untold.slice(0, -1), [now, last[1] + calls]];
}

/** The ids of the newest calls that the webhook was not told about. */
async function newest(
  database: Database,
  webhook: ActiveWebhook,
  { since, toldOn, lookedOn }: Memory,
): Promise<readonly string[]> {
  const { text, values } = sql`SELECT id FROM calls ${useIndex(database.product, 'calls_state')} WHERE state = ${FAILED}
    AND begun >= ${Math.min(lookedOn, Date.now()) - DAY} AND ${matching(webhook, Math.max(since, toldOn))}
    ORDER BY begun DESC LIMIT ${MOST_IDS}`;
  return (await database.heavy(text, values)).map(([id]) => globalId('Call', String(id)));
}

/** The condition for failed calls that a webhook is told about. */
function matching({ refs, failedCalls }: ActiveWebhook, since: number): Fragment {
  const { count: _count, minutes: _minutes, ...conditions } = failedCalls ?? EVERY_FAILED_CALL;
  const parties = refs?.flatMap((ref) => [`agent:${ref}`, `peer:${ref}`]) ?? [];
  const isMeant = refs
    ? any([
        ...['gateway_ref', 'domain_ref', 'route_ref'].map((column) => sql`${raw(column)} IN (${list(refs)})`),
        sql`caller IN (${list(parties)})`,
        sql`callee IN (${list(parties)})`,
      ])
    : TRUE;
  return all([sql`COALESCE(ended, begun) >= ${since}`, callCondition(withoutNulls(conditions)), isMeant]);
}

async function memoriesOf(
  { maintenance }: Database,
  webhooks: readonly ActiveWebhook[],
): Promise<ReadonlyMap<number, Memory>> {
  const ids = webhooks.map(({ rowId }) => rowId);
  if (ids.length === 0) return new Map();
  const { text, values } = sql`SELECT webhook_id, since, looked_on, told_on, counted, untold FROM webhook_failures
    WHERE webhook_id IN (${list(pad(ids, 0))})`;
  return new Map((await maintenance.rows(text, values)).map((row) => [Number(row[0]), toMemory(row)]));
}

function toMemory([, since, lookedOn, toldOn, counted, untold]: Row): Memory {
  return {
    since: Number(since),
    lookedOn: Number(lookedOn),
    toldOn: Number(toldOn),
    counted: JSON.parse(String(counted)) as Memory['counted'], // written by `note`, like the list below
    untold: JSON.parse(String(untold)) as Memory['untold'],
  };
}
