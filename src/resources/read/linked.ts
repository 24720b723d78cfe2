import { all, list, raw, sql, type Fragment } from '../../database/fragment';
import { byColumn, seek, toPage, type Page, type Range } from '../../database/page';
import { groupBy, MAX_SEEKS, pad, type Reads, type Row, type SeekRead } from '../../database/sql';
import { memoized } from '../../limits/memoized';
import type { Resource } from '../../model/kind';
import { isHeavy } from '../lists/heavy';
import { ALL_RESOURCES, type ListQuery } from '../lists/list-query';
import { ANY_ORDER, rowsInOrder, readRows, sortColumns } from '../lists/sorted-rows';
import type { Link } from './links';
import { planFor, type Plan } from './plan';
import type { Selection } from './selection';

/**
 * Up to this many parents, each parent's rows are read by an index seek, however many children it has. With more
 * parents, one pass over all rows is less work than so many seeks. Each seek repeats the condition, and the limit of the
 * length also keeps the number of values below 32,766, which every database accepts.
 */
function maySeek(parents: number, { length }: string): boolean {
  return parents <= MAX_SEEKS.keys && parents * length <= MAX_SEEKS.length;
}

/**
 * SQL for pairs of a parent and the id of a target in range: columns `parent`, `id`, and the sort values `s0`, `s1` and
 * so on. The condition and the order of a query are on the target, named `t`.
 */
function pairs(link: Link, keys: readonly number[], query: ListQuery = ALL_RESOURCES, range?: Range): Fragment {
  const parents = pad(keys, 0);
  const parent = raw(link.parent);
  const needsTarget = query !== ALL_RESOURCES && link.isOwn !== true;
  const from = raw(needsTarget ? `${link.from} JOIN ${link.target.table} t ON t.id = ${link.id}` : link.from);
  const ordered = query.order ?? byColumn(link.order);
  const sorts = ordered.map(({ column }, index) => `${column} AS s${String(index)}`).join(', ');
  const columns = raw(`${link.parent} AS parent, ${link.id} AS id, ${sorts}`);
  const always = all([link.where === undefined ? undefined : raw(link.where), query.condition]);
  const among = sql`${parent} IN (${list(parents)})`;
  if (!range) return sql`SELECT ${columns} FROM ${from} WHERE ${all([among, always])}`;
  const { condition, order } = seek(ordered, range);
  const { text, values } = sql`SELECT ${columns} FROM ${from} WHERE ${parent} = ${0} AND ${all([always, condition])}
      ORDER BY ${raw(order)} LIMIT ${range.limit}`;
  if (maySeek(parents.length, text)) {
    // The first value is the key of the parent, because the SQL before it has no placeholders.
    return {
      text: parents.map((_, index) => `SELECT * FROM (${text}) u${String(index)}`).join(' UNION ALL '),
      values: parents.flatMap((key) => [key, ...values.slice(1)]),
    };
  }
  const rank = raw(`ROW_NUMBER() OVER (PARTITION BY ${link.parent} ORDER BY ${order}) AS place`);
  return sql`SELECT * FROM (SELECT ${columns}, ${rank} FROM ${from} WHERE ${all([among, always, condition])}) r
    WHERE place <= ${range.limit}`;
}

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
  const isWhole = !query && !range;
  const seeks = !query && range ? seeksOf(link, plan, parents, range) : undefined;
  if (seeks && range) {
    const direction = range.backwards ? -1 : 1;
    const found = await reads.rowsByKey(seeks, parents);
    return new Map(
      parents.flatMap((parent): [number, Page<Resource>][] => {
        const rows = found.get(parent);
        return rows ? [[parent, toPage(plan.resources(rowsInOrder(rows, 1, direction), 1), range)]] : [];
      }),
    );
  }
  const statement = isWhole ? wholeLists(link, plan, parents) : statementOf(link, plan, parents, range, query);
  // Validation limits the length of a list. A page of a connection stops at its limit if an index returns the targets
  // in order.
  const isShort = !query && (range ? link.isOrdered === true && parents.length <= MAX_SEEKS.keys : true);
  const sortColumn = plan.width + 1;
  const rows = await readRows(
    reads,
    statement,
    !isShort && (await isHeavy(reads, link.target, query ?? ALL_RESOURCES)),
    // Ranges and filters are not combined with those of other requests: for unions of unions, MariaDB needs three times
    // as long.
    isWhole ? { column: sortColumn } : undefined,
  );
  const positions = query?.order && sortColumn;
  const pageOf = (found: readonly Row[]): Page<Resource> => {
    // A UNION promises no order.
    const own = range && !query ? rowsInOrder(found, 1, range.backwards ? -1 : 1) : found;
    const items = plan.resources(own, 1, positions);
    return range ? toPage(items, range) : { items, more: false };
  };
  return new Map([...groupBy(rows, parentIn)].map(([parent, found]) => [parent, pageOf(found)]));
}

