import { padded, places, type Transaction } from '../database/sql';
import { quote, UnfulfilledDependencyError, type Issue } from '../errors';
import { issue, type Values } from './input';
import type { Kind, ReferenceField } from '../model/kind';

/** The row ids of the targets of reference fields, by field. */
export type Resolved = ReadonlyMap<string, readonly number[]>;

/** The targets of one set of values, and an issue for each reference whose target does not exist. */
export interface References {
  readonly ids: Resolved;
  readonly issues: readonly Issue[];
}

/**
 * Finds the targets of the values. Throws UnfulfilledDependencyError with an issue for each target that does not exist.
 */
export async function resolveReferences(transaction: Transaction, kind: Kind, values: Values): Promise<Resolved> {
  const [found] = await resolveAll(transaction, kind, [values]);
  if (!found) return new Map();
  if (found.issues.length > 0) throw new UnfulfilledDependencyError(found.issues);
  return found.ids;
}

/** Finds the targets of many sets of values, with one statement for each reference field. */
export async function resolveAll(
  transaction: Transaction,
  kind: Kind,
  all: readonly Values[],
): Promise<readonly References[]> {
  const found = all.map(() => ({ ids: new Map<string, readonly number[]>(), issues: new Array<Issue>() }));
  for (const field of kind.references) {
    const named = all.map((values) => [values.get(field.name) ?? []].flat().map(String));
    const names = new Set(named.flat());
    if (names.size === 0) continue;
    const ids = await idsOf(transaction, field, [...names]);
    for (const [index, { ids: resolved, issues }] of found.entries()) {
      const own = named[index] ?? [];
      if (own.length === 0) continue;
      const absent = own.filter((name) => !ids.has(name));
      issues.push(...absent.map((name) => issue(field, `${field.refersTo.kind} ${quote(name)} does not exist`)));
      resolved.set(
        field.name,
        own.flatMap((name) => ids.get(name) ?? []),
      );
    }
  }
  return found;
}

async function idsOf(
  transaction: Transaction,
  { refersTo: { target, targetColumn } }: ReferenceField,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const keys = padded(names, '');
  const rows = await transaction.rows(
    `SELECT ${targetColumn}, id FROM ${target.table} WHERE ${targetColumn} IN (${places(keys.length)})${target.shared ? ' AND kind = ?' : ''}`,
    [...keys, ...(target.shared ? [target.name] : [])],
  );
  return new Map(rows.map(([name, id]) => [String(name), Number(id)]));
}
