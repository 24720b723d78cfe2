import type { Actor } from '../../changes/actor';
import type { Details } from '../../changes/details';
import { failureOf } from '../../database/errors';
import { readsWithin, type OwnTransaction } from '../../database/sql';
import {
  ConflictError,
  DependentObjectsError,
  DomainError,
  NotFoundError,
  UnfulfilledDependencyError,
} from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import { hasLists } from '../lists/reference-lists';
import { ResourceReader } from '../read/resource-reader';
import { valuesOf } from '../read/row';
import { REF_ONLY, type Selection } from '../read/selection';
import {
  changeEach,
  changeOne,
  editOf,
  lockResources,
  storedByRef,
  unpark,
  type Change,
  type Changed,
  type ChangeOptions,
  type Edit,
  type PlannedEdit,
} from './change';
import { parkedText, writeKeys } from './conflict';
import { insertAll, noteCreation, type Created, type Creation, type NewResource, type Parked } from './creation';
import { deleteAll } from './delete';
import { stateOf, type WholeState } from './entry-details';
import { AlreadyCreatedError, removeKey, storeKey, type IdempotencyKey } from './idempotency-key';
import { newValues } from './input';
import type { Later, LaterWrites, Target } from './later-writes';
import { newRef } from './new-ref';
import { mayOverlap, RangeTakenError } from './number-ranges';
import { resolveAll } from './references';
import { assertUnchangedSince, laterChanges } from './unchanged';
import { fromWritten, type Written } from './written';

/** A validated write, and the selection of the resource to return. */
export type Write = Create | Update | Delete;

/** Creates a resource. */
export interface Create extends Target, Creation {
  readonly type: 'create';
  readonly key?: IdempotencyKey | undefined;
  readonly selection: Selection;
}

/** Changes a resource. */
export interface Update extends Target, Change {
  readonly type: 'update';
  readonly selection: Selection;
}

interface Delete extends Target {
  readonly type: 'delete';
  readonly actor: Actor;
  readonly options?: Pick<ChangeOptions, 'ifUnchangedSince'>;
}

type Result = PromiseSettledResult<Resource>;
type Results = Map<Write, Result>;

/** How writes run. */
export interface RunOptions {
  /**
   * Receives what a successful write did; undefined if the resource already had these values. If it throws a
   * DomainError, that is the error of the write.
   */
  readonly report?: ((write: Write, details: Details | undefined) => void) | undefined;
  /**
   * The caller rolls all writes back if one fails, so what a write did before it failed is not undone. By default, of a
   * single write.
   */
  readonly isWhole?: boolean;
  /** Receives the creates and updates with unique values or ranges that others have. By default, such a write fails. */
  readonly later?: LaterWrites | undefined;
}

/** What the write of a create may have besides the resource. */
interface CreateOptions {
  /** By default, that in the input, or else a generated one. */
  readonly ref?: string | undefined;
  readonly key?: Create['key'];
  readonly selection?: Selection;
}

/** Returns the write that creates a resource now. */
export function createOf(
  kind: Kind,
  { given, values, extra }: NewResource,
  actor: Actor,
  { ref = given ?? newRef(kind), key, selection = REF_ONLY }: CreateOptions = {},
): Create {
  const now = Date.now();
  const hasNewRef = given === undefined;
  return {
    type: 'create',
    kind,
    ref,
    values,
    extra,
    createdOn: now,
    modifiedOn: now,
    actor,
    hasNewRef,
    key,
    selection,
  };
}

/** Locks the resources of some kinds until the transaction ends (see `lockResources`). */
export async function lockTargets(
  transaction: OwnTransaction,
  kinds: readonly Kind[],
  targets: readonly Target[],
): Promise<void> {
  for (const kind of kinds) {
    const refs = targets.filter((each) => each.kind === kind).map(({ ref }) => ref);
    await lockResources(transaction, kind, refs);
  }
}

/** Runs a write. The transaction must have locked the resource. Returns what the write did, and throws its error. */
export async function runWrite(
  transaction: OwnTransaction,
  write: Write,
  options: Pick<RunOptions, 'later' | 'isWhole'>,
): Promise<Details | undefined> {
  let done: Details | undefined;
  const report = (_: Write, details: Details | undefined): void => void (done = details);
  const [result] = await runWrites(transaction, [write.kind], [write], { report, ...options });
  if (result?.status === 'rejected') throw result.reason;
  return done;
}

