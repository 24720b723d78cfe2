import { padded, places, type OwnTransaction } from './sql';

/**
 * Locks the rows with these refs, if they exist, until the transaction ends. Must run before the first read of the
 * transaction, because that read determines what later reads see, except with `seesCommits`. `kind` is required for a
 * table that several kinds share.
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
  // Without FORCE INDEX, the database may scan a small table and lock all of its rows.
  await transaction.rows(
    `SELECT id FROM ${table} FORCE INDEX (${table}_ref) WHERE ref IN (${places(keys.length)})
     ${kind === undefined ? '' : 'AND kind = ?'} FOR UPDATE`,
    [...keys, ...(kind === undefined ? [] : [kind])],
  );
}
