import type { Database } from '../../database/database';
import { failureOf } from '../../database/errors';
import type { OwnTransaction } from '../../database/sql';
import { KeyReusedError } from '../../errors';
import { HEADER, type IdempotencyKey } from './idempotency-key';

// Seconds for which a key is kept.
const KEPT = 24 * 3600;
const TRIM_BATCH = 5000;

/** Thrown by a create whose key an earlier create has stored: contains what that one has created. */
export class AlreadyCreatedError extends Error {
  constructor(readonly refs: readonly string[]) {
    super('The request was already processed');
  }
}

/**
 * Stores a key, with the refs of the resources that its transaction is about to create. Throws AlreadyCreatedError if
 * the key is stored already, and KeyReusedError if that was for another input. Waits for a concurrent transaction with
 * the same key.
 */
export async function storeKey(
  transaction: OwnTransaction,
  { hash, fingerprint }: IdempotencyKey,
  refs: readonly string[],
): Promise<void> {
  try {
    await transaction.run(
      `INSERT INTO idempotency_keys (hash, fingerprint, refs, created_on) VALUES (?, ?, ?, ${transaction.clock})`,
      [hash, fingerprint, JSON.stringify(refs)],
    );
  } catch (error) {
    if (failureOf(error).type !== 'duplicate') throw error;
    // A locking read sees the row, even if it was committed after the first read of this transaction.
    const [row] = await transaction.rows(
      `SELECT fingerprint, refs FROM idempotency_keys WHERE hash = ?${transaction.isSerial ? '' : ' LOCK IN SHARE MODE'}`,
      [hash],
    );
    // It was trimmed in the meantime.
    if (!row) return storeKey(transaction, { hash, fingerprint }, refs);
    if (row[0] !== fingerprint) throw new KeyReusedError(HEADER);
    throw new AlreadyCreatedError(JSON.parse(String(row[1])) as string[]); // written above
  }
}

/** Replaces what is stored with a key, once its transaction knows it. */
export async function storeResult(
  transaction: OwnTransaction,
  { hash }: IdempotencyKey,
  refs: readonly string[],
): Promise<void> {
  await transaction.run('UPDATE idempotency_keys SET refs = ? WHERE hash = ?', [JSON.stringify(refs), hash]);
}

/** Removes a key whose create has failed, so that the caller can correct the cause and send it again. */
export async function removeKey(transaction: OwnTransaction, { hash }: IdempotencyKey): Promise<void> {
  await transaction.run('DELETE FROM idempotency_keys WHERE hash = ?', [hash]);
}

/** Deletes the keys that are older than a day, by the clock of the database. */
export async function trimKeys({ clock, maintenance }: Database): Promise<void> {
  const isOld = `created_on < ${clock} - ${String(KEPT)}`;
  const old = `SELECT id FROM idempotency_keys WHERE ${isOld} ORDER BY created_on LIMIT ?`;
  for (;;) {
    const ids = (await maintenance.rows(old, [TRIM_BATCH])).map(([id]) => Number(id));
    if (ids.length > 0)
      await maintenance.transaction((transaction) =>
        transaction.run(`DELETE FROM idempotency_keys WHERE id BETWEEN ? AND ? AND ${isOld}`, [
          Math.min(...ids),
          Math.max(...ids),
        ]),
      );
    if (ids.length < TRIM_BATCH) return;
  }
}
