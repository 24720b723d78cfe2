/** A value that travels beside the SQL text, never in it. */
export type SqlValue = string | number | null;

/** A row as the driver gives it: values in the order of the selected columns. */
export type Row = readonly SqlValue[];

/** What a statement that changes rows did. */
export interface Changed {
  readonly rows: number;
  readonly insertId: number;
}

/** Runs prepared statements; the text is always the program's own. */
export interface Sql {
  rows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
}

/** Reads outside of transactions, for one caller. */
export interface Reads extends Sql {
  /**
   * A read whose cost no index bounds. It waits for its turn, takes nothing from other reads, and is stopped after 8 s in all.
   * Throws TooSlowError and BusyError.
   */
  heavy(text: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** At most how many rows a table has: the highest id, as of some seconds ago. */
  atMost(table: string): Promise<number>;
}

/** Whom heavy reads are for. */
export interface Reader {
  /** Turns are shared fairly among readers, told apart by their ids. */
  readonly id: string;
  /** Called before each heavy read; throws to refuse it. */
  readonly charge?: () => void;
}

/** Reads of a transaction: all of them run on its own connection. */
export function readsWithin(transaction: Sql): Reads {
  const rows = transaction.rows.bind(transaction);
  return { rows, heavy: rows, atMost: () => Promise.resolve(0) };
}

/** Statements that see and belong to one transaction. */
export interface Transaction extends Sql {
  run(text: string, values: readonly SqlValue[]): Promise<Changed>;
}

/** A transaction that ends with what has to come last. */
export interface OwnTransaction extends Transaction {
  /** Has `work` done right before the commit, when all else is done. */
  beforeCommit(work: () => Promise<void>): void;
}

/** `?, ?, ?`: a place for each of `count` values. */
export function places(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}

const LIST_SIZES = [1, 10, 100, 1000, 10_000];

/**
 * Keys filled up with a filler that matches nothing to one of a few lengths, so that lists of every length share a
 * handful of prepared statements.
 */
export function padded<T extends SqlValue>(keys: readonly T[], filler: T): readonly T[] {
  const size = LIST_SIZES.find((length) => length >= keys.length) ?? keys.length;
  return [...keys, ...Array.from({ length: size - keys.length }, () => filler)];
}
