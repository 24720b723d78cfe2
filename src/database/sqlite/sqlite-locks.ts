import { setTimeout } from 'node:timers/promises';

import { driverError } from '../errors';

/** Milliseconds that a statement waits for a lock that another process holds on the SQLite file. */
export const LOCK_TIMEOUT = 10_000;
// Milliseconds between attempts: random, so that processes do not collide again.
const MAX_PAUSE = 50;

/**
 * Runs a statement of SQLite that may need a lock of another process. If the lock is not free, tries again without
 * blocking the event loop, until the time `end` of `performance.now()`. The connection must have a busy timeout of 0.
 * Returns the result itself if the first attempt succeeds, as almost every one does. Throws SQLITE_LOCK_TIMEOUT.
 */
export function retryWhileLocked<T>(run: () => T, end = performance.now() + LOCK_TIMEOUT): T | Promise<T> {
  try {
    return run();
  } catch (error) {
    if (!isLocked(error)) throw error;
    return again(run, end, error);
  }
}

async function again<T>(run: () => T, end: number, first: unknown): Promise<T> {
  let cause = first;
  for (let attempt = 1; performance.now() < end; attempt++) {
    await setTimeout(Math.random() * Math.min(MAX_PAUSE, 2 ** attempt));
    try {
      return run();
    } catch (error) {
      if (!isLocked(error)) throw error;
      cause = error;
    }
  }
  throw lockTimeout(cause);
}

/** The error of a statement for which another process held a lock too long. */
export function lockTimeout(cause?: unknown): Error {
  return Object.assign(new Error('Another process keeps the database locked', { cause }), {
    code: 'SQLITE_LOCK_TIMEOUT',
  });
}

/** Whether a lock is held by another process, in any of the extended codes of SQLITE_BUSY. */
function isLocked(error: unknown): boolean {
  return driverError(error).code.startsWith('SQLITE_BUSY');
}
