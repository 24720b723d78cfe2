import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2';
import type { DataSource } from 'typeorm';

import type { Driver } from './database';
import type { Row, SqlValue, Transaction } from './sql';

// A database that hangs is as good as one that is away; in milliseconds.
const TIMEOUT = 10_000;
// What a question may take, in milliseconds.
const LONGEST = 8000;

/** MySQL and MariaDB: prepared statements on TypeORM's own pool. */
export function createMysqlDriver(dataSource: DataSource, product: 'mysql' | 'mariadb'): Driver {
  // TypeORM types its driver by the common interface; this module is used with `type: 'mysql'` alone.
  const { pool } = dataSource.driver as unknown as { readonly pool: Pool };
  return {
    product,
    rows: async (text, values) => {
      const connection = await connectionOf(pool);
      try {
        const found = await rows(connection, limited(text, product), values);
        connection.release();
        return found;
      } catch (error) {
        if (isSilent(error)) connection.destroy();
        else connection.release();
        throw error;
      }
    },
    transaction: async (work) => {
      const connection = await connectionOf(pool);
      try {
        await command(connection, 'START TRANSACTION');
        const result = await work(transactionOn(connection));
        await command(connection, 'COMMIT');
        connection.release();
        return result;
      } catch (error) {
        if (isSilent(error)) {
          connection.destroy();
          throw error;
        }
        // A connection that cannot roll back is not used again; it is the first error that tells.
        await command(connection, 'ROLLBACK').then(
          () => {
            connection.release();
          },
          () => {
            connection.destroy();
          },
        );
        throw error;
      }
    },
    close: () => Promise.resolve(),
  };
}

/** A question that the server itself gives up on, before its connection is given up. */
function limited(text: string, product: 'mysql' | 'mariadb'): string {
  if (!text.startsWith('SELECT ')) return text;
  return product === 'mysql'
    ? `SELECT /*+ MAX_EXECUTION_TIME(${String(LONGEST)}) */ ${text.slice('SELECT '.length)}`
    : `SET STATEMENT max_statement_time=${String(LONGEST / 1000)} FOR ${text}`;
}

/** Whether a connection gave no answer in time: it may never give one, and the pool has only so many. */
function isSilent(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'PROTOCOL_SEQUENCE_TIMEOUT';
}

function connectionOf(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => {
      if (error) reject(error);
      else resolve(connection);
    });
  });
}

function command(connection: PoolConnection, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query({ sql: text, timeout: TIMEOUT }, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function transactionOn(connection: PoolConnection): Transaction {
  return {
    rows: (text, values) => rows(connection, text, values),
    run: (text, values) =>
      new Promise((resolve, reject) => {
        connection.execute<ResultSetHeader>({ sql: text, timeout: TIMEOUT, values: [...values] }, (error, result) => {
          if (error) reject(error);
          else resolve({ rows: result.affectedRows, insertId: result.insertId });
        });
      }),
  };
}

function rows(connection: PoolConnection, text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    connection.execute<RowDataPacket[][]>(
      { sql: text, rowsAsArray: true, timeout: TIMEOUT, values: [...values] },
      (error, result: unknown) => {
        if (error) reject(error);
        else resolve(result as readonly Row[]); // `rowsAsArray` makes it so
      },
    );
  });
}
