import { places, type Transaction } from '../database/sql';
import { quote, UnfulfilledDependencyError } from '../errors';
import { issue, type Values } from './input';
import type { Kind } from '../model/kind';
import { kindOf, referencesOf, type Referrer } from '../model/kinds';

/** The row ids behind the names in reference fields, by field. */
export type Resolved = ReadonlyMap<string, readonly number[]>;

/** Finds what the values refer to; throws UnfulfilledDependencyError that names every one that is not there. */
export async function resolveReferences(transaction: Transaction, kind: Kind, values: Values): Promise<Resolved> {
  const resolved = new Map<string, readonly number[]>();
  const issues = [];
  for (const field of referencesOf(kind)) {
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
  { refersTo }: Referrer['field'],
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const target = kindOf(refersTo.kind);
  const by = target.fields.find(({ name }) => name === refersTo.by)?.column ?? refersTo.by;
  const rows = await transaction.rows(
    `SELECT ${by}, id FROM ${target.table} WHERE ${by} IN (${places(names.length)})${target.shared ? ' AND kind = ?' : ''}`,
    [...names, ...(target.shared ? [target.name] : [])],
  );
  return new Map(rows.map(([name, id]) => [String(name), Number(id)]));
}
