import type { Product } from '../../database/driver';
import { raw, sql, statementsOf, useIndex } from '../../database/fragment';
import type { Order, Page, Range } from '../../database/page';
import { numberOrNull, pad, places, type Reads, type Row } from '../../database/sql';
import { ForbiddenError, InvalidInputError } from '../../errors';
import { telDigits } from '../../model/format/tel-uri';
import { isRange, rangeHolding } from '../kamailio/routing';
import { scanTable } from '../live/scan';
import { messagesInOrder } from '../messages/message-order';
import { ownersOf, WayReader, type Since, type Way } from '../past/ways';
import { CALL_COLUMNS, shownText, toCall, type Call, type CalledNumber } from './call';
import { attemptsIn, type RecordedAttempt } from './call-attempts';
import { ofDomain, ofGateway, ofNumber, ofParty, ofRange, ofRoute, pathOf, type CallQuery } from './call-query';

/** What calls belong to. */
export type CallOwner = 'Agent' | 'Peer' | 'Gateway' | 'Domain' | 'Route' | 'Number';

/** How calls are counted: by the final status, by gateway, or by the hour in which they began (UTC). */
export type CallGroup = 'STATUS' | 'GATEWAY' | 'HOUR';

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

/** Messages of a call. More are stored of a call whose messages have many From tags (sip/messages). */
const MOST_MESSAGES = 60;

/** The order of a list of calls. */
export type CallOrder = 'NEWEST' | 'OLDEST';

/** The order in SQL. */
export function callOrder(order: CallOrder): Order {
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
  readonly since: Since;
}

/** A number of ours that a call names. */
export interface FoundNumber {
  readonly rowId: number;
  readonly kind: string;
  readonly ref: string;
}

const CALLS = { table: 'calls', columns: CALL_COLUMNS, at: 'begun' };

/** Reads the calls that the SIP server recorded. */
export class CallReader {
  private readonly ways: WayReader<Call>;

  constructor(
    private readonly sql: Reads,
    private readonly options: CallReaderOptions,
  ) {
    this.ways = new WayReader(sql, options.product, CALLS, (row) => this.toCall(row));
  }

  /**
   * A page of the calls that match. Throws InvalidInputError for a search that is too long, and ForbiddenError for one
   * that would reveal what is shortened.
   */
  async page(range: Range, query: CallQuery, order: CallOrder = 'NEWEST'): Promise<Page<Call>> {
    this.assertMayAsk(query);
    return this.ways.page(pathOf(query), range, callOrder(order));
  }

  /** The number of calls that match. Throws like `page`. */
  async count(query: CallQuery): Promise<number> {
    this.assertMayAsk(query);
    return this.ways.count(pathOf(query));
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

  /** The first messages of calls, by Call-ID, in order. Empty for a reader who sees shortened numbers. */
  async messages(callIds: readonly string[]): Promise<ReadonlyMap<string, readonly CallMessage[]>> {
    const found = new Map(callIds.map((callId): [string, CallMessage[]] => [callId, []]));
    if (this.options.isShortened) return found;
    const index = useIndex(this.options.product, 'call_messages_call');
    const selects = [...found.keys()].map(
      (callId) => sql`SELECT call_id, at, sender, receiver, first_line, headers, id FROM call_messages ${index}
        WHERE call_id = ${callId} ORDER BY at, id LIMIT ${MOST_MESSAGES}`,
    );
    const rows: Row[] = [];
    for (const statement of statementsOf(selects)) {
      const { text, values } = sql`${statement} ORDER BY at, id`;
      rows.push(...(await this.sql.rows(text, values)));
    }
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
    return new Map([...found].map(([callId, messages]) => [callId, messagesInOrder(messages)]));
  }

  /** A page of the calls of each owner, newest first, by the owner's row id. */
  async of(owner: CallOwner, rowIds: readonly number[], range: Range): Promise<ReadonlyMap<number, Page<Call>>> {
    return this.ways.pagesOf(await this.waysOf(owner, rowIds), range, callOrder('NEWEST'));
  }

  /** The number of calls of each owner, by row id. */
  async countsOf(owner: CallOwner, rowIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    return this.ways.countsOf(await this.waysOf(owner, rowIds), true);
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
    const rows = await scanTable(
      this.sql,
      'calls',
      sql`SELECT k, COUNT(*) AS many, COUNT(answered), AVG(ended - answered), AVG(delay)
        ${raw(percentiles ? `, ${percentile(50)}, ${percentile(95)}` : '')}
      FROM (SELECT ${raw(key)} AS k, answered, ended, ${raw(delay)} AS delay ${raw(percentiles ? ranks : '')}
        FROM calls ${useIndex(this.options.product, 'calls_counted')} WHERE begun >= ${from} AND begun < ${to}) c
      GROUP BY k ORDER BY ${raw(by === 'HOUR' ? 'k' : 'many DESC, k')} LIMIT ${first}`,
    );
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

  private waysOf(owner: CallOwner, rowIds: readonly number[]): Promise<ReadonlyMap<number, readonly Way[]>> {
    const owners = owner === 'Number' ? NUMBERS : ownersOf(owner);
    return this.ways.ofOwners(owners, rowIds, this.options.since, WAYS[owner]);
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

/** The key of a called number. */
export function numberKey({ digits, gatewayRef }: CalledNumber): string {
  return `${digits} ${gatewayRef}`;
}

const NUMBERS = {
  from: 'numbers o JOIN gateways g ON g.id = o.gateway_id',
  columns: "o.kind, o.ref, o.tel_digits, g.ref, COALESCE(o.last_tel_url, '')",
};

/** The ways to the calls of owners, by their reference and, of a number, the further columns of NUMBERS. */
const WAYS: Readonly<Record<CallOwner, (ref: string, values: readonly string[]) => readonly Way[]>> = {
  Agent: (ref) => ofParty(`agent:${ref}`),
  Peer: (ref) => ofParty(`peer:${ref}`),
  Gateway: ofGateway,
  Domain: ofDomain,
  Route: ofRoute,
  // Calls within the domains have no gateway.
  Number: (_ref, [digits = '', gatewayRef = '', last = '']) =>
    [gatewayRef, null].flatMap((through) =>
      last === '' ? ofNumber(digits, through) : ofRange(digits, telDigits(last), through),
    ),
};
