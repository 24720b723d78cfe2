import { all, any, raw, sql, FALSE, type Fragment } from './fragment';
import type { SqlValue } from './sql';

/** The sort order of a list: its terms from first to last. The last term is unique per row, and others may be. */
export type Order = readonly OrderTerm[];

export interface OrderTerm {
  /** A column or a trusted SQL expression. */
  readonly column: string;
  /** The type of the column's values. Booleans are numbers. */
  readonly type: 'string' | 'number';
  readonly descending?: boolean;
  readonly nullable?: boolean;
  /** No two rows of the list have the same value, so the terms that follow decide nothing. */
  readonly unique?: boolean;
}

/** The seek key of a row in an order: its value for each term. */
export type SeekKey = readonly SqlValue[];

/** The requested part of an ordered list: at most `limit` rows, after and before the given positions. */
export interface Range {
  readonly after?: SeekKey | undefined;
  readonly before?: SeekKey | undefined;
  readonly limit: number;
  /** Return the last rows of the range instead of the first. */
  readonly backwards: boolean;
}

/** A page of a list, in order. `more` tells whether further rows follow in the direction of reading. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}

/** A range in SQL: the WHERE condition, and the ORDER BY terms for reading it. */
export interface Seek {
  readonly condition: Fragment;
  readonly order: string;
}

/** Orders by one ascending numeric column, such as the id. */
export function byColumn(column: string): Order {
  return [{ column, type: 'number' }];
}

/** Writes a range as SQL (keyset pagination). NULL sorts first, as in all supported databases. */
export function seek(terms: Order, { after, before, backwards }: Range): Seek {
  // An index of a unique column alone has the whole order.
  const order = terms.slice(0, terms.findIndex(({ unique }) => unique) + 1 || terms.length);
  return {
    condition: all([after && beyond(order, after, false), before && beyond(order, before, true)]),
    order: order.map((term) => `${term.column}${isDown(term, backwards) ? ' DESC' : ''}`).join(', '),
  };
}

function isDown({ descending = false }: OrderTerm, reversed: boolean): boolean {
  return descending !== reversed;
}

/** The condition that a row comes after a seek key, or before the key when `reversed`. */
function beyond(order: Order, key: SeekKey, reversed: boolean): Fragment {
  const valueOf = (index: number): SqlValue => key[index] ?? null;
  const ways = order.map((term, index) =>
    all([
      ...order.slice(0, index).map(({ column }, earlier) => equal(column, valueOf(earlier))),
      passes(term, valueOf(index), isDown(term, reversed)),
    ]),
  );
  const [first] = order;
  // The bound is redundant, but lets the database use an index range.
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

/**
 * Converts the rows of a range to a page. Callers read one row more than the limit, which shows whether more rows
 * follow.
 */
export function toPage<T>(rows: readonly T[], { limit, backwards }: Range): Page<T> {
  const items = rows.slice(0, limit);
  return { items: backwards ? items.reverse() : items, more: rows.length > limit };
}

/** `WHERE a AND b`, or an empty string without conditions. */
export function whereAll(conditions: readonly (string | false | undefined)[]): string {
  const held = conditions.filter((condition) => typeof condition === 'string');
  return held.length > 0 ? `WHERE ${held.join(' AND ')}` : '';
}

/** `whereAll` for fragments. */
export function where(conditions: readonly (Fragment | undefined)[]): Fragment {
  const condition = all(conditions);
  return condition.text === 'TRUE' ? raw('') : sql`WHERE ${condition}`;
}
