import type { Row, SqlValue } from './sql';

/** For each member of an object: the SQL of its column, and what reads the value. */
export type Columns<T> = {
  readonly [Name in keyof T]-?: readonly [column: string, read: (value: SqlValue) => T[Name]];
};

/** How rows are read as objects, in one place, so that the selected columns and the members cannot get out of step. */
export interface RowShape<T> {
  /** The columns to select first. */
  readonly columns: string;
  readonly read: (row: Row) => T;
}

export function shapeOf<T>(columns: Columns<T>): RowShape<T> {
  const members = Object.entries<Columns<T>[keyof T]>(columns);
  return {
    columns: members.map(([, [column]]) => column).join(', '),
    read: (row) => {
      // Object.fromEntries takes four times as long.
      const made: Record<string, unknown> = {};
      members.forEach(([name, [, read]], at) => {
        made[name] = read(row[at] ?? null);
      });
      return made as T; // has all members of T, by the type of the columns
    },
  };
}

/** The value of JSON in a column that may be NULL. */
export function jsonOrNull(value: SqlValue): unknown {
  return value === null ? null : JSON.parse(String(value));
}
