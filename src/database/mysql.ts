import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2';
import type { DataSource } from 'typeorm';

import type { Driver } from './database';
import type { Row, SqlValue, Transaction } from './sql';

// A database that hangs is as good as one that is away; in milliseconds.
const TIMEOUT = 10_000;

/** MySQL and MariaDB: prepared statements on TypeORM's own pool. */
export function createMysqlDriver(dataSource: DataSource): Driver {
  // TypeORM types its driver by the common interface; this module is used with `type: 'mysql'` alone.
  const { pool } = dataSource.driver as unknown as { readonly pool: Pool };
  return {
    rows: (text, values) => rows(pool, text, values),
    transaction: async (work) => {
      const connection = await connectionOf(pool);
      try {
        await command(connection, 'START TRANSACTION');
        const result = await work(transactionOn(connection));
        await command(connection, 'COMMIT');
        connection.release();
        return result;
      } catch (error) {
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

function rows(target: Pool | PoolConnection, text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    target.execute<RowDataPacket[][]>(
      { sql: text, rowsAsArray: true, timeout: TIMEOUT, values: [...values] },
      (error, result: unknown) => {
        if (error) reject(error);
        else resolve(result as readonly Row[]); // `rowsAsArray` makes it so
      },
    );
  });
}
