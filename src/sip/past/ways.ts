import type { Product } from '../../database/driver';
import { all, raw, sql, statementsOf, unionAll, useIndex, type Fragment } from '../../database/fragment';
import { seek, toPage, type Order, type Page, type Range } from '../../database/page';
import { pad, places, type Reads, type Row } from '../../database/sql';
import { scanTable } from '../live/scan';

/** A seek in an index of what the SIP server recorded. */
export interface Way {
  readonly index: string;
  readonly condition: Fragment;
  /** Whether the index has the rows in another order than that in which they are read. */
  readonly isUnordered?: boolean;
}

/** The ways that together find the rows of a query, each row once, and the conditions that no index answers. */
export interface Path {
  readonly ways: readonly Way[];
  readonly rest: readonly Fragment[];
}

/** The ways to the records of owners, by row id. */
type OwnerWays = ReadonlyMap<number, readonly Way[]>;

const TABLES = { Agent: 'agents', Peer: 'peers', Gateway: 'gateways', Domain: 'domains', Route: 'routes' } as const;

/** SQL for the owners `o` of records that have their reference, and for what these owners are. */
export function ownersOf(kind: keyof typeof TABLES): { readonly from: string; readonly columns: string } {
  return { from: `${TABLES[kind]} o`, columns: `'${kind}', o.ref` };
}

/**
 * Since when references mean what they mean now, in milliseconds since the epoch, by kind and reference (history/identities.ts):
 * earlier records are those of others. Only those are in it that meant something else while records were kept.
 */
export type Since = (
  mentions: readonly { readonly kind: string; readonly ref: string }[],
) => Promise<ReadonlyMap<string, number>>;

/** Reads what the SIP server recorded, by ways. `at` is the column with the time of a record. */
export class WayReader<T> {
  constructor(
    private readonly sql: Reads,
    private readonly product: Product,
    private readonly records: { readonly table: string; readonly columns: string; readonly at: string },
    private readonly toObject: (row: Row) => T,
  ) {}

  async page({ ways, rest }: Path, range: Range, order: Order): Promise<Page<T>> {
    if (ways.length === 0) return toPage([], range);
    const statement = this.first(ways, rest, range, order);
    const isSought = rest.length === 0;
    const rows = await (isSought ? this.sql.rows(statement.text, statement.values) : this.scan(statement));
    return toPage(rows.map(this.toObject), range);
  }

  async count({ ways, rest }: Path): Promise<number> {
    if (ways.length === 0) return 0;
    const parts = ways.map((way) => sql`SELECT COUNT(*) AS many ${this.from(way, rest)}`);
    const [row] = await this.scan(sql`SELECT SUM(many) FROM (${unionAll(parts)}) c`);
    return Number(row?.[0]);
  }

  /** A page of the records of each owner, by the owner's row id. */
  async pagesOf(owners: OwnerWays, range: Range, order: Order): Promise<ReadonlyMap<number, Page<T>>> {
    const found = new Map([...owners.keys()].map((rowId): [number, T[]] => [rowId, []]));
    // Not `owner`, which is a column of transitions.
    const selects = [...owners].map(
      ([rowId, ways]) => sql`SELECT ${rowId} AS parent, o.* FROM (${this.first(ways, [], range, order)}) o`,
    );
    const isHeavy = [...owners.values()].flat().some(({ isUnordered }) => isUnordered);
    for (const statement of statementsOf(selects)) {
      const { text, values } = sql`${statement} ORDER BY ${raw(seek(order, range).order)}`;
      const rows = await (isHeavy ? this.sql.heavy(text, values) : this.sql.rows(text, values));
      for (const row of rows) found.get(Number(row[0]))?.push(this.toObject(row.slice(1)));
    }
    return new Map([...found].map(([rowId, records]) => [rowId, toPage(records, range)]));
  }

  /** The number of records of each owner, by the owner's row id. */
  async countsOf(owners: OwnerWays, isHeavy: boolean): Promise<ReadonlyMap<number, number>> {
    const selects = [...owners].flatMap(([rowId, ways]) =>
      ways.map((way) => sql`SELECT ${rowId} AS parent, COUNT(*) AS many ${this.from(way, [])}`),
    );
    const counts = new Map<number, number>();
    for (const { text, values } of statementsOf(selects))
      for (const [rowId, many] of await (isHeavy ? this.sql.heavy(text, values) : this.sql.rows(text, values)))
        counts.set(Number(rowId), (counts.get(Number(rowId)) ?? 0) + Number(many));
    return counts;
  }

  /** The ways to the records of owners, by row id: `waysOf` returns those by an owner's reference and further columns. */
  async ofOwners(
    { from, columns }: ReturnType<typeof ownersOf>,
    rowIds: readonly number[],
    since: Since,
    waysOf: (ref: string, values: readonly string[]) => readonly Way[],
  ): Promise<OwnerWays> {
    const keys = pad(rowIds, 0);
    const rows = await this.sql.rows(
      `SELECT o.id, ${columns} FROM ${from} WHERE o.id IN (${places(keys.length)})`,
      keys,
    );
    const firsts = await since(rows.map(([, kind, ref]) => ({ kind: String(kind), ref: String(ref) })));
    return new Map(
      rows.map(([rowId, kind, ref, ...values]) => {
        const first = firsts.get(`${String(kind)} ${String(ref)}`);
        const later = first === undefined ? undefined : sql`${raw(this.records.at)} >= ${first}`;
        const ways = waysOf(String(ref), values.map(String));
        return [Number(rowId), ways.map((way) => ({ ...way, condition: all([way.condition, later]) }))];
      }),
    );
  }

  /** The first rows of ways together. */
  private first(ways: readonly Way[], rest: readonly Fragment[], range: Range, order: Order): Fragment {
    const { condition, order: terms } = seek(order, range);
    const end = sql`ORDER BY ${raw(terms)} LIMIT ${range.limit + 1}`;
    const columns = raw(this.records.columns);
    const parts = ways.map((way) => sql`SELECT ${columns} ${this.from(way, [condition, ...rest])} ${end}`);
    const [only] = parts;
    if (only && parts.length === 1) return only;
    return sql`${unionAll(parts.map((part, n) => sql`SELECT * FROM (${part}) ${raw(`w${String(n)}`)}`))} ${end}`;
  }

  private from({ index, condition }: Way, rest: readonly Fragment[]): Fragment {
    return sql`FROM ${raw(this.records.table)} ${useIndex(this.product, index)} WHERE ${all([condition, ...rest])}`;
  }

  private scan(statement: Fragment): Promise<readonly Row[]> {
    return scanTable(this.sql, this.records.table, statement);
  }
}
