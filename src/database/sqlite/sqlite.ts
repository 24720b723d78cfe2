import type BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import { openSqlite } from './better-sqlite3';
import type { Driver, SharedOptions } from '../driver';
import { withSavepoint, type Row, type SqlValue, type Transaction } from '../sql';
import { whenUnlocked } from './sqlite-locks';
import { SqliteReaders } from './sqlite-readers';
import { SqliteTurns } from './sqlite-turns';

/**
 * The driver for SQLite. Writes use TypeORM's connection. Transactions run one after the other, because each spans
 * several turns of the event loop. Reads use a second connection, so that they see committed data only. Statements on
 * both connections block the process, so heavy reads run in child processes, and SQLite itself never waits for a lock of
 * another process: `whenUnlocked` does. At most `maxBlocked` requests wait for a lock that is held for long.
 */
export function createSqliteDriver(dataSource: DataSource, file: string, maxBlocked: number): Driver {
  // TypeORM declares only the common driver interface. Here, the driver is always that of better-sqlite3.
  const { databaseConnection } = dataSource.driver as unknown as {
    readonly databaseConnection: BetterSqlite3.Database;
  };
  databaseConnection.pragma('busy_timeout = 0');
  // A page that many commits write is copied to the database once per checkpoint: every 16 MB instead of every 4 MB.
  databaseConnection.pragma('wal_autocheckpoint = 4000');
  const writer = preparer(databaseConnection);
  const readConnection = openSqlite(file, { readonly: true, timeout: 0 });
  const reader = preparer(readConnection);
  const heavyReaders = new SqliteReaders(file);
  const turns = new SqliteTurns(maxBlocked);

  const transaction: Transaction = {
    rows: (text, values) => attempt(() => arrays(writer(text), values)),
    run: (text, values, named) =>
      attempt(() => {
        const given = named ? [values, named] : [values];
        const { changes, lastInsertRowid } = writer(text).run(...given);
        return { rows: changes, insertId: Number(lastInsertRowid) };
      }),
    undoable: (work) => withSavepoint((text) => attempt(() => void writer(text).run()), work),
  };
  // IMMEDIATE, because a transaction that starts with a read cannot write once another process has written.
  const begin = (): unknown => writer('BEGIN IMMEDIATE').run();
  const begun = async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
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
  const transactIn =
    (lane: 'short' | 'long' | 'upkeep') =>
    <T>(work: (transaction: Transaction) => Promise<T>, { requests }: SharedOptions = { requests: 1 }): Promise<T> =>
      turns.run({ lane, requests }, begin, () => begun(work));

  return {
    product: 'sqlite',
    rows,
    heavy: (text, values, milliseconds, request) => heavyReaders.rows(text, values, milliseconds, request?.signal),
    transaction: (work, options) => transactIn(options?.isShort ? 'short' : 'long')(work),
    upkeep: { rows, transaction: (work) => transactIn('upkeep')(work) },
    impatientTransaction: transactIn('short'),
    catchUp: () => Promise.resolve(false),
    isReadOnly: () => Promise.resolve(false),
    poolUse: () => [{ pool: 'write', size: 1, used: Math.min(turns.size, 1), waiting: Math.max(turns.size - 1, 0) }],
    close: async () => {
      heavyReaders.close();
      await turns.settled();
      readConnection.close();
    },
  };
}

/** Binds arrays of values, and values by name. */
type Bound = readonly SqlValue[] | Readonly<Record<string, SqlValue>>;
type Statement = BetterSqlite3.Statement<Bound[]>;

function preparer(connection: BetterSqlite3.Database): (text: string) => Statement {
  const statements = new LRUCache<string, Statement>({ max: 500 });
  return (text) => {
    const known = statements.get(text);
    if (known) return known;
    // SQLite prepares a statement again for each new value of `LIMIT ?`, but not for an expression.
    const statement = connection.prepare<Bound[]>(text.replaceAll('LIMIT ?', 'LIMIT ? + 0'));
    statements.set(text, statement);
    return statement;
  };
}

function arrays(statement: Statement, values: readonly SqlValue[]): readonly Row[] {
  return statement.raw().all(values) as readonly Row[]; // because of `raw`
}

/** Runs synchronous code of the driver, and converts an exception to a rejection. */
function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
