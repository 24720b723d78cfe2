import { places, type Row, type Transaction } from './sql';

// Rows that a statement inserts, or whose ids it has.
const BATCH = 500;

/** Divides items into parts of at most `size`, so that a statement for each has few values. */
export function batchesOf<T>(items: readonly T[], size = BATCH): readonly (readonly T[])[] {
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, part) => part * size);
  return starts.map((start) => items.slice(start, start + size));
}

/** Splits items into batches of a limited size in all, or of one item. */
export function batchesBySize<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  most: number,
): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let left = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const last = batches.at(-1);
    if (last && size <= left) last.push(item);
    else {
      batches.push([item]);
      left = most;
    }
    left -= size;
  }
  return batches;
}

/** Inserts or replaces rows, whose values are in the order of `columns`: names with commas between them. */
export async function insertRows(
  transaction: Transaction,
  table: string,
  columns: string,
  rows: readonly Row[],
  how: 'INSERT' | 'REPLACE' = 'INSERT',
): Promise<void> {
  const row = `(${places(columns.split(',').length)})`;
  for (const batch of batchesOf(rows))
    await transaction.run(`${how} INTO ${table} (${columns}) VALUES ${batch.map(() => row).join(', ')}`, batch.flat());
}
