import type { Product } from '../database/driver';
import { raw, sql, unionAll, useIndex, type Fragment } from '../database/fragment';
import { groupBy, pad, type Reads } from '../database/sql';
import { isAbout, mentionKey, searchEntries, UNDOES, type Mention } from './mentions';

/** A creation of a resource. */
interface Creation {
  /** The number of its entry, which is higher than all others as long as it has none. */
  readonly rowId: number;
  /** The number of the deletion that it reverted. */
  readonly undoes: number | undefined;
}

/** An entry on a resource. */
export interface EntryOf extends Mention {
  readonly rowId: number;
}

/** Entries of a reference that are about the resource that has it now, by their numbers. Both are included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Tells whether a resource is the one of an entry, or was created again later under the same reference. */
export class Creations {
  private found: ReadonlyMap<string, readonly Creation[]> = new Map();
  private readonly restored = new Map<string, number>();

  constructor(
    private readonly reads: Pick<Reads, 'rows' | 'heavy'>,
    private readonly product: Product,
    /** Charges the user for creations that are read, in rows, besides one of each resource. Throws RateLimitedError. */
    private readonly charge: (rows: number) => void,
  ) {}

  /** Reads the later creations of the resources of these entries, with two statements. */
  async read(entries: readonly EntryOf[]): Promise<void> {
    this.found = new Map();
    const conditions: Fragment[] = [];
    const parts = [...groupBy(entries, ({ kind }) => kind)].flatMap(([kind, page]) => {
      const refs = pad([...new Set(page.map(({ ref }) => ref))], '');
      const later = isAbout(kind, refs, sql`id > ${Math.min(...page.map(({ rowId }) => rowId))}`);
      conditions.push(later);
      return [
        sql`SELECT id, kind, ref, ${raw(UNDOES)} AS undoes FROM changes ${useIndex(this.product, 'changes_ref')}
          WHERE ${later} AND did = 'CREATED'`,
        sql`SELECT ${Number.MAX_SAFE_INTEGER} AS id, kind, ref, ${raw(UNDOES)} AS undoes FROM unnumbered_entries
          WHERE ${isAbout(kind, refs)} AND did = 'CREATED'`,
      ];
    });
    if (parts.length === 0) return;
    const search = sql`SELECT * FROM (${unionAll(parts)}) c ORDER BY id DESC`;
    const rows = await searchEntries(this.reads, this.product, conditions, search);
    const known = groupBy(rows, ([, kind, ref]) => mentionKey({ kind: String(kind), ref: String(ref) }));
    this.charge(rows.length - known.size);
    this.found = new Map(
      [...known].map(([key, own]) => [
        key,
        own.map(([id, , , undoes]) => ({
          rowId: Number(id),
          undoes: undoes === null || undoes === undefined ? undefined : Number(undoes),
        })),
      ]),
    );
  }

  /** Notes that this transaction reverts a deletion. */
  noteRestored(deletion: EntryOf): void {
    this.restored.set(mentionKey(deletion), deletion.rowId);
  }

  /** Whether the resource that exists now was created again after the entry. */
  isAnother(entry: EntryOf): boolean {
    return !this.spansOf(entry).some(({ from, to }) => from <= entry.rowId && entry.rowId <= to);
  }

  /** The entries about the resource that exists now: those since its creation, and if that reverted a deletion, those until it. */
  spansOf(of: Mention): readonly Span[] {
    const key = mentionKey(of);
    const spans: Span[] = [];
    let to = this.restored.get(key) ?? Infinity;
    for (const { rowId, undoes } of this.found.get(key) ?? []) {
      // Another resource had the reference between the deletion and the creation that reverted it.
      if (rowId >= to) continue;
      spans.push({ from: rowId, to });
      if (undoes === undefined) return spans;
      to = undoes;
    }
    return [...spans, { from: 0, to }];
  }
}
