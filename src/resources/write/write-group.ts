import type { OwnTransaction } from '../../database/sql';
import type { Kind } from '../../model/kind';
import { lockResources } from './change';
import { runCreates, runDeletes, runUpdates, type Result, type Results, type Write } from './write-runs';

/**
 * Runs writes in the given order, except that consecutive creates follow the reference order of their kinds.
 * Consecutive writes of a kind share statements. Returns the resource of each write, in the state that the write left,
 * or the error of the write. A write that failed has changed nothing. Throws if the transaction cannot continue.
 */
export async function runWrites(
  transaction: OwnTransaction,
  kinds: readonly Kind[],
  writes: readonly Write[],
): Promise<readonly Result[]> {
  const results: Results = new Map();
  const locked = writes.filter((write) => write.type !== 'create');
  for (const kind of kinds) {
    const refs = locked.filter((each) => each.kind === kind).map(({ ref }) => ref);
    await lockResources(transaction, kind, [...new Set(refs)]);
  }
  for (const run of runsOf(writes)) {
    const creates = run.filter((write) => write.type === 'create');
    for (const kind of kinds) {
      const ofKind = creates.filter((each) => each.kind === kind);
      if (ofKind.length > 0) await runCreates(transaction, kind, ofKind, results);
    }
    const updates = run.filter((write) => write.type === 'update');
    // A single update needs no savepoint, because its failure rolls back the transaction.
    await runUpdates(transaction, updates, results, writes.length > 1);
    const deletes = run.filter((write) => write.type === 'delete');
    const [first] = deletes;
    if (first) await runDeletes(transaction, first.kind, deletes, results);
  }
  return writes.map(
    (write) => results.get(write) ?? { status: 'rejected', reason: new Error('The write did not run') },
  );
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
