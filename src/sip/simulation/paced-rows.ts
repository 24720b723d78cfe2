import { sql, type Fragment } from '../../database/fragment';
import type { Row, Sql } from '../../database/sql';

/** The rows of several statements, which run one after the other. `pace` is awaited after each. */
export async function readPaced(
  reads: Pick<Sql, 'rows'>,
  statements: readonly Fragment[],
  pace: () => Promise<void>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (const { text, values } of statements) {
    for (const row of await reads.rows(text, values)) found.push(row);
    await pace();
  }
  return found;
}

/** The ids that these SELECTs find, in ascending order: at most `most` of each, and of all. */
export async function readPacedIds(
  reads: Pick<Sql, 'rows'>,
  selects: readonly Fragment[],
  most: number,
  pace: () => Promise<void>,
): Promise<readonly number[]> {
  const limited = selects.map((select) => sql`${select} LIMIT ${most}`);
  const ids = (await readPaced(reads, limited, pace)).map(([id]) => Number(id));
  return [...new Set(ids)].toSorted((a, b) => a - b).slice(0, most);
}
