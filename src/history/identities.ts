import DataLoader from 'dataloader';

import { list, raw, sql, unionAll, useIndex, type Fragment } from '../database/fragment';
import type { Reads } from '../database/sql';
import { telDigits } from '../model/format/tel-uri';
import { lastUntil } from './boundaries';
import { Creations, type EntryOf } from './creations';
import { entryColumns, toEntries } from './entry-reads';
import {
  byKind,
  isAbout,
  mentionKey,
  searchEntries,
  undo,
  UNDOES,
  type Deletion,
  type Mention,
  type SearchOptions,
} from './mentions';
import type { HistoryEntry } from './history-entry';
import { textOf } from './past/past-resources';

/** What a reader of identities depends on. */
export interface IdentityOptions extends SearchOptions {
  /** Waits until all committed changes are entries, on the primary. */
  readonly number: () => Promise<void>;
  readonly primary: Reads;
}

/** A reference that was stored at a time, in milliseconds since the epoch. */
export interface Stored extends Mention {
  readonly at: number;
  /** The number of the entry of the history that has the reference, if one has it: it tells more than the time. */
  readonly entry?: number | undefined;
}

/**
 * Returns since when references mean what they mean now, in milliseconds since the epoch, by `mentionKey`. Others have meant it for as
 * long as what refers to them is kept.
 */
export type SinceOf = (mentions: readonly Mention[]) => Promise<ReadonlyMap<string, number>>;

// Entries that are read of resources that are gone.
const MOST = 1000;
const TABLES: Readonly<Record<string, string>> = {
  Agent: 'agents',
  Peer: 'peers',
  Gateway: 'gateways',
  Domain: 'domains',
  Route: 'routes',
  DID: 'numbers',
  Number: 'numbers',
};
/** Of these, the digits identify what a call reached, and another resource may have them. */
const NUMBERS = ['DID', 'Number'];

/**
 * Tells whether a reference still means the resource that it meant when it was stored, in a call for example, or one that was created
 * later with the same reference. Only deletions since then can have changed that, except those that were reverted.
 */
export class Identities {
  private readonly loader = new DataLoader<Stored, number, string>(
    async (stored) => {
      const since = await this.since(stored, Math.min(...stored.map(({ at }) => at)));
      return stored.map((each) => since.get(mentionKey(each)) ?? 0);
    },
    { cache: false },
  );
  /** Whether entries are about another resource than the one that has their reference now. */
  private readonly others = new DataLoader<EntryOf, boolean>(
    async (entries) => {
      const { primary, product, spend } = this.options;
      const creations = new Creations(primary, product, spend);
      await creations.read(entries);
      return entries.map((entry) => creations.isAnother(entry));
    },
    { cache: false },
  );

  constructor(
    private readonly reads: Reads,
    private readonly options: IdentityOptions,
  ) {}

  /** Whether the resource that has the reference now, if there is one, is the one that had it. Asked together, with four statements at most. */
  async isSame(stored: Stored): Promise<boolean> {
    const { kind, ref, entry } = stored;
    if (entry !== undefined) return !(await this.others.load({ kind, ref, rowId: entry }));
    return (await this.loader.load(stored)) <= stored.at;
  }

  /**
   * Since when references mean what they mean now, in milliseconds since the epoch, by `mentionKey`. Only those are in it that meant
   * something else after `from`. Three statements, and one more if the history since then is not kept.
   */
  async since(mentions: readonly Mention[], from: number): Promise<ReadonlyMap<string, number>> {
    const refsOf = byKind(mentions);
    if (refsOf.size === 0) return new Map();
    const last = (await lastUntil(this.reads, this.options.product, from)) ?? 0;
    const columns = `kind, ref, at, did, ${UNDOES} AS undoes, CASE WHEN did = 'UPDATED' THEN details END AS details`;
    const conditions: Fragment[] = [];
    const parts = [...refsOf].flatMap(([kind, refs]): Fragment[] => {
      const later = isAbout(kind, refs, sql`id > ${last}`);
      conditions.push(later);
      const did = NUMBERS.includes(kind)
        ? sql`(did IN ('CREATED', 'DELETED') OR (did = 'UPDATED' AND INSTR(details, '"telUrl":') > 0))`
        : raw("did IN ('CREATED', 'DELETED')");
      return [
        sql`SELECT 0 AS fresh, id, ${raw(columns)} FROM changes ${useIndex(this.options.product, 'changes_ref')} WHERE ${later} AND ${did}`,
        sql`SELECT 1 AS fresh, id, ${raw(columns)} FROM unnumbered_entries WHERE ${isAbout(kind, refs)} AND ${did}`,
      ];
    });
    parts.push(sql`SELECT -1 AS fresh, 0 AS id, '' AS kind, '' AS ref, trimmed_at AS at, '' AS did, NULL AS undoes, NULL AS details
      FROM history_head WHERE id = 1`);
    const search = sql`SELECT * FROM (${unionAll(parts)}) e ORDER BY fresh, id`;
    const [head, ...rows] = await searchEntries(this.reads, this.options.product, conditions, search);
    this.options.spend(rows.length);
    const isKept = Number(head?.[4] ?? 0) <= from;
    const deletions = new Map<string, Deletion[]>();
    const others = new Map<string, number>();
    for (const [fresh, id, kind, ref, at, did, undoes, details] of rows) {
      const key = mentionKey({ kind: String(kind), ref: String(ref) });
      const gone = deletions.get(key) ?? [];
      deletions.set(key, gone);
      if (did === 'DELETED') gone.push({ id: Number(fresh) === 0 ? Number(id) : 0, at: Number(at) });
      // A reverted deletion brought back the resource.
      else if (did === 'CREATED' && undo(gone, undoes)) continue;
      else if (NUMBERS.includes(String(kind)) && (did === 'CREATED' || hasOtherDigits(String(details))))
        others.set(key, Number(at));
    }
    const since = isKept ? new Map<string, number>() : await this.createdTimes(refsOf, from);
    for (const [key, gone] of deletions) {
      const at = Math.max(gone.at(-1)?.at ?? 0, others.get(key) ?? 0, since.get(key) ?? 0);
      if (at > 0) since.set(key, at);
    }
    return since;
  }

