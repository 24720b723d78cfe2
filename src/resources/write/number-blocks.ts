import { randomBytes } from 'node:crypto';

import type { Actor } from '../../changes/actor';
import { pad, places, type OwnTransaction } from '../../database/sql';
import { memoized } from '../../limits/memoized';
import { keyInside, type Digits } from '../../model/format/number-range';

/** Numbers of a block. A range of a million has a thousand blocks, and writers of other blocks do not wait for each other. */
const BLOCK = 1000;
/** The most blocks of ranges that a caller writes in a transaction. */
const MOST_BLOCKS = 10_000;
/** The most numbers of ranges that a caller writes in a transaction, if they begin with a block. */
export const MOST_GUARDED = MOST_BLOCKS * BLOCK;
const ROWS = 1000;

type Writer = Pick<Actor, 'owe'>;

/** The blocks that a transaction has written, and those of ranges by the caller. */
interface Written {
  readonly all: Set<string>;
  readonly ofRanges: WeakMap<Writer, ReadonlySet<string>>;
}

/** How many blocks a range has. */
export function blocksOf({ first, last }: Digits): number {
  return keyInside(first) === '' ? 0 : Number(blockOf(last) - blockOf(first)) + 1;
}

/**
 * Adds the blocks of ranges to those that their callers write in the transaction. Returns a range with which a caller has more than
 * MOST_GUARDED numbers, and then adds nothing.
 */
export function countBlocks<Range extends Digits & { readonly actor: Writer }>(
  transaction: OwnTransaction,
  ranges: readonly Range[],
): Range | undefined {
  const counts = new Map<Writer, Set<string>>();
  const { ofRanges } = writtenIn(transaction);
  for (const range of ranges) {
    // The caller pays for each number, and for each range inside a block.
    if (blocksOf(range) < 2) continue;
    const count = counts.get(range.actor) ?? new Set(ofRanges.get(range.actor));
    counts.set(range.actor, count);
    for (const block of namesOf(range)) count.add(block);
    if (count.size > MOST_BLOCKS) return range;
  }
  for (const [actor, count] of counts) ofRanges.set(actor, count);
  return undefined;
}

/**
 * Writes a row for each block of a thousand numbers in which these numbers and ranges are, and deletes it before the commit. In a
 * cluster, nodes do not know the locks of each other, but of two transactions that write the same row, only one is committed, and
 * the other one runs again. It then sees the number or range of the first one. Runs before the first read that must not miss it.
 */
export async function writeBlocks(transaction: OwnTransaction, numbers: readonly Digits[]): Promise<void> {
  const blocks = [...new Set(numbers.flatMap((each) => [...namesOf(each)]))].sort();
  const { all } = writtenIn(transaction);
  for (const block of blocks) all.add(block);
  const value = randomBytes(8).toString('hex');
  for (const keys of inPieces(blocks)) {
    const rows = keys.map(() => '(?, ?)').join(', ');
    await transaction.run(
      `REPLACE INTO number_guards (block, value) VALUES ${rows}`,
      keys.flatMap((key) => [key, value]),
    );
  }
}

const writtenIn = memoized((transaction: OwnTransaction): Written => {
  const made: Written = { all: new Set(), ofRanges: new WeakMap() };
  transaction.beforeCommit(async () => {
    for (const keys of inPieces([...made.all].sort()))
      await transaction.run(`DELETE FROM number_guards WHERE block IN (${places(keys.length)})`, keys);
  });
  return made;
});

/** The blocks for statements, each padded with its first one. */
function* inPieces(blocks: readonly string[]): Generator<readonly string[], void, undefined> {
  for (let start = 0; start < blocks.length; start += ROWS)
    yield pad(blocks.slice(start, start + ROWS), blocks[start] ?? '');
}

function* namesOf(digits: Digits): Generator<string, void, undefined> {
  const [first, count] = [digits.first === '' ? 0n : blockOf(digits.first), blocksOf(digits)];
  for (let n = 0; n < count; n++) yield `${String(digits.first.length)} ${String(first + BigInt(n))}`;
}

function blockOf(digits: string): bigint {
  return BigInt(digits) / BigInt(BLOCK);
}
