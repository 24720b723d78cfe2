import { raw, sql, type Fragment } from '../../database/fragment';
import { byColumn, seek, where, type Range } from '../../database/page';
import type { Scope } from './number-scope';

/** Numbers are listed in the order of creation. */
export const ID = byColumn('n.id');

/** Returns the range, shortened to end with this row in the direction of paging. */
export function upTo(range: Range, rowId: number): Range {
  return range.backwards ? { ...range, after: [rowId - 1] } : { ...range, before: [rowId + 1] };
}

/** Selects the ids of the numbers in a range, at most `size`. */
export function windowOf(range: Range, scope: Scope | undefined, size: number): Fragment {
  const { condition, order } = seek(ID, range);
  const within = (part: Fragment | undefined): Fragment =>
    sql`SELECT n.id FROM numbers n ${where([part, condition])} ORDER BY ${raw(order)} LIMIT ${size}`;
  if (!scope?.isOrdered) return within(scope?.condition);
  // The index is ordered by id within each kind, so a single query for both kinds would sort.
  const ofKind = (kind: 'DID' | 'Number'): Fragment => within(sql`${scope.condition} AND n.kind = ${kind}`);
  const both = sql`SELECT id FROM (${ofKind('DID')}) a UNION ALL SELECT id FROM (${ofKind('Number')}) b`;
  return sql`SELECT n.id FROM (${both}) n ORDER BY ${raw(order)} LIMIT ${size}`;
}
