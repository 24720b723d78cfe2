import { hash } from 'node:crypto';

import type { Database } from '../database/database';
import { places, type Row, type SqlValue, type Transaction } from '../database/sql';
import { LIVE_SUBJECTS } from './change';
import { CHANGE_COLUMNS } from './outbox';

/** The columns of an entry that its hash covers. */
export const HASHED = `id, at, ${CHANGE_COLUMNS}`;

// Entries per transaction.
const BATCH = 500;

/**
 * The kinds of changes that are not entries of the history, as SQL: the SIP server made them. A version that does not know
 * one of these kinds gives hashes to its changes. Those with a hash are entries.
 */
export const LIVE = LIVE_SUBJECTS.map((subject) => `'${subject}'`).join(', ');

/** Returns the hash of an entry, which covers its columns and, through `previous`, all entries before it. */
export function hashOf(previous: string, entry: Row): string {
  return hash('sha256', previous + JSON.stringify(entry));
}

/**
 * Computes the hash of each entry that has a number and no hash yet. Every process calls this, and one at a time works,
 * because the row of `history_head` is locked.
 */
export async function extendChain({
  maintenance,
  isSerial,
}: Pick<Database, 'maintenance' | 'isSerial'>): Promise<void> {
  const ends = 'SELECT c.last, h.chained FROM change_head c, history_head h WHERE c.id = 1 AND h.id = 1';
  const [[last = 0, chained = 0] = []] = await maintenance.rows(ends, []);
  if (Number(chained) >= Number(last)) return;
  // After a failover, the transactions may see fewer changes than `last` says, because the new primary lacks some.
  while (await maintenance.transaction((transaction) => extend(transaction, isSerial)));
}

/** Hashes the next entries. Returns whether there may be more. */
async function extend(transaction: Transaction, isSerial: boolean): Promise<boolean> {
  const lock = isSerial ? '' : ' FOR UPDATE';
  const [head = []] = await transaction.rows(`SELECT chained, hash FROM history_head WHERE id = 1${lock}`, []);
  const [chained = 0, start = ''] = head;
  const [[last = 0] = []] = await transaction.rows('SELECT last FROM change_head WHERE id = 1', []);
  const found = await transaction.rows(`SELECT ${HASHED} FROM changes WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`, [
    chained,
    last,
    BATCH,
  ]);
  let latest = String(start);
  const hashes: SqlValue[] = [];
  for (const entry of found) {
    if (LIVE_SUBJECTS.includes(String(entry[2]))) continue;
    latest = hashOf(latest, entry);
    hashes.push(entry[0] ?? 0, latest);
  }
  const count = hashes.length / 2;
  if (count > 0) {
    const rows = Array.from({ length: count }, () => `(${places(2)})`).join(', ');
    await transaction.run(`INSERT INTO history_hashes (id, hash) VALUES ${rows}`, hashes);
  }
  const isLast = found.length < BATCH;
  const end = Number((isLast ? last : found.at(-1)?.[0]) ?? 0);
  await transaction.run('UPDATE history_head SET chained = ?, hash = ? WHERE id = 1', [end, latest]);
  return !isLast;
}
