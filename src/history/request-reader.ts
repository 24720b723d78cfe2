import type { State } from '../changes/details';
import type { Product } from '../database/driver';
import { all, list, raw, sql, statementsOf, unionAll, useIndex, type Fragment } from '../database/fragment';
import { groupBy, pad, places, type Reads, type Row } from '../database/sql';
import { entryColumns, toEntries } from './entry-reads';
import { fieldChanges, type FieldChange, type HistoryEntry } from './history-entry';
import { equalities, spanOf, type HistoryQuery } from './history-query';
import type { HistoryReader } from './history-reader';

/** What a request did to one kind: its entries of one event. */
export interface RequestPart {
  /** The number of the entry that has `ref`; of a part of a long request, perhaps of its last entry. */
  readonly rowId: number;
  /** When that entry was written, in milliseconds since the epoch. */
  readonly at: number;
  readonly kind: string;
  readonly event: string;
  readonly count: number;
  /** The ref of one of the resources: of the newest entry that meets the conditions, if that is in the part. */
  readonly ref: string;
  /** How often the events happened, if they are counted. */
  readonly times: number | undefined;
  /** Fields that all of them changed to the same value. `before` is null if the values before differ. */
  readonly shared: readonly FieldChange[];
}

/** What a request did, or a single entry that belongs to none. */
export interface HistoryRequest {
  /** The newest entry that meets the conditions, without details. */
  readonly newest: HistoryEntry;
  readonly parts: readonly RequestPart[];
  /** Whether all entries are counted. */
  readonly isWhole: boolean;
  /** Whether all of it reverts earlier changes, as far as entries were read. */
  readonly isRevert: boolean;
  /** Why sipgraph made the changes by itself. */
  readonly reason: string | undefined;
}

/** A page of requests. It can have fewer than were asked for, or none, although more follow. */
interface RequestPage {
  readonly items: readonly HistoryRequest[];
  /** The number of an entry. The next page begins below it. Undefined for an empty history. */
  readonly end: number | undefined;
  readonly more: boolean;
}

// Entries that are read to find the newest ones of requests, and how often for a page.
const CHUNK = 100;
const CHUNKS = 10;
// Entries of a request that are read with their details, and that are counted.
const READ = 100;
const COUNTED = 25_000;
// Entries that are counted for a page.
const ALL_COUNTED = 250_000;
// Fields of a long request that are compared in all of its entries, if these are short, in bytes.
const COMPARED = 3;
const SHORT = 1024;
// Entries of one request that are skipped at a time.
const SKIPPED = 100_000;
// Attempts to skip, because entries of other requests can be in between.
const ATTEMPTS = 4;

/**
 * Groups the history by request, newest first. How many statements a page takes does not depend on how many entries the
 * requests have.
 */
export class RequestReader {
  constructor(
    private readonly history: HistoryReader,
    private readonly reads: Reads,
    private readonly product: Product,
    /** Charges the user for entries, in objects. Throws RateLimitedError. */
    private readonly spend: (objects: number) => void,
  ) {}

  /** Reads the requests with an entry that meets the conditions, from the newest such entry below the number `below`. */
  async page(query: HistoryQuery, limit: number, below?: number): Promise<RequestPage> {
    const found: HistoryEntry[] = [];
    const known = new Set<string>();
    let end = below;
    let more = true;
    for (let chunk = 0; chunk < CHUNKS && more && found.length <= limit; chunk++) {
      const range = { limit: CHUNK, backwards: false, ...(end !== undefined && { after: [end] }) };
      const page = await this.history.page(query, range, 'nothing');
      this.spend(page.items.length);
      const first = page.items.filter((entry) => isFirst(entry, known));
      const begun = below === undefined ? new Set() : await this.withEntryFrom(query, first, below);
      found.push(...first.filter(({ requestId }) => requestId === undefined || !begun.has(requestId)));
      more = page.more;
      const [previous, last] = [page.items.at(-2), page.items.at(-1)];
      if (last && more) end = last.requestId === previous?.requestId ? await this.skip(query, last) : last.rowId;
    }
    const shown = found.slice(0, limit);
    const last = shown.at(-1)?.rowId;
    const isFull = found.length > limit;
    return {
      items: await this.summaries(query, shown),
      end: isFull || !more ? (last ?? end) : end,
      more: isFull || more,
    };
  }

  /** The requests of these entries that have an entry that meets the conditions and was not below this number. */
  private async withEntryFrom(
    query: HistoryQuery,
    entries: readonly HistoryEntry[],
    number: number,
  ): Promise<ReadonlySet<unknown>> {
    const requests = entries.flatMap(({ requestId }) => requestId ?? []);
    const span = await spanOf(this.reads, this.product, query);
    if (requests.length === 0 || span === 'nothing') return new Set();
    const found = new Set<unknown>();
    const selects = requests.map((request) => {
      const conditions = [this.isOf(query, request), sql`id >= ${number}`, ...equalities(query), span];
      return sql`SELECT request FROM ${this.byRequest} WHERE ${all(conditions)} LIMIT 1`;
    });
    for (const { text, values } of statementsOf(selects))
      for (const [request] of await this.reads.rows(text, values)) found.add(request);
    return found;
  }

