import { places, type OwnTransaction, type SqlValue } from '../database/sql';
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
    // Last in the transaction: a change that depends on another one gets a higher id, because its transaction waits for
    // the locks of the other.
    transaction.beforeCommit(() => write(transaction, runs));
  }
  const last = runs.at(-1);
  if (last?.kind === kind && last.event === event) last.refs.push(ref);
  else runs.push({ kind, event, refs: [ref] });
}

// The numbers of rows per INSERT. Up to SMALL rows are one statement, and larger sets use a few fixed sizes, so that
// few statements are prepared.
const BATCHES = [2000, 200];
const SMALL = 64;

/**
 * Stores the changes. A database that runs one writing transaction at a time numbers them here, in commit order.
 * Otherwise, the sequencer numbers them after the commit. Numbering them here would lock the row of `change_head` until
 * the commit, and all other writers would wait for the lock.
 */
async function write(transaction: OwnTransaction, runs: readonly Run[]): Promise<void> {
  // As strings: the MySQL client takes several times longer to send numbers.
  const at = String(Date.now());
  const rows = runs.flatMap(({ kind, event, refs }) => refs.map((ref): readonly SqlValue[] => [at, kind, ref, event]));
  if (!transaction.isSerial) {
    await insert(transaction, 'unnumbered_changes (at, kind, ref, did)', rows);
    return;
  }
  const reserve = 'UPDATE change_head SET last = last + ? WHERE id = 1 RETURNING last';
  const [head] = await transaction.rows(reserve, [rows.length]);
  const first = Number(head?.[0]) - rows.length + 1;
  const numbered = rows.map((row, index) => [first + index, ...row]);
  await insert(transaction, 'changes (id, at, kind, ref, did)', numbered);
}

async function insert(
  transaction: OwnTransaction,
  into: string,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  for (let done = 0; done < rows.length;) {
    const left = rows.length - done;
    const size = BATCHES.find((each) => each <= left) ?? Math.min(left, SMALL);
    const batch = rows.slice(done, done + size);
    const row = `(${places(batch[0]?.length ?? 0)})`;
    await transaction.run(`INSERT INTO ${into} VALUES ${batch.map(() => row).join(', ')}`, batch.flat());
    done += size;
  }
}
