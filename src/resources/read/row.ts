import type { SqlValue } from '../../database/sql';
import type { Value } from '../../model/format/format';
import type { Kind, Resource } from '../../model/kind';
import { memberAt, type Members } from '../documents/members';
import type { Values } from '../write/input';
import type { Resolved } from '../write/references';

/** Converts values to the columns of a kind's table. A missing value becomes NULL. */
export function columnsOf(kind: Kind, values: Values, resolved: Resolved): Readonly<Record<string, SqlValue>> {
  const columns: Record<string, SqlValue> = {};
  for (const { column, name, refersTo } of kind.fields) {
    if (refersTo?.through) continue;
    columns[column] = refersTo ? (resolved.get(name)?.[0] ?? null) : toColumn(values.get(name));
  }
  for (const { column, from } of kind.derived ?? []) columns[column] = from(values);
  return columns;
}

/** Returns the values of a stored resource. */
export function valuesOf(kind: Kind, resource: Resource): Values {
  const values = new Map<string, Value>();
  for (const { name, keys } of kind.fields) {
    const value = memberAt(resource as unknown as Members, keys);
    if (value !== null && value !== undefined) values.set(name, value as Value); // as `parse` normalised it
  }
  return values;
}

/** Converts a value to that of its column. */
export function toColumn(value: Value | null | undefined): SqlValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
