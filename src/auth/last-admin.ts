import type { Transaction } from '../database/sql';
import { NotSupportedError } from '../errors';
import { countAdmins, lockAdmins } from './user-store';

/**
 * Runs `work`, and throws NotSupportedError if it removed the last admin. The admins' rows are locked first, so that
 * two admins cannot remove each other at the same time.
 */
export async function keepingAnAdmin<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  await lockAdmins(transaction);
  const before = await countAdmins(transaction);
  const result = await work();
  if (before > 0 && (await countAdmins(transaction)) === 0)
    throw new NotSupportedError('The last admin cannot be deleted or given another role');
  return result;
}
