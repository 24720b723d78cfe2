import type { Sql } from '../database/sql';

/** Which changes a reader needs: all, or only the entries of the history, which are kept longer than live changes. */
export type Scope = 'changes' | 'entries';

/** How far the changes reach that a server has. */
export interface Ends {
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
