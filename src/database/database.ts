import type { DataSource } from 'typeorm';

import { InvalidInputError, TooSlowError, UnavailableError } from '../errors';
import { failureOf } from './errors';
import { HeavyReadQueue } from './heavy-read-queue';
import type { OwnTransaction, Reader, Reads, Row, SqlValue, Transaction } from './sql';

/** The databases that differ in their SQL. */
export type Product = 'sqlite' | 'mysql' | 'mariadb';

/** What differs between the databases at run time: how a statement is sent, and how a transaction is had. */
export interface Driver {
  readonly product: Product;
  rows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> | readonly Row[];
  /** A read apart from all others, stopped in the database after so many milliseconds. */
  heavy(text: string, values: readonly SqlValue[], milliseconds: number): Promise<readonly Row[]>;
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const ATTEMPTS = 5;

/** Milliseconds that a heavy read may take, waiting included. */
const LONGEST = 8000;
/** Heavy reads that may wait. */
const WAITING = 256;
/** Milliseconds for which the size of a table is remembered. */
const SIZE_KEPT = 5000;

/** The one way to the database: reads outside a transaction see what is committed; writes happen in `transaction`. */
export class Database implements Reads {
  /** Statements sent so far, those that begin and end transactions not counted. */
  statements = 0;
  private readonly listeners: (() => void)[] = [];
  private readonly sizes = new Map<string, { readonly rows: Promise<number>; readonly until: number }>();
  private readonly queue: HeavyReadQueue;

  constructor(
    readonly dataSource: DataSource,
    private readonly driver: Driver,
    heavyReads = 2,
  ) {
    this.queue = new HeavyReadQueue({ slots: heavyReads, waiting: WAITING, milliseconds: LONGEST });
  }

  get product(): Product {
    return this.driver.product;
  }

  /** SQL for the database's own time, in whole seconds since the epoch. */
  get clock(): string {
    return this.product === 'sqlite' ? 'unixepoch()' : 'UNIX_TIMESTAMP()';
  }

  async rows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    this.statements++;
    try {
      return await this.driver.rows(text, values);
    } catch (error) {
      throw translated(error);
    }
  }

  /** Of the service itself; see `readsFor`. */
  heavy(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.heavyFor({ id: '' }, text, values);
  }

  async atMost(table: string): Promise<number> {
    const now = performance.now();
    const known = this.sizes.get(table);
    if (known && known.until > now) return known.rows;
    const rows = this.sizeOf(table);
    this.sizes.set(table, { rows, until: now + SIZE_KEPT });
    rows.catch(() => this.sizes.delete(table));
    return rows;
  }

  /** The same reads, with heavy ones on the account of a reader. */
  readsFor(reader: Reader): Reads {
    return {
      rows: (text, values) => this.rows(text, values),
      heavy: (text, values) => this.heavyFor(reader, text, values),
      atMost: (table) => this.atMost(table),
    };
  }

  /** Does `work` whole or not at all; again, a few times, when a deadlock or a lock's time-out undid it. */
  async transaction<T>(work: (transaction: OwnTransaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.driver.transaction((transaction) => this.whole(transaction, work));
        for (const listener of this.listeners) listener();
        return result;
      } catch (error) {
        if (attempt === ATTEMPTS || failureOf(error).type !== 'retryable') throw translated(error);
        await pause(attempt * 20 * (1 + Math.random()));
      }
    }
  }

  async close(): Promise<void> {
    await this.driver.close();
    await this.dataSource.destroy();
  }

  /** Calls the listener after each commit of this process. */
  onCommit(listener: () => void): void {
    this.listeners.push(listener);
  }

  private async heavyFor({ id, charge }: Reader, text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    charge?.();
    this.statements++;
    try {
      return await this.queue.run(id, (milliseconds) => this.driver.heavy(text, values, milliseconds));
    } catch (error) {
      throw translated(error);
    }
  }

  /** Ids begin with 1, rise, and are not given again. */
  private async sizeOf(table: string): Promise<number> {
    try {
      const [row] = await this.driver.rows(`SELECT MAX(id) FROM ${table}`, []);
      return Number(row?.[0] ?? 0);
    } catch (error) {
      throw translated(error);
    }
  }

  private async whole<T>(transaction: Transaction, work: (transaction: OwnTransaction) => Promise<T>): Promise<T> {
    const last: (() => Promise<void>)[] = [];
    const result = await work({ ...this.counted(transaction), beforeCommit: (task) => void last.push(task) });
    for (const task of last) await task();
    return result;
  }

  private counted(transaction: Transaction): Transaction {
    return {
      rows: (text, values) => {
        this.statements++;
        return transaction.rows(text, values);
      },
      run: (text, values) => {
        this.statements++;
        return transaction.run(text, values);
      },
    };
  }
}

function translated(error: unknown): unknown {
  switch (failureOf(error).type) {
    case 'unavailable':
      return new UnavailableError('The database', { cause: error });
    case 'slow':
      return new TooSlowError({ cause: error });
    case 'refused-pattern':
      return InvalidInputError.of('filter', 'has a pattern that the database does not take');
    default:
      return error;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
