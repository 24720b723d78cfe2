import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2';
import type { DataSource } from 'typeorm';

import { poolBeside } from './data-source';
import type { Driver } from './database';
import type { Row, SqlValue, Transaction } from './sql';

// Milliseconds after which a server that does not respond counts as unavailable.
const TIMEOUT = 10_000;
// Milliseconds for the server to report that it stopped a read, before the connection is given up.
const GRACE = 2000;
// The time limit of a read in milliseconds.
const LONGEST = 8000;

/**
 * The driver for MySQL and MariaDB: prepared statements. Transactions and migrations use TypeORM's pool. Reads and heavy reads
 * have pools of their own, because their connections limit the time of every statement.
 */
export function createMysqlDriver(dataSource: DataSource, product: 'mysql' | 'mariadb', heavyReads: number): Driver {
  // TypeORM declares only the common driver interface. Here, the driver is always that of mysql2.
  const { pool } = dataSource.driver as unknown as { readonly pool: Pool };
  const readPool = poolBeside(pool);
  const heavyPool = poolBeside(pool, heavyReads);
  const limit = limiter(product);
  const read = async (from: Pool, text: string, values: readonly SqlValue[], milliseconds: number) => {
    const connection = await connectionOf(from);
    try {
      const limiting = limit(connection, milliseconds);
      if (limiting) await limiting;
      const found = await rows(connection, text, values, milliseconds + GRACE);
      connection.release();
      return found;
    } catch (error) {
      if (isSilent(error)) connection.destroy();
      else connection.release();
      throw error;
    }
  };
  return {
    product,
    rows: (text, values) => read(readPool, text, values, LONGEST),
    heavy: (text, values, milliseconds) => read(heavyPool, text, values, milliseconds),
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
        // A connection that fails to roll back is not reused. The original error is the one to report.
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
    close: async () => {
      await Promise.all([readPool, heavyPool].map((each) => each.promise().end()));
    },
  };
}

/**
 * Returns a function that sets a connection's server-side time limit, rounded up to seconds so that it rarely changes. The
 * function returns undefined if the connection has that limit.
 */
function limiter(
  product: 'mysql' | 'mariadb',
): (connection: PoolConnection, milliseconds: number) => Promise<void> | undefined {
  const limits = new WeakMap<PoolConnection, number>();
  return (connection, milliseconds) => {
    const seconds = Math.ceil(milliseconds / 1000);
    if (limits.get(connection) === seconds) return undefined;
    const text =
      product === 'mysql'
        ? `SET SESSION max_execution_time = ${String(seconds * 1000)}`
        : `SET SESSION max_statement_time = ${String(seconds)}`;
    return command(connection, text).then(() => void limits.set(connection, seconds));
  };
}

/** Whether a connection timed out. It may never respond, so it must leave the pool. */
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

function rows(
  connection: PoolConnection,
  text: string,
  values: readonly SqlValue[],
  timeout = TIMEOUT,
): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    connection.execute<RowDataPacket[][]>(
      { sql: text, rowsAsArray: true, timeout, values: [...values] },
      (error, result: unknown) => {
        if (error) reject(error);
        else resolve(result as readonly Row[]); // because of `rowsAsArray`
      },
    );
  });
}
