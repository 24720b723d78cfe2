import { isDeepStrictEqual } from 'node:util';

import { noteChange } from '../changes/outbox';
import { readsWithin, type OwnTransaction, type Transaction } from '../database/sql';
import { InvalidInputError } from '../errors';
import type { Kind } from '../model/kind';
import { conflictOf } from './conflict';
import { extraOf, mergedExtra, storedText, type Extra } from './extra';
import { isRef, issue, merged, type Changes, type Values } from './input';
import { clearLists, writeLists } from './reference-lists';
import { resolveReferences } from './references';
import { ResourceReader } from './resource-reader';
import { columnsOf, valuesOf } from './row';
import { wholeOf } from './selection';
import type { Written } from './written';

/** Options of a change. */
export interface ChangeOptions {
  /** Members of the document that the model does not know. They are merged into the stored members. */
  readonly extra?: Extra | null;
  /** Reject changes to the natural key and to required references. */
  readonly keepsIdentity?: boolean;
}

/** The result of a change: the state of the resource after it. */
export interface Changed extends Written {
  /** False if the resource had these values already, so that nothing was written. */
  readonly isChanged: boolean;
}

/**
 * Changes a resource within a transaction that has locked it; see `lock`. Throws NotFoundError, InvalidInputError,
 * UnfulfilledDependencyError and ConflictError.
 */
export async function change(
  transaction: OwnTransaction,
  kind: Kind,
  ref: string,
  changes: Changes,
  options: ChangeOptions = {},
): Promise<Changed> {
  const stored = await new ResourceReader(readsWithin(transaction)).get(kind, ref, wholeOf(kind));
  const { rowId, createdOn } = stored;
  const before = valuesOf(kind, stored);
  const values = merged(kind, changes, before);
  if (options.keepsIdentity) assertSameIdentity(kind, before, values);
  const resolved = await resolveReferences(transaction, kind, values);
  const extra = options.extra && storedText(mergedExtra(stored, options.extra));
  const isChanged = !isDeepStrictEqual(before, values) || (extra ? extra !== extraOf(stored) : false);
  if (!isChanged) return { isChanged, ref, values, createdOn, modifiedOn: stored.modifiedOn };
  const modifiedOn = Date.now();
  const columns = { modified_on: modifiedOn, ...(extra && { extra }), ...columnsOf(kind, values, resolved) };
  const assignments = Object.keys(columns).map((column) => `${column} = ?`);
  try {
    await transaction.run(`UPDATE ${kind.table} SET ${assignments.join(', ')} WHERE id = ?`, [
      ...Object.values(columns),
      rowId,
    ]);
    await clearLists(transaction, kind, rowId);
    await writeLists(transaction, kind, rowId, values, resolved);
  } catch (error) {
    throw conflictOf(error, kind, ref, values);
  }
  noteChange(transaction, kind.name, ref, 'UPDATED');
  return { isChanged, ref, values, createdOn, modifiedOn };
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

/**
 * Locks a row, if it exists, until the transaction ends, with a write that changes nothing. Locks come before the first read of a
 * transaction, because that read determines what later ones see.
 */
export async function lock(transaction: Transaction, kind: Kind, ref: string): Promise<void> {
  if (!isRef(ref)) return;
  await transaction.run(`UPDATE ${kind.table} SET ref = ref WHERE ref = ?${kind.shared ? ' AND kind = ?' : ''}`, [
    ref,
    ...(kind.shared ? [kind.name] : []),
  ]);
}
