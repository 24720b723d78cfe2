import type BetterSqlite3 from 'better-sqlite3';
import { createPool, type QueryError, type RowDataPacket } from 'mysql2';

import { openSqlite } from '../../src/database/sqlite/better-sqlite3';

/** The value of a placeholder. */
export type Value = string | number | null;

/** A row, with its values in the order of the columns. */
export type Row = readonly Value[];

/** The database operations of the hand-written servers. */
export interface PeerDatabase {
  rows(sql: string, values: readonly Value[]): Promise<readonly Row[]>;
  write(sql: string, values: readonly Value[]): Promise<void>;
}

/** Connections to MariaDB of each peer, as in sipgraph. */
export const CONNECTIONS = 10;

/** Opens the database at DATABASE_URL. */
export function openPeerDatabase(url: string): PeerDatabase {
  return url.startsWith('sqlite:') ? openSqliteFile(url.slice('sqlite:'.length)) : openMysql(url);
}

function openSqliteFile(file: string): PeerDatabase {
  const connection = openSqlite(file);
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
  return {
    rows: (sql, values) => Promise.resolve(prepare(sql).all(...values)),
    // Async, so that an exception becomes a rejection.
    write: async (sql, values) => Promise.resolve(void prepare(sql).run(...values)),
  };
}

function openMysql(url: string): PeerDatabase {
  const pool = createPool({ uri: url, connectionLimit: CONNECTIONS, charset: 'utf8mb4_bin' });
  const rows = (sql: string, values: readonly Value[]): Promise<readonly Row[]> =>
    new Promise((resolve, reject) => {
      pool.execute<RowDataPacket[][]>(
        { sql, rowsAsArray: true, values: [...values] },
        (error: QueryError | null, found: unknown) => {
          if (error) reject(error);
          else resolve(found as readonly Row[]); // because of `rowsAsArray`
        },
      );
    });
  return {
    rows,
    write: async (sql, values) => {
      await rows(sql, values);
    },
  };
}
