import { raw, sql, type Fragment } from '../database/fragment';
import { byColumn, seek, toPage, where, whereAll, type Order, type Page, type Range } from '../database/page';
import { padded, places, type Reads, type Row, type SqlValue } from '../database/sql';
import { NotFoundError } from '../errors';
import { isRef } from './input';
import type { Kind, Resource } from '../model/kind';
import { referencesOf } from '../model/kinds';
import { SEEK_AT_MOST, linksOf, pairs, type Link } from './links';
import { EVERYTHING, ofKind, type Condition, type ListQuery } from './list-query';
import { planOf, type Plan } from './plan';
import type { Selection } from './selection';
import { MAX_STEPS, isHeavy } from './weight';

const plans = new WeakMap<Selection, Map<Kind, Plan>>();

/** What a resource is told by. */
export interface Identity {
  readonly rowId: number;
  readonly ref: string;
}

const CREATION = byColumn('t.id');

/**
 * Reads resources: each call is a fixed number of statements, whatever the number of rows. What no index bounds is a heavy
 * read.
 */
export class ResourceReader {
  constructor(private readonly sql: Reads) {}

  /** One resource; throws NotFoundError. */
  async get(kind: Kind, ref: string, selection: Selection): Promise<Resource> {
    if (!isRef(ref)) throw new NotFoundError(kind.name, ref);
    const plan = planFor(kind, selection);
    const [row] = await this.sql.rows(
      `SELECT ${plan.columns} FROM ${kind.table} t ${plan.joins} WHERE t.ref = ?${kind.shared ? ' AND t.kind = ?' : ''}`,
      [ref, ...discriminator(kind)],
    );
    if (!row) throw new NotFoundError(kind.name, ref);
    const resource = plan.hydrate(row);
    await this.fillLists(kind, [resource], selection);
    return resource;
  }

  /** Those of the refs that exist. */
  some(kind: Kind, refs: readonly string[], selection: Selection): Promise<readonly Resource[]> {
    return this.among(kind, 't.ref', padded(refs, ''), selection);
  }

  /** Those of the rows that exist, by row id. */
  async byRowIds(kind: Kind, rowIds: readonly number[], selection: Selection): Promise<ReadonlyMap<number, Resource>> {
    const found = await this.among(kind, 't.id', padded(rowIds, 0), selection);
    return new Map(found.map((resource) => [resource.rowId, resource]));
  }

  /** A part of a list, sought by where a row stands in it. */
  async page(kind: Kind, selection: Selection, range: Range, query: ListQuery = EVERYTHING): Promise<Page<Resource>> {
    const { condition, order = CREATION } = query;
    const plan = planFor(kind, selection);
    const sought = seek(order, range);
    const statement = sql`SELECT ${raw(plan.columns)}${sortColumns(order)} FROM ${raw(`${kind.table} t ${plan.joins}`)}
      ${where([ofKind(kind), condition, sought.condition])} ORDER BY ${raw(sought.order)} LIMIT ${range.limit + 1}`;
    // Without a query it ends with its limit.
    const rows = await this.rows(statement, query !== EVERYTHING && (await isHeavy(this.sql, kind, query)));
    const positions = order === CREATION ? undefined : plan.width;
    return toPage(
      rows.map((row) => placed(plan.hydrate(row), row, positions)),
      range,
    );
  }

  /** A page of a kind in the order of creation, by its number from 1. */
  async numberedPage(
    kind: Kind,
    selection: Selection,
    page: number,
    size: number,
    query: ListQuery = EVERYTHING,
  ): Promise<readonly Resource[]> {
    const plan = planFor(kind, selection);
    // An index alone gives the ids of the page; only they are joined to what is wide.
    const ids = sql`SELECT t.id FROM ${raw(kind.table)} t ${where([ofKind(kind), query.condition])}
      ORDER BY t.id LIMIT ${size} OFFSET ${(page - 1) * size}`;
    const statement = sql`SELECT ${raw(plan.columns)} FROM (${ids}) p
      JOIN ${raw(`${kind.table} t ON t.id = p.id ${plan.joins}`)} ORDER BY t.id`;
    const isNear = !query.condition && page * size <= MAX_STEPS;
    const rows = await this.rows(statement, !isNear && (await isHeavy(this.sql, kind, query)));
    const resources = rows.map((row) => plan.hydrate(row));
    await this.fillLists(kind, resources, selection);
    return resources;
  }

  /** How many there are of a kind. */
  async count(kind: Kind, { condition }: ListQuery = EVERYTHING): Promise<number> {
    const statement = sql`SELECT COUNT(*) FROM ${raw(kind.table)} t ${where([ofKind(kind), condition])}`;
    const [row] = await this.rows(statement, await isHeavy(this.sql, kind, condition ? { condition } : EVERYTHING));
    return Number(row?.[0]);
  }

