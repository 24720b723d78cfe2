import BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import type { Driver } from './driver';
import { withSavepoint, type Row, type SqlValue, type Transaction } from './sql';
import { LOCK_TIMEOUT, whenUnlocked } from './sqlite-locks';
import { SqliteReaders } from './sqlite-readers';

/**
 * The driver for SQLite. Writes use TypeORM's connection. Transactions run one after the other, because each spans
 * several turns of the event loop. Reads use a second connection, so that they see committed data only. Statements on
 * both connections block the process, so heavy reads run in child processes, and SQLite itself never waits for a lock of
 * another process: `whenUnlocked` does.
 */
export function createSqliteDriver(dataSource: DataSource, file: string): Driver {
  // TypeORM declares only the common driver interface. Here, the driver is always that of better-sqlite3.
  const { databaseConnection } = dataSource.driver as unknown as {
    readonly databaseConnection: BetterSqlite3.Database;
  };
  databaseConnection.pragma('busy_timeout = 0');
  const writer = preparer(databaseConnection);
  const readConnection = new BetterSqlite3(file, { readonly: true, timeout: 0 });
  const reader = preparer(readConnection);
  const heavyReaders = new SqliteReaders(file);
  let last: Promise<unknown> = Promise.resolve();
  // Transactions that run or wait.
  let pending = 0;

  const transaction: Transaction = {
    rows: (text, values) => attempt(() => arrays(writer(text), values)),
    run: (text, values) =>
      attempt(() => {
        const { changes, lastInsertRowid } = writer(text).run(...values);
        return { rows: changes, insertId: Number(lastInsertRowid) };
      }),
    undoable: (work) => withSavepoint((text) => attempt(() => void writer(text).run()), work),
  };
  const whole = async <T>(work: (transaction: Transaction) => Promise<T>, end: number): Promise<T> => {
    // IMMEDIATE, because a transaction that starts with a read cannot write once another process has written.
    await whenUnlocked(() => writer('BEGIN IMMEDIATE').run(), end);
    try {
      const result = await work(transaction);
      // Without a write-ahead log, a commit waits for the readers of other processes.
      await whenUnlocked(() => writer('COMMIT').run());
      return result;
    } catch (error) {
      if (databaseConnection.inTransaction) writer('ROLLBACK').run();
      throw error;
    }
  };

  const rows: Driver['rows'] = (text, values) => whenUnlocked(() => arrays(reader(text), values));
  const transact = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    // The time limit includes the wait for other transactions, so that none waits for the lock longer than that.
    const end = performance.now() + LOCK_TIMEOUT;
    pending++;
    const turn = last.then(() => whole(work, end)).finally(() => pending--);
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    product: 'sqlite',
    rows,
    heavy: (text, values, milliseconds, signal) => heavyReaders.rows(text, values, milliseconds, signal),
    transaction: transact,
    upkeep: { rows, transaction: transact },
    impatientTransaction: transact,
    catchUp: () => Promise.resolve(false),
    isReadOnly: () => Promise.resolve(false),
    poolUse: () => [{ pool: 'write', size: 1, used: Math.min(pending, 1), waiting: Math.max(pending - 1, 0) }],
    close: async () => {
      heavyReaders.close();
      await last;
      readConnection.close();
    },
  };
}

type Statement = BetterSqlite3.Statement<SqlValue[]>;

function preparer(connection: BetterSqlite3.Database): (text: string) => Statement {
  const statements = new LRUCache<string, Statement>({ max: 500 });
  return (text) => {
    const known = statements.get(text);
    if (known) return known;
    // SQLite prepares a statement again for each new value of `LIMIT ?`, but not for an expression.
    const statement = connection.prepare<SqlValue[]>(text.replaceAll('LIMIT ?', 'LIMIT ? + 0'));
    statements.set(text, statement);
    return statement;
  };
}

function arrays(statement: Statement, values: readonly SqlValue[]): readonly Row[] {
  return statement.raw().all(...values) as readonly Row[]; // because of `raw`
}

/** Runs synchronous code of the driver, and converts an exception to a rejection. */
function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
