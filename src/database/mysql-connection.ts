import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2';

import { asUndecided } from './errors';
import { withSavepoint, type Row, type SqlValue, type Transaction } from './sql';

// Milliseconds after which a server that does not respond counts as unavailable.
const TIMEOUT = 10_000;

/**
 * Runs a transaction on a connection, and returns the connection to its pool. `begins`: whether the first statement of
 * `work` begins it.
 */
export async function transact<T>(
  connection: PoolConnection,
  work: (transaction: Transaction) => Promise<T>,
  begins = false,
): Promise<T> {
  try {
    if (!begins) await command(connection, 'START TRANSACTION');
    const result = await work(transactionOn(connection));
    await command(connection, 'COMMIT').catch((error: unknown) => {
      throw asUndecided(error);
    });
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
}

/**
 * Whether the error is a timeout of a connection. Such a connection may never respond, so it must be removed from the
 * pool.
 */
export function isSilent(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'PROTOCOL_SEQUENCE_TIMEOUT';
}

/** Takes a connection from a pool. The caller must release or destroy the connection. */
export function connectionOf(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => {
      if (error) reject(error);
      else resolve(connection);
    });
  });
}

/** Runs a statement without values. */
export function command(connection: PoolConnection, text: string): Promise<void> {
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
    undoable: (work) => withSavepoint((text) => command(connection, text), work),
  };
}

/** Runs a prepared SELECT. Rejects if there is no response within `timeout` milliseconds. */
export function rows(
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
