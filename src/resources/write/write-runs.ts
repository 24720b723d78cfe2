import type { Actor } from '../../changes/actor';
import { failureOf } from '../../database/errors';
import { readsWithin, type OwnTransaction } from '../../database/sql';
import { DomainError, KeyReusedError, NotFoundError } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import { hasLists } from '../lists/reference-lists';
import { ResourceReader } from '../read/resource-reader';
import { wholeOf, type Selection } from '../read/selection';
import { prepareChanges, type Change } from './change';
import { insertAll, type Created, type Creation } from './creation';
import { deleteStored } from './delete';
import type { IdempotencyKey } from './idempotency-key';
import { AlreadyCreatedError, removeKey, storeKey } from './idempotency-store';
import { isRef } from './input';
import type { LinkSelections } from './references';
import { fromWritten, type Written } from './written';

/** A validated write, and the selection of the resource to return. */
export type Write = Create | Update | Delete;

interface Target {
  readonly kind: Kind;
  readonly ref: string;
}

export interface Create extends Target, KeyedCreation {
  readonly type: 'create';
  readonly selection: Selection;
}

export interface Update extends Target, Change {
  readonly type: 'update';
  readonly selection: Selection;
}

export interface Delete extends Target {
  readonly type: 'delete';
  readonly actor: Actor;
}

export type Result = PromiseSettledResult<Resource>;
export type Results = Map<Write, Result>;

/** Runs creates of a kind, and adds the result of each to `results`. */
export async function runCreates(
  transaction: OwnTransaction,
  kind: Kind,
  creates: readonly Create[],
  results: Results,
): Promise<void> {
  const selections = new Map(creates.flatMap(({ selection }) => [...selection.links]));
  const { failures, linked } = await insertKeyed(transaction, kind, creates, selections);
  const written = new Map<Create, Written>();
  for (const create of creates) {
    const { creation } = create;
    if (failures.has(creation)) results.set(create, { status: 'rejected', reason: failures.get(creation) });
    else written.set(create, { ...creation, links: { selections, targets: linked.get(creation) ?? new Map() } });
  }
  await answer(transaction, kind, written, results);
}

/**
 * Runs updates of different resources of a kind, and adds the result of each to `results`. `isShared` tells whether
 * other writes share the transaction.
 */
export async function runUpdates(
  transaction: OwnTransaction,
  updates: readonly Update[],
  results: Results,
  isShared: boolean,
): Promise<void> {
  const [first] = updates;
  if (!first) return;
  const { kind } = first;
  // Any other update is a single statement, which changes nothing if it fails.
  const isPartial = isShared && hasLists(kind);
  const changes = await prepareChanges(transaction, kind, updates);
  const written = new Map<Update, Written>();
  for (const [index, change] of changes.entries()) {
    const update = updates[index] ?? first;
    try {
      written.set(update, await (isPartial ? transaction.undoable(change) : change()));
    } catch (reason) {
      results.set(update, reject(reason));
    }
  }
  await answer(transaction, kind, written, results);
}

/** Runs deletes of a kind, and adds the result of each to `results`. The transaction must have locked the resources. */
export async function runDeletes(
  transaction: OwnTransaction,
  kind: Kind,
  deletes: readonly Delete[],
  results: Results,
): Promise<void> {
  const refs = deletes.map(({ ref }) => ref).filter(isRef);
  const stored = await new ResourceReader(readsWithin(transaction)).some(kind, refs, wholeOf(kind));
  const byRef = new Map(stored.map((resource) => [resource.ref, resource]));
  for (const write of deletes) {
    const { ref, actor } = write;
    try {
      const found = byRef.get(ref);
      if (!found || !(await deleteStored(transaction, kind, found, actor))) throw new NotFoundError(kind.name, ref);
      results.set(write, { status: 'fulfilled', value: Object.assign(new kind.class(), { ref }) });
    } catch (reason) {
      results.set(write, reject(reason));
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
function reject(reason: unknown): Result {
  const isOwn = reason instanceof DomainError || ['duplicate', 'missing-reference'].includes(failureOf(reason).type);
  if (!isOwn) throw reason;
  return { status: 'rejected', reason };
}

/** A resource to create, and the idempotency key of the create, if there is one. */
interface KeyedCreation {
  readonly creation: Creation;
  readonly key?: IdempotencyKey | undefined;
}

/** Like `insertAll`, for creates that may have keys. The key of a create that fails is not stored. */
async function insertKeyed(
  transaction: OwnTransaction,
  kind: Kind,
  creates: readonly KeyedCreation[],
  links: LinkSelections,
): Promise<Created> {
  const failures = new Map<Creation, unknown>();
  for (const { key, creation } of creates) {
    if (key)
      await storeKey(transaction, key, [creation.ref]).catch((error: unknown) => {
        if (!(error instanceof AlreadyCreatedError || error instanceof KeyReusedError)) throw error;
        failures.set(creation, error);
      });
  }
  const left = creates.filter(({ creation }) => !failures.has(creation));
  if (left.length === 0) return { failures, linked: new Map() };
  const creations = left.map(({ creation }) => creation);
  const { failures: failed, linked } = await insertAll(transaction, kind, creations, links);
  for (const { key, creation } of left) if (key && failed.has(creation)) await removeKey(transaction, key);
  return { failures: failures.size === 0 ? failed : new Map([...failures, ...failed]), linked };
}
