import { isDeepStrictEqual } from 'node:util';

import type { Actor } from '../../changes/actor';
import type { Details } from '../../changes/details';
import { noteChange } from '../../changes/outbox';
import { failureOf } from '../../database/errors';
import { groupBy, lockRows, readsWithin, type OwnTransaction } from '../../database/sql';
import { updateRows, type RowUpdate } from '../../database/update-rows';
import { DomainError, inEntry, InvalidInputError, NotFoundError } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import { changeDerivedRows } from '../lists/derived-rows';
import { changeLists } from '../lists/reference-lists';
import { extraOf, hasMember, mergedExtra, storedText, withoutMember, type Extra } from '../read/extra';
import { withSecretsOf } from '../read/other-members';
import { ResourceReader } from '../read/resource-reader';
import { columnsOf } from '../read/row';
import { wholeOf } from '../read/selection';
import { conflictOf, parkedColumns, parkedText, writeKeys } from './conflict';
import { updateOf, wholeStateOf, type WholeState } from './entry-details';
import { isRef, issue, merge, secretsIn, type Changes, type Values } from './input';
import { assertStillFree, mayOverlap } from './number-ranges';
import type { Resolved } from './references';

/** Options of a change. */
export interface ChangeOptions {
  /** Members of the document that the model does not define. They are merged into the stored members. */
  readonly extra?: Extra | null;
  /** Reject changes to the natural key and to required references. */
  readonly keepsIdentity?: boolean;
  /** Replace the stored members, except secrets, instead of merging `extra` into them. */
  readonly replacesExtra?: boolean;
  /** The number of the history entry that this change reverts. */
  readonly undoes?: number;
  /**
   * Secrets that are set count as changed even if they have the stored value. Otherwise, the result of a revert, of a
   * dry run or of a change that must be confirmed would tell whether a guess is right.
   */
  readonly hidesSecrets?: boolean;
  /** The caller calls `assertStillFree` after the last of many changes. */
  readonly checksRangesLater?: boolean;
  /** Reject the change if the resource was changed after this time, in milliseconds since the epoch. */
  readonly ifUnchangedSince?: number | undefined;
}

/** A validated change, of one resource or of many. */
export interface Change {
  readonly changes: Changes;
  readonly actor: Actor;
  readonly options?: ChangeOptions;
}

/** The result of a change: the new state of the resource. */
export interface Changed extends WholeState {
  /** What was written; undefined if the resource already had these values. */
  readonly details?: Details;
}

/** The result of a change that gave the resource other values. */
interface Edited extends Changed {
  readonly rowId: number;
  readonly details: Details;
}

/** The states of a resource before and after a change. */
export interface Edit {
  readonly rowId: number;
  readonly before: WholeState;
  readonly after: WholeState;
  readonly isChanged: boolean;
}

/** A change of a resource, and the targets of the references that it sets. */
export interface PlannedEdit {
  readonly edit: Edit;
  readonly change: Change;
  readonly targets: Resolved;
}

type Columns = RowUpdate['columns'];

/** The maximum number of resources that an error names. */
export const MAX_NAMED = 10;
// Refs per statement that locks.
const LOCKED = 200;

/**
 * Makes the same change to resources that were read as a whole and are locked; a preview writes nothing. `targets` are
 * those of the references that the change sets. The number of statements does not depend on the number of resources,
 * unless a natural key is taken. Returns the resources that changed. Throws InvalidInputError and ConflictError with
 * the refs of the first resources at fault.
 */
export async function changeAll(
  transaction: OwnTransaction,
  kind: Kind,
  stored: readonly Resource[],
  each: Change,
  targets: Resolved,
  isPreview: boolean,
): Promise<readonly Edited[]> {
  const edits = inEach(stored, (resource) => editOf(kind, resource, each)).filter(({ isChanged }) => isChanged);
  if (edits.length === 0) return [];
  if (isPreview) return edits.map((edit) => changedBy(kind, edit, each, Date.now()));
  const planned = edits.map((edit) => ({ edit, change: each, targets }));
  try {
    return await changeEach(transaction, kind, planned);
  } catch (error) {
    if (failureOf(error).type !== 'duplicate') throw error;
    // The error of one statement for all does not tell which resource is in conflict.
    for (const one of planned) await inEntry(one.edit.after.ref, () => changeOne(transaction, kind, one));
    throw error;
  }
}

/**
 * Writes changes of different resources that are locked, and that the changes give other values. The number of statements depends on
 * how many sets of columns and different lists there are, not on the number of resources. Throws the errors of the database, and then
 * has changed nothing.
 */
