import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { InvalidInputError } from '../../errors';
import { throwUnreadable } from './foreign-queries';

/** Milliseconds within which a server must respond to a statement. */
export const LONGEST = 60_000;
/** Bytes that a server may send for a statement, which selects a page of a table, and for all of them. */
const MOST = 256 * 1024 * 1024;
const MOST_IN_ALL = 2048 * 1024 * 1024;
// Milliseconds between two looks at a statement.
const LOOK = 100;
// Milliseconds within which a server must end a connection.
const CLOSING = 1000;

/**
 * Runs a statement on a server that belongs to others. Closes the socket of its connection if the response takes too long, or does not
 * end: drivers limit only the time until a response begins, or keep all of it in memory. Throws InvalidInputError without the text of
 * the server.
 */
export async function withinLimits<T>(socket: Socket, statement: () => Promise<T>): Promise<T> {
  const [begun, before] = [performance.now(), socket.bytesRead];
  let problem: string | undefined;
  const timer = setInterval(() => {
    problem ??= problemOf(performance.now() - begun, socket.bytesRead - before, socket.bytesRead);
    if (problem !== undefined) socket.destroy();
  }, LOOK);
  try {
    return await statement();
  } catch (error) {
    if (problem !== undefined) throw InvalidInputError.of('source', problem);
    return throwUnreadable(error);
  } finally {
    clearInterval(timer);
  }
}

function problemOf(milliseconds: number, bytes: number, all: number): string | undefined {
  if (milliseconds > LONGEST) return `the database has not responded to a statement within ${String(LONGEST / 1000)} s`;
  if (bytes > MOST) return `the database sends more than ${mebibytes(MOST)} for a statement; use a dump of it`;
  if (all > MOST_IN_ALL) return `the database sends more than ${mebibytes(MOST_IN_ALL)}; use a dump of it`;
  return undefined;
}

function mebibytes(bytes: number): string {
  return `${String(bytes / 1024 / 1024)} MiB`;
}

/** Ends a connection, also to a server that does not respond. Never fails. */
export async function endConnection(socket: Socket, end: () => Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  const late = setTimeout(CLOSING, undefined, { signal: stop.signal });
  await Promise.race([end(), late]).catch(() => undefined);
  stop.abort();
  await late.catch(() => undefined);
  socket.destroy();
}
