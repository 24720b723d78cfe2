import type { SqlValue, Transaction } from '../../database/sql';
import type { Kind, ReferenceField } from '../../model/kind';
import { columnsOf } from '../read/row';
import type { Changes, Values } from './input';
import { resolveReferences, type Resolved } from './references';

type Columns = Readonly<Record<string, SqlValue>>;

/**
 * Returns the ref of the resource with the same natural key as `changes`, if there is one. Throws
 * UnfulfilledDependencyError if the key refers to a resource that does not exist.
 */
export async function refByNaturalKey(
  transaction: Transaction,
  kind: Kind,
  changes: Changes,
): Promise<string | undefined> {
  const values: Values = new Map([...changes].flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  const own: Columns = columnsOf(kind, values, await referencesInKeys(transaction, kind, values));
  for (const { columns } of kind.unique) {
    const list = kind.references.find(({ column, refersTo }) => refersTo.through && columns.includes(column));
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

async function referencesInKeys(transaction: Transaction, kind: Kind, values: Values): Promise<Resolved> {
  const columns = kind.unique.flatMap((key) => key.columns);
  const isInKey = kind.references.some(({ column, refersTo }) => !refersTo.through && columns.includes(column));
  return isInKey ? resolveReferences(transaction, kind, values) : new Map();
}

/** Returns the query for a key that is unique within each target of a list, such as a user name within a domain. */
function withinList(
  kind: Kind,
  { name, column, refersTo }: ReferenceField,
  values: Values,
  own: Columns,
): [text: string, values: readonly SqlValue[]] {
  const { table, owner, repeats } = refersTo.through ?? { table: '', owner: '', repeats: '' };
  const first = [values.get(name) ?? []].flat()[0] ?? null;
  return [
    `SELECT t.ref FROM ${refersTo.target.table} o JOIN ${table} m ON m.${column} = o.id
     JOIN ${kind.table} t ON t.id = m.${owner} WHERE o.${refersTo.targetColumn} = ? AND m.${repeats} = ?`,
    [typeof first === 'boolean' ? null : first, own[repeats] ?? null],
  ];
}
