import { raw, sql, type Fragment } from '../../database/fragment';
import { where } from '../../database/page';
import type { Reads } from '../../database/sql';
import type { Kind } from '../../model/kind';
import { ofKind, type List, type ListQuery } from './list-query';

/**
 * Maximum number of comparisons of a read that is not heavy. They take about 5 ms, during which SQLite runs nothing
 * else.
 */
const MAX_STEPS = 25_000;

// Comparisons to sort one row.
const SORTING = 4;

/** Whether reading all rows that a query selects is a heavy read. A promise if the database must be asked. */
export function isHeavy(reads: Reads, kind: Kind, { condition, order }: ListQuery): boolean | Promise<boolean> {
  if (condition && !condition.searchCost) return true;
  const { searchCost: cost } = condition ?? {};
  if (cost?.reach === 'key') return false;
  const steps = Math.max(cost?.comparisons ?? 0, 1) + SORTING * (order?.length ?? 0);
  const most = Math.floor(MAX_STEPS / steps);
  const areMore = (rows: number): boolean | Promise<boolean> =>
    rows > most && (cost?.reach !== 'index' || areFound(reads, kind, cost.rows, most));
  const rows = reads.atMost(kind.table);
  return typeof rows === 'number' ? areMore(rows) : rows.then(areMore);
}

/** Whether an index finds more than `most` rows. */
async function areFound(reads: Reads, kind: Kind, rows: Fragment, most: number): Promise<boolean> {
  const { text, values } = sql`SELECT COUNT(*) FROM (
    SELECT 1 FROM ${raw(kind.table)} t ${where([ofKind(kind), rows])} LIMIT ${most + 1}) r`;
  const [row] = await reads.unorderedRows(text, values);
  return Number(row?.[0]) > most;
}

/** Whether reading this many rows of a list in creation order, from a position that is known, is a heavy read. */
export function isHeavyPage(reads: Reads, list: List, rows: number): boolean | Promise<boolean> {
  const isInOrder = !list.condition || list.condition.searchCost?.isInOrder === true;
  return !(isInOrder && rows <= MAX_STEPS) && isHeavy(reads, list.kind, list);
}
