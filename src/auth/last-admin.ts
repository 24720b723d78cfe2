import type { Transaction } from '../database/sql';
import { NotSupportedError } from '../errors';
import { countAdmins, guardAdmins } from './user-store';

/**
 * Runs `work`, and throws NotSupportedError if it removed the last admin. It writes a row first, so that two admins
 * cannot remove each other at the same time: on one server, the second transaction waits for the lock of the row, and on
 * several nodes of a cluster, it fails and runs again.
 */
export async function keepingAnAdmin<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  await guardAdmins(transaction);
  const before = await countAdmins(transaction);
  const result = await work();
  if (before > 0 && (await countAdmins(transaction)) === 0)
    throw new NotSupportedError('The last admin cannot be deleted or given another role');
  return result;
}
