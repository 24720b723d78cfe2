import type { Product } from '../database/driver';
import { all, raw, sql, type Fragment } from '../database/fragment';
import type { Reads } from '../database/sql';
import { firstSince, lastUntil } from './boundaries';

/** Which entries to read. All conditions must hold. */
export interface HistoryQuery {
  /** The kinds that the reader may see, or among them those that were asked for. */
  readonly kinds: readonly string[];
  readonly ref?: string | undefined;
  readonly username?: string | undefined;
  readonly channel?: string | undefined;
  readonly event?: string | undefined;
  readonly requestId?: string | undefined;
  /** Milliseconds since the epoch; both are included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Conditions that an index begins with, the most selective first. The kind and the number follow in each index. */
export const INDEXED = [
  ['ref', 'ref', 'changes_ref'],
  ['requestId', 'request', 'changes_request'],
  ['username', 'who', 'changes_who'],
  ['channel', 'way', 'changes_way'],
  ['event', 'did', 'changes_did'],
] as const;

/** The conditions on columns, without the kinds and the span of time. */
export function equalities(query: HistoryQuery): readonly Fragment[] {
  return INDEXED.flatMap(([name, column]) => {
    const value = query[name];
    return value === undefined ? [] : [sql`${raw(column)} = ${value}`];
  });
}

/**
 * The condition on numbers for a span of time, because times increase with the numbers. `nothing` if no entry can be
 * in the span.
 */
export async function spanOf(
  reads: Reads,
  product: Product,
  { from, to }: HistoryQuery,
): Promise<Fragment | undefined | 'nothing'> {
  if (from === undefined && to === undefined) return undefined;
  const [first, last] = await Promise.all([
    from === undefined ? 0 : firstSince(reads, product, from),
    to === undefined ? Infinity : lastUntil(reads, product, to),
  ]);
  if (first === undefined || last === undefined) return 'nothing';
  return all([from === undefined ? undefined : sql`id >= ${first}`, to === undefined ? undefined : sql`id <= ${last}`]);
}
