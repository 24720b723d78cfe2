import { endOfTurn } from '../../limits/event-loop';
import { memoized } from '../../limits/memoized';
import type { ReadDriver } from '../driver';
import { failureOf, ownError } from '../errors';
import {
  MAX_SEEKS,
  SharedScope,
  groupBy,
  pad,
  seekStatement,
  withKeys,
  type KeyedRead,
  type Pass,
  type RequestScope,
  type Row,
  type SeekRead,
  type Sql,
  type SqlValue,
} from '../sql';

/** Sends a statement to the database, which may stop it once `scope` is over. */
type Send = ReadDriver['rows'];

/** What the reads that share a statement wait for. */
interface Shared<Found> {
  readonly scopes: SharedScope;
  readonly found: Promise<Found>;
}

/** The same of reads by key. */
interface Keyed<Found> extends Shared<Found> {
  readonly keys: Set<SqlValue>;
}

type RowsByKey = ReadonlyMap<SqlValue, readonly Row[]>;

/** A read that waits for its statement. */
interface WaitingRead {
  readonly values: readonly SqlValue[];
  readonly scope: RequestScope;
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
}

// The maximum number of keys in one statement. Shorter lists are padded to a power of two, so that each read has at
// most seven texts to prepare.
const MAX_KEYS = 64;
// The maximum number of keys of a `SeekRead` in the statement of several requests. A longer one takes the server as long
// for each key, and its parameters take memory on each connection.
const MAX_SHARED_SEEKS = 50;
// The number of reads by seeks after a pass that did not suffice. It bounds what such passes cost.
const PASSES_WITHOUT = 100;
// The numbers of reads in one statement. Each number needs a prepared statement of its own, so there are few.
const SIZES = [1, 2, 3, 4, 6, 8, 12, 16] as const;
const MAX_READS = 16;
/**
 * Longer texts are not combined. A text has at least one character (`?`) for each value, so a combined statement also
 * stays within the limit of 65,535 values.
 */
const MAX_LENGTH = 4000;

/**
 * Shares statements among the reads that arrive in one turn of the event loop. Identical reads are sent once. Lookups
 * by key are combined into one statement, and so are short reads by keys, and reads of `unorderedRows` that differ only
 * in their values. A read never joins a statement that was already sent, so its result is as recent as that of a
 * separate statement. If a shared statement fails, each of its reads throws a separate error object. A statement is
 * cancelled once all requests that read it are over.
 */
export class SharedReads implements Sql {
  private turn: Promise<void> | undefined;
  private statements = new Map<string, Shared<readonly Row[]>>();
  private lookups = new Map<KeyedRead, Keyed<ReadonlyMap<SqlValue, Row>>>();
  private seeks = new Map<string, Keyed<RowsByKey>>();
  private byText = new Map<string, WaitingRead[]>();
  /** How many reads to send without a pass, by the list of the pass that did not suffice. */
  private readonly crowded = new WeakMap<object, number>();

  /** `combines`: whether to combine reads that differ only in their values. */
  constructor(
    private readonly send: Send,
    private readonly combines: boolean,
  ) {}

  rows(text: string, values: readonly SqlValue[], scope?: RequestScope): Promise<readonly Row[]> {
    return this.once(text, values, scope, (scopes) => this.atEndOfTurn().then(() => this.send(text, values, scopes)));
  }

  unorderedRows(text: string, values: readonly SqlValue[], scope?: RequestScope): Promise<readonly Row[]> {
    if (!this.combines) return this.rows(text, values, scope);
    return this.once(text, values, scope, (scopes) => this.together(text, values, scopes));
  }

  /** Returns the rows of an identical read that is waiting. If there is none, runs the read. */
  private once(
    text: string,
    values: readonly SqlValue[],
    scope: RequestScope | undefined,
    run: (scopes: SharedScope) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const id = idOf(text, values);
    let statement = this.statements.get(id);
    if (!statement) {
      const scopes = new SharedScope();
      statement = { scopes, found: run(scopes) };
      this.statements.set(id, statement);
    }
    return join(statement, scope);
  }

