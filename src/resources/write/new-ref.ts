import { randomUUID } from 'node:crypto';

import type { Kind } from '../../model/kind';

// The number of refs with the same first half.
const REFS_PER_START = 256;
let start = '';
const ends = new Set<string>();

/**
 * Generates a ref: the prefix of the kind and eight hexadecimal digits. The last four are random. The first four are
 * random too, but the same for 256 refs in a row, so that resources that are created together change few pages of the
 * indexes on refs.
 */
export function newRef({ prefix }: Kind): string {
  if (start === '' || ends.size === REFS_PER_START) {
    start = randomUUID().slice(0, 4);
    ends.clear();
  }
  let end = '';
  do end = randomUUID().slice(0, 4);
  while (ends.has(end));
  ends.add(end);
  return prefix + start + end;
}
