import type { Product } from '../database/driver';
import { list, raw, sql, unionAll, useIndex } from '../database/fragment';
import { pad, type Reads, type SqlValue } from '../database/sql';

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

/** What `sinceThen` depends on. */
interface ThenOptions {
  readonly product: Product;
  /** Charges the user for entries, in objects. Throws RateLimitedError. */
  readonly spend: (objects: number) => void;
  /** The number of the entry after which the references had their meaning. */
  readonly last: number;
}

/**
 * Since when references meant what they meant after an entry of the history, in milliseconds since the epoch, by `mentionKey`. Only
 * those are in it that meant something else before. One statement.
 */
export async function sinceThen(
  reads: Pick<Reads, 'rows'>,
  mentions: readonly Mention[],
  { product, spend, last }: ThenOptions,
): Promise<ReadonlyMap<string, number>> {
  const parts = [...byKind(mentions)].map(
    ([
      kind,
      refs,
    ]) => sql`SELECT id, kind, ref, at, did, ${raw(UNDOES)} AS undoes FROM changes ${useIndex(product, 'changes_ref')}
      WHERE kind = ${kind} AND ref IN (${list(refs)}) AND id <= ${last} AND did IN ('CREATED', 'DELETED')`,
  );
  if (parts.length === 0) return new Map();
  const { text, values } = sql`SELECT * FROM (${unionAll(parts)}) e ORDER BY id`;
  const rows = await reads.rows(text, values);
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
