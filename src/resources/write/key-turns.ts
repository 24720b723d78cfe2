import type { IdempotencyKey } from './idempotency-key';
import { AlreadyCreatedError } from './idempotency-store';

/**
 * Lets the creates with the same key run one after the other in this process, so that they never share a transaction.
 * Those of other processes wait for a lock in the database.
 */
export class KeyTurns {
  private readonly running = new Map<string, Promise<unknown>>();

  /** Runs `create`, or, if an earlier create has stored the key, `earlier` with the refs that it has created. */
  async once<T>(
    { hash }: IdempotencyKey,
    create: () => Promise<T>,
    earlier: (refs: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const turn = inTurn(this.running.get(hash), create, earlier);
    this.running.set(hash, turn);
    try {
      return await turn;
    } finally {
      if (this.running.get(hash) === turn) this.running.delete(hash);
    }
  }
}

async function inTurn<T>(
  previous: Promise<unknown> | undefined,
  create: () => Promise<T>,
  earlier: (refs: readonly string[]) => Promise<T>,
): Promise<T> {
  await previous?.catch(() => undefined);
  try {
    return await create();
  } catch (error) {
    if (error instanceof AlreadyCreatedError) return await earlier(error.refs);
    throw error;
  }
}