export function changeEach(
  transaction: OwnTransaction,
  kind: Kind,
  planned: readonly PlannedEdit[],
): Promise<readonly Edited[]> {
  return transaction.undoable(() => write(transaction, kind, planned));
}

/**
 * Locks the resources that exist until the transaction ends (see `lockRows`), in the order of their refs, so that two
 * transactions do not wait for each other. Returns their row ids as `lockRows` does.
 */
export async function lockResources(
  transaction: OwnTransaction,
  kind: Kind,
  refs: readonly string[],
): Promise<readonly number[]> {
  const valid = [...new Set(refs)].filter(isRef).sort();
  const rowIds: number[] = [];
  for (let start = 0; start < valid.length; start += LOCKED) {
    const some = valid.slice(start, start + LOCKED);
    rowIds.push(...(await lockRows(transaction, kind.table, some, kind.shared ? kind.name : undefined)));
  }
  return rowIds;
}

/** Reads resources as a whole within a transaction. */
export async function storedByRef(
  transaction: OwnTransaction,
  kind: Kind,
  refs: readonly string[],
): Promise<Map<string, Resource>> {
  const reader = new ResourceReader(readsWithin(transaction));
  const stored = await reader.some(kind, refs.filter(isRef), wholeOf(kind));
  return new Map(stored.map((resource) => [resource.ref, resource]));
}

/** What a change makes of a stored resource. Throws InvalidInputError. */
export function editOf(kind: Kind, stored: Resource, { changes, options = {} }: Change): Edit {
  const before = wholeStateOf(kind, stored);
  const values = merge(kind, changes, before.values);
  if (options.keepsIdentity) assertSameIdentity(kind, before.values, values);
  const extra = newExtra(kind, stored, changes, options);
  const setsSecret = options.hidesSecrets === true && secretsIn(kind, changes).size > 0;
  const isChanged = setsSecret || extra !== before.extra || !isDeepStrictEqual(before.values, values);
  return { rowId: stored.rowId, before, after: { ...before, values, extra }, isChanged };
}

/**
 * Writes a change of a resource that is locked. With `isParked`, its unique columns have values that nobody has, until `unpark`
 * gives them the new ones and notes the change. Throws ConflictError.
 */
export async function changeOne(
  transaction: OwnTransaction,
  kind: Kind,
  planned: PlannedEdit,
  isParked = false,
): Promise<Changed> {
  const { edit } = planned;
  if (!edit.isChanged) return edit.before;
  try {
    const [changed = edit.after] = await write(transaction, kind, [planned], isParked);
    return changed;
  } catch (error) {
    throw conflictOf(error, kind, edit.after);
  }
}

/**
 * Ends what `changeOne` began with `isParked`, and returned as `changed`. The change is noted only now: a revert, which begins with the
 * last change, thus makes the values free before it restores a resource that had them. Throws ConflictError.
 */
export async function unpark(
  transaction: OwnTransaction,
  kind: Kind,
  { rowId, after }: Edit,
  actor: Actor,
  changed: Changed,
): Promise<void> {
  await writeKeys(transaction, kind, rowId, after);
  if (changed.details) noteUpdate(transaction, kind, actor, { ...changed, details: changed.details });
}

function noteUpdate(
  transaction: OwnTransaction,
  kind: Kind,
  actor: Actor,
  { ref, details }: Omit<Edited, 'rowId'>,
): void {
  noteChange(transaction, { kind: kind.name, ref, event: 'UPDATED', actor, details });
}

/** Writes changes of different resources, each of which gives its resource other values. Throws the errors of the database. */
async function write(
  transaction: OwnTransaction,
  kind: Kind,
  planned: readonly PlannedEdit[],
  isParked = false,
): Promise<readonly Edited[]> {
  const now = Date.now();
  const parked = isParked ? parkedColumns(kind) : [];
  const updates = planned.map(({ edit, change, targets }) => ({
    id: edit.rowId,
    columns: {
      modified_on: laterThan(edit, now),
      ...changedColumns(kind, edit, change.changes, targets),
      ...Object.fromEntries(parked.map((column) => [column, parkedText(edit.rowId)])),
    },
  }));
  const missing = await updateRows(transaction, kind.table, updates);
  if (missing !== undefined)
    throw new NotFoundError(kind.name, planned.find(({ edit }) => edit.rowId === missing)?.edit.after.ref ?? '');
  const lists = planned.map(({ edit, change, targets }) => ({
    rowId: edit.rowId,
    changed: new Set([...change.changes.keys(), ...parked]),
    resolved: targets,
  }));
  await changeLists(transaction, kind, lists);
  const edits = planned.map(({ edit }) => edit);
  const values = edits.map(({ rowId, before, after }) => ({ rowId, before: before.values, after: after.values }));
  await changeDerivedRows(transaction, kind, values);
  const ranged = planned.filter(
    ({ change: { changes, options } }) => mayOverlap(kind, changes) && options?.checksRangesLater !== true,
  );
  for (const [actor, own] of groupBy(ranged, ({ change }) => change.actor))
    await assertStillFree(
      transaction,
      kind,
      own
        .filter(({ edit }) => isMoved(kind, edit))
        .map(({ edit: { rowId, after } }) => ({ rowId, values: after.values })),
      actor,
    );
  return planned.map(({ edit, change }) => {
    const changed = changedBy(kind, edit, change, laterThan(edit, now));
    if (!isParked) noteUpdate(transaction, kind, change.actor, changed);
    return changed;
  });
}

