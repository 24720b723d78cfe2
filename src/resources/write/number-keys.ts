import { setImmediate } from 'node:timers/promises';

import type { Logger } from 'pino';

import { RepeatedTask } from '../../changes/repeated-task';
import type { Database } from '../../database/database';
import { pad, places } from '../../database/sql';
import { keyInsideOf } from '../../model/format/number-range';

// Numbers that a statement compares.
const BATCH = 5000;
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
  const onFailure = (error: unknown): void => log.warn({ err: error }, 'cannot repair the keys of numbers');
  return new RepeatedTask(() => repairKeys(database), INTERVAL, onFailure).start(0);
}

/** Compares without locks, and locks only the numbers whose keys are wrong. */
async function repairKeys({ maintenance }: Pick<Database, 'maintenance'>): Promise<void> {
  for (let last = 0; ;) {
    const [[end = null] = []] = await maintenance.rows(PIECE, [last, BATCH]);
    if (end === null) return;
    const stale = (await maintenance.rows(STALE, [last, Number(end)])).map(([id]) => Number(id));
    if (stale.length > 0) {
      const keys = pad(stale, 0);
      await maintenance.transaction((transaction) =>
        transaction.run(`UPDATE numbers SET digits_key = ${KEY} WHERE id IN (${places(keys.length)})`, keys),
      );
    }
    last = Number(end);
    // On SQLite, statements block the event loop.
    await setImmediate();
  }
}
