import { failureOf } from '../database/errors';
import { readsWithin, type OwnTransaction } from '../database/sql';
import { DomainError } from '../errors';
import type { Kind, Resource } from '../model/kind';
import { insertAll, type Creation } from './creation';
import { deleteByRef } from './delete';
import type { Changes } from './input';
import { hasLists } from './reference-lists';
import { ResourceReader } from './resource-reader';
import type { Selection } from './selection';
import { change, lock, type ChangeOptions } from './write';
import { fromWritten } from './written';

/** A validated write, and what to return of the resource. */
export type Write =
  | (Target & { readonly type: 'create'; readonly creation: Creation; readonly selection: Selection })
  | (Target & {
      readonly type: 'update';
      readonly changes: Changes;
      readonly options: ChangeOptions;
      readonly selection: Selection;
    })
  | (Target & { readonly type: 'delete' });

interface Target {
  readonly kind: Kind;
  readonly ref: string;
}

type Create = Extract<Write, { type: 'create' }>;
type Result = PromiseSettledResult<Resource>;

/**
 * Runs writes in the given order, except that creates between two other writes run together: those of a kind share statements,
 * and the kinds follow the reference order. Returns the resource of each write, as of its place in the order, or the error of a
 * write that failed and changed nothing. Throws if the transaction cannot continue.
 */
export async function runWrites(
  transaction: OwnTransaction,
  kinds: readonly Kind[],
  writes: readonly Write[],
): Promise<readonly Result[]> {
  const results = new Map<Write, Result>();
  for (const write of writes) if (write.type !== 'create') await lock(transaction, write.kind, write.ref);
  let creates: Create[] = [];
  const create = async (): Promise<void> => {
    for (const kind of kinds) {
      const ofKind = creates.filter((each) => each.kind === kind);
      if (ofKind.length > 0) await runCreates(transaction, kind, ofKind, results);
    }
    creates = [];
  };
  for (const write of writes) {
    if (write.type === 'create') {
      creates.push(write);
      continue;
    }
    await create();
    const work = async (): Promise<Resource> =>
      write.type === 'update' ? runUpdate(transaction, write) : runDelete(transaction, write);
    // Other writes change rows with one statement, which changes nothing if it fails.
    const isPartial = write.type === 'update' && hasLists(write.kind) && writes.length > 1;
    results.set(write, await settled(isPartial ? transaction.undoable(work) : work()));
  }
  await create();
  return writes.map(
    (write) => results.get(write) ?? { status: 'rejected', reason: new Error('The write did not run') },
  );
}

async function runCreates(
  transaction: OwnTransaction,
  kind: Kind,
  creates: readonly Create[],
  results: Map<Write, Result>,
): Promise<void> {
  const creations = creates.map(({ creation }) => creation);
  const failures = await insertAll(transaction, kind, creations);
  const toRead = new Map<Selection, Map<string, Create>>();
  for (const write of creates) {
    const { creation, selection } = write;
    if (failures.has(creation)) {
      results.set(write, { status: 'rejected', reason: failures.get(creation) });
      continue;
    }
    const value = fromWritten(kind, selection, creation);
    if (value) results.set(write, { status: 'fulfilled', value });
    else toRead.set(selection, (toRead.get(selection) ?? new Map<string, Create>()).set(creation.ref, write));
  }
  for (const [selection, byRef] of toRead) {
    const found = await new ResourceReader(readsWithin(transaction)).some(kind, [...byRef.keys()], selection);
    for (const value of found) {
      const write = byRef.get(value.ref);
      if (write) results.set(write, { status: 'fulfilled', value });
    }
  }
}

async function runUpdate(
  transaction: OwnTransaction,
  { kind, ref, changes, options, selection }: Extract<Write, { type: 'update' }>,
): Promise<Resource> {
  const changed = await change(transaction, kind, ref, changes, options);
  return (
    fromWritten(kind, selection, changed) ?? new ResourceReader(readsWithin(transaction)).get(kind, ref, selection)
  );
}

async function runDelete(transaction: OwnTransaction, { kind, ref }: Target): Promise<Resource> {
  await deleteByRef(transaction, kind, ref);
  return Object.assign(new kind.class(), { ref });
}

/** The result of a write. Throws an error that is not of this write alone, such as a deadlock. */
async function settled(work: Promise<Resource>): Promise<Result> {
  try {
    return { status: 'fulfilled', value: await work };
  } catch (reason) {
    if (!isOwn(reason)) throw reason;
    return { status: 'rejected', reason };
  }
}

function isOwn(error: unknown): boolean {
  return error instanceof DomainError || ['duplicate', 'missing-reference'].includes(failureOf(error).type);
}
