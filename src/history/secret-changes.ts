import type { Details } from '../changes/details';
import type { Product } from '../database/driver';
import { useIndex } from '../database/fragment';
import type { Sql } from '../database/sql';
import { entryColumns, toEntries } from './entry-reads';
import type { HistoryEntry } from './history-entry';

/** What happened to a secret after an entry: nothing that lasts, only a revert of the entry, or another change. */
type Since = 'nothing' | 'reverted' | 'changed';

// Later entries that are read. A secret with more of them counts as changed.
const LIMIT = 200;
// Entries per statement. The newest one usually decides.
const PAGE = 20;

/**
 * Tells what happened to a secret after an entry. Old secrets are not kept, and comparing the new one with a stored
 * hash would let operators check guesses, so this follows from the later entries alone. `charge` receives the cost of
 * long entries before they are read, in rows.
 */
export async function sinceEntry(
  sql: Sql,
  product: Product,
  entry: HistoryEntry,
  field: string,
  charge: (rows: number) => void,
): Promise<Since> {
  const undone = new Set<number>();
  const read = { numbered: 0, unnumbered: 0 };
  // Newest first, so that an entry that was reverted comes after its revert.
  for await (const { rowId, event, details } of laterThan(sql, product, entry, charge)) {
    read[rowId === undefined ? 'unnumbered' : 'numbered']++;
    if ((rowId !== undefined && undone.has(rowId)) || (details && !changes(details, event, field))) continue;
    const undoes = details?.undoes;
    if (undoes === entry.rowId) return 'reverted';
    if (undoes === undefined || undoes < entry.rowId) return 'changed';
    undone.add(undoes);
  }
  return read.numbered < LIMIT && read.unnumbered < LIMIT ? 'nothing' : 'changed';
}

/** What is compared of a later entry. It has no number until its transaction is committed. */
type Later = Pick<HistoryEntry, 'event' | 'details'> & { readonly rowId?: number };

async function* laterThan(
  sql: Sql,
  product: Product,
  { kind, ref, rowId }: HistoryEntry,
  charge: (rows: number) => void,
): AsyncGenerator<Later, void, undefined> {
  const unnumbered = await sql.rows(
    'SELECT did, details FROM unnumbered_entries WHERE kind = ? AND ref = ? ORDER BY id DESC LIMIT ?',
    [kind, ref, LIMIT],
  );
  for (const [event, text] of unnumbered) {
    // As `toColumns` wrote it.
    const details = typeof text === 'string' ? (JSON.parse(text) as Details) : undefined;
    yield { event: String(event), details };
  }
  let before = Number.MAX_SAFE_INTEGER;
  for (let left = LIMIT; left > 0; left -= PAGE) {
    const rows = await sql.rows(
      // SQLite would otherwise read all later entries of the kind, because their index has them in this order.
      `SELECT ${entryColumns('fields')} FROM changes ${useIndex(product, 'changes_ref').text}
       WHERE kind = ? AND ref = ? AND id > ? AND id < ? ORDER BY id DESC LIMIT ?`,
      [kind, ref, rowId, before, PAGE],
    );
    yield* await toEntries(sql, rows, 'fields', charge);
    if (rows.length < PAGE) return;
    before = Number(rows.at(-1)?.[0]);
  }
}

function changes({ before = {}, after = {} }: Details, event: string, field: string): boolean {
  return event !== 'UPDATED' || field in before || field in after;
}
