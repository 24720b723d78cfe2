import type { Pool, PoolConnection, QueryError, ResultSetHeader, RowDataPacket } from 'mysql2';
import type { DataSource, QueryRunner } from 'typeorm';

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
      const runner = dataSource.createQueryRunner();
      try {
        await runner.startTransaction();
        const result = await work(await transactionOn(runner));
        await runner.commitTransaction();
        return result;
      } catch (error) {
        // A connection that is gone has rolled back by itself; the first error is the one to tell.
        if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
        throw error;
      } finally {
        await runner.release();
      }
    },
    close: () => Promise.resolve(),
  };
}

async function transactionOn(runner: QueryRunner): Promise<Transaction> {
  const connection = (await runner.connect()) as PoolConnection;
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
      (error: QueryError | null, result: unknown) => {
        if (error) reject(error);
        else resolve(result as readonly Row[]); // `rowsAsArray` makes it so
      },
    );
  });
}
