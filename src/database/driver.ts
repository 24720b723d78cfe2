import type { Row, SqlValue, Transaction } from './sql';

/** The supported databases. */
export type Product = 'sqlite' | 'mysql' | 'mariadb';

/** What differs between the databases at run time: how statements and transactions run. */
export interface Driver {
  readonly product: Product;
  rows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> | readonly Row[];
  /** Runs a read in isolation from other reads. The database stops it after `milliseconds`. */
  heavy(text: string, values: readonly SqlValue[], milliseconds: number): Promise<readonly Row[]>;
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** The same, but a statement that waits for a lock fails after about a second. */
  impatientTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Where the service's own statements run. In its transactions, each statement sees all that is committed, and no gaps are
   * locked. If this process pauses in one, a server rolls it back after two seconds; SQLite cannot.
   */
  readonly upkeep: Pick<Driver, 'rows' | 'transaction'>;
  close(): Promise<void>;
}
