import BetterSqlite3 from 'better-sqlite3';
import { createPool, type Pool, type PoolConnection, type QueryError, type RowDataPacket } from 'mysql2';

/** The value of a placeholder. */
export type Value = string | number | null;

/** A row, with its values in the order of the columns. */
export type Row = readonly Value[];

/** The database operations of the hand-written server. */
export interface RawDatabase {
  rows(sql: string, values: readonly Value[]): Promise<readonly Row[]>;
  /** In one transaction, selects a row and runs the writes derived from it. Returns undefined if there is no such row. */
  writeAfter(find: string, key: string, writes: (found: Row) => readonly Write[]): Promise<Row | undefined>;
}

/** A statement that writes. */
export type Write = readonly [sql: string, values: readonly Value[]];

/** Opens the database at DATABASE_URL. */
export function openRawDatabase(url: string): RawDatabase {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openMysql(url);
}

function openSqlite(file: string): RawDatabase {
  const connection = new BetterSqlite3(file);
  connection.pragma('journal_mode = WAL');
  const statements = new Map<string, BetterSqlite3.Statement<Value[], Row>>();
  const prepare = (sql: string): BetterSqlite3.Statement<Value[], Row> => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = connection.prepare<Value[], Row>(sql);
      if (statement.reader) statement.raw();
      statements.set(sql, statement);
    }
    return statement;
  };
  const writeAfter = connection.transaction((find: string, key: string, writes: (found: Row) => readonly Write[]) => {
    const found = prepare(find).get(key);
    if (found) for (const [sql, values] of writes(found)) prepare(sql).run(...values);
    return found;
  });
  return {
    rows: (sql, values) => Promise.resolve(prepare(sql).all(...values)),
    // Async, so that an exception becomes a rejection.
    writeAfter: async (...parameters) => Promise.resolve(writeAfter.immediate(...parameters)),
  };
}

function openMysql(url: string): RawDatabase {
  const pool = createPool({ uri: url, connectionLimit: 10, charset: 'utf8mb4_bin' });
  return {
    rows: (sql, values) => execute(pool, sql, values),
    writeAfter: async (find, key, writes) => {
      const connection = await checkOut(pool);
      try {
        await query(connection, 'START TRANSACTION');
        const [found] = await execute(connection, find, [key]);
        if (found) for (const [sql, values] of writes(found)) await execute(connection, sql, values);
        await query(connection, 'COMMIT');
        return found;
      } catch (error) {
        await query(connection, 'ROLLBACK');
        throw error;
      } finally {
        connection.release();
      }
    },
  };
}

function execute(target: Pool | PoolConnection, sql: string, values: readonly Value[]): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    target.execute<RowDataPacket[][]>(
      { sql, rowsAsArray: true, values: [...values] },
      (error: QueryError | null, rows: unknown) => {
        if (error) reject(error);
        else resolve(rows as readonly Row[]); // because of `rowsAsArray`
      },
    );
  });
}

function query(connection: PoolConnection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query(sql, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function checkOut(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => {
      if (error) reject(error);
      else resolve(connection);
    });
  });
}
