import { padded, places, type OwnTransaction } from './sql';

/**
 * Locks the rows with these refs, if they exist, until the transaction ends. Locks come before the first read of a transaction,
 * because that read determines what later ones see. A table with several kinds needs the `kind`.
 */
export async function lockRows(
  transaction: OwnTransaction,
  table: string,
  refs: readonly string[],
  kind?: string,
): Promise<void> {
  const [first] = refs;
  // SQLite has one lock, which the transaction holds from its start.
  if (first === undefined || transaction.isSerial) return;
  const keys = padded(refs, first);
  // A small table would be scanned without the index, and every row of it locked.
  await transaction.rows(
    `SELECT id FROM ${table} FORCE INDEX (${table}_ref) WHERE ref IN (${places(keys.length)})
     ${kind === undefined ? '' : 'AND kind = ?'} FOR UPDATE`,
    [...keys, ...(kind === undefined ? [] : [kind])],
  );
}