/**
 * Runs writes in the given order, except that consecutive creates follow the reference order of their kinds.
 * Consecutive writes of a kind share statements. The transaction must have locked what they update and delete. Returns
 * the resource of each write, in the state that the write left, or the error of the write. A write that failed has changed
 * nothing. Throws if the transaction cannot continue.
 */
export async function runWrites(
  transaction: OwnTransaction,
  kinds: readonly Kind[],
  writes: readonly Write[],
  { report, isWhole = writes.length === 1, later }: RunOptions = {},
): Promise<readonly Result[]> {
  const results: Results = new Map();
  for (const run of runsOf(writes)) {
    for (const kind of kinds) {
      const ofKind = run.filter((each) => each.kind === kind);
      if (ofKind.length === 0) continue;
      const creates = ofKind.filter((write) => write.type === 'create');
      const updates = ofKind.filter((write) => write.type === 'update');
      const deletes = ofKind.filter((write) => write.type === 'delete');
      if (creates.length > 0) await runCreates(transaction, kind, creates, results, { report, later });
      if (updates.length > 0) await runUpdates(transaction, kind, updates, results, { report, isWhole, later });
      if (deletes.length > 0) await runDeletes(transaction, kind, deletes, results, { report, later });
    }
  }
  return writes.map((write) => results.get(write) ?? rejected(new Error('The write did not run')));
}

/**
 * Splits writes into runs that can share statements: creates, updates of different resources of a kind, or deletes of a
 * kind.
 */
function* runsOf(writes: readonly Write[]): Generator<readonly Write[], void, undefined> {
  let run: Write[] = [];
  for (const write of writes) {
    const joins = run.every(
      ({ type, kind, ref }) =>
        type === write.type && (type === 'create' || (kind === write.kind && (type === 'delete' || ref !== write.ref))),
    );
    if (!joins) {
      yield run;
      run = [];
    }
    run.push(write);
  }
  yield run;
}

/** Runs creates of a kind, and adds the result of each to `results`. The key of a create that fails is not stored. */
async function runCreates(
  transaction: OwnTransaction,
  kind: Kind,
  creates: readonly Create[],
  results: Results,
  { report, later }: RunOptions,
): Promise<void> {
  for (const create of creates) {
    const { key, ref } = create;
    if (!later && !key) continue;
    await attempt(create, results, async () => {
      await later?.values.finishNamed(kind, [create.values]);
      if (key) await storeKey(transaction, key, [ref]);
    });
  }
  const left = creates.filter((create) => !results.has(create));
  const selections = new Map(left.flatMap(({ selection }) => [...selection.links]));
  const { failures, linked } = await insertNowOrLater(transaction, kind, left, selections, later);
  const written = new Map<Create, Written>();
  for (const create of left) {
    if (!failures.has(create)) {
      written.set(create, { ...create, links: { selections, targets: linked.get(create) ?? new Map() } });
      report?.(create, { after: stateOf(kind, create) });
      if (kind.ranges && later?.ranges.hasBegun) later.ranges.add(create);
      continue;
    }
    results.set(create, rejected(failures.get(create)));
    if (create.key) await removeKey(transaction, create.key);
  }
  await answer(kind, written, results, (refs, selection) => createdByRef(transaction, kind, refs, selection));
}

/** Inserts resources of a kind. Those that others are in the way of are completed by `later`. */
async function insertNowOrLater(
  transaction: OwnTransaction,
  kind: Kind,
  creates: readonly Create[],
  links: Selection['links'],
  later: RunOptions['later'],
): Promise<Pick<Created, 'failures' | 'linked'>> {
  const made = await insertAll(transaction, kind, creates, { links });
  const failures = new Map(made.failures);
  const linked = new Map(made.linked);
  // Later writes may move the ranges that are in the way.
  const taken = creates.filter((create) => failures.get(create) instanceof RangeTakenError);
  if (later && taken.length > 0) {
    const again = await insertAll(transaction, kind, taken, { links, checksRangesLater: true });
    for (const create of taken) {
      later.ranges.add(create);
      failures.delete(create);
    }
    for (const [creation, error] of again.failures) failures.set(creation, error);
    for (const [creation, targets] of again.linked) linked.set(creation, targets);
  }
  // Later writes may make the unique values free.
  const waiting = creates.filter((create) => isKeyTaken(failures.get(create)));
  if (later && waiting.length > 0) {
    const how = { links, checksRangesLater: kind.ranges !== undefined, isParked: true };
    const again = await insertAll(transaction, kind, waiting, how);
    for (const create of waiting) {
      const parked = again.parked.get(create);
      if (!parked) continue;
      later.values.add(laterCreate(transaction, create, parked));
      if (kind.ranges) later.ranges.add(create);
      failures.delete(create);
      linked.set(create, again.linked.get(create) ?? new Map());
    }
  }
  return { failures, linked };
}

