import type { Product } from '../../database/driver';
import { all, list, raw, sql, statementsOf, unionAll, useIndex, type Fragment } from '../../database/fragment';
import { seek, toPage, type Order, type Page, type Range } from '../../database/page';
import { pad, places, type Reads, type Row } from '../../database/sql';
import { InvalidInputError, quote } from '../../errors';
import { parseAddressOfRecord } from '../../model/format/address-of-record';
import { scan } from '../live/scan';
import {
  EVENT_COLUMNS,
  ownerKey,
  toRegistrationEvent,
  type RegistrationEvent,
  type RegistrationEventKind,
  type RegistrationOwner,
} from './registration-event';

/** Newest first. */
export const EVENT_ORDER: Order = [
  { column: 'at', type: 'number', descending: true },
  { column: 'id', type: 'number', descending: true },
];

/** Which events to read. All conditions must hold. */
export interface RegistrationEventQuery {
  readonly addressOfRecord?: string | undefined;
  readonly owner?: RegistrationOwner | undefined;
  readonly events?: readonly RegistrationEventKind[] | undefined;
  /** Milliseconds since the epoch; both are included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What a reader of transitions depends on. */
export interface RegistrationEventOptions {
  readonly product: Product;
  /** Whether the reader sees no addresses of devices and providers. */
  readonly isHidden: boolean;
  /** Since when references mean what they mean now (history/identities.ts). Earlier events are those of others. */
  readonly since: (mentions: readonly RegistrationOwner[]) => Promise<ReadonlyMap<string, number>>;
}

/** A seek in an index, which returns events in their order. */
interface Way {
  readonly index: string;
  readonly condition: Fragment;
}

const TABLES = { Agent: 'agents', Peer: 'peers', Gateway: 'gateways' } as const;

/** Reads the transitions of registrations that the SIP server recorded. */
export class RegistrationEventReader {
  constructor(
    private readonly sql: Reads,
    private readonly options: RegistrationEventOptions,
  ) {}

  /** A page of the events that match, newest first. Throws InvalidInputError for what is no address of record. */
  async page(range: Range, query: RegistrationEventQuery): Promise<Page<RegistrationEvent>> {
    const { ways, rest } = this.pathOf(query);
    const { condition, order } = seek(EVENT_ORDER, range);
    const end = sql`ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`;
    const parts = ways.map(
      (way, n) => sql`SELECT * FROM (${this.select(way, all([rest, condition]), end)}) ${raw(`w${String(n)}`)}`,
    );
    if (parts.length === 0) return toPage([], range);
    const statement = sql`${unionAll(parts)} ${end}`;
    const isSought = rest === undefined;
    const rows = await (isSought ? this.sql.rows(statement.text, statement.values) : this.scan(statement));
    return toPage(this.toEvents(rows), range);
  }

  /** The number of events that match. Throws like `page`. */
  async count(query: RegistrationEventQuery): Promise<number> {
    const { ways, rest } = this.pathOf(query);
    const parts = ways.map(
      ({ index, condition }) =>
        sql`SELECT COUNT(*) AS many FROM registration_events ${useIndex(this.options.product, index)} WHERE ${all([condition, rest])}`,
    );
    if (parts.length === 0) return 0;
    const [row] = await this.scan(sql`SELECT SUM(many) FROM (${unionAll(parts)}) c`);
    return Number(row?.[0]);
  }

  /** A page of the events of each owner, newest first, by the owner's row id. */
  async of(
    kind: RegistrationOwner['kind'],
    rowIds: readonly number[],
    range: Range,
  ): Promise<ReadonlyMap<number, Page<RegistrationEvent>>> {
    const { condition, order } = seek(EVENT_ORDER, range);
    const end = sql`ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`;
    const found = new Map(rowIds.map((rowId): [number, Row[]] => [rowId, []]));
    const selects = [...(await this.keysOf(kind, rowIds))].map(
      ([rowId, owner]) => sql`SELECT ${rowId} AS parent, o.* FROM (${this.select(owner, condition, end)}) o`,
    );
    for (const statement of statementsOf(selects)) {
      const { text, values } = sql`${statement} ORDER BY ${raw(order)}`;
      for (const row of await this.sql.rows(text, values)) found.get(Number(row[0]))?.push(row.slice(1));
    }
    return new Map([...found].map(([rowId, rows]) => [rowId, toPage(this.toEvents(rows), range)]));
  }

