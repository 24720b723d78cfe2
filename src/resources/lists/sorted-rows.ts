import { raw, type Fragment } from '../../database/fragment';
import type { Order } from '../../database/page';
import type { Reads, Row } from '../../database/sql';

/** An order of rows by a column of numbers. */
interface NumberOrder {
  readonly column: number;
  readonly backwards?: boolean | undefined;
}

/** For the rows of a read whose order is irrelevant, or that has one row. */
export const ANY_ORDER: NumberOrder = { column: 0 };

/**
 * Runs a read. A heavy read waits in the queue of heavy reads and returns the rows in the order of the statement. With
 * `order`, any other read shares a statement with concurrent requests, and the rows are sorted by a column of numbers
 * afterwards.
 */
export async function readRows(
  reads: Reads,
  { text, values }: Fragment,
  heavy: boolean,
  order?: NumberOrder,
): Promise<readonly Row[]> {
  if (heavy) return reads.heavy(text, values);
  if (!order) return reads.rows(text, values);
  return rowsInOrder(await reads.unorderedRows(text, values), order.column, order.backwards ? -1 : 1);
}

/** Returns rows in the order of a column of numbers, as the databases nearly always return them. */
export function rowsInOrder(rows: readonly Row[], column: number, direction: 1 | -1): readonly Row[] {
  let last = -Infinity;
  for (const row of rows) {
    const value = direction * Number(row[column]);
    if (value < last) return [...rows].sort((a, b) => direction * (Number(a[column]) - Number(b[column])));
    last = value;
  }
  return rows;
}

/**
 * Returns SQL for the columns of the sort values, which come after the columns of the plan. Returns an empty fragment
 * for creation order, which is the default.
 */
export function sortColumns(order: Order | undefined): Fragment {
  return raw((order ?? []).map(({ column }) => `, ${column}`).join(''));
}
