/** Which rows of an ordered list are wanted: those after and before a row's number, at most `limit`. */
export interface Range {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
  /** The last rows of the list instead of the first. */
  readonly backwards: boolean;
}

/** A part of a list in its order; `more` tells whether there is more in the direction of reading. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}

/** A range as SQL: conditions, the order in which rows are read, and the values of both. */
export interface Seek {
  readonly conditions: readonly string[];
  readonly order: string;
  readonly values: readonly number[];
}

/** Seeks a range by a column that rises in the order of the list. */
export function seek(column: string, { after, before, backwards }: Range): Seek {
  return {
    conditions: [...(after === undefined ? [] : [`${column} > ?`]), ...(before === undefined ? [] : [`${column} < ?`])],
    order: `${column}${backwards ? ' DESC' : ''}`,
    values: [after, before].filter((bound) => bound !== undefined),
  };
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
