/** A row of a database of another program: all values as text, null for NULL. */
export type ForeignRow = Readonly<Record<string, string | null>>;

/** The text in a column; empty for NULL, and for a column that the table does not have. */
export function at(row: ForeignRow, column: string): string {
  return row[column] ?? '';
}

/** How many rows a table has, and the first column of the first one. */
export interface TableSize {
  readonly rows: number;
  readonly first: string;
}

/** The database of another program, or a dump of it. It is only read, a table at a time, a page at a time. */
export interface ForeignSource {
  /** In the order of the source. */
  readonly tables: readonly string[];
  /** The rows of a table; none if there is no such table. */
  readonly rows: (table: string) => AsyncGenerator<ForeignRow, void, undefined>;
  /** The size of a table; no rows if there is no such table. */
  readonly size: (table: string) => Promise<TableSize>;
  readonly close: () => Promise<void>;
}

export const NO_ROWS: TableSize = { rows: 0, first: '' };
