import { all, any, raw, sql, unionAll, useIndex, type Fragment } from '../../database/fragment';
import type { Reads } from '../../database/sql';
import { entryColumns, toEntries } from '../entry-reads';
import type { HistoryEntry } from '../history-entry';
import type { SearchOptions } from '../mentions';

/** What to look for in the history: entries of these kinds, of a resource or whose details meet a condition. */
export interface Search {
  readonly kinds: readonly string[];
  /** By default, changes and deletions. */
  readonly events?: readonly string[];
  readonly ref?: string;
  readonly contains?: Fragment;
}

/** The entries of each search, kind and event that are read: those next to the time of the call. */
export const MOST = 40;

/**
 * Finds entries with one heavy read: those since an entry, the oldest first, or those up to it, the newest first.
 */
export async function searchHistory(
  reads: Reads,
  { product, spend }: SearchOptions,
  searches: readonly Search[],
  span: { readonly since: number } | { readonly until: number },
): Promise<readonly HistoryEntry[]> {
  if (searches.length === 0) return [];
  const isSince = 'since' in span;
  const within = isSince ? sql`id > ${span.since}` : sql`id <= ${span.until}`;
  const order = raw(isSince ? 'ORDER BY id' : 'ORDER BY id DESC');
  const parts = searches.flatMap(({ kinds, events = ['UPDATED', 'DELETED'], ref, contains }) => {
    const index = useIndex(product, ref === undefined ? 'changes_did' : 'changes_ref');
    const of = ref === undefined ? undefined : sql`ref = ${ref}`;
    return kinds.flatMap((kind) =>
      events.map(
        (event) => sql`SELECT ${raw(entryColumns('fields'))} FROM changes ${index}
          WHERE ${all([sql`did = ${event}`, sql`kind = ${kind}`, of, within, contains])} ${order} LIMIT ${MOST}`,
      ),
    );
  });
  const named = parts.map((part, n) => sql`SELECT * FROM (${part}) ${raw(`s${String(n)}`)}`);
  const { text, values } = sql`${unionAll(named)} ${order}`;
  const rows = await reads.heavy(text, values);
  spend(rows.length);
  const entries = await toEntries(reads, rows, 'fields', spend);
  // Several searches may find an entry.
  return [...new Map(entries.map((entry) => [entry.rowId, entry])).values()];
}

/** Whether the details of an entry have a field with one of these values, before or after the change. */
export function hasField(field: string, values: readonly string[]): Fragment {
  return hasText(values.map((value) => `${JSON.stringify(field)}:${JSON.stringify(value)}`));
}

/** Whether the details of an entry contain one of these texts. */
export function hasText(texts: readonly string[]): Fragment {
  return any(texts.map((text) => sql`INSTR(details, ${text}) > 0`));
}

/** Whether the details of an entry have a number with some of these digits, in any spelling. */
export function hasDigits(digits: readonly string[]): Fragment {
  const plain = ['-', '.', '(', ')'].reduce((text, mark) => `REPLACE(${text}, '${mark}', '')`, 'details');
  return any(digits.map((each) => sql`${raw(plain)} LIKE ${`%"telUrl":"tel:%${each}%`}`));
}
