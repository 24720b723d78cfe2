import { failureOf, toDomainError } from './errors';

const ATTEMPTS = 5;

/** Runs a transaction. After a deadlock or a lock timeout, which rolled it back, runs it again a few times. */
export async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || failureOf(error).type !== 'retryable') throw toDomainError(error);
      await pause(attempt * 20 * (1 + Math.random()));
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
