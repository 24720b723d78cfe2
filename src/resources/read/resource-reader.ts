import { list as listOf, raw, sql } from '../../database/fragment';
import { byColumn, seek, toPage, where, type Page, type Range } from '../../database/page';
import { pad, type Reads, type Row, type SqlValue } from '../../database/sql';
import { NotFoundError } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import type { ListMemory } from '../lists/cached-lists';
import { isHeavy, isHeavyPage } from '../lists/heavy';
import { ALL_RESOURCES, ofKind, tableOf, type Condition, type ListQuery } from '../lists/list-query';
import type { Slice } from '../lists/list-slices';
import { Lists, type NumberedPage } from '../lists/lists';
import { readRows, sortColumns } from '../lists/sorted-rows';
import { isRef } from '../write/input';
import { countLinked, readLinked } from './linked';
import type { Link } from './links';
import { lookupOf, planFor, ROW_ID, type Plan } from './plan';
import type { Selection } from './selection';

/** What identifies a resource. */
export interface Identity {
  readonly rowId: number;
  readonly ref: string;
  /** Milliseconds since the epoch. Another value means that the resource was changed since it was read. */
  readonly modifiedOn: number;
}

const CREATION = byColumn('t.id');

/**
 * Reads resources. The number of statements of a call does not depend on the number of rows. A read that no index
 * bounds waits in the queue of heavy reads.
 */
export class ResourceReader {
  private readonly lists: Lists;

  constructor(
    private readonly sql: Reads,
    /** If undefined, lists are counted on every read, and a numbered page skips all rows before the page. */
    memory?: ListMemory,
  ) {
    this.lists = new Lists(sql, memory);
  }

  /** Reads a resource. Throws NotFoundError. */
  get(kind: Kind, ref: string, selection: Selection): Promise<Resource> {
    return this.one(kind, ref, selection, (plan, rows) => plan.resources(rows));
  }

  /** Reads the rows of a resource, as `Plan.groupRows` returns them. Throws NotFoundError. */
  rows(kind: Kind, ref: string, selection: Selection): Promise<readonly Row[]> {
    return this.one(kind, ref, selection, (plan, rows) => plan.groupRows(rows));
  }

  private async one<T>(
    kind: Kind,
    ref: string,
    selection: Selection,
    itemsIn: (plan: Plan, rows: readonly Row[]) => readonly T[],
  ): Promise<T> {
    if (!isRef(ref)) throw new NotFoundError(kind.name, ref);
    const plan = planFor(kind, selection);
    const [item] = itemsIn(plan, await this.rowsOf(plan, ref));
    if (!item) throw new NotFoundError(kind.name, ref);
    return item;
  }

  /** Reads the resources with these refs, without those that do not exist. */
  async some(kind: Kind, refs: readonly string[], selection: Selection): Promise<readonly Resource[]> {
    if (refs.length === 0) return [];
    return this.among(kind, 't.ref', pad(refs, ''), selection);
  }

  /** Reads the resources with these row ids, without those that do not exist. Returns them by row id. */
  async byRowIds(kind: Kind, rowIds: readonly number[], selection: Selection): Promise<ReadonlyMap<number, Resource>> {
    const found = await this.among(kind, 't.id', pad(rowIds, 0), selection);
    return new Map(found.map((resource) => [resource.rowId, resource]));
  }

