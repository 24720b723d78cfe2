import type { Database } from '../database/database';
import type { Transaction } from '../database/sql';

const BATCH = 1000;

/**
 * Numbers the committed changes, without gaps. Every process has a sequencer, and the lock of the row in `change_head` lets one
 * at a time give out numbers. It is held for a few statements, on a connection that the server ends after two seconds of silence:
 * no sequencer that dies or pauses stops the others for longer.
 *
 * Numbering waits for no writer: it reads committed changes only, and locks only those. Changes that depend on each other keep
 * their order, because the later one has the higher id and is not committed before the earlier one.
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
    for (let found = BATCH; found === BATCH;) {
      const [first] = await upkeep.rows('SELECT id FROM unnumbered_changes ORDER BY id LIMIT 1', []);
      found = first ? await upkeep.transaction(numberBatch) : 0;
    }
  }
}

// The join reads the rows by their ids. For `id IN (…)`, a server may prefer a scan, which waits for the rows of open transactions.
const LISTED = `JSON_TABLE(?, '$[*]' COLUMNS (position FOR ORDINALITY, id bigint PATH '$')) listed
  STRAIGHT_JOIN unnumbered_changes u FORCE INDEX (PRIMARY) ON u.id = listed.id`;

/** Numbers the changes with the lowest ids; returns how many. */
async function numberBatch(transaction: Transaction): Promise<number> {
  const [head] = await transaction.rows('SELECT last FROM change_head WHERE id = 1 FOR UPDATE', []);
  const last = Number(head?.[0]);
  const rows = await transaction.rows('SELECT id FROM unnumbered_changes ORDER BY id LIMIT ?', [BATCH]);
  if (rows.length === 0) return 0;
  const ids = JSON.stringify(rows.map(([id]) => Number(id)));
  await transaction.run(
    `INSERT INTO changes (id, at, kind, ref, did)
     SELECT ? + listed.position, u.at, u.kind, u.ref, u.did FROM ${LISTED}`,
    [last, ids],
  );
  await transaction.run(`DELETE u FROM ${LISTED}`, [ids]);
  await transaction.run('UPDATE change_head SET last = ? WHERE id = 1', [last + rows.length]);
  return rows.length;
}