  /** The number of events of each owner, by row id. */
  async countsOf(kind: RegistrationOwner['kind'], rowIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const keys = await this.keysOf(kind, rowIds);
    const selects = [...keys].map(
      ([rowId, { index, condition }]) => sql`SELECT ${rowId} AS parent, COUNT(*) AS many FROM registration_events
        ${useIndex(this.options.product, index)} WHERE ${condition}`,
    );
    const counts = new Map<number, number>();
    for (const { text, values } of statementsOf(selects))
      for (const [rowId, many] of await this.sql.rows(text, values)) counts.set(Number(rowId), Number(many));
    return counts;
  }

  /** The seeks for the events of resources, by row id. */
  private async keysOf(kind: RegistrationOwner['kind'], rowIds: readonly number[]): Promise<ReadonlyMap<number, Way>> {
    const keys = pad(rowIds, 0);
    const rows = await this.sql.rows(`SELECT id, ref FROM ${TABLES[kind]} WHERE id IN (${places(keys.length)})`, keys);
    const owners = rows.map(([rowId, ref]) => ({ rowId: Number(rowId), owner: { kind, ref: String(ref) } }));
    const since = await this.options.since(owners.map(({ owner }) => owner));
    return new Map(
      owners.map(({ rowId, owner }) => {
        const { index, condition } = wayOf(ownerKey(owner));
        const first = since.get(`${kind} ${owner.ref}`);
        return [rowId, { index, condition: all([condition, first === undefined ? undefined : sql`at >= ${first}`]) }];
      }),
    );
  }

  /** The seeks for a query, which begin with the condition that selects the fewest events, and what no index answers. */
  private pathOf({ addressOfRecord, owner, events, from, to }: RegistrationEventQuery): {
    readonly ways: readonly Way[];
    readonly rest: Fragment | undefined;
  } {
    const span = all([
      from === undefined ? undefined : sql`at >= ${from}`,
      to === undefined ? undefined : sql`at <= ${to}`,
    ]);
    const some = events && (events.length === 0 ? raw('FALSE') : sql`event IN (${list(events)})`);
    const address = addressOfRecord === undefined ? undefined : addressWay(addressOfRecord);
    const [best, ...others] = [owner && wayOf(ownerKey(owner)), address].filter((way) => way !== undefined);
    const within = ({ index, condition }: Way): Way => ({ index, condition: all([condition, span]) });
    if (best) {
      const conditions = [...others.map(({ condition }) => condition), some].filter((each) => each !== undefined);
      return { ways: [within(best)], rest: conditions.length === 0 ? undefined : all(conditions) };
    }
    const ways = events
      ? events.map((event) => ({ index: 'registration_events_event', condition: sql`event = ${event}` }))
      : [{ index: 'registration_events_at', condition: raw('TRUE') }];
    return { ways: ways.map(within), rest: undefined };
  }

  private select({ index, condition }: Way, more: Fragment, end: Fragment): Fragment {
    return sql`SELECT ${raw(EVENT_COLUMNS)} FROM registration_events ${useIndex(this.options.product, index)}
      WHERE ${all([condition, more])} ${end}`;
  }

  private scan(statement: Fragment): Promise<readonly Row[]> {
    return scan(this.sql, 'registration_events', statement);
  }

  private toEvents(rows: readonly Row[]): readonly RegistrationEvent[] {
    return rows.map((row) => toRegistrationEvent(row, this.options.isHidden));
  }
}

function wayOf(owner: string): Way {
  return { index: 'registration_events_owner', condition: sql`owner = ${owner}` };
}

function addressWay(addressOfRecord: string): Way {
  const aor = parseAddressOfRecord(addressOfRecord);
  if (aor?.host === undefined)
    throw InvalidInputError.of('addressOfRecord', `${quote(addressOfRecord)} is not an address of record`);
  return {
    index: 'registration_events_address',
    condition: sql`username = ${aor.user} AND domain = ${aor.host}`,
  };
}
