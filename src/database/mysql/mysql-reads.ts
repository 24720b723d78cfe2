import type { Pool, PoolConnection } from 'mysql2';

import { failureOf, isSilent } from '../errors';
import { command, connectionOf, onLive, rows } from './mysql-connection';
import { giveBack, kill, whileNeeded } from './sessions';
import type { Need, Row, SqlValue } from '../sql';

// Milliseconds that the server has, after the time limit of a read, to report that it stopped the read. Then, the
// connection is closed.
const GRACE = 2000;

/**
 * Runs a read on a connection of a pool. The server stops the read after `milliseconds`, or soon after `need` is over;
 * then this rejects with its error.
 */
export type PooledRead = (
  from: Pool,
  text: string,
  values: readonly SqlValue[],
  milliseconds: number,
  need?: Need,
) => Promise<readonly Row[]>;

/** Returns a function that reads from servers of a product. `take` takes a connection from a pool. */
export function pooledReads(product: 'mysql' | 'mariadb', take = connectionOf): PooledRead {
  const limit = limiter(product);
  return (from, text, values, milliseconds, need) =>
    onLive(
      () => take(from),
      async (connection) => {
        try {
          const found = await whileNeeded(connection, need, async () => {
            const limiting = limit(connection, milliseconds);
            if (limiting) await limiting;
            return rows(connection, text, values, milliseconds + GRACE);
          });
          connection.release();
          return found;
        } catch (error) {
          if (isSilent(error)) kill(connection);
          // `onLive` destroys a connection that is lost.
          if (failureOf(error).type !== 'unavailable') giveBack(connection);
          throw error;
        }
      },
    );
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
