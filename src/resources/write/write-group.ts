import type { Actor } from '../../changes/actor';
import type { Details } from '../../changes/details';
import { failureOf } from '../../database/errors';
import { readsWithin, type OwnTransaction } from '../../database/sql';
import { DomainError, NotFoundError } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import { hasLists } from '../lists/reference-lists';
import { ResourceReader } from '../read/resource-reader';
import type { Selection } from '../read/selection';
import { lockResources, prepareChanges, storedByRef, type Change, type ChangeOptions } from './change';
import { insertAll, type Creation } from './creation';
import { deleteAll } from './delete';
import { stateOf } from './entry-details';
import { AlreadyCreatedError, removeKey, storeKey, type IdempotencyKey } from './idempotency-key';
import { mayOverlap } from './number-ranges';
import { assertUnchangedSince } from './unchanged';
import { fromWritten, type Written } from './written';

/** A validated write, and the selection of the resource to return. */
export type Write = Create | Update | Delete;

interface Target {
  readonly kind: Kind;
  readonly ref: string;
}

interface Create extends Target {
  readonly type: 'create';
  readonly creation: Creation;
  readonly key?: IdempotencyKey | undefined;
  readonly selection: Selection;
}

interface Update extends Target, Change {
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

/** Receives what a successful write did; undefined if the resource already had these values. */
export type Report = (write: Write, details: Details | undefined) => void;

/**
 * Runs writes in the given order, except that consecutive creates follow the reference order of their kinds.
 * Consecutive writes of a kind share statements. Returns the resource of each write, in the state that the write left,
 * or the error of the write. A write that failed has changed nothing. Throws if the transaction cannot continue. `report`
 * is called for each successful write; if it throws a DomainError, that is the error of the write.
 */
export async function runWrites(
  transaction: OwnTransaction,
  kinds: readonly Kind[],
  writes: readonly Write[],
  report?: Report,
): Promise<readonly Result[]> {
  const results: Results = new Map();
  const locked = writes.filter((write) => write.type !== 'create');
  for (const kind of kinds) {
    const refs = locked.filter((each) => each.kind === kind).map(({ ref }) => ref);
    await lockResources(transaction, kind, [...new Set(refs)]);
  }
  for (const run of runsOf(writes)) {
    for (const kind of kinds) {
      const ofKind = run.filter((each) => each.kind === kind);
      if (ofKind.length === 0) continue;
      const creates = ofKind.filter((write) => write.type === 'create');
      const updates = ofKind.filter((write) => write.type === 'update');
      const deletes = ofKind.filter((write) => write.type === 'delete');
      if (creates.length > 0) await runCreates(transaction, kind, creates, results, report);
      // A single update needs no savepoint, because its failure rolls back the transaction.
      if (updates.length > 0) await runUpdates(transaction, kind, updates, results, writes.length > 1, report);
      if (deletes.length > 0) await runDeletes(transaction, kind, deletes, results, report);
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
  report?: Report,
): Promise<void> {
  for (const create of creates) {
    const { key, ref } = create;
    if (key)
      await storeKey(transaction, key, [ref]).catch((error: unknown) => {
        results.set(create, failureIn(error));
      });
  }
  const left = creates.filter((create) => !results.has(create));
  const selections = new Map(left.flatMap(({ selection }) => [...selection.links]));
  const creations = left.map(({ creation }) => creation);
  const { failures, linked } = await insertAll(transaction, kind, creations, selections);
  const written = new Map<Create, Written>();
  for (const create of left) {
    const { creation, key } = create;
    if (!failures.has(creation)) {
      written.set(create, { ...creation, links: { selections, targets: linked.get(creation) ?? new Map() } });
      report?.(create, { after: stateOf(kind, creation) });
      continue;
    }
    results.set(create, rejected(failures.get(creation)));
    if (key) await removeKey(transaction, key);
  }
  await answer(transaction, kind, written, results);
}

/**
 * Runs updates of different resources of a kind, and adds the result of each to `results`. `isShared` tells whether
 * other writes share the transaction.
 */
async function runUpdates(
  transaction: OwnTransaction,
  kind: Kind,
  updates: readonly Update[],
  results: Results,
  isShared: boolean,
  report?: Report,
): Promise<void> {
  // Any other update is a single statement, which changes nothing if it fails.
  const isPartial = ({ changes: made }: Update): boolean => isShared && (hasLists(kind) || mayOverlap(kind, made));
  const changes = await prepareChanges(transaction, kind, updates);
  const written = new Map<Update, Written>();
  for (const [index, update] of updates.entries()) {
    const change = changes[index];
    if (!change) continue;
    try {
      const changed = await (isPartial(update) ? transaction.undoable(change) : change());
      written.set(update, changed);
      report?.(update, changed.details);
    } catch (error) {
      results.set(update, failureIn(error));
    }
  }
  await answer(transaction, kind, written, results);
}

/** Runs deletes of a kind, and adds the result of each to `results`. The transaction must have locked the resources. */
async function runDeletes(
  transaction: OwnTransaction,
  kind: Kind,
  deletes: readonly Delete[],
  results: Results,
  report?: Report,
): Promise<void> {
  const refs = deletes.map(({ ref }) => ref);
  const byRef = await storedByRef(transaction, kind, refs);
  for (const write of deletes) {
    const { ref } = write;
    try {
      const stored = byRef.get(ref);
      if (!stored) throw new NotFoundError(kind.name, ref);
      assertUnchangedSince(kind, stored, write.options?.ifUnchangedSince);
      const [deleted] = await deleteAll(transaction, kind, [stored], write);
      byRef.delete(ref);
      report?.(write, deleted?.details);
      results.set(write, { status: 'fulfilled', value: Object.assign(new kind.class(), { ref }) });
    } catch (error) {
      results.set(write, failureIn(error));
    }
  }
}

/**
 * Adds the results of successful writes of different resources of a kind: from what was written if that is enough for
 * the selection, or else with one read for each selection.
 */
async function answer(
  transaction: OwnTransaction,
  kind: Kind,
  written: ReadonlyMap<Create | Update, Written>,
  results: Results,
): Promise<void> {
  const unanswered = new Map<Selection, Map<string, Write>>();
  for (const [write, state] of written) {
    const { ref, selection } = write;
    const value = fromWritten(kind, selection, state);
    if (value) results.set(write, { status: 'fulfilled', value });
    else unanswered.set(selection, (unanswered.get(selection) ?? new Map<string, Write>()).set(ref, write));
  }
  const reader = new ResourceReader(readsWithin(transaction));
  for (const [selection, byRef] of unanswered) {
    for (const value of await reader.some(kind, [...byRef.keys()], selection)) {
      const write = byRef.get(value.ref);
      if (write) results.set(write, { status: 'fulfilled', value });
    }
  }
}

/** Returns the result of a failed write. Throws the error if it concerns the whole transaction, such as a deadlock. */
function failureIn(error: unknown): Result {
  const isOwn = error instanceof DomainError || error instanceof AlreadyCreatedError;
  if (isOwn || ['duplicate', 'missing-reference'].includes(failureOf(error).type)) return rejected(error);
  throw error;
}

function rejected(reason: unknown): Result {
  return { status: 'rejected', reason };
}
