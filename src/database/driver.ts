import type { Cancellable, RequestScope, Row, Sql, SqlValue, Transaction } from './sql';

/** The supported databases. */
export type Product = 'sqlite' | 'mysql' | 'mariadb';

/** How a transaction runs. */
export interface TransactionOptions {
  /** On SQLite, long transactions that wait do not delay this one. */
  readonly isShort?: boolean;
  /**
   * On MySQL and MariaDB, each statement sees what was committed before it (READ COMMITTED), and locks no gaps. By
   * default, all reads see what was committed before the first one. On SQLite, nobody else writes in the meantime.
   */
  readonly seesCommits?: boolean;
  /**
   * The transaction is rolled back in any case. On SQLite, it runs on a copy of the database if possible, so that other transactions do
   * not wait for it. On MySQL and MariaDB, its locks end with `undone`, and later reads see one state of the database.
   */
  readonly isRehearsal?: boolean;
  /** The request that writes. If it is over before the commit begins, the transaction is rolled back. */
  readonly scope?: RequestScope | undefined;
}

/** How a transaction runs that several requests share. */
export interface SharedOptions extends Pick<TransactionOptions, 'scope'> {
  /** The number of requests. */
  readonly requests: number;
}

/** Milliseconds that a read may take; a heavy read, including its wait in the queue. */
export const READ_TIMEOUT = 8000;

/** What differs between the databases at run time: how statements and transactions run. */
export interface Driver {
  readonly product: Product;
  /** Runs a read. MySQL and MariaDB stop it soon after `scope` is over; then this rejects with its error. */
  rows(text: string, values: readonly SqlValue[], scope?: RequestScope): Promise<readonly Row[]> | readonly Row[];
  /**
   * Runs a read in isolation from other reads. The database stops it after `milliseconds`, or soon after the request is
   * over; then this rejects with its error.
   */
  heavy(
    text: string,
    values: readonly SqlValue[],
    milliseconds: number,
    request?: Cancellable,
  ): Promise<readonly Row[]>;
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Like a short `transaction`, but for several requests, and a statement that waits for a lock fails after about a
   * second. On SQLite, it does not.
   */
  impatientTransaction<T>(work: (transaction: Transaction) => Promise<T>, shared: SharedOptions): Promise<T>;
  /** Runs reads that all see one state of the database. Others write meanwhile. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Runs the service's own statements. On MySQL and MariaDB, transactions run at READ COMMITTED, which locks no gaps,
   * and the server rolls a transaction back after two seconds without a statement, so that a paused process holds no
   * locks. On SQLite, long transactions that wait do not delay them.
   */
  readonly maintenance: Pick<Driver, 'rows' | 'transaction'>;
  /**
   * On a node of a cluster, waits until the node has everything that was committed on the others before the call, and
   * returns true. Returns false on any other server.
   */
  catchUp(): Promise<boolean>;
  /** Whether the server is a node of a cluster whose other nodes accept writes, too. */
  hasNodes(): Promise<boolean>;
  /** Whether the server accepts no writes, as a replica does. */
  isReadOnly(): Promise<boolean>;
  /** The use of the connections. On SQLite, transactions that wait for the writer count as waiting. */
  poolUse(): readonly PoolUse[];
  close(): Promise<void>;
}

/** Runs reads, as `Driver` does. */
export interface ReadDriver {
  readonly rows: (...args: Parameters<Driver['rows']>) => Promise<readonly Row[]>;
  readonly heavy: Driver['heavy'];
}

/** How many connections of a pool are in use, and how many callers wait for one. */
export interface PoolUse {
  readonly pool: string;
  readonly size: number;
  readonly used: number;
  readonly waiting: number;
}