  async rowByKey(read: KeyedRead, key: SqlValue, scope?: RequestScope): Promise<Row | undefined> {
    let lookup = this.lookups.get(read);
    if (!lookup) {
      const [keys, scopes] = [new Set<SqlValue>(), new SharedScope()];
      lookup = { keys, scopes, found: this.atEndOfTurn().then(() => this.find(read, [...keys], scopes)) };
      this.lookups.set(read, lookup);
    }
    lookup.keys.add(key);
    return (await join(lookup, scope)).get(key);
  }

  rowsByKey(read: SeekRead, keys: readonly SqlValue[], scope?: RequestScope): Promise<RowsByKey> {
    const id = idOf(read.text, read.values);
    const most = Math.min(MAX_SHARED_SEEKS, MAX_SEEKS.length / read.text.length);
    let seeks = this.seeks.get(id);
    // The keys of one request are never divided.
    if (!seeks || seeks.keys.size + keys.length > most) {
      const [all, scopes] = [new Set<SqlValue>(), new SharedScope()];
      seeks = { keys: all, scopes, found: this.atEndOfTurn().then(() => this.seek(read, [...all], scopes)) };
      this.seeks.set(id, seeks);
    }
    for (const key of keys) seeks.keys.add(key);
    return join(seeks, scope);
  }

  private async seek(read: SeekRead, keys: readonly SqlValue[], scopes: SharedScope): Promise<RowsByKey> {
    // Only the servers accept parentheses, and a statement is a network request only for them.
    if (!this.combines || !read.pass || !this.isSparse(read.pass)) return this.seekEach(read, keys, scopes);
    const { found, missing } = await this.passOver(read, read.pass, keys, scopes);
    if (missing.length === 0) return found;
    this.crowded.set(read.pass.list, PASSES_WITHOUT);
    return new Map([...found, ...(await this.seekEach(read, missing, scopes))]);
  }

  private async seekEach(read: SeekRead, keys: readonly SqlValue[], scopes: SharedScope): Promise<RowsByKey> {
    const [text, values] = seekStatement(read, keys, this.combines);
    return groupBy(await this.send(text, values, scopes), ([key = null]) => key);
  }

  /** Whether one pass probably reads the rows of all keys. */
  private isSparse({ list }: Pass): boolean {
    const left = this.crowded.get(list) ?? 0;
    if (left > 0) this.crowded.set(list, left - 1);
    return left === 0;
  }

  /** Reads as many rows as the keys may have together: all, unless some keys have more than their share. */
  private async passOver(
    read: SeekRead,
    pass: Pass,
    keys: readonly SqlValue[],
    scopes: SharedScope,
  ): Promise<{ readonly found: RowsByKey; readonly missing: readonly SqlValue[] }> {
    const padded = pad(keys, 0);
    const most = padded.length * read.limit;
    const { text, values } = pass.statement();
    const rows = await this.send(`${withKeys(text, padded.length)} LIMIT ?`, [...padded, ...values, most], scopes);
    const found = new Map<SqlValue, readonly Row[]>();
    for (const [key, own] of groupBy(rows, ([key = null]) => key)) found.set(key, own.slice(0, read.limit));
    if (rows.length < most) return { found, missing: [] };
    // The rows of the last key may go on, and those of the keys after it are missing.
    const last = rows.at(-1)?.[0];
    const isWhole = (key: SqlValue): boolean =>
      found.has(key) && (key !== last || found.get(key)?.length === read.limit);
    return { found, missing: keys.filter((key) => !isWhole(key)) };
  }

  private together(text: string, values: readonly SqlValue[], scope: RequestScope): Promise<readonly Row[]> {
    let reads = this.byText.get(text);
    if (!reads) {
      const started: WaitingRead[] = [];
      reads = started;
      this.byText.set(text, started);
      void this.atEndOfTurn().then(() => sendAlike(this.send, text, started));
    }
    const waiting = reads;
    return new Promise((resolve, reject) => waiting.push({ values, scope, resolve, reject }));
  }