/** Whether a write failed because others have the unique values of its resource, apart from its ref. */
function isKeyTaken(error: unknown): boolean {
  if (!(error instanceof ConflictError) || error instanceof RangeTakenError) return false;
  return error.issues.some(({ field }) => field !== 'ref');
}

/**
 * A create whose unique values are not written yet. It is noted once they are: a revert, which begins with the last change, thus makes
 * them free before it restores a resource that had them. If another resource refers to the created one before that, it is noted then,
 * because a revert must delete the other one first.
 */
function laterCreate(transaction: OwnTransaction, create: Create, { rowId, text }: Parked): Later {
  const { kind, values, undoes } = create;
  let isNoted = false;
  const note = (): void => {
    if (!isNoted) noteCreation(transaction, kind, create);
    isNoted = true;
  };
  const finish = async (): Promise<void> => {
    await writeKeys(transaction, kind, rowId, create);
    note();
  };
  return { write: create, values, parked: text, undoes, onReference: note, finish };
}

/** Runs updates of different resources of a kind, and adds the result of each to `results`. */
async function runUpdates(
  transaction: OwnTransaction,
  kind: Kind,
  updates: readonly Update[],
  results: Results,
  options: RunOptions,
): Promise<void> {
  const { report, later } = options;
  await finishAll(updates, results, later);
  const planned = await planUpdates(transaction, kind, updates, results, later);
  const together = later ? await writeTogether(transaction, kind, planned, later) : undefined;
  const written = new Map<Update, Written>();
  for (const [update, plan] of planned) {
    await attempt(update, results, async () => {
      const changed = together?.get(update) ?? (await writeAlone(transaction, update, plan, options));
      report?.(update, changed.details);
      written.set(update, changed);
    });
  }
  const reader = new ResourceReader(readsWithin(transaction));
  await answer(kind, written, results, (refs, selection) => reader.some(kind, refs, selection));
}

/** Returns the updates that can be written, after a fixed number of reads. Adds the errors of the others to `results`. */
async function planUpdates(
  transaction: OwnTransaction,
  kind: Kind,
  updates: readonly Update[],
  results: Results,
  later: RunOptions['later'],
): Promise<ReadonlyMap<Update, PlannedEdit>> {
  const refs = updates.map(({ ref }) => ref);
  const byRef = await storedByRef(transaction, kind, refs);
  const changedOn = await laterChanges(transaction, kind, updates, byRef);
  later?.values.rename(kind, byRef.values());
  for (const update of later ? updates : []) {
    const { changes, ref } = update;
    const stored = byRef.get(ref);
    const changed = [...(stored ? valuesOf(kind, stored) : [])].filter(([name]) => changes.has(name));
    await attempt(update, results, async () => later?.values.finishNamed(kind, [changes, new Map(changed)]));
  }
  const values = updates.map(({ ref, changes }) => newValues(byRef.has(ref) ? changes : new Map()));
  const found = await resolveAll(transaction, kind, values);
  const planned = new Map<Update, PlannedEdit>();
  for (const [index, update] of updates.entries()) {
    if (results.has(update)) continue;
    await attempt(update, results, () => {
      const edit = editOf(kind, storedFor(update, byRef, changedOn), update);
      const { ids = new Map(), issues = [] } = found[index] ?? {};
      if (issues.length > 0) throw new UnfulfilledDependencyError(issues);
      planned.set(update, { edit, change: update, targets: ids });
    });
  }
  return planned;
}

