import type { SqlValue, Transaction } from '../database/sql';
import type { Changes, Values } from './input';
import type { Kind } from '../model/kind';
import { kindOf, referencesOf, type Referrer } from '../model/kinds';
import { columnsOf } from './row';

/** The ref of the resource that one with these values would be in conflict with, by what the kind declares unique. */
export async function refByNaturalKey(
  transaction: Transaction,
  kind: Kind,
  changes: Changes,
): Promise<string | undefined> {
  const values: Values = new Map([...changes].flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  const own: Readonly<Record<string, SqlValue>> = columnsOf(kind, values, new Map());
  for (const { columns } of kind.unique) {
    const list = referencesOf(kind).find(({ refersTo }) => refersTo.through && columns.includes(refersTo.column));
    const [row] = list
      ? await transaction.rows(...withinList(kind, list, values, own))
      : await transaction.rows(
          `SELECT ref FROM ${kind.table} WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')}${kind.shared ? ' AND kind = ?' : ''}`,
          [...columns.map((column) => own[column] ?? null), ...(kind.shared ? [kind.name] : [])],
        );
    if (row) return String(row[0]);
  }
  return undefined;
}

/** What is unique within each target of a list, such as a user name within a domain. */
function withinList(
  kind: Kind,
  { name, refersTo }: Referrer['field'],
  values: Values,
  own: Readonly<Record<string, SqlValue>>,
): [text: string, values: readonly SqlValue[]] {
  const { table, owner, repeats } = refersTo.through ?? { table: '', owner: '', repeats: '' };
  const target = kindOf(refersTo.kind);
  const by = target.fields.find((field) => field.name === refersTo.by)?.column ?? refersTo.by;
  const first = [values.get(name) ?? []].flat()[0] ?? null;
  return [
    `SELECT t.ref FROM ${target.table} o JOIN ${table} m ON m.${refersTo.column} = o.id
     JOIN ${kind.table} t ON t.id = m.${owner} WHERE o.${by} = ? AND m.${repeats} = ?`,
    [typeof first === 'boolean' ? null : first, own[repeats] ?? null],
  ];
}
