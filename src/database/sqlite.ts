import BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import type { Driver } from './database';
import type { Row, SqlValue } from './sql';

/**
 * SQLite: TypeORM's one connection writes, and transactions on it queue, because TypeORM would mix concurrent ones; a
 * second connection reads, so that no reader sees what is not committed.
 */
export function createSqliteDriver(dataSource: DataSource, file: string): Driver {
  // TypeORM types its driver by the common interface; this module is used with `type: 'better-sqlite3'` alone.
  const { databaseConnection } = dataSource.driver as unknown as {
    readonly databaseConnection: BetterSqlite3.Database;
  };
  const writer = preparer(databaseConnection);
  const readConnection = new BetterSqlite3(file, { readonly: true });
  const reader = preparer(readConnection);
  let last: Promise<unknown> = Promise.resolve();

  return {
    rows: (text, values) =>
      reader(text)
        .raw()
        .all(...values) as readonly Row[], // `raw` gives arrays
    transaction: (work) => {
      const turn = last.then(async () => {
        const runner = dataSource.createQueryRunner();
        await runner.startTransaction();
        try {
          const result = await work({
            rows: (text, values) =>
              attempt(
                () =>
                  writer(text)
                    .raw()
                    .all(...values) as readonly Row[],
              ),
            run: (text, values) =>
              attempt(() => {
                const { changes, lastInsertRowid } = writer(text).run(...values);
                return { rows: changes, insertId: Number(lastInsertRowid) };
              }),
          });
          await runner.commitTransaction();
          return result;
        } catch (error) {
          if (runner.isTransactionActive) await runner.rollbackTransaction();
          throw error;
        }
      });
      last = turn.catch(() => undefined);
      return turn;
    },
    close: async () => {
      await last;
      readConnection.close();
    },
  };
}

function preparer(connection: BetterSqlite3.Database): (text: string) => BetterSqlite3.Statement<SqlValue[]> {
  const statements = new LRUCache<string, BetterSqlite3.Statement<SqlValue[]>>({ max: 500 });
  return (text) => {
    const known = statements.get(text);
    if (known) return known;
    const statement = connection.prepare<SqlValue[]>(text);
    statements.set(text, statement);
    return statement;
  };
}

/** The driver is synchronous: its errors become rejections, as its callers expect. */
function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