/** Writes an update, or a part of it that `later` completes. */
async function writeAlone(
  transaction: OwnTransaction,
  update: Update,
  planned: PlannedEdit,
  { isWhole, later }: RunOptions,
): Promise<Changed> {
  const { kind, actor, options } = update;
  const { edit } = planned;
  const ranges = mayOverlap(kind, update.changes) ? later?.ranges : undefined;
  try {
    const checksRangesLater = ranges?.hasBegun === true;
    if (checksRangesLater) ranges.add(update);
    const write = () => changeOne(transaction, kind, checkingRanges(planned, checksRangesLater));
    // Any other update is a single statement, which changes nothing if it fails.
    const isPartial =
      ranges !== undefined || (isWhole !== true && (hasLists(kind) || mayOverlap(kind, update.changes)));
    return await (isPartial && edit.isChanged ? transaction.undoable(write) : write());
  } catch (error) {
    // The first attempt may have written a part, so both of the following begin at a savepoint.
    if (error instanceof RangeTakenError && ranges) {
      ranges.add(update);
      return transaction.undoable(() => changeOne(transaction, kind, checkingRanges(planned, true)));
    }
    if (!later || !(error instanceof ConflictError) || error instanceof RangeTakenError) throw error;
    ranges?.add(update);
    const rest = checkingRanges(planned, ranges !== undefined);
    const parked = await transaction.undoable(() => changeOne(transaction, kind, rest, true));
    later.values.add({
      ...{ write: update, values: edit.after.values, parked: parkedText(edit.rowId), undoes: options?.undoes },
      finish: () => unpark(transaction, kind, edit, actor, parked),
    });
    return parked;
  }
}

/** The same edit, whose ranges are checked when it is written, or later. */
function checkingRanges({ change, ...planned }: PlannedEdit, checksRangesLater: boolean): PlannedEdit {
  return { ...planned, change: { ...change, options: { ...change.options, checksRangesLater } } };
}

/**
 * Writes updates of different resources of a kind with statements that they share. Returns what was written: nothing if one of them
 * fails, or takes over a unique value of another, so that each must be written alone.
 */
async function writeTogether(
  transaction: OwnTransaction,
  kind: Kind,
  planned: ReadonlyMap<Update, PlannedEdit>,
  { ranges }: LaterWrites,
): Promise<ReadonlyMap<Update, Changed> | undefined> {
  const changed = [...planned].filter(([, { edit }]) => edit.isChanged);
  const edits = changed.map(([, { edit }]) => edit);
  if (edits.length < 2 || takesOver(kind, edits)) return undefined;
  const checksRangesLater = ranges.hasBegun;
  try {
    const done = await changeEach(
      transaction,
      kind,
      changed.map(([, each]) => checkingRanges(each, checksRangesLater)),
    );
    if (checksRangesLater) for (const [update] of changed) if (mayOverlap(kind, update.changes)) ranges.add(update);
    return new Map(changed.flatMap(([update], index) => (done[index] ? [[update, done[index]]] : [])));
  } catch (error) {
    if (isOfWrite(error)) return undefined;
    throw error;
  }
}

/** Whether one of these edits gives its resource a natural key that another one of these resources had. */
function takesOver({ unique }: Kind, edits: readonly Edit[]): boolean {
  return unique.some(({ fields }) => {
    // A resource has a key for each entry of a list. Without a port, a gateway has a key, too.
    const keysOf = ({ values }: WholeState): readonly string[] =>
      fields.reduce<readonly string[]>(
        (keys, name) =>
          [values.get(name) ?? '']
            .flat()
            .flatMap((value) => keys.map((key) => `${key}\n${JSON.stringify(value).toLowerCase()}`)),
        [''],
      );
    const owners = new Map(edits.flatMap((edit) => keysOf(edit.before).map((key) => [key, edit] as const)));
    return edits.some((edit) => keysOf(edit.after).some((key) => (owners.get(key) ?? edit) !== edit));
  });
}

/** Runs deletes of a kind, and adds the result of each to `results`. */
async function runDeletes(
  transaction: OwnTransaction,
  kind: Kind,
  deletes: readonly Delete[],
  results: Results,
  { report, later }: RunOptions,
): Promise<void> {
  await finishAll(deletes, results, later);
  const refs = deletes.map(({ ref }) => ref);
  const byRef = await storedByRef(transaction, kind, refs);
  const changedOn = await laterChanges(transaction, kind, deletes, byRef);
  later?.values.rename(kind, byRef.values());
  const found = new Map<Delete, Resource>();
  for (const write of deletes) {
    if (results.has(write)) continue;
    await attempt(write, results, async () => {
      const stored = storedFor(write, byRef, changedOn);
      if (later) await later.values.finishNamed(kind, [valuesOf(kind, stored)]);
      byRef.delete(write.ref);
      found.set(write, stored);
    });
  }
  const together = later ? await deleteTogether(transaction, kind, found) : undefined;
  for (const [write, stored] of found)
    await attempt(write, results, async () => {
      const { ref } = write;
      const details = together?.get(ref) ?? (await deleteAll(transaction, kind, [stored], write))[0]?.details;
      report?.(write, details);
      results.set(write, { status: 'fulfilled', value: Object.assign(new kind.class(), { ref }) });
    });
}