  /**
   * Returns the number below which the entries of other requests than that of this entry begin; the number of the entry
   * itself if others are between its entries. Numbers have no gaps, apart from a few.
   */
  private async skip(query: HistoryQuery, { rowId, requestId }: HistoryEntry): Promise<number> {
    if (requestId === undefined) return rowId;
    let span = SKIPPED;
    for (let attempt = 0; attempt < ATTEMPTS && span > 0; attempt++) {
      const conditions = [this.isOf(query, requestId), sql`id >= ${rowId - span}`, sql`id < ${rowId}`];
      const { text, values } = sql`SELECT COUNT(*) FROM ${this.byRequest} WHERE ${all(conditions)}`;
      const [row] = await this.reads.rows(text, values);
      const count = Number(row?.[0]);
      if (count === span) return rowId - span;
      // All entries of the request are in a row, or others are in between, perhaps not in the nearer half.
      span = Math.min(count, Math.floor(span / 2));
    }
    return rowId;
  }

  private async summaries(query: HistoryQuery, entries: readonly HistoryEntry[]): Promise<readonly HistoryRequest[]> {
    const requests = entries.flatMap(({ requestId }) => requestId ?? []);
    const single = entries.filter(({ requestId }) => requestId === undefined);
    const rows: Row[] = [];
    const selects = requests.map(
      (request) => sql`SELECT ${raw(entryColumns('fields'))} FROM ${this.byRequest}
        WHERE ${this.isOf(query, request)} LIMIT ${READ + 1}`,
    );
    for (const { text, values } of statementsOf(selects)) rows.push(...(await this.reads.rows(text, values)));
    if (single.length > 0) {
      const ids = pad(
        single.map(({ rowId }) => rowId),
        0,
      );
      const text = `SELECT ${entryColumns('fields')} FROM changes WHERE id IN (${places(ids.length)})`;
      rows.push(...(await this.reads.rows(text, ids)));
    }
    this.spend(rows.length);
    const read = groupBy(await toEntries(this.reads, rows, 'fields', this.spend), keyOf);
    const long = requests.filter((request) => (read.get(request)?.length ?? 0) > READ);
    const counts = await this.counts(query, new Map(long.map((request) => [request, suggestionOf(read.get(request))])));
    return entries.map((newest) => {
      const own = read.get(keyOf(newest)) ?? [];
      const isRevert = own.length > 0 && own.every(({ details }) => details?.undoes !== undefined);
      const counted = newest.requestId === undefined ? undefined : counts.get(newest.requestId);
      const reason = own[0]?.details?.reason;
      const { parts, isWhole } = counted ?? { parts: partsOf(own), isWhole: true };
      return { newest, parts: parts.map((part) => naming(newest, part)), isWhole, isRevert, reason };
    });
  }

  /** Counts the entries of requests that have many, and compares what some of their entries have in common. */
  private async counts(
    query: HistoryQuery,
    suggested: ReadonlyMap<string, Suggestion | undefined>,
  ): Promise<ReadonlyMap<string, Pick<HistoryRequest, 'parts' | 'isWhole'>>> {
    const most = Math.min(COUNTED, Math.floor(ALL_COUNTED / suggested.size));
    const { text, values } = unionAll(
      [...suggested].map(
        (
          [request, suggestion],
          n,
        ) => sql`SELECT * FROM (SELECT request, kind, did, MAX(id), MAX(at), COUNT(*), MIN(ref), ${sums} FROM
          (SELECT request, kind, did, id, at, ref, ${comparisons(suggestion)} FROM ${this.byRequest}
          WHERE ${this.isOf(query, request)} LIMIT ${most + 1}) ${raw(`r${String(n)}`)}
          GROUP BY request, kind, did) ${raw(`g${String(n)}`)}`,
      ),
    );
    const rows = suggested.size === 0 ? [] : await this.reads.heavy(text, values);
    const groups = groupBy(rows, ([request]) => String(request));
    return new Map([...groups].map(([request, own]) => [request, countParts(own, suggested.get(request), most)]));
  }

  private get byRequest(): Fragment {
    return sql`changes ${useIndex(this.product, 'changes_request')}`;
  }

  private isOf({ kinds }: HistoryQuery, request: string): Fragment {
    return all([sql`request = ${request}`, sql`kind IN (${list(kinds)})`]);
  }
}

/** Whether the entry is the first one of its request, which is known from then on. */
function isFirst({ requestId }: HistoryEntry, known: Set<string>): boolean {
  if (requestId === undefined) return true;
  const isNew = !known.has(requestId);
  known.add(requestId);
  return isNew;
}

function keyOf({ requestId, rowId }: HistoryEntry): string | number {
  return requestId ?? rowId;
}

