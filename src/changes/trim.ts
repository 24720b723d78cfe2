import type { Database } from '../database/database';
import { LIVE } from './chain';

// Numbers per transaction.
const BATCH = 2000;

/** How long changes are kept, in milliseconds. */
export interface Kept {
  /** The changes of the live tables, which only subscribers need. */
  readonly live: number;
  /** The entries of the history. */
  readonly entries: number;
}

/** SQL for whether a change is one of the live tables, and no entry (chain.ts). */
const IS_LIVE = `(kind IN (${LIVE}) AND NOT EXISTS (SELECT 1 FROM history_hashes h WHERE h.id = changes.id))`;

type Trimmed = Pick<Database, 'maintenance' | 'clock'>;

/** Deletes old changes, in small transactions. The clock of the database tells what is old. */
export async function trimChanges(database: Trimmed, kept: Kept): Promise<void> {
  await trimLive(database, kept.live);
  await trimEntries(database, kept.entries);
}

/**
 * Deletes changes of the live tables, and those of a version without a history. `change_head.trimmed` is how far: subscribers
 * cannot continue after an earlier change.
 */
async function trimLive(database: Trimmed, kept: number): Promise<void> {
  const { maintenance } = database;
  const end = await lastBefore(database, kept);
  const [[start = 0] = []] = await maintenance.rows('SELECT trimmed FROM change_head WHERE id = 1', []);
  for (let trimmed = Number(start); trimmed < end;) {
    const from = trimmed;
    trimmed = Math.min(trimmed + BATCH, end);
    await maintenance.transaction(async (transaction) => {
      await transaction.run('UPDATE change_head SET trimmed = ? WHERE id = 1 AND trimmed < ?', [trimmed, trimmed]);
      await transaction.run(
        `DELETE FROM changes WHERE id > ? AND id <= ?
           AND (${IS_LIVE} OR id <= (SELECT trimmed FROM history_head WHERE id = 1))`,
        [from, trimmed],
      );
    });
  }
}

/** Deletes entries of the history. `history_head.trimmed` is how far, with the hash and the time of the last one. */
async function trimEntries(database: Trimmed, kept: number): Promise<void> {
  const { maintenance } = database;
  const [[start = 0, chained = 0] = []] = await maintenance.rows(
    'SELECT trimmed, chained FROM history_head WHERE id = 1',
    [],
  );
  // The hash of the last deleted entry is where verification starts, so entries without a hash are kept.
  const end = Math.min(await lastBefore(database, kept), Number(chained));
  for (let trimmed = Number(start); trimmed < end;) {
    trimmed = Math.min(trimmed + BATCH, end);
    await maintenance.transaction(async (transaction) => {
      await transaction.run(
        `UPDATE history_head SET trimmed = ?,
           anchor = COALESCE((SELECT hash FROM history_hashes WHERE id <= ? ORDER BY id DESC LIMIT 1), anchor),
           trimmed_at = COALESCE((SELECT at FROM changes WHERE id <= ? ORDER BY id DESC LIMIT 1), trimmed_at)
         WHERE id = 1 AND trimmed < ?`,
        [trimmed, trimmed, trimmed, trimmed],
      );
      await transaction.run(`DELETE FROM changes WHERE id <= ? AND NOT ${IS_LIVE}`, [trimmed]);
      await transaction.run('DELETE FROM history_hashes WHERE id <= ?', [trimmed]);
    });
  }
}

/** The number of the last change that is older than `kept`; 0 if there is none. */
async function lastBefore({ maintenance, clock }: Trimmed, kept: number): Promise<number> {
  const text = `SELECT id FROM changes WHERE at < ${clock} * 1000 - ? ORDER BY at DESC LIMIT 1`;
  const [row] = await maintenance.rows(text, [kept]);
  return Number(row?.[0] ?? 0);
}
