import type { Logger } from 'pino';

import { RepeatedTask } from '../../changes/repeated-task';
import type { Database } from '../../database/database';
import { pad, places, type Row, type Transaction } from '../../database/sql';
import { endOfTurn } from '../../limits/event-loop';
import { keyInsideOf } from '../../model/format/number-range';
import { logFailure } from '../../log';

// Numbers that a statement compares, and those without a key that a statement completes.
const BATCH = 5000;
const COMPLETED = 1000;
// Milliseconds between repairs. Of a million numbers, on SQLite, one takes 0.3 s of CPU time, in pieces.
const INTERVAL = 60 * 60_000;

const KEY = keyInsideOf('tel_digits');
const PIECE = 'SELECT MAX(id) FROM (SELECT id FROM numbers WHERE id > ? ORDER BY id LIMIT ?) n';
const STALE = `SELECT id FROM numbers WHERE id > ? AND id <= ? AND (digits_key IS NULL OR digits_key <> ${KEY})`;

/**
 * Writes the keys by which numbers inside a range are found, at startup and regularly, until it is closed. The previous version,
 * which runs side by side or after a way back, does not know them: it leaves none, or the one of the former digits.
 */
export function maintainNumberKeys(database: Database, log: Logger): RepeatedTask {
  const onFailure = (error: unknown): void => logFailure(log, error, 'cannot repair the keys of numbers');
  return new RepeatedTask(() => repairKeys(database), INTERVAL, onFailure).start(0);
}

/** Compares without locks, and locks only the numbers whose keys are wrong. */
async function repairKeys({ maintenance }: Pick<Database, 'maintenance'>): Promise<void> {
  for (let last = 0; ;) {
    const [[end = null] = []] = await maintenance.rows(PIECE, [last, BATCH]);
    if (end === null) return;
    const stale = await maintenance.rows(STALE, [last, Number(end)]);
    if (stale.length > 0) await maintenance.transaction((transaction) => writeKeys(transaction, stale));
    last = Number(end);
    // On SQLite, statements block the event loop.
    await endOfTurn();
  }
}

/**
 * Writes the keys of numbers that the previous version has created, before a range is compared with them. Those of numbers that it has
 * changed are repaired later. `lock` is that of the reads of the transaction.
 */
export async function completeKeys(transaction: Transaction, lock: string): Promise<void> {
  for (;;) {
    const rows = await transaction.rows(
      `SELECT id FROM numbers WHERE digits_key IS NULL LIMIT ${String(COMPLETED)} ${lock}`,
      [],
    );
    if (rows.length === 0) return;
    await writeKeys(transaction, rows);
  }
}

async function writeKeys(transaction: Transaction, rows: readonly Row[]): Promise<void> {
  const ids = pad(
    rows.map(([id]) => Number(id)),
    0,
  );
  await transaction.run(`UPDATE numbers SET digits_key = ${KEY} WHERE id IN (${places(ids.length)})`, ids);
}