  /** Reads a page of a list: the rows in a range, in the order of the query. */
  async page(
    kind: Kind,
    selection: Selection,
    range: Range,
    query: ListQuery = ALL_RESOURCES,
  ): Promise<Page<Resource>> {
    const { condition, order } = query;
    const plan = planFor(kind, selection);
    const sought = seek(order ?? CREATION, range);
    const list = { kind, condition };
    const from = order ? raw(`${kind.table} t`) : tableOf(list);
    const rest = sql`${where([ofKind(kind), condition, sought.condition])} ORDER BY ${raw(sought.order)}
      LIMIT ${range.limit + 1}`;
    const source = plan.hasMembers
      ? sql`(SELECT t.id FROM ${from} ${rest}) p JOIN ${raw(`${kind.table} t ON t.id = p.id ${plan.joins}`)}
        ORDER BY ${raw(sought.order)}`
      : sql`${from} ${raw(plan.joins)} ${rest}`;
    const statement = sql`SELECT ${raw(plan.columns)}${sortColumns(order)} FROM ${source}`;
    // An index has the rows in the order of a unique column.
    const isIndexed = !condition && order?.[0]?.unique === true;
    const heavy = order ? !isIndexed && isHeavy(this.sql, kind, query) : isHeavyPage(this.sql, list, range.limit);
    const sorted = order ? undefined : { column: ROW_ID, backwards: range.backwards };
    const rows = await readRows(this.sql, statement, await heavy, sorted);
    return toPage(plan.resources(rows, 0, order && plan.width), range);
  }

  /** Reads a page of a list in creation order, and the length of the list. */
  numberedPage(
    kind: Kind,
    selection: Selection,
    slice: Slice,
    { condition }: ListQuery = ALL_RESOURCES,
  ): Promise<NumberedPage> {
    return this.lists.page({ kind, condition }, selection, slice);
  }

  count(kind: Kind, { condition }: ListQuery = ALL_RESOURCES): Promise<number> {
    return this.lists.count({ kind, condition });
  }

  /**
   * Returns what identifies the resources that match a condition, in creation order: all, or the first `limit`. With
   * `refs`, only those among them.
   */
  async identities(
    kind: Kind,
    condition: Condition | undefined,
    { limit, refs }: { readonly limit?: number; readonly refs?: readonly string[] } = {},
  ): Promise<readonly Identity[]> {
    const list = { kind, condition };
    const among = refs && sql`t.ref IN (${listOf(pad(refs, ''))})`;
    const statement = sql`SELECT t.id, t.ref, t.modified_on FROM ${refs ? raw(`${kind.table} t`) : tableOf(list)}
      ${where([ofKind(kind), among, condition])} ORDER BY t.id ${limit === undefined ? raw('') : sql`LIMIT ${limit}`}`;
    // An index finds the rows of refs. Then, only a condition that does more than compare columns may take long.
    const heavy = refs
      ? condition !== undefined && !condition.searchCost
      : limit === undefined
        ? isHeavy(this.sql, kind, { condition })
        : isHeavyPage(this.sql, list, limit);
    const rows = await readRows(this.sql, statement, await heavy);
    return rows.map(([id, ref, modifiedOn]) => ({
      rowId: Number(id),
      ref: String(ref),
      modifiedOn: Number(modifiedOn),
    }));
  }

  /**
   * Reads the targets of a link for many parents in one statement: a range of a connection for each parent, or whole
   * lists.
   */
  readLinked(
    link: Link,
    parents: readonly number[],
    selection: Selection,
    range?: Range,
    query?: ListQuery,
  ): Promise<ReadonlyMap<number, Page<Resource>>> {
    return readLinked(this.sql, link, parents, selection, range, query);
  }

  /** Counts the targets of a link for many parents in one statement. */
  linkedCounts(link: Link, parents: readonly number[], query?: ListQuery): Promise<ReadonlyMap<number, number>> {
    return countLinked(this.sql, link, parents, query);
  }

  private async rowsOf(plan: Plan, ref: string): Promise<readonly Row[]> {
    const lookup = lookupOf(plan);
    if (plan.hasMembers) return this.sql.unorderedRows(lookup.text, [ref, ...lookup.values]);
    const row = await this.sql.rowByKey(lookup, ref);
    return row ? [row] : [];
  }

  private async among(
    kind: Kind,
    column: string,
    keys: readonly SqlValue[],
    selection: Selection,
  ): Promise<readonly Resource[]> {
    const plan = planFor(kind, selection);
    const { text, values } = sql`SELECT ${raw(`${plan.columns} FROM ${kind.table} t ${plan.joins}`)}
      ${where([sql`${raw(column)} IN (${listOf(keys)})`, ofKind(kind)])}`;
    return plan.resources(await this.sql.rows(text, values));
  }
}
