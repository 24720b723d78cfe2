import { places, type Transaction } from '../database/sql';
import { quote, UnfulfilledDependencyError } from '../errors';
import { issue, type Values } from './input';
import type { Kind, ReferenceField } from '../model/kind';

/** The row ids of what reference fields name, by field. */
export type Resolved = ReadonlyMap<string, readonly number[]>;

/** Finds what the values refer to; throws an UnfulfilledDependencyError that names everything that does not exist. */
export async function resolveReferences(transaction: Transaction, kind: Kind, values: Values): Promise<Resolved> {
  const resolved = new Map<string, readonly number[]>();
  const issues = [];
  for (const field of kind.references) {
    const names = [values.get(field.name) ?? []].flat().map(String);
    if (names.length === 0) continue;
    const ids = await idsOf(transaction, field, names);
    const absent = names.filter((name) => !ids.has(name));
    resolved.set(
      field.name,
      names.flatMap((name) => ids.get(name) ?? []),
    );
    issues.push(...absent.map((name) => issue(field, `${field.refersTo.kind} ${quote(name)} does not exist`)));
  }
  if (issues.length > 0) throw new UnfulfilledDependencyError(issues);
  return resolved;
}

async function idsOf(
  transaction: Transaction,
  { refersTo: { target, targetColumn } }: ReferenceField,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction.rows(
    `SELECT ${targetColumn}, id FROM ${target.table} WHERE ${targetColumn} IN (${places(names.length)})${target.shared ? ' AND kind = ?' : ''}`,
    [...names, ...(target.shared ? [target.name] : [])],
  );
  return new Map(rows.map(([name, id]) => [String(name), Number(id)]));
}
