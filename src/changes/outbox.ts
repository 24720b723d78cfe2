import { throwIdGenerated } from '../database/errors';
import { CLOCK_MS, places, type OwnTransaction, type SqlValue, type Transaction } from '../database/sql';
import type { Actor } from './actor';
import type { ChangeSubject } from './change';
import type { Details } from './details';

/** A change to store. Changes of the live tables have no actor, because the SIP server makes them. */
export interface NewChange {
  readonly kind: ChangeSubject;
  readonly ref: string;
  readonly event: string;
  readonly actor?: Actor;
  readonly details?: Details;
}

/** The columns of a change except its number and time, in the order of `toColumns`. */
export const CHANGE_COLUMNS = 'kind, ref, did, who, who_ref, api_token, way, address, request, details';
const COLUMNS = CHANGE_COLUMNS.split(', ');
const ALL = COLUMNS.map((_, column) => column);
/** The columns in which the changes of an import differ. */
const OWN = [COLUMNS.indexOf('ref'), COLUMNS.indexOf('details')];
const NUMBERED = rowWith(ALL);
const SAME_ORIGIN = rowWith(OWN);
const UNNUMBERED = `(${CLOCK_MS}, ${places(COLUMNS.length)})`;

/**
 * Milliseconds by which the clock may be set back. A stored time that is further ahead of the clock counts as wrong.
 */
export const CLOCK_TOLERANCE = 5000;

const noted = new WeakMap<OwnTransaction, NewChange[]>();
const watched = new WeakMap<OwnTransaction, (change: NewChange) => void>();

/** Adds a change to the outbox in the transaction that makes it, so that both are committed or neither. */
export function noteChange(transaction: OwnTransaction, change: NewChange): void {
  watched.get(transaction)?.(change);
  const known = noted.get(transaction);
  if (known) {
    known.push(change);
    return;
  }
  const changes = [change];
  noted.set(transaction, changes);
  // A change that depends on another one gets a higher id, because its transaction waits for the locks of the other.
  transaction.beforeCommit(() => storeChanges(transaction, changes.splice(0)));
}

/** Calls `watch` with each change that is noted in the transaction while `work` runs. Within another watch, both are called. */
export async function watchNoted<T>(
  transaction: OwnTransaction,
  watch: (change: NewChange) => void,
  work: () => Promise<T>,
): Promise<T> {
  const outer = watched.get(transaction);
  watched.set(transaction, (change) => {
    outer?.(change);
    watch(change);
  });
  try {
    return await work();
  } finally {
    if (outer) watched.set(transaction, outer);
    else watched.delete(transaction);
  }
}

/**
 * Stores the changes of a transaction before its end if there are at least `least`: by default many, which bounds the
 * memory for those of a large transaction.
 */
export async function storeNoted(transaction: OwnTransaction, least = LARGEST): Promise<void> {
  const changes = noted.get(transaction);
  if (changes && changes.length >= least) await storeChanges(transaction, changes.splice(0));
}

/** Forgets the changes of a transaction that are noted and not stored, because they are undone. */
export function forgetNoted(transaction: OwnTransaction): void {
  noted.get(transaction)?.splice(0);
}

// The numbers of rows per INSERT. Up to SMALL rows are one statement, and larger sets use a few fixed sizes, so that
// few statements are prepared. SQLite takes longer per row for larger statements.
const LARGEST = 2000;
const MEDIUM = 200;
const SMALL = 64;
// The maximum number of characters of details per INSERT. Servers limit the size of a statement.
const MAX_TEXT = 1_000_000;

/**
 * Stores the changes. A database that runs one writing transaction at a time numbers them here, in commit order.
 * Otherwise, the sequencer numbers them after the commit. Numbering them here would lock the row of `change_head` until
 * the commit, and all other writers would wait for the lock.
 */
export async function storeChanges(
  transaction: Transaction & Pick<OwnTransaction, 'isSerial'>,
  changes: readonly NewChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(toColumns);
  if (!transaction.isSerial) {
    const into = `unnumbered_entries (at, ${CHANGE_COLUMNS})`;
    await insert(transaction, into, UNNUMBERED, rows, [LARGEST, MEDIUM]).catch(throwIdGenerated);
    return;
  }
  const reserve = `UPDATE change_head SET last = last + ? WHERE id = 1
    RETURNING last, (SELECT at FROM changes WHERE changes.id = change_head.last - ?)`;
  const [[last, previous] = []] = await transaction.rows(reserve, [rows.length, rows.length]);
  const first = Number(last) - rows.length + 1;
  const [now, least] = [Date.now(), Number(previous ?? 0)];
  const at = least > now + CLOCK_TOLERANCE ? now : Math.max(now, least);
  // Values that all changes share are bound once for each statement.
  const [shared = []] = rows;
  const areOfOneOrigin = rows.every((row) =>
    row.every((value, column) => OWN.includes(column) || value === shared[column]),
  );
  const [own, row, batches] = areOfOneOrigin ? [OWN, SAME_ORIGIN, [MEDIUM]] : [ALL, NUMBERED, []];
  const numbered = rows.map((values, index) => [first + index, ...own.map((column) => values[column] ?? null)]);
  const named = Object.fromEntries(COLUMNS.map((name, column) => [name, shared[column] ?? null]));
  await insert(transaction, `changes (id, at, ${CHANGE_COLUMNS})`, row, numbered, batches, { at, ...named });
}

/** A row of `changes` for SQLite, with a place for each of these columns. The others and the time are named values. */
function rowWith(columns: readonly number[]): string {
  return `(?, :at, ${COLUMNS.map((name, column) => (columns.includes(column) ? '?' : `:${name}`)).join(', ')})`;
}

function toColumns({ kind, ref, event, actor, details }: NewChange): SqlValue[] {
  return [
    kind,
    ref,
    event,
    actor === undefined || actor.username === '' ? null : actor.username.slice(0, 100),
    actor?.userRef ?? null,
    actor?.apiToken ?? null,
    actor?.channel ?? null,
    actor?.address?.slice(0, 64) ?? null,
    actor?.requestId?.slice(0, 64) ?? null,
    textOf(details, actor),
  ];
}

function textOf(details: Details | undefined, { reason }: Pick<Actor, 'reason'> = {}): string | null {
  if (reason !== undefined) return JSON.stringify({ ...details, reason });
  return details ? JSON.stringify(details) : null;
}

async function insert(
  transaction: Transaction,
  into: string,
  row: string,
  rows: readonly (readonly SqlValue[])[],
  batches: readonly number[],
  named?: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  for (let done = 0; done < rows.length;) {
    const left = rows.length - done;
    let size = batches.find((each) => each <= left) ?? Math.min(left, SMALL);
    while (size > 1 && lengthOf(rows, done, size) > MAX_TEXT) size = Math.ceil(size / 2);
    const values: SqlValue[] = [];
    for (const each of rows.slice(done, done + size)) values.push(...each);
    await transaction.run(`INSERT INTO ${into} VALUES ${Array(size).fill(row).join(', ')}`, values, named);
    done += size;
  }
}

function lengthOf(rows: readonly (readonly SqlValue[])[], start: number, count: number): number {
  let length = 0;
  for (let index = start; index < start + count; index++) length += String(rows[index]?.at(-1) ?? '').length;
  return length;
}
