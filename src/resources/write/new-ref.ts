import { randomUUID } from 'node:crypto';

import { pad, places, type Transaction } from '../../database/sql';
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

/** Generates refs that are not in use: among a hundred thousand random refs of 32 bits, two can be equal. */
export async function freeRefs(transaction: Transaction, kind: Kind, count: number): Promise<readonly string[]> {
  const refs = new Set<string>();
  while (refs.size < count) {
    while (refs.size < count) refs.add(newRef(kind));
    for (const ref of await usedRefs(transaction, kind, [...refs])) refs.delete(ref);
  }
  return [...refs];
}

/** Returns those of the refs that resources of the kind have. */
export async function usedRefs(
  transaction: Transaction,
  kind: Kind,
  refs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (refs.length === 0) return new Set();
  const keys = pad(refs, '');
  const rows = await transaction.rows(
    `SELECT ref FROM ${kind.table} WHERE ref IN (${places(keys.length)})${kind.shared ? ' AND kind = ?' : ''}`,
    [...keys, ...(kind.shared ? [kind.name] : [])],
  );
  return new Set(rows.map(([ref]) => String(ref)));
}