  /** The row ids and refs of all that meet a condition, in the order of creation. */
  async identities(kind: Kind, condition: Condition): Promise<readonly Identity[]> {
    const statement = sql`SELECT t.id, t.ref FROM ${raw(kind.table)} t ${where([ofKind(kind), condition])} ORDER BY t.id`;
    const rows = await this.rows(statement, await isHeavy(this.sql, kind, { condition }));
    return rows.map(([id, ref]) => ({ rowId: Number(id), ref: String(ref) }));
  }

  /** What a link leads to, for many parents at once: in ranges of a connection, or whole lists. */
  async linked(
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
    const statement = sql`SELECT p.parent, ${raw(plan.columns)}${sortColumns(query?.order ? sorts : CREATION)}
      FROM (${picked}) p JOIN ${raw(`${link.target.table} t ON t.id = p.id ${plan.joins}`)} ORDER BY p.parent, ${raw(turned)}`;
    // A list is as long as the input lets it be; a page of a connection ends with its limit where it is in order.
    const isShort = !query && (range ? link.isOrdered && parents.length <= SEEK_AT_MOST : true);
    const rows = await this.rows(statement, !isShort && (await isHeavy(this.sql, link.target, query ?? EVERYTHING)));
    const positions = query?.order ? plan.width + 1 : undefined;
    const found = new Map<number, Resource[]>();
    for (const row of rows) {
      const resource = placed(plan.hydrate(row, 1), row, positions);
      const siblings = found.get(parentIn(row));
      if (siblings) siblings.push(resource);
      else found.set(parentIn(row), [resource]);
    }
    return new Map(
      [...found].map(([parent, items]) => [parent, range ? toPage(items, range) : { items, more: false }]),
    );
  }

  /** How many a link leads to, for many parents at once. */
  async linkedCounts(
    link: Link,
    parents: readonly number[],
    query: ListQuery = EVERYTHING,
  ): Promise<ReadonlyMap<number, number>> {
    const all = query.condition ? { condition: query.condition } : EVERYTHING;
    const statement = sql`SELECT p.parent, COUNT(*) FROM (${pairs(link, parents, all)}) p GROUP BY p.parent`;
    const rows = await this.rows(statement, await isHeavy(this.sql, link.target, all));
    return new Map(rows.map((row) => [parentIn(row), Number(row[1])]));
  }

  private rows({ text, values }: Fragment, heavy: boolean): Promise<readonly Row[]> {
    return heavy ? this.sql.heavy(text, values) : this.sql.rows(text, values);
  }

  private async among(
    kind: Kind,
    column: string,
    keys: readonly SqlValue[],
    selection: Selection,
  ): Promise<readonly Resource[]> {
    const plan = planFor(kind, selection);
    const where = whereAll([`${column} IN (${places(keys.length)})`, kind.shared === true && 't.kind = ?']);
    const rows = await this.sql.rows(`SELECT ${plan.columns} FROM ${kind.table} t ${plan.joins} ${where}`, [
      ...keys,
      ...discriminator(kind),
    ]);
    return rows.map((row) => plan.hydrate(row));
  }

  /** A list of references stands in a table of its own; the documents show it as a list of names. */
  private async fillLists(kind: Kind, resources: readonly Resource[], { fields }: Selection): Promise<void> {
    for (const { name, refersTo } of referencesOf(kind)) {
      const link = fields.has(name) && refersTo.through && linksOf(kind).find((each) => each.name === refersTo.link);
      if (!link || resources.length === 0) continue;
      const ids = resources.map((resource) => resource.rowId);
      const targets = await this.linked(link, ids, namesOnly(refersTo.by));
      for (const resource of resources) {
        const items = targets.get(resource.rowId)?.items ?? [];
        Object.assign(resource, { [name]: items.map((item) => item[refersTo.by as keyof Resource]) });
      }
    }
  }
}

/** What a page is ordered by, behind the columns of the plan; the order of creation needs none. */
function sortColumns(order: Order): Fragment {
  return raw(order === CREATION ? '' : order.map(({ column }) => `, ${column}`).join(''));
}

/** Notes where a resource stands in an order: the values of the row from `offset` on. */
function placed(resource: Resource, row: Row, offset: number | undefined): Resource {
  if (offset !== undefined) resource.position = row.slice(offset);
  return resource;
}

const namesOnlyBy = new Map<string, Selection>();

function namesOnly(by: string): Selection {
  const known = namesOnlyBy.get(by) ?? { fields: new Set([by]), links: new Map() };
  namesOnlyBy.set(by, known);
  return known;
}

function planFor(kind: Kind, selection: Selection): Plan {
  const known = plans.get(selection) ?? new Map<Kind, Plan>();
  plans.set(selection, known);
  const plan = known.get(kind) ?? planOf(kind, selection);
  known.set(kind, plan);
  return plan;
}

function discriminator(kind: Kind): readonly SqlValue[] {
  return kind.shared ? [kind.name] : [];
}

function parentIn(row: Row): number {
  return Number(row[0]);
}