  /** Resolves when no more reads can arrive in this turn. Later reads start the next turn. */
  private atEndOfTurn(): Promise<void> {
    return (this.turn ??= endOfTurn().then(() => {
      this.turn = undefined;
      this.statements = new Map();
      this.lookups = new Map();
      this.seeks = new Map();
      this.byText = new Map();
    }));
  }

  private async find(
    read: KeyedRead,
    keys: readonly SqlValue[],
    scopes: SharedScope,
  ): Promise<ReadonlyMap<SqlValue, Row>> {
    const parts = Array.from({ length: Math.ceil(keys.length / MAX_KEYS) }, (_, part) =>
      this.send(...statementFor(read, keys.slice(part * MAX_KEYS, (part + 1) * MAX_KEYS)), scopes),
    );
    const found = new Map<SqlValue, Row>();
    for (const row of (await Promise.all(parts)).flat()) found.set(row[read.keyColumn] ?? null, row);
    return found;
  }
}

/** Adds a request to those that share a statement. */
async function join<Found>({ scopes, found }: Shared<Found>, scope: RequestScope | undefined): Promise<Found> {
  scopes.add(scope);
  try {
    return await found;
  } catch (error) {
    throw scope?.cancelledBy ?? ownError(error);
  }
}

const textsOf = memoized((_read: KeyedRead): string[] => []);

/** The statement that reads the rows of some keys. */
function statementFor(read: KeyedRead, keys: readonly SqlValue[]): [text: string, values: readonly SqlValue[]] {
  const size = 2 ** Math.ceil(Math.log2(keys.length));
  const filler = Array.from({ length: size - keys.length }, () => keys[0] ?? null);
  const text = (textsOf(read)[size] ??= withKeys(read.text, size));
  return [text, [...keys, ...filler, ...read.values]];
}

function idOf(text: string, values: readonly SqlValue[]): string {
  return values.length === 0 ? text : `${text}${JSON.stringify(values)}`;
}

/**
 * Sends reads that have the same text and different values in few statements. A statement is one read or the UNION ALL
 * of up to 16 reads. Other numbers of reads than those in SIZES are filled up with copies of the last read. The rows of
 * a read arrive in no particular order. If the database rejects a combined statement, or it times out, its reads are
 * sent separately, because the values of a single read may be the cause.
 */
function sendAlike(send: Send, text: string, reads: readonly WaitingRead[]): void {
  const most = text.length <= MAX_LENGTH ? MAX_READS : 1;
  for (let start = 0; start < reads.length; start += most) {
    const part = reads.slice(start, start + most);
    if (part.length === 1) sendAlone(send, text, part);
    else void sendTogether(send, text, part);
  }
}

function sendAlone(send: Send, text: string, reads: readonly WaitingRead[]): void {
  for (const { values, scope, resolve, reject } of reads) void send(text, values, scope).then(resolve, reject);
}

async function sendTogether(send: Send, text: string, reads: readonly WaitingRead[]): Promise<void> {
  const found: Row[][] = reads.map(() => []);
  try {
    const size = SIZES.find((each) => each >= reads.length) ?? MAX_READS;
    const copies = Array.from({ length: size - reads.length }, () => reads.at(-1)?.values ?? []);
    const scopes = new SharedScope();
    for (const { scope } of reads) scopes.add(scope);
    const rows = await send(unionAll(text, size), [...reads.map(({ values }) => values), ...copies].flat(), scopes);
    for (const row of rows) {
      // Nobody else has the rows. Those of the copies have no place in `found`.
      const read = found[Number((row as SqlValue[]).shift())];
      read?.push(row);
    }
  } catch (error) {
    const { type } = failureOf(error);
    if (['refused-pattern', 'slow', 'other'].includes(type)) sendAlone(send, text, reads);
    else for (const { reject } of reads) reject(error);
    return;
  }
  for (const [index, { resolve }] of reads.entries()) resolve(found[index] ?? []);
}

/** The UNION ALL of a number of reads. The first column is the index of the read. */
function unionAll(text: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `(${text.replace('SELECT ', `SELECT ${String(index)}, `)})`).join(
    ' UNION ALL ',
  );
}
