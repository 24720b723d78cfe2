import type { Database } from '../database/database';
import type { Row, Sql } from '../database/sql';
import { InvalidInputError } from '../errors';
import { tooOld, type Change } from './change';
import { Sequencer } from './sequencer';

const TRIM_BATCH = 10_000;

/** The outbox: numbers the changes, reads them, and deletes old ones. */
export class ChangeLog {
  private readonly sequencer: Sequencer;

  constructor(
    private readonly database: Database,
    /** How long changes are kept, in milliseconds. */
    readonly kept: number,
  ) {
    this.sequencer = new Sequencer(database);
  }

  /**
   * Numbers every change that was committed before the call. Subscribers receive a change only after it has a number.
   */
  number(): Promise<void> {
    return this.sequencer.number();
  }

  /** The number of the last change that was committed before the call. */
  async last(): Promise<number> {
    await this.number();
    return (await headOf(this.database)).last;
  }

  /** The changes with numbers above `after` and up to `upTo`, oldest first. */
  async between(after: number, upTo: number, limit: number): Promise<readonly Change[]> {
    const rows = await this.database.rows(
      'SELECT id, at, kind, ref, did FROM changes WHERE id > ? AND id <= ? ORDER BY id LIMIT ?',
      [after, upTo, limit],
    );
    return rows.map(toChange);
  }

  /** Throws InvalidInputError unless all changes after this number are still available. */
  async assertComplete(argument: string, after: number): Promise<void> {
    const { last, trimmed } = await headOf(this.database);
    if (after > last) throw InvalidInputError.of(argument, 'is a cursor of another database');
    if (after < trimmed) throw tooOld(argument, this.kept);
  }

  /** Deletes changes older than `kept`. Changes without a number are kept. */
  async trim(): Promise<void> {
    await this.number();
    const { upkeep } = this.database;
    const [row] = await upkeep.rows('SELECT MAX(id) FROM changes WHERE at < ?', [Date.now() - this.kept]);
    const end = Number(row?.[0] ?? 0);
    for (let { trimmed } = await headOf(upkeep); trimmed < end;) {
      trimmed = Math.min(trimmed + TRIM_BATCH, end);
      await upkeep.transaction(async (transaction) => {
        await transaction.run('UPDATE change_head SET trimmed = ? WHERE id = 1 AND trimmed < ?', [trimmed, trimmed]);
        await transaction.run('DELETE FROM changes WHERE id <= ?', [trimmed]);
      });
    }
  }
}

async function headOf(sql: Sql): Promise<{ readonly last: number; readonly trimmed: number }> {
  const [row] = await sql.rows('SELECT last, trimmed FROM change_head WHERE id = 1', []);
  return { last: Number(row?.[0]), trimmed: Number(row?.[1]) };
}

function toChange([id, at, kind, ref, event]: Row): Change {
  return { id: Number(id), at: Number(at), kind: String(kind), ref: String(ref), event: String(event) };
}
