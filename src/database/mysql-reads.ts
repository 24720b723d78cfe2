import type { Pool, PoolConnection } from 'mysql2';

import { isSilent } from './errors';
import { command, connectionOf, kill, rows } from './mysql-connection';
import type { Row, SqlValue } from './sql';

// Milliseconds that the server has, after the time limit of a read, to report that it stopped the read. Then, the
// connection is closed.
const GRACE = 2000;

/**
 * Runs a read on a connection of a pool. The server stops the read after `milliseconds`, or when the signal is aborted;
 * then this rejects with the reason of the signal.
 */
export type PooledRead = (
  from: Pool,
  text: string,
  values: readonly SqlValue[],
  milliseconds: number,
  signal?: AbortSignal,
) => Promise<readonly Row[]>;

/** Returns a function that reads from servers of a product. `take` takes a connection from a pool. */
export function pooledReads(product: 'mysql' | 'mariadb', take = connectionOf): PooledRead {
  const limit = limiter(product);
  return async (from, text, values, milliseconds, signal) => {
    const connection = await take(from);
    // The killed statement fails. Its connection is not used again, because the server closes it.
    const cancel = (): void => kill(connection);
    signal?.addEventListener('abort', cancel);
    try {
      signal?.throwIfAborted();
      const limiting = limit(connection, milliseconds);
      if (limiting) await limiting;
      const found = await rows(connection, text, values, milliseconds + GRACE);
      // The session is being killed, even if the read has just ended: another reader must not get the connection.
      signal?.throwIfAborted();
      connection.release();
      return found;
    } catch (error) {
      if (isSilent(error)) kill(connection);
      if (isSilent(error) || signal?.aborted) connection.destroy();
      else connection.release();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  };
}

/**
 * Returns a function that sets a connection's server-side time limit, rounded up to seconds so that it rarely changes.
 * The function returns undefined if the connection already has that limit.
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
