import { setTimeout } from 'node:timers/promises';

import { failureOf, toDomainError } from './errors';

const ATTEMPTS = 20;
// Milliseconds after which a transaction is not tried again.
const LONGEST = 10_000;
// Milliseconds between attempts: random, so that writers which collided do not collide again.
const MAX_PAUSE = 500;

/**
 * Runs a transaction, and runs it again after a deadlock, a lock timeout or another conflict. Throws the last error,
 * converted by `toDomainError`.
 */
export async function retried<T>(run: () => Promise<T>): Promise<T> {
  const end = Date.now() + LONGEST;
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const isLast = attempt === ATTEMPTS || Date.now() > end;
      if (isLast || failureOf(error).type !== 'retryable') throw toDomainError(error);
      await setTimeout(Math.random() * Math.min(MAX_PAUSE, 20 * 2 ** attempt));
    }
  }
}
