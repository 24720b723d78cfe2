import { randomBytes } from 'node:crypto';

import type { Span } from '../limits/tracer';

/** A bound value of a statement. Values are never part of the SQL text. */
export type SqlValue = string | number | null;

/** A row as the driver returns it: values in the order of the selected columns. */
export type Row = readonly SqlValue[];

/** The result of a statement that changes rows. */
export interface Changed {
  readonly rows: number;
  readonly insertId: number;
}

/** Runs prepared statements. The text must be trusted. */
export interface Sql {
  rows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
}

/** A read of at most one row for each key. Callers use the same object each time, so that they share statements. */
export interface KeyedRead {
  /** A SELECT whose condition on the key is `IN (?)`. Other placeholders come after this one. */
  readonly text: string;
  /** The values of the placeholders after the key. */
  readonly values: readonly SqlValue[];
  /** The position of the key among the selected columns. */
  readonly keyColumn: number;
}

/** A read of a few rows for each key, such as the first targets of a link for each parent. */
export interface SeekRead {
  /** A SELECT with a LIMIT, without a UNION. Its first column, and its first placeholder, is the key. */
  readonly text: string;
  /** The values of the placeholders after the key. */
  readonly values: readonly SqlValue[];
  /** The LIMIT of the text. */
  readonly limit: number;
  /** How the servers can read the rows of several keys in one pass. */
  readonly pass?: Pass;
}

/** A pass over an index that has the rows of one key after those of another. */
export interface Pass {
  /**
   * Creates a SELECT of the same columns, without a LIMIT, in the order of the keys, and the values of the placeholders after the
   * keys. The first condition is on the key: `IN (?)`.
   */
  readonly statement: () => { readonly text: string; readonly values: readonly SqlValue[] };
  /** What the rows belong to: if one pass has more rows than it may read, the next ones are unlikely to be better. */
  readonly list: object;
}

/** Reads outside of transactions, for one caller. */
export interface Reads extends Sql {
  /**
   * Identifies data that only moves forward: a later read with the same epoch sees all changes that an earlier one saw.
   * It is another object when another server is read from.
   */
  readonly dataEpoch: object;
  /**
   * The rows of a SELECT without UNION, in no particular order. Concurrent requests with the same text share a
   * statement, even if their values differ.
   */
  unorderedRows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** The row of a key. Lookups of concurrent requests share a statement. */
  rowByKey(read: KeyedRead, key: SqlValue): Promise<Row | undefined>;
  /**
   * The rows of each key that has any, in no particular order. At most MAX_SEEKS keys, which are row ids. Concurrent
   * requests share statements, and may see rows of keys that they did not ask for.
   */
  rowsByKey(read: SeekRead, keys: readonly SqlValue[]): Promise<ReadonlyMap<SqlValue, readonly Row[]>>;
  /**
   * Runs a read whose cost no index bounds. The read waits in a queue, does not slow other reads down, and is stopped 8
   * s after the call. Throws TooSlowError, BusyError, and the errors of `Reader.charge`.
   */
  heavy(text: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** An upper bound for the number of rows of a table: the highest id, a few seconds old. */
  atMost(table: string): Promise<number>;
}

/** The request, or the requests, that a statement runs for. */
export interface RequestScope {
  /** The error for further statements; undefined until the request is over. */
  readonly cancelledBy: Error | undefined;
  /** What the statement is part of in a trace; undefined if no request of these is traced. */
  readonly span: Span | undefined;
  /** How many other requests are in progress, without large ones. */
  readonly others?: number;
}

/** The requests that share a statement, which is cancelled when all of them are. */
export class SharedScope implements RequestScope {
  span: RequestScope['span'];
  private scopes: RequestScope[] | undefined = [];

  /** Adds a request. Undefined stands for the service itself, which is never cancelled. */
  add(scope: RequestScope | undefined): void {
    this.span ??= scope?.span;
    if (scope) this.scopes?.push(scope);
    else this.scopes = undefined;
  }