  /** When resources were created, of those that were after a time: what the history does not tell any more. */
  private async createdTimes(
    refsOf: ReadonlyMap<string, readonly string[]>,
    from: number,
  ): Promise<Map<string, number>> {
    const parts = [...refsOf].flatMap(([kind, refs]) => {
      const table = TABLES[kind];
      return table === undefined
        ? []
        : [
            sql`SELECT ${kind} AS kind, ref, created_on FROM ${raw(table)} WHERE ref IN (${list(refs)}) AND created_on > ${from}`,
          ];
    });
    if (parts.length === 0) return new Map();
    const { text, values } = unionAll(parts);
    const rows = await this.reads.rows(text, values);
    return new Map(rows.map(([kind, ref, at]) => [mentionKey({ kind: String(kind), ref: String(ref) }), Number(at)]));
  }

  /**
   * What resources were called that no longer exist, or whose reference another one has since, when references to them were stored;
   * by `storedKey`. Those that the history does not know are not in it. Three statements, besides long entries.
   */
  async names(stored: readonly Stored[]): Promise<ReadonlyMap<string, string>> {
    const refsOf = byKind(stored);
    if (refsOf.size === 0) return new Map();
    const { primary, product, spend } = this.options;
    await this.options.number();
    // Several entries can have the same time.
    const from = Math.min(...stored.map(({ at, entry }) => (entry === undefined ? at : at - 1)));
    const last = (await lastUntil(primary, product, from)) ?? 0;
    const conditions = [...refsOf].map(([kind, refs]) => isAbout(kind, refs, sql`id > ${last}`));
    const parts = conditions.map(
      (
        condition,
      ) => sql`SELECT ${raw(entryColumns('fields'))} FROM changes ${useIndex(product, 'changes_ref')} WHERE ${condition}
        AND (did = 'DELETED' OR (did = 'UPDATED' AND (INSTR(details, '"name":') > 0 OR INSTR(details, '"domainUri":') > 0)))`,
    );
    const search = sql`SELECT * FROM (${unionAll(parts)}) e ORDER BY id LIMIT ${MOST}`;
    const entries = await toEntries(
      primary,
      await searchEntries(primary, product, conditions, search),
      'fields',
      spend,
    );
    spend(entries.length);
    return new Map(
      stored.flatMap((each) => {
        const name = nameBefore(entries, each);
        return name === undefined ? [] : [[storedKey(each), name]];
      }),
    );
  }
}

/** The key of a reference that was stored at a time. */
export function storedKey(stored: Stored): string {
  return `${mentionKey(stored)} ${String(stored.at)} ${String(stored.entry ?? '')}`;
}

/** What a resource is called: its name, or else what identifies it to people. */
export function nameIn(state: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const found = [state?.['telUrl'], state?.['name'], state?.['domainUri']].find((each) => typeof each === 'string');
  return typeof found === 'string' ? found : undefined;
}

/** The name before the first change of it after the reference was stored. An entry of a deletion has it itself. */
function nameBefore(entries: readonly HistoryEntry[], { kind, ref, at, entry: stored }: Stored): string | undefined {
  for (const entry of entries) {
    if (entry.kind !== kind || entry.ref !== ref) continue;
    const isDeletion = entry.event === 'DELETED';
    if (stored === undefined ? entry.at <= at : entry.rowId < stored || (entry.rowId === stored && !isDeletion))
      continue;
    const name = nameIn(entry.details?.before);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Whether a change of a number changed its digits, and not only how they are written. */
function hasOtherDigits(details: string): boolean {
  const { before, after } = JSON.parse(details) as {
    readonly before?: Readonly<Record<string, unknown>>;
    readonly after?: Readonly<Record<string, unknown>>;
  };
  return telDigits(textOf(before?.['telUrl'])) !== telDigits(textOf(after?.['telUrl']));
}
