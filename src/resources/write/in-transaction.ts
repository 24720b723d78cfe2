import type { Database } from '../../database/database';
import type { TransactionOptions } from '../../database/driver';
import type { OwnTransaction } from '../../database/sql';

/** Thrown to roll back a transaction. */
class Undone extends Error {}

/** Returns the result of `work`, whose transaction is rolled back unless the result `isKept`. */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: OwnTransaction) => Promise<T>,
  isKept: (result: T) => boolean,
  options?: TransactionOptions,
): Promise<T> {
  let undone: { readonly result: T } | undefined;
  const attempt = async (transaction: OwnTransaction): Promise<T> => {
    const result = await work(transaction);
    if (isKept(result)) return result;
    undone = { result };
    throw new Undone();
  };
  try {
    return await database.transaction(attempt, options);
  } catch (error) {
    if (error instanceof Undone && undone) return undone.result;
    throw error;
  }
}
