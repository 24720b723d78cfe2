import type { Product } from '../database/driver';
import { useIndex } from '../database/fragment';
import { pad, places, type Sql } from '../database/sql';
import type { HistoryEntry } from './history-entry';

/** A creation of a resource. */
interface Creation {
  /** The number of its entry, which is higher than all others as long as it has none. */
  readonly rowId: number;
  /** The number of the deletion that it reverted. */
  readonly undoes: number | undefined;
}

const UNDOES = "JSON_EXTRACT(details, '$.undoes')";

/** Tells whether a resource is the one of an entry, or was created again later under the same reference. */
export class Creations {
  private readonly found = new Map<string, Creation[]>();
  private readonly restored = new Map<string, number>();

  constructor(
    private readonly sql: Sql,
    private readonly product: Product,
    /** Charges the user for creations that are read, in rows. Throws RateLimitedError. */
    private readonly charge: (rows: number) => void,
  ) {}

  /** Reads the later creations of the resources of these entries, with two statements for each kind. */
  async read(entries: readonly HistoryEntry[]): Promise<void> {
    this.found.clear();
    for (const kind of new Set(entries.map((entry) => entry.kind))) {
      const page = entries.filter((entry) => entry.kind === kind && entry.event !== 'DELETED');
      if (page.length === 0) continue;
      const refs = pad([...new Set(page.map(({ ref }) => ref))], '');
      const condition = `kind = ? AND ref IN (${places(refs.length)}) AND did = 'CREATED'`;
      const unnumbered = await this.sql.rows(
        `SELECT NULL, ref, ${UNDOES} FROM unnumbered_entries WHERE ${condition} ORDER BY id DESC`,
        [kind, ...refs],
      );
      const numbered = await this.sql.rows(
        `SELECT id, ref, ${UNDOES} FROM changes ${useIndex(this.product, 'changes_ref').text} WHERE ${condition} AND id > ? ORDER BY id DESC`,
        [kind, ...refs, Math.min(...page.map(({ rowId }) => rowId))],
      );
      const own = new Set(page.map(({ rowId }) => rowId));
      this.charge(unnumbered.length + numbered.filter(([id]) => !own.has(Number(id))).length);
      for (const [id, ref, undoes] of [...unnumbered, ...numbered]) {
        const rowId = Number(id ?? Number.MAX_SAFE_INTEGER);
        const key = keyOf({ kind, ref: String(ref) });
        const known = this.found.get(key) ?? [];
        known.push({ rowId, undoes: undoes === null || undoes === undefined ? undefined : Number(undoes) });
        this.found.set(key, known);
      }
    }
  }

  /** Notes that this transaction reverts a deletion. */
  noteRestored(deletion: HistoryEntry): void {
    this.restored.set(keyOf(deletion), deletion.rowId);
  }

  /** Whether the resource that exists now was created again after the entry. */
  isAnother(entry: HistoryEntry): boolean {
    const key = keyOf(entry);
    // A creation that reverted a deletion brought back the resource from before that deletion.
    let before = this.restored.get(key) ?? Infinity;
    for (const { rowId, undoes } of this.found.get(key) ?? []) {
      if (rowId <= entry.rowId) return false;
      if (rowId >= before) continue;
      if (undoes === undefined || undoes < entry.rowId) return true;
      before = undoes;
    }
    return false;
  }
}

function keyOf({ kind, ref }: Pick<HistoryEntry, 'kind' | 'ref'>): string {
  return `${kind} ${ref}`;
}
