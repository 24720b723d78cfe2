import type { OwnTransaction, SqlValue } from '../database/sql';
import type { ChangeSubject } from './change';

/** Consecutive changes with the same kind and event: an import of a million numbers is one run. */
interface Run {
  readonly kind: ChangeSubject;
  readonly event: string;
  readonly refs: string[];
}

const noted = new WeakMap<OwnTransaction, Run[]>();

/** Adds a change to the outbox in the transaction that makes it, so that both are committed or neither. */
export function noteChange(transaction: OwnTransaction, kind: ChangeSubject, ref: string, event: string): void {
  const known = noted.get(transaction);
  const runs = known ?? [];
  if (!known) {
    noted.set(transaction, runs);
    // Last in the transaction: ids are assigned under a lock that is held until the commit. They therefore increase in commit
    // order, and a reader that continues after an id misses none.
    transaction.beforeCommit(() => write(transaction, runs));
  }
  const last = runs.at(-1);
  if (last?.kind === kind && last.event === event) last.refs.push(ref);
  else runs.push({ kind, event, refs: [ref] });
}

// Few sizes mean few statements to prepare. SQLite accepts at most 32,766 values in a statement.
const BATCHES = [2000, 200, 20, 1];

/** Reserves all ids with one statement. Its lock blocks other writers until the commit. */
async function write(transaction: OwnTransaction, runs: readonly Run[]): Promise<void> {
  // As strings: the MySQL client takes several times longer to send numbers.
  const at = String(Date.now());
  const rows = runs.flatMap(({ kind, event, refs }) => refs.map((ref): readonly SqlValue[] => [at, kind, ref, event]));
  const [only] = rows;
  await transaction.run('UPDATE change_head SET last = last + ? WHERE id = 1', [rows.length]);
  if (only && rows.length === 1) {
    await transaction.run(INSERT_ONE, only);
    return;
  }
  const [head] = await transaction.rows('SELECT last FROM change_head WHERE id = 1', []);
  const first = Number(head?.[0]) - rows.length + 1;
  for (let done = 0; done < rows.length;) {
    const size = BATCHES.find((each) => each <= rows.length - done) ?? 1;
    const batch = rows.slice(done, done + size);
    await transaction.run(
      insertOf(size),
      batch.flatMap((row, index) => [String(first + done + index), ...row]),
    );
    done += size;
  }
}

const INSERT = 'INSERT INTO changes (id, at, kind, ref, did)';
const INSERT_ONE = `${INSERT} SELECT last, ?, ?, ?, ? FROM change_head WHERE id = 1`;

function insertOf(size: number): string {
  return `${INSERT} VALUES ${Array.from({ length: size }, () => '(?, ?, ?, ?, ?)').join(', ')}`;
}
