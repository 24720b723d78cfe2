import {
  createConnection,
  type Connection,
  type ConnectionOptions,
  type PoolConnection,
  type RowDataPacket,
} from 'mysql2';

import type { RequestScope, SqlValue } from '../sql';
import { disconnect, responseWithin, socketOf } from './mysql-socket';

// Milliseconds after which a server that does not respond counts as unavailable.
export const TIMEOUT = 10_000;
// Milliseconds between two searches for work that nobody needs any more. Short statements end before.
const SWEEP = 500;
const SESSION = 'SELECT 1 FROM information_schema.processlist WHERE id = ? AND host LIKE ?';

interface Work {
  readonly connection: PoolConnection;
  readonly scope: RequestScope;
  /** Why it was ended; undefined unless it was. */
  cancelledBy: Error | undefined;
}

// Connections whose sessions are being ended. They are not used again.
const killed = new WeakSet<PoolConnection>();
const running = new Set<Work>();
let sweeping: NodeJS.Timeout | undefined;

/**
 * Runs `work` on a connection. If `scope` is over before, ends the session of the connection on the server, and rejects
 * with the error of `scope`.
 */
export async function unlessCancelled<T>(
  connection: PoolConnection,
  scope: RequestScope | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!scope) return work();
  if (scope.cancelledBy) throw scope.cancelledBy;
  const own: Work = { connection, scope, cancelledBy: undefined };
  running.add(own);
  sweeping ??= setInterval(sweep, SWEEP).unref();
  try {
    const result = await work();
    if (own.cancelledBy) throw own.cancelledBy;
    return result;
  } catch (error) {
    throw own.cancelledBy ?? error;
  } finally {
    running.delete(own);
  }
}

function sweep(): void {
  for (const work of running) {
    work.cancelledBy = work.scope.cancelledBy;
    if (!work.cancelledBy) continue;
    running.delete(work);
    kill(work.connection);
  }
  if (running.size > 0) return;
  clearInterval(sweeping);
  sweeping = undefined;
}

/** Returns a connection to its pool, unless its session was ended. */
export function giveBack(connection: PoolConnection): void {
  if (killed.has(connection)) disconnect(connection);
  else connection.release();
}

/**
 * Ends the session of a connection on the server, whose statement fails then. A closed connection alone does not end a
 * statement there. Uses a connection of its own, to the same server. Never fails.
 */
export function kill(connection: PoolConnection): void {
  killed.add(connection);
  const { threadId } = connection;
  const { host, port, user, password, ssl } = connection.config;
  const { localPort = 0 } = socketOf(connection);
  // mysql2 declares the options of a connection as always set.
  const options = { host, port, user, password, ssl, connectTimeout: TIMEOUT } as ConnectionOptions;
  const killer = createConnection(options);
  killer.on('error', () => disconnect(killer));
  endSession(killer, threadId, localPort)
    .catch(() => undefined)
    .finally(() => disconnect(killer));
}

async function endSession(killer: Connection, id: number, port: number): Promise<void> {
  const ask = <T extends RowDataPacket[]>(text: string, values: SqlValue[] = []): Promise<T> =>
    responseWithin(TIMEOUT, (done) => killer.query<T>(text, values, done));
  // Through a proxy, this may be another server, where the number belongs to another session.
  const found = await ask(SESSION, [id, `%:${String(port)}`]);
  if (found.length > 0) await ask(`KILL ${String(id)}`);
}

export function isKilled(connection: PoolConnection): boolean {
  return killed.has(connection);
}
