import type BetterSqlite3 from 'better-sqlite3';
import { createConnection, type Connection, type PrepareStatementInfo, type QueryError } from 'mysql2';

import { openSqlite } from '../../src/database/sqlite/better-sqlite3';

/** The value of a placeholder. */
export type Value = string | number | null;

/** A row, with its values in the order of the columns. */
export type Row = readonly Value[];

/** Receives the rows of a statement, or its error. */
export type Done = (error: Error | null, rows: readonly Row[]) => void;

/** Runs a prepared statement with these values. */
export type Statement = (values: Value[], done: Done) => void;

/** The database operations of the hand-written servers. */
export interface PeerDatabase {
  /** A statement that is prepared once on each connection. */
  statement(sql: string): Statement;
  rows(sql: string, values: readonly Value[]): Promise<readonly Row[]>;
}

/** Connections to MariaDB of each peer, as in sipgraph. */
export const CONNECTIONS = 10;

/** Opens the database at DATABASE_URL. */
export function openPeerDatabase(url: string): PeerDatabase {
  const prepare = url.startsWith('sqlite:') ? openSqliteFile(url.slice('sqlite:'.length)) : openMysql(url);
  const statements = new Map<string, Statement>();
  const statement = (sql: string): Statement => {
    let known = statements.get(sql);
    if (!known) {
      known = prepare(sql);
      statements.set(sql, known);
    }
    return known;
  };
  return {
    statement,
    rows: (sql, values) =>
      new Promise((resolve, reject) => {
        statement(sql)([...values], (error, rows) => {
          if (error) reject(error);
          else resolve(rows);
        });
      }),
  };
}

function openSqliteFile(file: string): (sql: string) => Statement {
  const connection = openSqlite(file);
  connection.pragma('journal_mode = WAL');
  return (sql) => {
    // SQLite prepares a statement again for each new value of `LIMIT ?`, but not for an expression.
    const statement: BetterSqlite3.Statement<Value[], Row> = connection.prepare(
      sql.replaceAll('LIMIT ?', 'LIMIT ? + 0'),
    );
    const isRead = statement.reader;
    if (isRead) statement.raw();
    return (values, done) => {
      let rows: readonly Row[] = [];
      try {
        if (isRead) rows = statement.all(...values);
        else statement.run(...values);
      } catch (error) {
        done(error as Error, rows); // better-sqlite3 throws only errors
        return;
      }
      done(null, rows);
    };
  };
}

/** A pool does more for each statement than these connections: it copies options and looks statements up by a text. */
function openMysql(url: string): (sql: string) => Statement {
  const connections = Array.from({ length: CONNECTIONS }, () =>
    createConnection({ uri: url, charset: 'utf8mb4_bin', rowsAsArray: true }),
  );
  const free = [...connections.keys()];
  const waiting: ((index: number) => void)[] = [];
  const release = (index: number): void => {
    const next = waiting.shift();
    if (next) next(index);
    else free.push(index);
  };
  return (sql) => {
    const prepared: (PrepareStatementInfo | undefined)[] = connections.map(() => undefined);
    return (values, done) => {
      const run = (index: number): void => {
        const received = (error: QueryError | null, rows: unknown): void => {
          release(index);
          done(error, rows as readonly Row[]); // because of `rowsAsArray`
        };
        const statement = prepared[index];
        if (statement) {
          statement.execute(values, received);
          return;
        }
        (connections[index] as Connection).prepare(sql, (error, made) => {
          if (error) {
            received(error, []);
            return;
          }
          prepared[index] = made;
          made.execute(values, received);
        });
      };
      const index = free.pop();
      if (index === undefined) waiting.push(run);
      else run(index);
    };
  };
}
