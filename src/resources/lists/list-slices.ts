import { raw, sql, type Fragment } from '../../database/fragment';
import { where } from '../../database/page';
import type { Reads, Row } from '../../database/sql';
import { planFor, ROW_ID } from '../read/plan';
import type { Selection } from '../read/selection';
import type { Start } from './cached-lists';
import { ofKind, tableOf, type List } from './list-query';
import { readRows } from './sorted-rows';

/** The rows of a page: `size` rows after the first `skip` rows. */
export interface Slice {
  readonly skip: number;
  readonly size: number;
}

/** The rows of each resource of a page. */
export type Found = readonly (readonly Row[])[];

/** Reads a page from a position. `beside` is a SELECT of one row that is read with it. */
export async function readSlice(
  reads: Reads,
  list: List,
  selection: Selection,
  { skip, size }: Slice,
  { rank, rowId }: Start,
  heavy: boolean,
  beside?: Fragment,
): Promise<{ readonly found: Found; readonly beside: Row }> {
  const { kind, condition } = list;
  const plan = planFor(kind, selection);
  const { columns, joins, width } = plan;
  const after = rank > 0 ? sql`t.id > ${rowId}` : undefined;
  const offset = skip > rank ? sql`OFFSET ${skip - rank}` : raw('');
  // An index contains the ids of the page, so that only the rows of the page are read.
  const ids = sql`SELECT t.id FROM ${tableOf(list)} ${where([ofKind(kind), condition, after])}
    ORDER BY t.id LIMIT ${size} ${offset}`;
  const statement = beside
    ? sql`SELECT ${raw(columns)}, b.* FROM (${beside}) b LEFT JOIN (${ids}) p ON 1 = 1
        LEFT JOIN ${raw(`${kind.table} t ON t.id = p.id ${joins}`)}`
    : sql`SELECT ${raw(columns)} FROM (${ids}) p JOIN ${raw(`${kind.table} t ON t.id = p.id ${joins}`)}`;
  const unordered = await readRows(reads, statement, heavy, { column: ROW_ID });
  // The statement has no order, and `readRows` does not sort the rows of a heavy read.
  const rows = heavy ? [...unordered].sort((a, b) => Number(a[ROW_ID]) - Number(b[ROW_ID])) : unordered;
  return {
    // If the page is empty, the only row contains `beside` without a resource.
    found: plan.groupRows(rows.filter((row) => row[ROW_ID] !== null)),
    beside: rows[0]?.slice(width) ?? [],
  };
}

/** The positions before and after a page. */
export function startsIn({ skip }: Slice, found: Found): readonly Start[] {
  const [first, last] = [found.at(0)?.[0], found.at(-1)?.[0]];
  if (!first || !last) return [];
  return [
    { rank: skip, rowId: Number(first[ROW_ID]) - 1 },
    { rank: skip + found.length, rowId: Number(last[ROW_ID]) },
  ];
}
