import type { Database } from '../database/database';
import type { Row, Sql } from '../database/sql';
import { UnavailableError } from '../errors';
import { extendChain } from './chain';
import { ofAnotherHistory, tooOld, type Change, type ChangeCursor } from './change';
import { Sequencer } from './sequencer';
import { trimChanges } from './trim';

/** Which changes a reader needs: all, or only the entries of the history, which are kept longer than live changes. */
export type Scope = 'changes' | 'entries';

/** The changes in the outbox: numbers them, chains them by hash, reads them, and deletes old ones. */
export class ChangeLog {
  /** Numbers the changes. Subscribers receive a change only after it has a number. */
  readonly sequencer: Sequencer;

  constructor(
    private readonly database: Database,
    /** How long changes are kept for subscribers, in milliseconds. */
    readonly kept: number,
    /** How long entries of the history are kept, in milliseconds. */
    private readonly entriesKept = kept,
  ) {
    this.sequencer = new Sequencer(database);
  }

  /** The cursor of the last change that was committed before the call. */
  async last(): Promise<ChangeCursor> {
    await this.sequencer.settle();
    const [row] = await this.database.rows(
      'SELECT h.last, c.at FROM change_head h LEFT JOIN changes c ON c.id = h.last WHERE h.id = 1',
      [],
    );
    return { id: Number(row?.[0]), at: Number(row?.[1] ?? 0) };
  }

  /** The changes with numbers above `after` and up to `upTo`, oldest first. */
  async between(after: number, upTo: number, limit: number, sql: Sql = this.database): Promise<readonly Change[]> {
    const rows = await sql.rows(
      'SELECT id, at, kind, ref, did FROM changes WHERE id > ? AND id <= ? ORDER BY id LIMIT ?',
      [after, upTo, limit],
    );
    return rows.map(toChange);
  }

  /**
   * Throws CursorGoneError unless all changes after this cursor are still available. A restored backup and a promoted
   * replica use numbers again, so the change at the cursor must also have the time of the cursor. Throws
   * UnavailableError if the cursor is ahead of a database that may lag behind others.
   */
  async assertComplete(argument: string, cursor: ChangeCursor, of: Scope = 'changes'): Promise<void> {
    const known = await endsOf(this.database, cursor.id);
    // Another node of a cluster may be ahead of this one.
    const isAhead = cursor.id > known.last;
    const { last, trimmed, at } =
      isAhead && (await this.database.catchUp()) ? await endsOf(this.database, cursor.id) : known;
    if (cursor.id > last) {
      if (await this.database.isReadOnly()) throw new UnavailableError('The database');
      throw ofAnotherHistory(argument);
    }
    if (cursor.id < trimmed[of]) throw tooOld(argument, of === 'changes' ? this.kept : this.entriesKept);
    if (cursor.at !== undefined && cursor.id > trimmed[of] && cursor.at !== at) throw ofAnotherHistory(argument);
  }

  /** Computes the hashes of the entries that have a number. */
  async chain(): Promise<void> {
    await this.sequencer.number();
    await extendChain(this.database);
  }

  /** Deletes old changes. Changes without a number are kept. */
  async trim(): Promise<void> {
    await this.chain();
    await trimChanges(this.database, { live: this.kept, entries: this.entriesKept });
  }
}

function toChange([id, at, kind, ref, event]: Row): Change {
  return { id: Number(id), at: Number(at), kind: String(kind), ref: String(ref), event: String(event) };
}

/** How far the changes reach that a server has. */
interface Ends {
  readonly last: number;
  /** Up to which number changes may have been deleted. */
  readonly trimmed: Readonly<Record<Scope, number>>;
  /** The time of the change with the number; 0 if there is none. */
  readonly at: number;
}

/** Reads how far the changes reach, and the time of the change with the number `changeId`. */
export async function endsOf(sql: Sql, changeId: number): Promise<Ends> {
  const [row] = await sql.rows(
    `SELECT h.last, h.trimmed, j.trimmed, c.at
     FROM change_head h JOIN history_head j ON j.id = 1 LEFT JOIN changes c ON c.id = ? WHERE h.id = 1`,
    [changeId],
  );
  const [last, changes, entries] = (row ?? []).map(Number);
  // Changes that a version without a history wrote are deleted together with live changes.
  const trimmed = { changes: changes ?? 0, entries: Math.min(changes ?? 0, entries ?? 0) };
  return { last: last ?? 0, trimmed, at: Number(row?.[3] ?? 0) };
}
