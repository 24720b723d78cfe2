import type { Database } from '../../database/database';
import type { TransactionOptions } from '../../database/driver';
import { failureOf } from '../../database/errors';
import type { OwnTransaction } from '../../database/sql';
import { DomainError, type ErrorCode } from '../../errors';
import { RefTakenError } from './conflict';

const ATTEMPTS = 4;
const ABSENT: readonly ErrorCode[] = ['NOT_FOUND', 'UNFULFILLED_DEPENDENCY'];

/**
 * Runs `work`, and again if another attempt may succeed or report the cause: if a referenced resource was deleted
 * between the lookup and the write, if another transaction has just created what `work` did not find, or if a generated
 * ref is in use. On a node of a cluster, also runs it once more if a resource does not exist, because another node may
 * have created it just before.
 */
export async function retry<T>(database: Database, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isAbsent = error instanceof DomainError && ABSENT.includes(error.code);
      const worth =
        error instanceof RefTakenError ||
        ['missing-reference', 'duplicate'].includes(failureOf(error).type) ||
        (isAbsent && attempt === 1 && (await database.catchUp()));
      if (!worth || attempt === ATTEMPTS) throw error;
    }
  }
}

/** How something is written. */
export interface WriteOptions {
  /** Check everything, and change nothing. */
  readonly dryRun?: boolean;
}

/** Thrown to roll back a transaction. */
class Undone extends Error {}

/** How a transaction runs that may be rolled back although it succeeded. */
interface KeepOptions<T> extends TransactionOptions {
  /** Whether to commit. */
  readonly isKept: (result: T) => boolean;
}

/** Returns the result of `work`, whose transaction is rolled back unless the result `isKept`. */
export async function inTransaction<T>(
  database: Pick<Database, 'transaction'>,
  work: (transaction: OwnTransaction) => Promise<T>,
  { isKept, ...options }: KeepOptions<T>,
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

/**
 * Imports in a transaction, and returns whether it was committed: only if `work` returns true. Runs `work` again after
 * a conflict with another transaction: then it finds what the other one created, and not what the other one deleted.
 */
export function inImport(
  database: Database,
  work: (transaction: OwnTransaction) => Promise<boolean>,
  options?: TransactionOptions,
): Promise<boolean> {
  return retry(database, () => inTransaction(database, work, { ...options, isKept: (isKept) => isKept }));
}

/**
 * Returns the error that a write, a row or a document caused. Throws an error that another attempt may not have, or that
 * is unexpected.
 */
export function ownErrorOf(error: unknown): DomainError {
  if (error instanceof DomainError && !error.mayPass && !(error instanceof RefTakenError)) return error;
  throw error;
}
