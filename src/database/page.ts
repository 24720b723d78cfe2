import { all, any, raw, sql, FALSE, type Fragment } from './fragment';
import type { SqlValue } from './sql';

/** What a list is ordered by, first things first; the last one tells all rows apart. */
export type Order = readonly OrderTerm[];

export interface OrderTerm {
  /** A column, or an expression of the program's own. */
  readonly column: string;
  /** Of its values; a truth value is a number. */
  readonly type: 'string' | 'number';
  readonly descending?: boolean;
  readonly nullable?: boolean;
}

/** Where a row stands in an order: its values of the order's terms. */
export type Position = readonly SqlValue[];

/** Which rows of an ordered list are wanted: those after and before a position, at most `limit`. */
export interface Range {
  readonly after?: Position | undefined;
  readonly before?: Position | undefined;
  readonly limit: number;
  /** The last rows of the list instead of the first. */
  readonly backwards: boolean;
}

/** A part of a list in its order; `more` tells whether there is more in the direction of reading. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}

/** A range as SQL: a condition, and the order in which rows are read. */
export interface Seek {
  readonly condition: Fragment;
  readonly order: string;
}

/** The order of a column that rises with each row. */
export function byColumn(column: string): Order {
  return [{ column, type: 'number' }];
}

/** Seeks a range of an order. NULL comes before everything else, as all the databases have it. */
export function seek(order: Order, { after, before, backwards }: Range): Seek {
  return {
    condition: all([after && beyond(order, after, false), before && beyond(order, before, true)]),
    order: order.map((term) => `${term.column}${isDown(term, backwards) ? ' DESC' : ''}`).join(', '),
  };
}

function isDown({ descending = false }: OrderTerm, reversed: boolean): boolean {
  return descending !== reversed;
}

/** Whether a row comes after a position, or before it when `reversed`. */
function beyond(order: Order, position: Position, reversed: boolean): Fragment {
  const valueOf = (index: number): SqlValue => position[index] ?? null;
  const ways = order.map((term, index) =>
    all([
      ...order.slice(0, index).map(({ column }, earlier) => equal(column, valueOf(earlier))),
      passes(term, valueOf(index), isDown(term, reversed)),
    ]),
  );
  const [first] = order;
  // Says nothing more, but gives an index a range to begin with.
  const bound = first && order.length > 1 ? reaches(first, valueOf(0), isDown(first, reversed)) : undefined;
  return all([bound, any(ways)]);
}

function equal(column: string, value: SqlValue): Fragment {
  return value === null ? sql`${raw(column)} IS NULL` : sql`${raw(column)} = ${value}`;
}

function passes({ column, nullable }: OrderTerm, value: SqlValue, down: boolean): Fragment {
  if (value === null) return down ? FALSE : sql`${raw(column)} IS NOT NULL`;
  if (!down) return sql`${raw(column)} > ${value}`;
  return nullable ? sql`(${raw(column)} < ${value} OR ${raw(column)} IS NULL)` : sql`${raw(column)} < ${value}`;
}

function reaches({ column, nullable }: OrderTerm, value: SqlValue, down: boolean): Fragment | undefined {
  if (value === null) return undefined;
  if (!down) return sql`${raw(column)} >= ${value}`;
  return nullable ? undefined : sql`${raw(column)} <= ${value}`;
}

/** Makes a page of the rows that were read for a range: one more than its limit, so that they tell whether there is more. */
export function toPage<T>(rows: readonly T[], { limit, backwards }: Range): Page<T> {
  const items = rows.slice(0, limit);
  return { items: backwards ? items.reverse() : items, more: rows.length > limit };
}

/** `WHERE a AND b`, or nothing. */
export function whereAll(conditions: readonly (string | false | undefined)[]): string {
  const held = conditions.filter((condition) => typeof condition === 'string');
  return held.length > 0 ? `WHERE ${held.join(' AND ')}` : '';
}

/** The same of fragments. */
export function where(conditions: readonly (Fragment | undefined)[]): Fragment {
  const condition = all(conditions);
  return condition.text === 'TRUE' ? raw('') : sql`WHERE ${condition}`;
}
