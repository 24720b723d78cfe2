import { isDeepStrictEqual } from 'node:util';

import type { Actor } from '../../changes/actor';
import { noteChange } from '../../changes/outbox';
import { lockRows, readsWithin, type OwnTransaction } from '../../database/sql';
import { InvalidInputError, NotFoundError, UnfulfilledDependencyError } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import { clearLists, writeLists } from '../lists/reference-lists';
import { extraOf, mergedExtra, storedText, type Extra } from '../read/extra';
import { withSecretsOf } from '../read/other-members';
import { ResourceReader } from '../read/resource-reader';
import { columnsOf, valuesOf } from '../read/row';
import { wholeOf } from '../read/selection';
import { conflictOf } from './conflict';
import { updateOf } from './entry-details';
import { isRef, issue, merge, secretsIn, type Changes, type Values } from './input';
import { resolveAll, type Resolved } from './references';
import type { Written } from './written';

/** Options of a change. */
export interface ChangeOptions {
  /** Members of the document that the model does not define. They are merged into the stored members. */
  readonly extra?: Extra | null;
  /** Reject changes to the natural key and to required references. */
  readonly keepsIdentity?: boolean;
  /** Replace the stored members, except secrets, instead of merging `extra` into them. */
  readonly replacesExtra?: boolean;
  /** The number of the journal entry that this change reverts. */
  readonly undoes?: number;
}

/** A validated change of a resource. */
export interface Change {
  readonly ref: string;
  readonly changes: Changes;
  readonly actor: Actor;
  readonly options?: ChangeOptions;
}

/** The result of a change: the new state of the resource. */
export interface Changed extends Written {
  /** False if the resource already had these values, so that nothing was written. */
  readonly isChanged: boolean;
}

/** A change, and the stored state of its resource. */
interface Prepared {
  readonly stored: Resource;
  readonly before: Values;
  readonly values: Values;
  /** Fields that count as changed even if they have the same value. */
  readonly anyway: ReadonlySet<string>;
  readonly actor: Actor;
  readonly options: ChangeOptions;
}

/**
 * Prepares changes of different resources of a kind with a fixed number of reads. The transaction must have locked the
 * resources with `lockResources`. Returns a function for each change that writes the change and throws NotFoundError,
 * InvalidInputError, UnfulfilledDependencyError or ConflictError.
 */
export async function prepareChanges(
  transaction: OwnTransaction,
  kind: Kind,
  changes: readonly Change[],
): Promise<readonly (() => Promise<Changed>)[]> {
  const refs = changes.map(({ ref }) => ref).filter(isRef);
  const stored = await new ResourceReader(readsWithin(transaction)).some(kind, refs, wholeOf(kind));
  const byRef = new Map(stored.map((resource) => [resource.ref, resource]));
  const prepared = changes.map((each) => outcomeOf(() => prepare(kind, each, byRef.get(each.ref))));
  const found = await resolveAll(
    transaction,
    kind,
    prepared.map(({ value }) => value?.values ?? new Map()),
  );
  return prepared.map(({ value, error }, index) => async () => {
    if (!value) throw error;
    const { ids = new Map(), issues = [] } = found[index] ?? {};
    if (issues.length > 0) throw new UnfulfilledDependencyError(issues);
    return write(transaction, kind, value, ids);
  });
}

/** Changes a resource that the transaction has locked with `lockResources`. Throws the errors of `prepareChanges`. */
export async function change(transaction: OwnTransaction, kind: Kind, each: Change): Promise<Changed> {
  const [write] = await prepareChanges(transaction, kind, [each]);
  if (!write) throw new NotFoundError(kind.name, each.ref);
  return write();
}

/** Locks the resources that exist until the transaction ends (see `lockRows`). */
export function lockResources(transaction: OwnTransaction, kind: Kind, refs: readonly string[]): Promise<void> {
  return lockRows(transaction, kind.table, refs.filter(isRef), kind.shared ? kind.name : undefined);
}

function outcomeOf<T>(work: () => T): { readonly value?: T; readonly error?: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

function prepare(kind: Kind, { ref, changes, actor, options = {} }: Change, stored: Resource | undefined): Prepared {
  if (!stored) throw new NotFoundError(kind.name, ref);
  const before = valuesOf(kind, stored);
  const values = merge(kind, changes, before);
  if (options.keepsIdentity) assertSameIdentity(kind, before, values);
  // A revert always sets the secrets that it is given. Otherwise, its result would tell whether a guess is right.
  const anyway = options.undoes === undefined ? new Set<string>() : secretsIn(kind, changes);
  return { stored, before, values, anyway, actor, options };
}

async function write(
  transaction: OwnTransaction,
  kind: Kind,
  { stored, before, values, anyway, actor, options }: Prepared,
  targets: Resolved,
): Promise<Changed> {
  const { rowId, ref, createdOn } = stored;
  const known = extraOf(stored) ?? null;
  const extra = newExtra(kind, stored, options);
  const isChanged = anyway.size > 0 || !isDeepStrictEqual(before, values) || extra !== known;
  if (!isChanged) return { isChanged, ref, values, createdOn, modifiedOn: stored.modifiedOn };
  const modifiedOn = Date.now();
  const columns = { modified_on: modifiedOn, ...(extra !== known && { extra }), ...columnsOf(kind, values, targets) };
  const assignments = Object.keys(columns).map((column) => `${column} = ?`);
  try {
    const { rows } = await transaction.run(`UPDATE ${kind.table} SET ${assignments.join(', ')} WHERE id = ?`, [
      ...Object.values(columns),
      rowId,
    ]);
    if (rows === 0) throw new NotFoundError(kind.name, ref);
    await clearLists(transaction, kind, rowId);
    await writeLists(transaction, kind, rowId, values, targets);
  } catch (error) {
    throw conflictOf(error, kind, ref, values);
  }
  const details = updateOf(
    kind,
    { ref, values: before, createdOn, modifiedOn: stored.modifiedOn, extra: known },
    { ref, values, createdOn, modifiedOn, extra },
    anyway,
  );
  const { undoes } = options;
  const did = undoes === undefined ? details : { ...details, undoes };
  noteChange(transaction, { kind: kind.name, ref, event: 'UPDATED', actor, details: did });
  return { isChanged, ref, values, createdOn, modifiedOn };
}

/** Returns the members to store, as text. */
function newExtra(kind: Kind, stored: Resource, { extra, replacesExtra = false }: ChangeOptions): string | null {
  const known = extraOf(stored) ?? null;
  if (!extra) return replacesExtra ? null : known;
  if (!replacesExtra) return storedText(mergedExtra(stored, extra));
  return storedText(known === null ? extra : withSecretsOf(kind, JSON.parse(known) as Extra, extra));
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
