import type { Product } from '../../database/driver';
import { all, raw, sql, statementsOf, unionAll, useIndex, type Fragment } from '../../database/fragment';
import { seek, toPage, type Order, type Page, type Range } from '../../database/page';
import { numberOrNull, pad, places, type Reads, type Row } from '../../database/sql';
import { ForbiddenError, InvalidInputError } from '../../errors';
import { telDigits } from '../../model/format/tel-uri';
import { isRange, rangeHolding } from '../kamailio/routing';
import { scan } from '../live/scan';
import { inOrder } from '../messages/message-order';
import { CALL_COLUMNS, shownText, toCall, type Call, type CalledNumber } from './call';
import { attemptsIn, type RecordedAttempt } from './call-attempts';
import { ofDomain, ofNumber, ofParty, ofRange, ofRoute, pathOf, type CallQuery, type Way } from './call-query';

/** What calls belong to. */
export type CallOwner = 'Agent' | 'Peer' | 'Gateway' | 'Domain' | 'Route' | 'Number';

/** How calls are counted: by the final status, by gateway, or by the hour in which they began (UTC). */
export const CALL_GROUPS = ['STATUS', 'GATEWAY', 'HOUR'] as const;
export type CallGroup = (typeof CALL_GROUPS)[number];

/** The number of calls of a group. Durations are milliseconds; null if there is nothing to measure. */
export interface CallCount {
  readonly status: number | null;
  readonly gatewayRef: string | null;
  readonly hour: number | null;
  readonly calls: number;
  readonly answered: number;
  readonly averageDuration: number | null;
  readonly averageRingDelay: number | null;
  /** Percentiles of the time until something rang or answered; undefined if they were not asked for. */
  readonly medianRingDelay?: number | null;
  readonly slowRingDelay?: number | null;
}

/** What to count. Times are milliseconds since the epoch. */
export interface CallCounting {
  readonly from: number;
  /** Not included. */
  readonly to: number;
  /** Whether to compute percentiles, which sorts the calls. */
  readonly percentiles?: boolean;
}

/** A SIP message of a call, without its body and its secrets. */
export interface CallMessage {
  readonly at: number;
  /** IP address and port of the sender and the receiver. */
  readonly from: string;
  readonly to: string;
  readonly firstLine: string;
  readonly headers: readonly string[];
}

/** Messages of all calls of a page. A call has at most 60 (sip/messages). */
const MOST_MESSAGES = 6000;

/** The order of a list of calls. */
export const CALL_ORDERS = ['NEWEST', 'OLDEST'] as const;
export type CallOrder = (typeof CALL_ORDERS)[number];

/** The order in SQL. */
export function orderOf(order: CallOrder): Order {
  const descending = order === 'NEWEST';
  return [
    { column: 'begun', type: 'number', descending },
    { column: 'id', type: 'number', descending },
  ];
}

const DAY = 86_400_000;
/** The longest time whose calls are counted by group, in days. */
const MAX_DAYS = 31;
export const MAX_GROUPS = 1000;

/** What a reader of calls depends on. */
export interface CallReaderOptions {
  readonly product: Product;
  /** Whether the reader sees shortened numbers, and no addresses. */
  readonly isShortened: boolean;
  /** Charges the user for a read, in objects. Throws RateLimitedError. */
  readonly spend: (objects: number) => void;
  /**
   * Since when references mean what they mean now, in milliseconds since the epoch, by kind and reference: calls that began before
   * are those of others. Only those are in it that meant something else while calls were kept.
   */
  readonly since: (
    mentions: readonly { readonly kind: string; readonly ref: string }[],
  ) => Promise<ReadonlyMap<string, number>>;
}

/** What identifies the calls of an owner. */
interface OwnerKey {
  readonly values: readonly string[];
  /** When the first of them can have begun, in milliseconds since the epoch. */
  readonly since: number;
}

/** A number of ours that a call names. */
export interface FoundNumber {
  readonly rowId: number;
  readonly kind: string;
  readonly ref: string;
}

/** Reads the calls that the SIP server recorded. */
export class CallReader {
  constructor(
    private readonly sql: Reads,
    private readonly options: CallReaderOptions,
  ) {}

  /**
   * A page of the calls that match. Throws InvalidInputError for a search that is too long, and ForbiddenError for one
   * that would reveal what is shortened.
   */
  async page(range: Range, query: CallQuery, order: CallOrder = 'NEWEST'): Promise<Page<Call>> {
    this.assertMayAsk(query);
    const { ways, rest } = pathOf(query);
    const { condition, order: terms } = seek(orderOf(order), range);
    const end = sql`ORDER BY ${raw(terms)} LIMIT ${range.limit + 1}`;
    const parts = ways.map(
      (way, n) => sql`SELECT * FROM (${this.select(way, all([condition, ...rest]), end)}) ${raw(`w${String(n)}`)}`,
    );
    if (parts.length === 0) return toPage([], range);
    const statement = sql`${unionAll(parts)} ${end}`;
    const isSought = rest.length === 0;
    const rows = await (isSought ? this.sql.rows(statement.text, statement.values) : this.scan(statement));
    return toPage(
      rows.map((row) => this.toCall(row)),
      range,
    );
  }

