import type { Maintenance } from './sql';

const BATCH = 5000;

/**
 * Deletes the rows of a table that meet a condition, in small transactions. `order` is the column of an index that
 * finds them.
 */
export async function trimRows(
  maintenance: Maintenance,
  table: string,
  condition: string,
  order: string,
): Promise<void> {
  const old = `SELECT id FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT ?`;
  for (;;) {
    const ids = (await maintenance.rows(old, [BATCH])).map(([id]) => Number(id));
    if (ids.length > 0)
      await maintenance.transaction((transaction) =>
        transaction.run(`DELETE FROM ${table} WHERE id BETWEEN ? AND ? AND ${condition}`, [
          Math.min(...ids),
          Math.max(...ids),
        ]),
      );
    if (ids.length < BATCH) return;
  }
}
