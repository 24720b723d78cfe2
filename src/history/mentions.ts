import type { Product } from '../database/driver';
import { all, list, raw, sql, unionAll, useIndex, type Fragment } from '../database/fragment';
import { pad, type Reads, type Row, type SqlValue } from '../database/sql';

/** SQL for the number of the entry that an entry of the history reverted. */
export const UNDOES = "JSON_EXTRACT(details, '$.undoes')";

/** A reference to a resource. */
export interface Mention {
  readonly kind: string;
  readonly ref: string;
}

/** The key of a reference. */
export function mentionKey({ kind, ref }: Mention): string {
  return `${kind} ${ref}`;
}

// Entries of the references of a request that are searched at once. A search of more waits in the queue of heavy reads.
const FEW = 10_000;

/**
 * Searches the entries of references, whose conditions hold only columns of the index `changes_ref`. An index finds them, but not the
 * creations and deletions among them, so all are read. Two statements.
 */
export async function searchEntries(
  reads: Pick<Reads, 'rows' | 'heavy'>,
  product: Product,
  conditions: readonly Fragment[],
  search: Fragment,
): Promise<readonly Row[]> {
  const entries = conditions.map(
    (condition, n) =>
      sql`SELECT * FROM (SELECT id FROM changes ${useIndex(product, 'changes_ref')} WHERE ${condition} LIMIT ${FEW}) ${raw(`e${String(n)}`)}`,
  );
  const { text, values } = sql`SELECT COUNT(*) FROM (${unionAll(entries)}) c`;
  const [row] = await reads.rows(text, values);
  return Number(row?.[0]) < FEW ? reads.rows(search.text, search.values) : reads.heavy(search.text, search.values);
}

/** The condition on entries of references to a kind. */
export function isAbout(kind: string, refs: readonly string[], span?: Fragment): Fragment {
  return all([sql`kind = ${kind}`, sql`ref IN (${list(refs)})`, span]);
}

/** What a search of the history depends on. */
export interface SearchOptions {
  readonly product: Product;
  /** Charges the user for entries, in objects. Throws RateLimitedError. */
  readonly spend: (objects: number) => void;
}

/** What `sinceThen` depends on. */
interface ThenOptions extends SearchOptions {
  /** The number of the entry after which the references had their meaning. */
  readonly last: number;
}

/**
 * Since when references meant what they meant after an entry of the history, in milliseconds since the epoch, by `mentionKey`. Only
 * those are in it that meant something else before. Two statements.
 */
export async function sinceThen(
  reads: Pick<Reads, 'rows' | 'heavy'>,
  mentions: readonly Mention[],
  { product, spend, last }: ThenOptions,
): Promise<ReadonlyMap<string, number>> {
  const conditions = [...byKind(mentions)].map(([kind, refs]) => isAbout(kind, refs, sql`id <= ${last}`));
  if (conditions.length === 0) return new Map();
  const parts = conditions.map(
    (
      condition,
    ) => sql`SELECT id, kind, ref, at, did, ${raw(UNDOES)} AS undoes FROM changes ${useIndex(product, 'changes_ref')}
      WHERE ${condition} AND did IN ('CREATED', 'DELETED')`,
  );
  const rows = await searchEntries(reads, product, conditions, sql`SELECT * FROM (${unionAll(parts)}) e ORDER BY id`);
  spend(rows.length);
  const deletions = new Map<string, Deletion[]>();
  for (const [id, kind, ref, at, did, undoes] of rows) {
    const key = mentionKey({ kind: String(kind), ref: String(ref) });
    const gone = deletions.get(key) ?? [];
    deletions.set(key, gone);
    if (did === 'DELETED') gone.push({ id: Number(id), at: Number(at) });
    else undo(gone, undoes);
  }
  return new Map([...deletions].flatMap(([key, gone]) => gone.slice(-1).map(({ at }) => [key, at])));
}

/** A deletion of what had a reference. */
export interface Deletion {
  /** The number of its entry; 0 as long as it has none. */
  readonly id: number;
  readonly at: number;
}

/** Removes the deletion that a creation reverted, unless another one had the reference meanwhile. Returns whether there was one. */
export function undo(gone: Deletion[], undoes: SqlValue | undefined): boolean {
  if (gone.length === 0 || gone.at(-1)?.id !== Number(undoes ?? NaN)) return false;
  gone.pop();
  return true;
}

/** The references of each kind, padded to one of a few lengths. */
export function byKind(mentions: readonly Mention[]): ReadonlyMap<string, readonly string[]> {
  const kinds = [...new Set(mentions.map(({ kind }) => kind))].toSorted();
  return new Map(
    kinds.map((kind) => [
      kind,
      pad([...new Set(mentions.filter((each) => each.kind === kind).map(({ ref }) => ref))], ''),
    ]),
  );
}