  /** The number of calls that match. Throws like `page`. */
  async count(query: CallQuery): Promise<number> {
    this.assertMayAsk(query);
    const { ways, rest } = pathOf(query);
    const parts = ways.map(
      ({ index, condition }) =>
        sql`SELECT COUNT(*) AS many FROM calls ${useIndex(this.options.product, index)} WHERE ${all([condition, ...rest])}`,
    );
    if (parts.length === 0) return 0;
    const [row] = await this.scan(sql`SELECT SUM(many) FROM (${unionAll(parts)}) c`);
    return Number(row?.[0]);
  }

  /** The call with a row id. Undefined if there is none. */
  async one(rowId: number): Promise<Call | undefined> {
    const [row] = await this.sql.rows(`SELECT ${CALL_COLUMNS} FROM calls WHERE id = ?`, [rowId]);
    return row && this.toCall(row);
  }

  /** The attempts of calls, by row id. */
  async attempts(rowIds: readonly number[]): Promise<ReadonlyMap<number, readonly RecordedAttempt[]>> {
    const keys = pad(rowIds, 0);
    const rows = await this.sql.rows(`SELECT id, attempts FROM calls WHERE id IN (${places(keys.length)})`, keys);
    return new Map(rows.map(([id, attempts]) => [Number(id), attemptsIn(attempts, this.options.isShortened)]));
  }

  /** The messages of calls, by Call-ID, in order. Empty for a reader who sees shortened numbers. */
  async messages(callIds: readonly string[]): Promise<ReadonlyMap<string, readonly CallMessage[]>> {
    const found = new Map(callIds.map((callId): [string, CallMessage[]] => [callId, []]));
    if (this.options.isShortened) return found;
    const keys = pad(callIds, '');
    const rows = await this.sql.rows(
      `SELECT call_id, at, sender, receiver, first_line, headers FROM call_messages WHERE call_id IN (${places(keys.length)})
       ORDER BY call_id, at, id LIMIT ?`,
      [...keys, MOST_MESSAGES],
    );
    this.options.spend(rows.length);
    for (const [callId, at, from, to, firstLine, headers] of rows)
      found.get(String(callId))?.push({
        at: Number(at),
        from: String(from),
        to: String(to),
        firstLine: shownText(firstLine, false) ?? '',
        headers: String(headers)
          .split('\n')
          .map((line) => shownText(line, false) ?? ''),
      });
    return new Map([...found].map(([callId, messages]) => [callId, inOrder(messages)]));
  }

  /** A page of the calls of each owner, newest first, by the owner's row id. */
  async of(owner: CallOwner, rowIds: readonly number[], range: Range): Promise<ReadonlyMap<number, Page<Call>>> {
    const { condition, order } = seek(orderOf('NEWEST'), range);
    const end = sql`ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`;
    const keys = await this.keysOf(owner, rowIds);
    const found = new Map(rowIds.map((rowId): [number, Row[]] => [rowId, []]));
    const selects = [...keys].map(([rowId, key]) => {
      const parts = waysOf(owner, key).map(
        (way, n) => sql`SELECT * FROM (${this.select(way, condition, end)}) ${raw(`w${String(n)}`)}`,
      );
      return sql`SELECT ${rowId} AS owner, o.* FROM (${unionAll(parts)} ${end}) o`;
    });
    for (const statement of statementsOf(selects)) {
      const { text, values } = sql`${statement} ORDER BY ${raw(order)}`;
      const rows = await (hasRange(owner, keys) ? this.sql.heavy(text, values) : this.sql.rows(text, values));
      for (const row of rows) found.get(Number(row[0]))?.push(row.slice(1));
    }
    return new Map(
      [...found].map(([rowId, rows]) => [
        rowId,
        toPage(
          rows.map((row) => this.toCall(row)),
          range,
        ),
      ]),
    );
  }

  /** The number of calls of each owner, by row id. */
  async countsOf(owner: CallOwner, rowIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const keys = await this.keysOf(owner, rowIds);
    const selects = [...keys].flatMap(([rowId, key]) =>
      waysOf(owner, key).map(
        ({ index, condition }) =>
          sql`SELECT ${rowId} AS owner, COUNT(*) AS many FROM calls ${useIndex(this.options.product, index)} WHERE ${condition}`,
      ),
    );
    const counts = new Map<number, number>();
    for (const { text, values } of statementsOf(selects))
      for (const [rowId, many] of await this.sql.heavy(text, values))
        counts.set(Number(rowId), (counts.get(Number(rowId)) ?? 0) + Number(many));
    return counts;
  }

