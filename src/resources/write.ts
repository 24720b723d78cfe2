import { isDeepStrictEqual } from 'node:util';

import { noteChange } from '../changes/outbox';
import { places, readsWithin, type OwnTransaction, type Transaction } from '../database/sql';
import { InvalidInputError, NotFoundError } from '../errors';
import type { Kind } from '../model/kind';
import { conflictOf } from './conflict';
import { extraOf, mergedExtra, storedText, type Extra } from './extra';
import { isRef, issue, merged, type Changes, type Values } from './input';
import { clearLists, writeLists } from './reference-lists';
import { resolveReferences } from './references';
import { ResourceReader } from './resource-reader';
import { columnsOf, valuesOf } from './row';
import { wholeOf } from './selection';

/** The times of creation and of the last change, in milliseconds since the epoch. */
export interface Times {
  readonly createdOn: number;
  readonly modifiedOn: number;
}

/** Options of a change. */
export interface ChangeOptions {
  /** Members of the document that the model does not know. They are merged into the stored members. */
  readonly extra?: Extra | null;
  /** Reject changes to the natural key and to required references. */
  readonly keepsIdentity?: boolean;
}

const insertTexts = new Map<Kind, string>();

/** Creates a resource within a transaction; returns its ref. Throws UnfulfilledDependencyError and ConflictError. */
export async function insert(
  transaction: OwnTransaction,
  kind: Kind,
  ref: string,
  values: Values,
  extra: Extra | null,
  times: Times = { createdOn: Date.now(), modifiedOn: Date.now() },
): Promise<string> {
  const resolved = await resolveReferences(transaction, kind, values);
  const columns = {
    ref,
    created_on: times.createdOn,
    modified_on: times.modifiedOn,
    extra: extra && storedText(extra),
    ...(kind.shared && { kind: kind.name }),
    ...columnsOf(kind, values, resolved),
  };
  const text = insertTexts.get(kind) ?? insertText(kind, Object.keys(columns));
  insertTexts.set(kind, text);
  await unlessTaken(kind, ref, values, async () => {
    const { insertId } = await transaction.run(text, Object.values(columns));
    await writeLists(transaction, kind, insertId, values, resolved);
  });
  noteChange(transaction, kind.name, ref, 'CREATED');
  return ref;
}

function insertText({ table }: Kind, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places(columns.length)})`;
}

/**
 * Changes a resource within a transaction. Returns whether anything changed; if not, nothing is written. Throws NotFoundError
 * and the same errors as `insert`.
 */
export async function change(
  transaction: OwnTransaction,
  kind: Kind,
  ref: string,
  changes: Changes,
  options: ChangeOptions = {},
): Promise<boolean> {
  const id = await lock(transaction, kind, ref);
  const stored = await new ResourceReader(readsWithin(transaction)).get(kind, ref, wholeOf(kind));
  const before = valuesOf(kind, stored);
  const values = merged(kind, changes, before);
  if (options.keepsIdentity) assertSameIdentity(kind, before, values);
  const resolved = await resolveReferences(transaction, kind, values);
  const extra = options.extra && storedText(mergedExtra(stored, options.extra));
  const isDifferent = !isDeepStrictEqual(before, values) || (extra ? extra !== extraOf(stored) : false);
  if (!isDifferent) return false;
  const columns = { modified_on: Date.now(), ...(extra && { extra }), ...columnsOf(kind, values, resolved) };
  const assignments = Object.keys(columns).map((column) => `${column} = ?`);
  await unlessTaken(kind, ref, values, async () => {
    await transaction.run(`UPDATE ${kind.table} SET ${assignments.join(', ')} WHERE id = ?`, [
      ...Object.values(columns),
      id,
    ]);
    await clearLists(transaction, kind, id);
    await writeLists(transaction, kind, id, values, resolved);
  });
  noteChange(transaction, kind.name, ref, 'UPDATED');
  return true;
}

/** A PUT cannot change the natural key or the gateway of a number (docs/rest-contract.md, section 10.3). */
function assertSameIdentity(kind: Kind, before: Values, after: Values): void {
  const key = kind.fixed ?? kind.unique.flatMap(({ fields }) => fields);
  const fixed = kind.fields.filter(({ name, required, refersTo }) =>
    refersTo ? required && !refersTo.through : key.includes(name),
  );
  const changed = fixed.filter(({ name }) => before.get(name) !== after.get(name));
  if (changed.length > 0) throw new InvalidInputError(changed.map((field) => issue(field, 'cannot be changed')));
}

/** Locks the row until the transaction ends, with a write that changes nothing. Returns its id. Throws NotFoundError. */
export async function lock(transaction: Transaction, kind: Kind, ref: string): Promise<number> {
  if (!isRef(ref)) throw new NotFoundError(kind.name, ref);
  const where = `WHERE ref = ?${kind.shared ? ' AND kind = ?' : ''}`;
  const key = [ref, ...(kind.shared ? [kind.name] : [])];
  await transaction.run(`UPDATE ${kind.table} SET ref = ref ${where}`, key);
  const [row] = await transaction.rows(`SELECT id FROM ${kind.table} ${where}`, key);
  if (!row) throw new NotFoundError(kind.name, ref);
  return Number(row[0]);
}

async function unlessTaken(kind: Kind, ref: string, values: Values, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw conflictOf(error, kind, ref, values);
  }
}
