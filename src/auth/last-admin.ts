import type { Transaction } from '../database/sql';
import { NotSupportedError } from '../errors';

/**
 * Runs `work`, and throws NotSupportedError if it removed the last admin. The admins' rows are locked first, so that two
 * admins cannot remove each other at the same time.
 */
export async function keepingAnAdmin<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  await transaction.run("UPDATE users SET ref = ref WHERE role = 'admin'", []);
  const before = await countAdmins(transaction);
  const result = await work();
  if (before > 0 && (await countAdmins(transaction)) === 0)
    throw new NotSupportedError('The last admin cannot be deleted or given another role');
  return result;
}

async function countAdmins(transaction: Transaction): Promise<number> {
  const [row] = await transaction.rows("SELECT COUNT(*) FROM users WHERE role = 'admin'", []);
  return Number(row?.[0]);
}