/** Deletes resources with one statement. Returns what was deleted, by ref: nothing if others refer to one of them. */
async function deleteTogether(
  transaction: OwnTransaction,
  kind: Kind,
  found: ReadonlyMap<Delete, Resource>,
): Promise<ReadonlyMap<string, Details> | undefined> {
  const [first, ...others] = found.keys();
  if (!first || others.length === 0 || others.some(({ actor }) => actor !== first.actor)) return undefined;
  try {
    const deleted = await deleteAll(transaction, kind, [...found.values()], first);
    return new Map(deleted.map(({ ref, details }) => [ref, details]));
  } catch (error) {
    if (error instanceof DependentObjectsError) return undefined;
    throw error;
  }
}

/** Writes the unique values of resources that are changed again. A write of one whose values others have fails. */
async function finishAll(writes: readonly Write[], results: Results, later: RunOptions['later']): Promise<void> {
  for (const write of later ? writes : []) await attempt(write, results, async () => later?.values.finish(write));
}

/** The stored resource that a write is about. Throws NotFoundError and the errors of `assertUnchangedSince`. */
function storedFor(
  { kind, ref, options }: Update | Delete,
  byRef: ReadonlyMap<string, Resource>,
  changedOn: ReadonlyMap<string, number>,
): Resource {
  const stored = byRef.get(ref);
  if (!stored) throw new NotFoundError(kind.name, ref);
  assertUnchangedSince(kind, stored, options?.ifUnchangedSince, changedOn.get(ref));
  return stored;
}

/** Runs a write, and adds its error to `results` if it fails. */
async function attempt(write: Write, results: Results, work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    results.set(write, failureIn(error));
  }
}

/**
 * Adds the results of successful writes of different resources of a kind: from what was written if that is enough for
 * the selection, or else with one read for each selection.
 */
async function answer(
  kind: Kind,
  written: ReadonlyMap<Create | Update, Written>,
  results: Results,
  read: (refs: readonly string[], selection: Selection) => Promise<readonly Resource[]>,
): Promise<void> {
  const unanswered = new Map<Selection, Map<string, Write>>();
  for (const [write, state] of written) {
    const { ref, selection } = write;
    const value = fromWritten(kind, selection, state);
    if (value) results.set(write, { status: 'fulfilled', value });
    else unanswered.set(selection, (unanswered.get(selection) ?? new Map<string, Write>()).set(ref, write));
  }
  for (const [selection, byRef] of unanswered) {
    for (const value of await read([...byRef.keys()], selection)) {
      const write = byRef.get(value.ref);
      if (write) results.set(write, { status: 'fulfilled', value });
    }
  }
}

/**
 * Reads resources that the transaction has created. If it waited for the end of one that had the same ref, it still sees that one, too:
 * only a read that locks tells which row is there now.
 */
async function createdByRef(
  transaction: OwnTransaction,
  kind: Kind,
  refs: readonly string[],
  selection: Selection,
): Promise<readonly Resource[]> {
  const reader = new ResourceReader(readsWithin(transaction));
  if (transaction.isSerial) return reader.some(kind, refs, selection);
  const rowIds = await lockResources(transaction, kind, refs);
  return [...(await reader.byRowIds(kind, rowIds, selection)).values()];
}

/** Returns the result of a failed write. Throws the error if it concerns the whole transaction. */
function failureIn(error: unknown): Result {
  if (isOfWrite(error)) return rejected(error);
  throw error;
}

/** Whether an error concerns a write, and not the whole transaction, as a deadlock does. */
function isOfWrite(error: unknown): boolean {
  const isOwn = error instanceof DomainError || error instanceof AlreadyCreatedError;
  return isOwn || ['duplicate', 'missing-reference'].includes(failureOf(error).type);
}

function rejected(reason: unknown): Result {
  return { status: 'rejected', reason };
}