function statementOf(
  link: Link,
  plan: Plan,
  parents: readonly number[],
  range: Range | undefined,
  query: ListQuery | undefined,
): Fragment {
  const picked = pairs(link, parents, query, range && { ...range, limit: range.limit + 1 });
  const sorts = (query?.order ?? CREATION).map((term, index) => ({ ...term, column: `p.s${String(index)}` }));
  const turned = seek(sorts, { limit: 0, backwards: range?.backwards ?? false }).order;
  return sql`SELECT p.parent, ${raw(plan.columns)}${sortColumns(sorts)}
    FROM (${picked}) p JOIN ${raw(`${link.target.table} t ON t.id = p.id ${plan.joins}`)} ORDER BY p.parent, ${raw(turned)}`;
}

/**
 * The read of the first targets of a parent, if they are rows of one table that an index returns in order: they are
 * read where they are found, which takes the servers half of the time.
 */
function seeksOf(link: Link, plan: Plan, parents: readonly number[], range: Range): SeekRead | undefined {
  if (link.isOwn !== true || plan.hasMembers) return undefined;
  const { condition, order } = seek(byColumn(link.order), range);
  const limit = range.limit + 1;
  const conditions = all([link.where === undefined ? undefined : raw(link.where), condition]);
  const { text, values } = sql`SELECT ${raw(`${link.parent}, ${plan.columns} FROM ${link.from} ${plan.joins}`)}
    WHERE ${raw(link.parent)} = ${0} AND ${conditions} ORDER BY ${raw(order)} LIMIT ${limit}`;
  if (!maySeek(parents.length, text)) return undefined;
  const read = { text, values: values.slice(1), limit };
  if (link.index === undefined) return read;
  const keyOrder = `${link.parent}${range.backwards ? ' DESC' : ''}`;
  // MySQL would otherwise read the whole index if these parents have most of the rows.
  const from = `${link.from} FORCE INDEX (${link.index})`;
  const statement = (): Fragment => sql`SELECT ${raw(`${link.parent}, ${plan.columns} FROM ${from} ${plan.joins}`)}
    WHERE ${raw(link.parent)} IN (?) AND ${conditions} ORDER BY ${raw(`${keyOrder}, ${order}`)}`;
  return { ...read, pass: { statement, list: link } };
}

const wholeTextsOf = memoized((_link: Link) => memoized((_plan: Plan) => new Map<number, string>()));

/**
 * The statement for whole lists. Its text depends only on the link, the plan and the number of parents, so it is kept.
 */
function wholeLists(link: Link, plan: Plan, parents: readonly number[]): Fragment {
  const values = pad(parents, 0);
  const texts = wholeTextsOf(link)(plan);
  const text = texts.get(values.length) ?? statementOf(link, plan, parents, undefined, undefined).text;
  texts.set(values.length, text);
  return { text, values };
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

function parentIn(row: Row): number {
  return Number(row[0]);
}