  /**
   * Counts the calls that began in a time by group: the first groups, hours in order, and others with most calls first.
   * Throws InvalidInputError if the time is longer than 31 days, or for more than 1,000 groups.
   */
  async counts(
    by: CallGroup,
    first: number,
    { from, to, percentiles = false }: CallCounting,
  ): Promise<readonly CallCount[]> {
    if (first < 1 || first > MAX_GROUPS)
      throw InvalidInputError.of('first', `${String(first)} is not a number from 1 to ${String(MAX_GROUPS)}`);
    if (from >= to) throw InvalidInputError.of('from', 'is not before to');
    if (to - from > MAX_DAYS * DAY)
      throw InvalidInputError.of('from', `is more than ${String(MAX_DAYS)} days before to`);
    const key = { STATUS: 'status', GATEWAY: 'gateway_ref', HOUR: 'begun - begun % 3600000' }[by];
    const delay = 'COALESCE(ringing, answered) - begun';
    // The nearest rank: the lowest delay that is not exceeded by that share of the calls.
    const ranks = `, ROW_NUMBER() OVER (PARTITION BY ${key}, ${delay} IS NULL ORDER BY ${delay}) AS place,
      COUNT(${delay}) OVER (PARTITION BY ${key}) AS delays`;
    const rows = await this.scan(sql`SELECT k, COUNT(*) AS many, COUNT(answered), AVG(ended - answered), AVG(delay)
        ${raw(percentiles ? `, ${percentile(50)}, ${percentile(95)}` : '')}
      FROM (SELECT ${raw(key)} AS k, answered, ended, ${raw(delay)} AS delay ${raw(percentiles ? ranks : '')}
        FROM calls ${useIndex(this.options.product, 'calls_counted')} WHERE begun >= ${from} AND begun < ${to}) c
      GROUP BY k ORDER BY ${raw(by === 'HOUR' ? 'k' : 'many DESC, k')} LIMIT ${first}`);
    this.options.spend(rows.length);
    return rows.map(([value, calls, answered, duration, average, median, slow]) => ({
      status: by === 'STATUS' && value !== null ? Number(value) : null,
      gatewayRef: by === 'GATEWAY' && value !== null ? String(value) : null,
      hour: by === 'HOUR' ? Number(value) : null,
      calls: Number(calls),
      answered: Number(answered),
      averageDuration: numberOrNull(duration),
      averageRingDelay: numberOrNull(average),
      ...(percentiles && { medianRingDelay: numberOrNull(median), slowRingDelay: numberOrNull(slow) }),
    }));
  }

  /** The numbers, by `numberKey`. */
  async numbers(keys: readonly string[]): Promise<ReadonlyMap<string, FoundNumber>> {
    const digits = pad([...new Set(keys.map((key) => key.split(' ', 1)[0] ?? ''))], '');
    const rows = await this.sql.rows(
      `SELECT n.id, n.tel_digits, g.ref, n.kind, n.ref FROM numbers n JOIN gateways g ON g.id = n.gateway_id
       WHERE n.tel_digits IN (${places(digits.length)}) AND NOT ${isRange('n')} ORDER BY g.ref DESC, n.id DESC`,
      digits,
    );
    const own = rows.map(([, tel]) => String(tel));
    const ranges = await this.rangesWith(digits.filter((each) => each !== '' && !own.includes(each)));
    // The SIP server takes the first gateway for a call that no gateway sent.
    return new Map(
      [...rows, ...ranges].flatMap(([id, tel, gateway, kind, ref]) =>
        [String(gateway), ''].map((of): [string, FoundNumber] => [
          numberKey({ digits: String(tel), gatewayRef: of }),
          { rowId: Number(id), kind: String(kind), ref: String(ref) },
        ]),
      ),
    );
  }

  /** The ranges in which numbers are: row id, digits of the number, gateway, kind and reference. */
  private async rangesWith(digits: readonly string[]): Promise<readonly Row[]> {
    const seeks = digits.map(
      (
        each,
      ) => sql`SELECT n.id, ${each} AS digits, g.ref, n.kind, n.ref AS own FROM numbers n JOIN gateways g ON g.id = n.gateway_id
        WHERE n.id = ${rangeHolding(each)}`,
    );
    const rows: Row[] = [];
    for (const { text, values } of statementsOf(seeks)) rows.push(...(await this.sql.rows(text, values)));
    return rows;
  }

