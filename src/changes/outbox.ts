import type { OwnTransaction, SqlValue } from '../database/sql';
import type { ChangeSubject } from './change';

/** Changes of one sort that follow each other; an import of a million numbers is one of these. */
interface Run {
  readonly kind: ChangeSubject;
  readonly did: string;
  readonly refs: string[];
}

const noted = new WeakMap<OwnTransaction, Run[]>();

/** Puts a change into the outbox, with the transaction that makes it: both happen, or neither. */
export function noteChange(transaction: OwnTransaction, kind: ChangeSubject, ref: string, did: string): void {
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

// Few sizes, so that there are few statements to prepare; a statement takes 32,766 values at most.
const BATCHES = [2000, 200, 20, 1];

/** All ids are taken at once: as long as this lasts nobody else writes. */
async function write(transaction: OwnTransaction, runs: readonly Run[]): Promise<void> {
  // Numbers as text: they cost MySQL's client several times what text does.
  const at = String(Date.now());
  const rows = runs.flatMap(({ kind, did, refs }) => refs.map((ref): readonly SqlValue[] => [at, kind, ref, did]));
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
