import { isDeepStrictEqual } from 'node:util';

import { pad, places, type Transaction } from '../../database/sql';
import type { Kind } from '../../model/kind';
import type { DerivedRows } from '../../model/options';
import type { Values } from '../write/input';

/** The values of a resource before and after a write. */
interface Edit {
  readonly rowId: number;
  readonly before: Values;
  readonly after: Values;
}

/**
 * Writes the rows that follow from the fields of resources (see `DerivedRows`), after their own rows were written. The
 * number of statements depends on how many different lists there are.
 */
export async function changeDerivedRows(transaction: Transaction, kind: Kind, edits: readonly Edit[]): Promise<void> {
  for (const rows of kind.derivedRows ?? []) await changeRows(transaction, kind, rows, edits);
}

async function changeRows(
  transaction: Transaction,
  kind: Kind,
  { table, owner, columns, from }: DerivedRows,
  edits: readonly Edit[],
): Promise<void> {
  const groups = new Map<string, { readonly rows: readonly (readonly string[])[]; readonly ids: number[] }>();
  const replaced: number[] = [];
  for (const { rowId, before, after } of edits) {
    const [old, rows] = [from(before), from(after)];
    if (isDeepStrictEqual(old, rows)) continue;
    if (old.length > 0) replaced.push(rowId);
    const key = JSON.stringify(rows);
    const group = groups.get(key) ?? { rows, ids: [] };
    group.ids.push(rowId);
    groups.set(key, group);
  }
  if (replaced.length > 0) {
    const keys = pad(replaced, 0);
    await transaction.run(`DELETE FROM ${table} WHERE ${owner} IN (${places(keys.length)})`, keys);
  }
  for (const { rows, ids } of groups.values()) {
    const keys = pad(ids, 0);
    const selected = ['? AS place', ...columns.map((column) => `? AS ${column}`)].join(', ');
    const more = ` UNION ALL SELECT ${places(columns.length + 1)}`.repeat(Math.max(0, rows.length - 1));
    if (rows.length === 0) continue;
    await transaction.run(
      `INSERT INTO ${table} (${[owner, 'position', ...columns].join(', ')})
       SELECT ${['t.id', 'm.place', ...columns.map((column) => `m.${column}`)].join(', ')}
       FROM ${kind.table} t, (SELECT ${selected}${more}) m WHERE t.id IN (${places(keys.length)})`,
      [...rows.flatMap((row, position) => [position, ...row]), ...keys],
    );
  }
}