/** Whether a number or a range gets other numbers or another gateway. */
function isMoved({ ranges }: Kind, { before, after }: Edit): boolean {
  return ranges?.fields.some((name) => before.values.get(name) !== after.values.get(name)) === true;
}

/** The time of a change: later than that of the change before, which makes it the version of the resource. */
function laterThan({ before }: Edit, now: number): number {
  return Math.max(now, before.modifiedOn + 1);
}

/** The columns of the changed fields, and the derived columns that follow from them: for most resources the same. */
function changedColumns(kind: Kind, { before, after }: Edit, changes: Changes, targets: Resolved): Columns {
  const own = kind.fields.filter(({ name, refersTo }) => changes.has(name) && !refersTo?.through);
  const derived = (kind.derived ?? []).filter(({ from }) => from(after.values) !== from(before.values));
  const columns = columnsOf(kind, after.values, targets);
  const changed = Object.fromEntries([...own, ...derived].map(({ column }) => [column, columns[column] ?? null]));
  return after.extra === before.extra ? changed : { ...changed, extra: after.extra };
}

function changedBy(
  kind: Kind,
  { rowId, before, after }: Edit,
  { changes, options: { undoes, hidesSecrets } = {} }: Change,
  modifiedOn: number,
): Edited {
  const state = { ...after, modifiedOn };
  const details = updateOf(kind, before, state, hidesSecrets ? secretsIn(kind, changes) : undefined);
  return { ...state, rowId, details: undoes === undefined ? details : { ...details, undoes } };
}

/** Returns the members to store, as text. */
function newExtra(
  kind: Kind,
  stored: Resource,
  changes: Changes,
  { extra, replacesExtra = false }: ChangeOptions,
): string | null {
  const known = extraOf(stored) ?? null;
  if (!extra) {
    if (known === null || replacesExtra) return null;
    const taken = takenFrom(kind, changes, {});
    return taken.length === 0 ? known : textWithout(JSON.parse(known) as Extra, taken);
  }
  if (!replacesExtra) return textWithout(mergedExtra(stored, extra), takenFrom(kind, changes, extra));
  return storedText(known === null ? extra : withSecretsOf(kind, JSON.parse(known) as Extra, extra));
}

/** The paths of unknown members whose places changed fields take: they would come back when the field is cleared. */
function takenFrom(kind: Kind, changes: Changes, extra: Extra): readonly (readonly string[])[] {
  const taken = kind.fields.filter(
    ({ name, claims, pathKeys }) => claims && changes.has(name) && !hasMember(extra, pathKeys),
  );
  return taken.map(({ pathKeys }) => pathKeys);
}

/** The members to store without those at some paths, as text; null if none is left. */
function textWithout(extra: Extra, paths: readonly (readonly string[])[]): string | null {
  const left = paths.reduce(withoutMember, extra);
  return Object.keys(left).length === 0 ? null : storedText(left);
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
 * Returns the result of `work` for each resource. Throws a DomainError with the refs of the first resources for which
 * `work` throws one.
 */
function inEach<R>(resources: readonly Resource[], work: (resource: Resource) => R): readonly R[] {
  const failures: DomainError[] = [];
  const results: R[] = [];
  for (const resource of resources) {
    try {
      results.push(inEntry(resource.ref, () => work(resource)));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (failures.push(error) === MAX_NAMED) break;
    }
  }
  const [first] = failures;
  if (!first) return results;
  const message = failures.map((each) => each.message).join('; ');
  const issues = failures.flatMap((each) => each.issues);
  throw Object.assign(new DomainError(first.code, first.status, message, issues), { entry: first.entry });
}
