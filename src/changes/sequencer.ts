import type { Database } from '../database/database';
import type { Transaction } from '../database/sql';

const BATCH = 1000;

/**
 * Numbers the committed changes, without gaps. Every process has a sequencer, and the lock of the row in `change_head`
 * lets one sequencer at a time assign numbers. The lock is held for a few statements, on a connection that the server
 * closes after two seconds without a statement, so a sequencer that dies or pauses blocks the others for two seconds at
 * most.
 *
 * Numbering does not wait for open transactions, because it reads and locks only committed changes. Changes that depend
 * on each other keep their order, because the later one has the higher id and is not committed before the earlier one.
 */
export class Sequencer {
  private last: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(private readonly database: Database) {}

  /** Numbers every change that was committed before the call. */
  number(): Promise<void> {
    // A database with one writing transaction at a time numbers changes within it.
    if (this.database.isSerial) return Promise.resolve();
    // A run that has begun may have missed the caller's change, so the caller waits for the next run.
    return (this.next ??= this.last
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        this.last = this.numberAll();
        return this.last;
      }));
  }

  private async numberAll(): Promise<void> {
    const { upkeep } = this.database;
    for (;;) {
      const rows = await upkeep.rows('SELECT id FROM unnumbered_changes ORDER BY id LIMIT ?', [BATCH]);
      const ids = rows.map(([id]) => Number(id));
      if (ids.length > 0) await upkeep.transaction((transaction) => number(transaction, ids));
      if (ids.length < BATCH) return;
    }
  }
}

// The join reads the rows by their ids. For `id IN (…)`, a server may prefer a scan, which waits for the rows of open
// transactions.
const LISTED = `JSON_TABLE(?, '$[*]' COLUMNS (id bigint PATH '$')) listed
  STRAIGHT_JOIN unnumbered_changes u FORCE INDEX (PRIMARY) ON u.id = listed.id`;

/** Numbers those of the changes that have no number yet. */
async function number(transaction: Transaction, changes: readonly number[]): Promise<void> {
  const [count, ids] = [changes.length, JSON.stringify(changes)];
  // From here to the commit, no other process numbers changes.
  await transaction.run('UPDATE change_head SET last = last + ? WHERE id = 1', [count]);
  const { rows: found } = await transaction.run(
    `INSERT INTO changes (id, at, kind, ref, did)
     SELECT head.last - ? + ROW_NUMBER() OVER (ORDER BY u.id), u.at, u.kind, u.ref, u.did
     FROM ${LISTED} STRAIGHT_JOIN change_head head ON head.id = 1`,
    [count, ids],
  );
  // Another process has numbered the others.
  if (found < count) await transaction.run('UPDATE change_head SET last = last - ? WHERE id = 1', [count - found]);
  if (found > 0) await transaction.run(`DELETE u FROM ${LISTED}`, [ids]);
}
