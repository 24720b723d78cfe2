import type { Product } from '../database/driver';
import { all, any, list, raw, sql, statementsOf, unionAll, useIndex, type Fragment } from '../database/fragment';
import { seek, toPage, type Order, type Page, type Range } from '../database/page';
import type { Reads, Row } from '../database/sql';
import type { Kind } from '../model/kind';
import { Creations } from './creations';
import { entryColumns, toEntries, type Depth } from './entry-reads';
import type { HistoryEntry } from './history-entry';
import { equalities, INDEXED, spanOf, type HistoryQuery } from './history-query';

/** Newest first. */
const ORDER: Order = [{ column: 'id', type: 'number', descending: true }];

/**
 * Reads the history. Entries of each kind are sought in an index, newest first. A query that no index bounds, because
 * it has several conditions, waits in the queue of heavy reads.
 */
export class HistoryReader {
  constructor(
    private readonly reads: Reads,
    private readonly product: Product,
    /** Numbers the changes that are committed, which makes them entries. */
    private readonly number: () => Promise<void>,
    /** Charges the user for long entries, in objects. Throws RateLimitedError. */
    private readonly spend: (objects: number) => void = () => undefined,
  ) {}

  /** Reads a page of the entries that meet the conditions, newest first. */
  async page(query: HistoryQuery, range: Range, depth: Depth = 'all'): Promise<Page<HistoryEntry>> {
    await this.number();
    const span = await spanOf(this.reads, this.product, query);
    if (query.kinds.length === 0 || span === 'nothing') return { items: [], more: false };
    const given = INDEXED.filter(([name]) => query[name] !== undefined);
    const index = useIndex(this.product, given[0]?.[2] ?? 'changes_kind');
    const { condition, order } = seek(ORDER, range);
    const parts = query.kinds.map(
      (kind, n) => sql`SELECT * FROM (SELECT ${raw(entryColumns(depth))} FROM changes ${index}
        WHERE ${all([sql`kind = ${kind}`, ...equalities(query), span, condition])}
        ORDER BY ${raw(order)} LIMIT ${range.limit + 1}) ${raw(`k${String(n)}`)}`,
    );
    const { text, values } = sql`${unionAll(parts)} ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`;
    const isHeavy = given.length > 1 && query.ref === undefined;
    const rows = await (isHeavy ? this.reads.heavy(text, values) : this.reads.rows(text, values));
    const { items, more } = toPage(rows, range);
    return { items: await toEntries(this.reads, items, depth, this.spend), more };
  }

  /** Counts the entries that meet the conditions. */
  async count(query: HistoryQuery): Promise<number> {
    await this.number();
    const span = await spanOf(this.reads, this.product, query);
    if (query.kinds.length === 0 || span === 'nothing') return 0;
    const conditions = all([sql`kind IN (${list(query.kinds)})`, ...equalities(query), span]);
    const { text, values } = sql`SELECT COUNT(*) FROM changes WHERE ${conditions}`;
    const [row] = await (query.ref === undefined ? this.reads.heavy(text, values) : this.reads.rows(text, values));
    return Number(row?.[0]);
  }

  /** Reads a page of the entries of each of these resources, without those of others that had its reference before. */
  async ofResources(
    kind: Kind,
    refs: readonly string[],
    range: Range,
    depth: Depth = 'all',
  ): Promise<ReadonlyMap<string, Page<HistoryEntry>>> {
    await this.number();
    const { condition, order } = seek(ORDER, range);
    const index = useIndex(this.product, 'changes_ref');
    const own = await this.ownOf(kind, refs);
    const found = new Map(refs.map((ref): [string, Row[]] => [ref, []]));
    const selects = [...own].map(
      ([, of]) => sql`SELECT ${raw(entryColumns(depth))} FROM changes ${index}
        WHERE ${all([of, condition])}
        ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`,
    );
    for (const statement of statementsOf(selects)) {
      const { text, values } = sql`${statement} ORDER BY ${raw(order)}`;
      for (const row of await this.reads.rows(text, values)) found.get(String(row[3]))?.push(row);
    }
    const pages = [...found].map(([ref, rows]) => [ref, toPage(rows, range)] as const);
    const rows = pages.flatMap(([, { items }]) => items);
    const entries = [...(await toEntries(this.reads, rows, depth, this.spend))];
    return new Map(pages.map(([ref, { items, more }]) => [ref, { items: entries.splice(0, items.length), more }]));
  }

  /** Counts the entries of each of these resources, as `ofResources` reads them. */
  async countsOf(kind: Kind, refs: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const own = await this.ownOf(kind, refs);
    const counts = [...own].map(
      ([ref, of]) => sql`SELECT ${ref} AS ref, COUNT(*) AS many FROM changes ${useIndex(this.product, 'changes_ref')}
        WHERE ${of}`,
    );
    const found = new Map<string, number>();
    for (const { text, values } of statementsOf(counts))
      for (const [ref, count] of await this.reads.rows(text, values)) found.set(String(ref), Number(count));
    return found;
  }

  /** The conditions on the entries of resources, without those of others that had its reference before. Two statements. */
  private async ownOf(kind: Kind, refs: readonly string[]): Promise<ReadonlyMap<string, Fragment>> {
    const creations = new Creations(this.reads, this.product, this.spend);
    await creations.read(refs.map((ref) => ({ rowId: 0, kind: kind.name, ref })));
    return new Map(
      refs.map((ref) => {
        const spans = creations
          .spansOf({ kind: kind.name, ref })
          .map(({ from, to }) => all([sql`id >= ${from}`, to === Infinity ? undefined : sql`id <= ${to}`]));
        return [ref, all([sql`kind = ${kind.name}`, sql`ref = ${ref}`, any(spans)])];
      }),
    );
  }

  /** Reads an entry. Undefined if there is none with this number. */
  async entry(number: number): Promise<HistoryEntry | undefined> {
    await this.number();
    const rows = await this.reads.rows(`SELECT ${entryColumns('all')} FROM changes WHERE id = ?`, [number]);
    const [entry] = await toEntries(this.reads, rows, 'all', this.spend);
    return entry;
  }
}
