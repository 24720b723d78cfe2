import BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import type { Driver } from './database';
import type { Row, SqlValue, Transaction } from './sql';
import { SqliteReaders } from './sqlite-readers';

/**
 * SQLite: TypeORM's one connection writes, and transactions on it queue, since each spans turns of the event loop; a
 * second connection reads, so that no reader sees what is not committed. Both block the process while a statement runs:
 * what may take long runs in other processes.
 */
export function createSqliteDriver(dataSource: DataSource, file: string): Driver {
  // TypeORM types its driver by the common interface; this module is used with `type: 'better-sqlite3'` alone.
  const { databaseConnection } = dataSource.driver as unknown as {
    readonly databaseConnection: BetterSqlite3.Database;
  };
  const writer = preparer(databaseConnection);
  const readConnection = new BetterSqlite3(file, { readonly: true });
  const reader = preparer(readConnection);
  const heavyReaders = new SqliteReaders(file);
  let last: Promise<unknown> = Promise.resolve();

  const transaction: Transaction = {
    rows: (text, values) => attempt(() => arrays(writer(text), values)),
    run: (text, values) =>
      attempt(() => {
        const { changes, lastInsertRowid } = writer(text).run(...values);
        return { rows: changes, insertId: Number(lastInsertRowid) };
      }),
  };
  const whole = async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    // At once a writer: one that began as a reader could not go on after another process had written.
    writer('BEGIN IMMEDIATE').run();
    try {
      const result = await work(transaction);
      writer('COMMIT').run();
      return result;
    } catch (error) {
      if (databaseConnection.inTransaction) writer('ROLLBACK').run();
      throw error;
    }
  };

  return {
    product: 'sqlite',
    rows: (text, values) => arrays(reader(text), values),
    heavy: (text, values, milliseconds) => heavyReaders.rows(text, values, milliseconds),
    transaction: (work) => {
      const turn = last.then(() => whole(work));
      last = turn.catch(() => undefined);
      return turn;
    },
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
    // SQLite plans a statement anew for each value that is bound to LIMIT itself, but not to an expression.
    const statement = connection.prepare<SqlValue[]>(text.replaceAll('LIMIT ?', 'LIMIT ? + 0'));
    statements.set(text, statement);
    return statement;
  };
}

function arrays(statement: Statement, values: readonly SqlValue[]): readonly Row[] {
  return statement.raw().all(...values) as readonly Row[]; // `raw` gives arrays
}

/** The driver is synchronous: its errors become rejections, as its callers expect. */
function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
