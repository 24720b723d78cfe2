import type { Database } from '../../database/database';
import type { TransactionOptions } from '../../database/driver';
import { failureOf } from '../../database/errors';
import type { OwnTransaction } from '../../database/sql';
import { again } from '../write/again';
import { inTransaction } from '../write/in-transaction';

/**
 * Imports in a transaction, and returns whether it was committed: only if `work` returns true. Runs `work` again after a
 * conflict with another transaction: then it finds what the other one created, and not what the other one deleted.
 */
export function inImport(
  database: Database,
  work: (transaction: OwnTransaction) => Promise<boolean>,
  options?: TransactionOptions,
): Promise<boolean> {
  const isDuplicate = (error: unknown): boolean => failureOf(error).type === 'duplicate';
  return again(database, () => inTransaction(database, work, (isKept) => isKept, options), isDuplicate);
}
