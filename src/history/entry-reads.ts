import type { Details, State } from '../changes/details';
import { pad, places, type Row, type Sql, type SqlValue } from '../database/sql';
import { endOfTurn } from '../limits/event-loop';
import { extraChargeOf } from '../resources/write/input-size';
import { ENTRY, type HistoryEntry } from './history-entry';

/**
 * How much of the details of entries to read. `fields` leaves out the values of members that the model does not define.
 */
export type Depth = 'nothing' | 'fields' | 'all';

// Bytes of details that are read with their entry. Only entries with long lists or unknown members have more.
const SHORT = 4096;
// Bytes of details that are read, and in memory, at a time, unless a single entry has more.
const PIECE = 500_000;

/** The columns of entries, for `toEntries`. */
export function entryColumns(depth: Depth): string {
  const isShort = `OCTET_LENGTH(details) <= ${String(SHORT)}`;
  const short = `OCTET_LENGTH(details) AS size, CASE WHEN ${isShort} THEN details END AS details`;
  const details = depth === 'nothing' ? 'NULL AS size, NULL AS details' : short;
  return `${ENTRY.columns}, ${details}`;
}

/**
 * Returns the entries in rows of `entryColumns`. Long details are charged, and then read in pieces, because those of a
 * page can have many megabytes.
 */
export async function toEntries(
  sql: Sql,
  rows: readonly Row[],
  depth: Depth,
  spend: (objects: number) => void,
): Promise<readonly HistoryEntry[]> {
  spend(rows.reduce((sum, row) => sum + extraChargeOf(sizeOf(row)), 0));
  const read = new Map<number, Details | undefined>();
  for (const ids of piecesOf(rows.filter((row) => sizeOf(row) > SHORT))) {
    const keys = pad(ids, 0);
    const text = `SELECT id, details FROM changes WHERE id IN (${places(keys.length)})`;
    for (const [id, details] of await sql.rows(text, keys)) read.set(Number(id), detailsIn(details, depth));
    await endOfTurn();
  }
  return rows.map((row) => {
    const entry = ENTRY.read(row);
    return { ...entry, details: read.get(entry.rowId) ?? detailsIn(row.at(-1), depth), size: sizeOf(row) };
  });
}

function sizeOf(row: Row): number {
  return Number(row.at(-2) ?? 0);
}

function piecesOf(rows: readonly Row[]): readonly (readonly SqlValue[])[] {
  const pieces: SqlValue[][] = [];
  let left = 0;
  for (const row of rows) {
    left -= sizeOf(row);
    if (left < 0) {
      pieces.push([]);
      left = PIECE - sizeOf(row);
    }
    pieces.at(-1)?.push(row[0] ?? null);
  }
  return pieces;
}

function detailsIn(text: SqlValue | undefined, depth: Depth): Details | undefined {
  if (typeof text !== 'string') return undefined;
  const details = JSON.parse(text) as Details; // as `toColumns` wrote it
  if (depth === 'all' || text.length <= SHORT) return details;
  const { before, after } = details;
  return { ...details, ...(before && { before: withoutExtra(before) }), ...(after && { after: withoutExtra(after) }) };
}

function withoutExtra(state: State): State {
  return 'extra' in state ? { ...state, extra: null } : state;
}
