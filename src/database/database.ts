import type { DataSource } from 'typeorm';

import { TooSlowError, UnavailableError } from '../errors';
import { failureOf } from './errors';
import type { OwnTransaction, Row, Sql, SqlValue, Transaction } from './sql';

/** The databases that differ in their SQL. */
export type Product = 'sqlite' | 'mysql' | 'mariadb';

/** What differs between the databases at run time: how a statement is sent, and how a transaction is had. */
export interface Driver {
  readonly product: Product;
  rows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> | readonly Row[];
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const ATTEMPTS = 5;

/** The one way to the database: reads outside a transaction see what is committed; writes happen in `transaction`. */
export class Database implements Sql {
  /** Statements sent so far, those that begin and end transactions not counted. */
  statements = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(
    readonly dataSource: DataSource,
    private readonly driver: Driver,
  ) {}

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
    default:
      return error;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
