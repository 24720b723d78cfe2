import { randomBytes } from 'node:crypto';

import { pad, type Transaction } from '../../database/sql';
import { keyInside, type Digits } from '../../model/format/number-range';

// Numbers of a block. A range of a million has a thousand blocks, and writers of other blocks do not wait for each other.
const BLOCK = 1000n;
const ROWS = 200;

/**
 * Writes a row for each block of a thousand numbers in which these numbers and ranges are. In a cluster, nodes do not know the
 * locks of each other, but of two transactions that change the same row, only one is committed, and the other one runs again. It
 * then sees the number or range of the first one. Runs before the first read that must not miss it.
 */
export async function writeBlocks(transaction: Transaction, numbers: readonly Digits[]): Promise<void> {
  const blocks = [...new Set(numbers.flatMap((each) => [...blocksOf(each)]))].sort();
  const value = randomBytes(8).toString('hex');
  for (let start = 0; start < blocks.length; start += ROWS) {
    const [first = '', ...others] = blocks.slice(start, start + ROWS);
    const keys = pad([first, ...others], first);
    const rows = keys.map(() => '(?, ?)').join(', ');
    await transaction.run(
      `REPLACE INTO number_guards (block, value) VALUES ${rows}`,
      keys.flatMap((key) => [key, value]),
    );
  }
}

function* blocksOf({ first, last }: Digits): Generator<string, void, undefined> {
  if (keyInside(first) === '') return;
  for (let block = BigInt(first) / BLOCK; block <= BigInt(last) / BLOCK; block++)
    yield `${String(first.length)} ${String(block)}`;
}
