import type { OwnTransaction, SqlValue } from '../database/sql';
import type { Subject } from './change';

/** Changes of one sort that follow each other; an import of a million numbers is one of these. */
interface Run {
  readonly kind: Subject;
  readonly did: string;
  readonly refs: string[];
}

const noted = new WeakMap<OwnTransaction, Run[]>();

/** Puts a change into the outbox, with the transaction that makes it: both happen, or neither. */
export function noteChange(transaction: OwnTransaction, kind: Subject, ref: string, did: string): void {
  const known = noted.get(transaction);
  const runs = known ?? [];
  if (!known) {
    noted.set(transaction, runs);
    // Last of all, since the ids are given out under a lock that holds until the commit: they rise with the commits, and
    // who reads behind an id misses none.
    transaction.beforeCommit(() => write(transaction, runs));
  }
  const last = runs.at(-1);
  if (last?.kind === kind && last.did === did) last.refs.push(ref);
  else runs.push({ kind, did, refs: [ref] });
}

// Few sizes, so that there are few statements to prepare.
const BATCHES = [200, 20, 1];

async function write(transaction: OwnTransaction, runs: readonly Run[]): Promise<void> {
  const at = Date.now();
  const rows = runs.flatMap(({ kind, did, refs }) => refs.map((ref): readonly SqlValue[] => [at, kind, ref, did]));
  for (let done = 0; done < rows.length;) {
    const size = BATCHES.find((each) => each <= rows.length - done) ?? 1;
    const values = rows.slice(done, done + size).flat();
    await transaction.run(`UPDATE change_head SET last = last + ${String(size)} WHERE id = 1`, []);
    await transaction.run(insertOf(size), values);
    done += size;
  }
}

function insertOf(size: number): string {
  const row = (_: unknown, index: number): string =>
    `SELECT last - ${String(size - 1 - index)}, ?, ?, ?, ? FROM change_head WHERE id = 1`;
  return `INSERT INTO changes (id, at, kind, ref, did) ${Array.from({ length: size }, row).join(' UNION ALL ')}`;
}
