import type { Product } from '../../database/driver';
import { all, any, list, raw, sql, unionAll, useIndex, type Fragment } from '../../database/fragment';
import type { Reads } from '../../database/sql';
import { MAX_RANGE } from '../../model/format/number-range';
import { entryColumns, toEntries } from '../entry-reads';
import type { HistoryEntry } from '../history-entry';

/** What to look for in the journal: entries of these kinds, of a resource or whose details meet a condition. */
export interface Search {
  readonly kinds: readonly string[];
  /** By default, changes and deletions. */
  readonly events?: readonly string[];
  readonly ref?: string;
  readonly contains?: Fragment;
}

/** The entries of each search, kind and event that are read: those next to the time of the call. */
export const MOST = 40;

/** What a search of the journal depends on. */
export interface SearchOptions {
  readonly product: Product;
  /** Charges the user for entries, in objects. Throws RateLimitedError. */
  readonly spend: (objects: number) => void;
}

/**
 * Finds entries with one heavy read: those since an entry, the oldest first, or those up to it, the newest first.
 */
export async function searchJournal(
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
  return any(digits.map((each) => hasNumber('telUrl', each)));
}

/**
 * The searches for changes of ranges that may have had some of these digits: of the last number, and of the first number of what
 * is a range now, or is one of `ranges`, which are refs.
 */
export function searchesOfRanges(digits: readonly string[], ranges: readonly string[] = []): readonly Search[] {
  if (digits.length === 0) return [];
  const kinds = ['DID', 'Number'];
  const near = (field: string, way: bigint): Fragment =>
    any(digits.flatMap((each) => blocksNear(each, way)).map((block) => hasNumber(field, block)));
  const isRange = any([
    sql`ref IN (SELECT n.ref FROM number_ranges r JOIN numbers n ON n.id = r.number_id)`,
    ...(ranges.length > 0 ? [sql`ref IN (${list(ranges)})`] : []),
  ]);
  return [
    { kinds, contains: all([hasText(['"lastTelUrl":']), near('lastTelUrl', 1n)]) },
    { kinds, events: ['UPDATED'], contains: all([hasText(['"telUrl":']), near('telUrl', -1n), isRange]) },
  ];
}

/** Patterns for the numbers with the same digits but for the last six, and for those a million away: a range is not longer. */
function blocksNear(digits: string, way: bigint): readonly string[] {
  const open = Math.min(String(MAX_RANGE - 1).length, digits.length);
  const block = digits.slice(0, digits.length - open);
  const next = block === '' ? '' : String(BigInt(block) + way).padStart(block.length, '0');
  return [...new Set([block, next])].map((each) => each + '_'.repeat(open));
}

/** Whether the details of an entry have a number in a field, in any spelling. */
function hasNumber(field: string, digits: string): Fragment {
  const plain = ['-', '.', '(', ')'].reduce((text, mark) => `REPLACE(${text}, '${mark}', '')`, 'details');
  return sql`${raw(plain)} LIKE ${`%"${field}":"tel:%${digits}%`}`;
}
