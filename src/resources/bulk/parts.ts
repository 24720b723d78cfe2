import { inputSizeOf } from '../write/input-size';

// The size of a part. Writing it takes some tens of milliseconds.
const MAX_SIZE = 64 * 1024;
// The size of a list entry, which may be a row of its own, in characters.
const ENTRY = 32;

/** The size of values in characters, with an allowance for each list entry. */
export function sizeOf(values: ReadonlyMap<string, unknown>): number {
  const { entries, characters } = inputSizeOf(Object.fromEntries(values));
  return characters + ENTRY * entries;
}

/** Splits items into parts of a limited size, or of one item. */
export function partsOf<T>(items: readonly T[], size: (item: T) => number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let left = 0;
  for (const item of items) {
    const own = size(item);
    const last = parts.at(-1);
    if (last && own <= left) last.push(item);
    else {
      parts.push([item]);
      left = MAX_SIZE;
    }
    left -= own;
  }
  return parts;
}