  get cancelledBy(): Error | undefined {
    let reason: Error | undefined;
    for (const scope of this.scopes ?? []) {
      reason = scope.cancelledBy;
      if (!reason) return undefined;
    }
    return reason;
  }
}

/** A request whose statements are cancelled when it is over. */
export interface Cancellable extends RequestScope {
  /** Aborted when the request is over. */
  readonly signal: AbortSignal;
}

/** The caller that heavy reads run for. */
export interface Reader {
  /** Identifies the reader in the queue, which is shared fairly among readers. */
  readonly id: string;
  /** Called before each heavy read. Throws an error to refuse the read. */
  readonly charge?: () => void;
  /** The request that reads. When it is over, its reads are cancelled, and no read starts. */
  readonly request?: Cancellable;
}

/**
 * Reads within a transaction. All of them run on the transaction's connection, without a queue. `atMost` returns 0, so
 * that no read counts as heavy.
 */
export function readsWithin(transaction: Sql): Reads {
  const rows = transaction.rows.bind(transaction);
  return {
    dataEpoch: transaction,
    rows,
    unorderedRows: rows,
    heavy: rows,
    rowByKey: async ({ text, values }, key) => (await rows(text, [key, ...values]))[0],
    rowsByKey: async (read, keys) => {
      // The form without parentheses is accepted everywhere.
      return groupBy(await rows(...seekStatement(read, keys, false)), ([key = null]) => key);
    },
    atMost: () => Promise.resolve(0),
  };
}

/** Runs statements within a transaction. */
export interface Transaction extends Sql {
  /** Whether it runs on a copy of the database, so that nobody waits for it. */
  readonly isAside?: boolean;
  /**
   * Runs a statement that changes rows. `named` has the values of parameters such as `:at`, which only SQLite accepts.
   */
  run(text: string, values: readonly SqlValue[], named?: Readonly<Record<string, SqlValue>>): Promise<Changed>;
  /** Runs `work`. If it throws, its changes are undone, and the transaction can continue. Calls must not overlap. */
  undoable<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work`, undoes its changes, and returns its result. A rehearsal may undo those before it, too. Within `work`, `undoable` may
   * run. Calls must not overlap. If `work` throws, the transaction must be rolled back.
   */
  undone<T>(work: () => Promise<T>): Promise<T>;
}

/** Implements `undoable` with a savepoint. `command` runs a statement that cannot be prepared. */
export async function withSavepoint<T>(command: (text: string) => Promise<void>, work: () => Promise<T>): Promise<T> {
  await command('SAVEPOINT step');
  const result = await work().catch(async (error: unknown) => {
    // A deadlock has ended the transaction and its savepoint. The original error is the one to report.
    await command('ROLLBACK TO SAVEPOINT step').catch(() => {
      throw error;
    });
    await command('RELEASE SAVEPOINT step');
    throw error;
  });
  await command('RELEASE SAVEPOINT step');
  return result;
}

/** Implements `undone` with a savepoint, whose name differs from the one of `undoable`: a name names one savepoint on MySQL. */
export async function withRehearsal<T>(command: (text: string) => Promise<void>, work: () => Promise<T>): Promise<T> {
  await command('SAVEPOINT rehearsal');
  const result = await work();
  await command('ROLLBACK TO SAVEPOINT rehearsal');
  return result;
}

/** A transaction with work to run at its end. */
export interface OwnTransaction extends Transaction {
  /** Whether the database runs one writing transaction at a time, as SQLite does. */
  readonly isSerial: boolean;
  /** Whether other nodes of a cluster accept writes, too. They find conflicts with this transaction only at its commit. */
  readonly hasNodes: () => Promise<boolean>;
  /** The SQL expression for the database's clock, in whole seconds since the epoch. */
  readonly clock: string;
  /** Registers `work` to run just before the commit. */
  beforeCommit(work: () => Promise<void>): void;
}

/**
 * MySQL's and MariaDB's clock, in milliseconds since the epoch. `UNIX_TIMESTAMP(NOW(3))` would repeat an hour in
 * autumn.
 */
export const CLOCK_MS = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000";

/** Statements that the service runs for itself. They are not counted, and their commits do not notify listeners. */
export interface Maintenance extends Sql {
  /**
   * Runs a transaction that holds no locks for long (see `Driver`). After a deadlock or a lock timeout, it is retried.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, but attempted only once. Returns whether it was committed: false after a conflict with another
   * process or node.
   */
  attempt(work: (transaction: Transaction) => Promise<void>): Promise<boolean>;
}

/** Placeholders for `count` values: `?, ?, ?`. */
export const places = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

/** Gives a statement whose first condition is `IN (?)` this many placeholders there. */
export function withKeys(text: string, count: number): string {
  return text.replace('IN (?)', `IN (${places(count)})`);
}

// Includes the usual sizes of pages.
const LIST_SIZES = [1, 2, 4, 10, 16, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/**
 * Pads a list of keys to one of a few lengths, so that lists of any length share a few prepared statements. `filler`
 * must match no row.
 */
export function pad<T>(keys: readonly T[], filler: T): readonly T[] {
  const size = LIST_SIZES.find((length) => length >= keys.length) ?? keys.length;
  return [...keys, ...Array.from({ length: size - keys.length }, () => filler)];
}

/** The most keys of a caller of `rowsByKey`, and the most characters of the statement for them. */
export const MAX_SEEKS = { keys: 100, length: 90_000 } as const;

/**
 * The statement of a `SeekRead` for some row ids: a UNION ALL. `hasPartLimits`: whether a SELECT of a UNION may stand in
 * parentheses, with an order and a limit of its own, which takes the servers half of the time.
 */
export function seekStatement(
  { text, values }: SeekRead,
  keys: readonly SqlValue[],
  hasPartLimits: boolean,
): [text: string, values: readonly SqlValue[]] {
  const part = hasPartLimits ? `(${text})` : `SELECT * FROM (${text}) u`;
  // Row ids start at 1.
  const padded = pad(keys, 0);
  return [padded.map(() => part).join(' UNION ALL '), padded.flatMap((key) => [key, ...values])];
}

/** The number in a column that may be NULL. */
export function numberOrNull(value: SqlValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** The text in a column that may be NULL. */
export function textOrNull(value: SqlValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** Groups items, such as rows, by a key, in their order. */
export function groupBy<Key, Item>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/**
 * Writes a row of `settings` that every transaction of some sort writes. In a cluster, nodes do not know the locks of each other, but
 * of two transactions that change the same row, only one is committed, and the other one runs again. The value is a new one, because
 * only rows with changes conflict.
 */
export async function writeGuard(transaction: Transaction, name: string): Promise<void> {
  await transaction.run('REPLACE INTO settings (name, value) VALUES (?, ?)', [name, randomBytes(8).toString('hex')]);
}

/**
 * Locks the rows with these refs, if they exist, until the transaction ends. Must run before the first read of the
 * transaction, because that read determines what later reads see, except with `seesCommits`. `kind` is required for a
 * table that several kinds share. Returns the ids of the rows; none on SQLite.
 */
export async function lockRows(
  transaction: OwnTransaction,
  table: string,
  refs: readonly string[],
  kind?: string,
): Promise<readonly number[]> {
  const [first] = refs;
  // SQLite has one lock, which the transaction holds from its start.
  if (first === undefined || transaction.isSerial) return [];
  const keys = pad(refs, first);
  // Without FORCE INDEX, the database may scan a small table and lock all of its rows.
  const rows = await transaction.rows(
    `SELECT id FROM ${table} FORCE INDEX (${table}_ref) WHERE ref IN (${places(keys.length)})
     ${kind === undefined ? '' : 'AND kind = ?'} FOR UPDATE`,
    [...keys, ...(kind === undefined ? [] : [kind])],
  );
  return rows.map(([id]) => Number(id));
}
