import { raw, sql } from '../../database/fragment';
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

/** Whether reading all rows that a query selects is a heavy read. */
export async function isHeavy(reads: Reads, kind: Kind, { condition, order }: ListQuery): Promise<boolean> {
  if (condition && !condition.searchCost) return true;
  const { searchCost: cost } = condition ?? {};
  if (cost?.reach === 'key') return false;
  const steps = Math.max(cost?.comparisons ?? 0, 1) + SORTING * (order?.length ?? 0);
  const most = Math.floor(MAX_STEPS / steps);
  if ((await reads.atMost(kind.table)) <= most) return false;
  if (cost?.reach !== 'index') return true;
  const { text, values } = sql`SELECT COUNT(*) FROM (
    SELECT 1 FROM ${raw(kind.table)} t ${where([ofKind(kind), cost.rows])} LIMIT ${most + 1}) r`;
  const [row] = await reads.unorderedRows(text, values);
  return Number(row?.[0]) > most;
}

/** Whether reading this many rows of a list in creation order, from a position that is known, is a heavy read. */
export async function isHeavyPage(reads: Reads, list: List, rows: number): Promise<boolean> {
  const isInOrder = !list.condition || list.condition.searchCost?.isInOrder === true;
  return !(isInOrder && rows <= MAX_STEPS) && isHeavy(reads, list.kind, list);
}
