import { raw, sql, type Fragment } from '../database/fragment';
import { byColumn, seek, toPage, type Order, type Page, type Range } from '../database/page';
import type { Reads, Row } from '../database/sql';
import type { Kind, Resource } from '../model/kind';
import { linksOf, type Link } from './links';
import { ALL_RESOURCES, type ListQuery } from './list-query';
import { pairs, SEEK_AT_MOST } from './pairs';
import { planFor } from './plan-cache';
import type { Selection } from './selection';
import { isHeavy } from './weight';

const CREATION = byColumn('t.id');

/**
 * Reads the targets of a link for many parents in one statement: a range of a connection for each parent, or whole
 * lists.
 */
export async function readLinked(
  reads: Reads,
  link: Link,
  parents: readonly number[],
  selection: Selection,
  range?: Range,
  query?: ListQuery,
): Promise<ReadonlyMap<number, Page<Resource>>> {
  const plan = planFor(link.target, selection);
  const picked = pairs(link, parents, query, range && { ...range, limit: range.limit + 1 });
  const sorts = (query?.order ?? CREATION).map((term, index) => ({ ...term, column: `p.s${String(index)}` }));
  const turned = seek(sorts, { limit: 0, backwards: range?.backwards ?? false }).order;
  const statement = sql`SELECT p.parent, ${raw(plan.columns)}${sortColumns(sorts)}
    FROM (${picked}) p JOIN ${raw(`${link.target.table} t ON t.id = p.id ${plan.joins}`)} ORDER BY p.parent, ${raw(turned)}`;
  // Validation limits the length of a list. A page of a connection stops at its limit if an index returns the targets
  // in order.
  const isShort = !query && (range ? link.isOrdered && parents.length <= SEEK_AT_MOST : true);
  const sortColumn = plan.width + 1;
  const rows = await readRows(
    reads,
    statement,
    !isShort && (await isHeavy(reads, link.target, query ?? ALL_RESOURCES)),
    query?.order ? undefined : { column: sortColumn, backwards: range?.backwards },
  );
  const positions = query?.order && sortColumn;
  const found = new Map<number, Resource[]>();
  for (const row of rows) {
    const resource = placed(plan.hydrate(row, 1), row, positions);
    const siblings = found.get(parentIn(row));
    if (siblings) siblings.push(resource);
    else found.set(parentIn(row), [resource]);
  }
  return new Map([...found].map(([parent, items]) => [parent, range ? toPage(items, range) : { items, more: false }]));
}

/** Counts the targets of a link for many parents in one statement. A parent without targets has no entry. */
export async function countLinked(
  reads: Reads,
  link: Link,
  parents: readonly number[],
  query: ListQuery = ALL_RESOURCES,
): Promise<ReadonlyMap<number, number>> {
  const all = query.condition ? { condition: query.condition } : ALL_RESOURCES;
  const statement = sql`SELECT p.parent, COUNT(*) FROM (${pairs(link, parents, all)}) p GROUP BY p.parent`;
  const rows = await readRows(reads, statement, await isHeavy(reads, link.target, all), ANY_ORDER);
  return new Map(rows.map((row) => [parentIn(row), Number(row[1])]));
}

/** Adds the selected lists of references, which documents show as lists of names. */
export async function fillLists(
  reads: Reads,
  kind: Kind,
  resources: readonly Resource[],
  { fields }: Selection,
): Promise<void> {
  for (const { name, refersTo } of kind.references) {
    const link = fields.has(name) && refersTo.through && linksOf(kind).find((each) => each.name === refersTo.link);
    if (!link || resources.length === 0) continue;
    const ids = resources.map((resource) => resource.rowId);
    const targets = await readLinked(reads, link, ids, namesOnly(refersTo.by));
    for (const resource of resources) {
      const items = targets.get(resource.rowId)?.items ?? [];
      Object.assign(resource, { [name]: items.map((item) => item[refersTo.by as keyof Resource]) });
    }
  }
}

/** An order of rows by a column of numbers. */
interface NumberOrder {
  readonly column: number;
  readonly backwards?: boolean | undefined;
}

/** For the rows of a read whose order is irrelevant, or that has one row. */
export const ANY_ORDER: NumberOrder = { column: 0 };

/**
 * Runs a read. A heavy read waits in the queue of heavy reads and returns the rows in the order of the statement. With
 * `order`, any other read shares a statement with concurrent requests, and the rows are sorted by a column of numbers
 * afterwards.
 */
export async function readRows(
  reads: Reads,
  { text, values }: Fragment,
  heavy: boolean,
  order?: NumberOrder,
): Promise<readonly Row[]> {
  if (heavy) return reads.heavy(text, values);
  if (!order) return reads.rows(text, values);
  const { column, backwards } = order;
  const rows = [...(await reads.unorderedRows(text, values))];
  return rows.sort((a, b) => (backwards ? -1 : 1) * (Number(a[column]) - Number(b[column])));
}

/**
 * Returns SQL for the columns of the sort values, which come after the columns of the plan. Returns an empty fragment
 * for creation order, which is the default.
 */
export function sortColumns(order: Order | undefined): Fragment {
  return raw((order ?? []).map(({ column }) => `, ${column}`).join(''));
}

/**
 * Sets the position of a resource to its sort values, which start at `offset` in the row. Does nothing if `offset` is
 * undefined.
 */
export function placed(resource: Resource, row: Row, offset: number | undefined): Resource {
  if (offset !== undefined) resource.position = row.slice(offset);
  return resource;
}

const namesOnlyBy = new Map<string, Selection>();

function namesOnly(by: string): Selection {
  const known = namesOnlyBy.get(by) ?? { fields: new Set([by]), links: new Map() };
  namesOnlyBy.set(by, known);
  return known;
}

function parentIn(row: Row): number {
  return Number(row[0]);
}