/** The parts of a request of which all entries are read. */
function partsOf(entries: readonly HistoryEntry[]): readonly RequestPart[] {
  const groups = groupBy(entries, ({ kind, event }) => `${kind} ${event}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { rowId, at, kind, event, ref } = first;
    const counts = group.flatMap(({ details }) => details?.count ?? []);
    const times = counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
    return [{ rowId, at, kind, event, ref, count: group.length, times, shared: sharedOf(group) }];
  });
}

/** The part with the ref of the newest entry that meets the conditions, if that is in it: somebody may ask for one resource. */
function naming({ rowId, at, kind, event, ref }: HistoryEntry, part: RequestPart): RequestPart {
  return part.kind === kind && part.event === event ? { ...part, rowId, at, ref } : part;
}

/** The changes that all of these entries have in common. */
function sharedOf(entries: readonly HistoryEntry[]): readonly FieldChange[] {
  let shared: readonly FieldChange[] | undefined;
  for (const { details } of entries) {
    const own = new Map(fieldChanges(details ?? {}).map((change) => [change.field, change]));
    shared = shared
      ? shared.flatMap((change) => {
          const other = own.get(change.field);
          if (other?.after !== change.after) return [];
          return [other.before === change.before ? change : { ...change, before: null }];
        })
      : [...own.values()];
  }
  return shared ?? [];
}

/** What some entries of a request have in common, which may hold for all of its entries of this kind and event. */
interface Suggestion {
  readonly kind: string;
  readonly event: string;
  /** The changes, with the members of the details before and after as JSON. */
  readonly changes: readonly { readonly change: FieldChange; readonly before: string; readonly after: string }[];
}

/** What the updates among the entries that were read of a long request have in common; undefined for nothing. */
function suggestionOf(entries: readonly HistoryEntry[] = []): Suggestion | undefined {
  const first = entries.find(({ event }) => event === 'UPDATED');
  const own = entries.filter(({ kind, event }) => kind === first?.kind && event === first.event);
  if (!first || own.some(({ size }) => size > SHORT)) return undefined;
  const { before = {}, after = {} } = first.details ?? {};
  const changes = sharedOf(own)
    .filter(({ field, isSecret }) => !isSecret && field !== 'extra' && field in after)
    .slice(0, COMPARED)
    .map((change) => {
      const member = (state: State): string => `${JSON.stringify(change.field)}:${JSON.stringify(state[change.field])}`;
      return { change, before: member(before), after: member(after) };
    });
  return { kind: first.kind, event: first.event, changes };
}

const PLACES = Array.from({ length: COMPARED }, (_, place) => place);
const sums = raw(PLACES.map((place) => `SUM(b${String(place)}), SUM(a${String(place)})`).join(', '));

/**
 * Columns that tell whether an entry has the suggested values. No text within a value looks like a member, because
 * quotation marks in it are escaped, and `after` follows `before`.
 */
function comparisons(suggestion: Suggestion | undefined): Fragment {
  const columns = PLACES.map((place) => {
    const suggested = suggestion?.changes[place];
    const before = suggested ? has('SUBSTR(details, 1, INSTR(details, \'"after":{\'))', suggested.before) : raw('0');
    const after = suggested ? has('SUBSTR(details, INSTR(details, \'"after":{\'))', suggested.after) : raw('0');
    return sql`${before} AS ${raw(`b${String(place)}`)}, ${after} AS ${raw(`a${String(place)}`)}`;
  });
  return { text: columns.map(({ text }) => text).join(', '), values: columns.flatMap(({ values }) => values) };
}

/** 1 if a text of the details contains a member, which ends with a comma or a brace, otherwise 0. */
function has(text: string, member: string): Fragment {
  return sql`CASE WHEN OCTET_LENGTH(details) <= ${SHORT}
    AND (INSTR(${raw(text)}, ${`${member},`}) > 0 OR INSTR(${raw(text)}, ${`${member}}`}) > 0) THEN 1 ELSE 0 END`;
}

function countParts(
  rows: readonly Row[],
  suggestion: Suggestion | undefined,
  most: number,
): Pick<HistoryRequest, 'parts' | 'isWhole'> {
  const parts = rows.map(([, kind, event, id, at, total, ref, ...sames]) => {
    const count = Number(total);
    const isSuggested = suggestion?.kind === kind && suggestion?.event === event;
    const suggested = isSuggested ? (suggestion?.changes ?? []) : [];
    const shared = suggested.flatMap(({ change }, place) => {
      const [before, after] = [sames[2 * place], sames[2 * place + 1]].map((same) => Number(same) === count);
      if (after !== true) return [];
      return [before === true ? change : { ...change, before: null }];
    });
    const of = { rowId: Number(id), at: Number(at), kind: String(kind), event: String(event), ref: String(ref) };
    return { ...of, count, times: undefined, shared };
  });
  return { parts, isWhole: parts.reduce((sum, { count }) => sum + count, 0) <= most };
}