  /** What identifies the calls of owners, by row id. */
  private async keysOf(owner: CallOwner, rowIds: readonly number[]): Promise<ReadonlyMap<number, OwnerKey>> {
    const { columns, from, id } = OWNERS[owner];
    const keys = pad(rowIds, 0);
    const rows = await this.sql.rows(
      `SELECT ${id}, ${columns} FROM ${from} WHERE ${id} IN (${places(keys.length)})`,
      keys,
    );
    const owners = rows.map(([rowId, kind, ref, ...values]) => ({
      rowId: Number(rowId),
      key: `${String(kind)} ${String(ref)}`,
      mention: { kind: String(kind), ref: String(ref) },
      values: values.map(String),
    }));
    const since = await this.options.since(owners.map(({ mention }) => mention));
    return new Map(owners.map(({ rowId, key, values }) => [rowId, { values, since: since.get(key) ?? 0 }]));
  }

  private select({ index, condition }: Way, more: Fragment, end: Fragment): Fragment {
    return sql`SELECT ${raw(CALL_COLUMNS)} FROM calls ${useIndex(this.options.product, index)}
      WHERE ${all([condition, more])} ${end}`;
  }

  private scan(statement: Fragment): Promise<readonly Row[]> {
    return scan(this.sql, 'calls', statement);
  }

  /** Whether the reader sees shortened numbers, and no addresses. */
  get isShortened(): boolean {
    return this.options.isShortened;
  }

  /** Throws InvalidInputError and ForbiddenError like `page`. */
  assertMayAsk(query: CallQuery): void {
    pathOf(query);
    const { search, callId, reason } = query;
    if (!this.options.isShortened) return;
    // A provider may write numbers into its reasons.
    if (search !== undefined || reason !== undefined)
      throw new ForbiddenError('where: viewers cannot search for numbers while CALLS_PRIVACY is on');
    if (callId !== undefined)
      throw new ForbiddenError('where: viewers cannot search for Call-IDs while CALLS_PRIVACY is on');
  }

  private toCall(row: Row): Call {
    return toCall(row, this.options.isShortened);
  }
}

/** SQL for a percentile of the delays of a group, whose places are counted from 1. */
function percentile(percent: number): string {
  return `MIN(CASE WHEN delay IS NOT NULL AND place * 100 >= delays * ${String(percent)} THEN delay END)`;
}

/** Whether calls of a range of numbers are read, which no index has in their order. */
function hasRange(owner: CallOwner, keys: ReadonlyMap<number, OwnerKey>): boolean {
  return owner === 'Number' && [...keys.values()].some(({ values }) => values[2] !== '');
}

/** The key of a called number. */
export function numberKey({ digits, gatewayRef }: CalledNumber): string {
  return `${digits} ${gatewayRef}`;
}

/** The kind and the reference of owners, and what calls have of them. */
const OWNERS = {
  Agent: { from: 'agents o', id: 'o.id', columns: "'Agent', o.ref, o.ref" },
  Peer: { from: 'peers o', id: 'o.id', columns: "'Peer', o.ref, o.ref" },
  Gateway: { from: 'gateways o', id: 'o.id', columns: "'Gateway', o.ref, o.ref" },
  Domain: { from: 'domains o', id: 'o.id', columns: "'Domain', o.ref, o.ref" },
  Route: { from: 'routes o', id: 'o.id', columns: "'Route', o.ref, o.ref" },
  Number: {
    from: 'numbers o JOIN gateways g ON g.id = o.gateway_id',
    id: 'o.id',
    columns: "o.kind, o.ref, o.tel_digits, g.ref, COALESCE(o.last_tel_url, '')",
  },
} as const;

function waysOf(owner: CallOwner, { values, since }: OwnerKey): readonly Way[] {
  const ways = allWaysOf(owner, values);
  return since === 0
    ? ways
    : ways.map(({ index, condition }) => ({ index, condition: all([condition, sql`begun >= ${since}`]) }));
}

function allWaysOf(owner: CallOwner, [key = '', gatewayRef = '', last = '']: readonly string[]): readonly Way[] {
  if (owner === 'Agent') return ofParty(`agent:${key}`);
  if (owner === 'Peer') return ofParty(`peer:${key}`);
  if (owner === 'Gateway') return [{ index: 'calls_gateway', condition: sql`gateway_ref = ${key}` }];
  if (owner === 'Domain') return ofDomain(key);
  if (owner === 'Route') return ofRoute(key);
  // Calls within the domains have no gateway.
  if (last !== '') return [...ofRange(key, telDigits(last), gatewayRef), ...ofRange(key, telDigits(last), null)];
  return [...ofNumber(key, gatewayRef), ...ofNumber(key, null)];
}
