import { groupBy, pad, places, type SqlValue, type Transaction } from './sql';

/** The new values of columns of the row with this id. */
export interface RowUpdate {
  readonly id: number;
  readonly columns: Readonly<Record<string, SqlValue>>;
}

/**
 * Updates rows of a table, with one statement for all rows of which the same columns change. Returns the id of a row whose statement
 * found none of its rows; undefined if each found some.
 */
export async function updateRows(
  transaction: Transaction,
  table: string,
  updates: readonly RowUpdate[],
): Promise<number | undefined> {
  for (const group of groupBy(updates, ({ columns }) => Object.keys(columns).join()).values()) {
    const [first] = group;
    if (!first) continue;
    const ids = group.map(({ id }) => id);
    const columns = Object.keys(first.columns).map((column) =>
      assignment(
        column,
        ids,
        group.map((each) => each.columns[column] ?? null),
      ),
    );
    const keys = pad(ids, 0);
    const { rows } = await transaction.run(
      `UPDATE ${table} SET ${columns.map(({ text }) => text).join(', ')} WHERE id IN (${places(keys.length)})`,
      [...columns.flatMap(({ values }) => values), ...keys],
    );
    if (rows === 0) return first.id;
  }
  return undefined;
}

/** Sets a column to a value for all rows, or to one for each. */
function assignment(
  column: string,
  ids: readonly number[],
  values: readonly SqlValue[],
): { readonly text: string; readonly values: readonly SqlValue[] } {
  const [first = null] = values;
  if (values.every((value) => value === first)) return { text: `${column} = ?`, values: [first] };
  const cases = pad(ids, 0).flatMap((id, index) => [id, values[index] ?? null]);
  // With ELSE, the values have the type of the column.
  return { text: `${column} = CASE id ${'WHEN ? THEN ? '.repeat(cases.length / 2)}ELSE ${column} END`, values: cases };
}
