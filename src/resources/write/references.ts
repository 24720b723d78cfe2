import { pad, places, type Transaction } from '../../database/sql';
import { quote, UnfulfilledDependencyError, type Issue } from '../../errors';
import type { Value } from '../../model/format/format';
import type { Kind, ReferenceField, Resource } from '../../model/kind';
import { planFor } from '../read/plan';
import { REF_ONLY, type Selection } from '../read/selection';
import { issue, type Values } from './input';

/** The row ids of the targets of reference fields, by field. */
export type Resolved = ReadonlyMap<string, readonly number[]>;

/** What to read of the targets of links to a single resource, by link. */
export type LinkSelections = Selection['links'];

/** The targets of one set of values, and an issue for each reference whose target does not exist. */
export interface References {
  readonly ids: Resolved;
  /** The targets of the selected links, by link. */
  readonly linked: ReadonlyMap<string, Resource>;
  readonly issues: readonly Issue[];
}

const NO_LINKS: LinkSelections = new Map();

/**
 * Finds the targets of the values. Throws UnfulfilledDependencyError with an issue for each target that does not exist.
 */
export async function resolveReferences(transaction: Transaction, kind: Kind, values: Values): Promise<Resolved> {
  const [found] = await resolveAll(transaction, kind, [values]);
  if (!found) return new Map();
  if (found.issues.length > 0) throw new UnfulfilledDependencyError(found.issues);
  return found.ids;
}

/**
 * Finds the targets of many sets of values, with one statement for each reference field. That statement also reads what
 * `links` selects of the targets.
 */
export async function resolveAll(
  transaction: Transaction,
  kind: Kind,
  all: readonly Values[],
  links = NO_LINKS,
): Promise<readonly References[]> {
  const found = all.map(() => ({
    ids: new Map<string, readonly number[]>(),
    linked: new Map<string, Resource>(),
    issues: new Array<Issue>(),
  }));
  for (const field of kind.references) {
    const named = all.map((values) => namesIn(values.get(field.name)));
    const names = new Set<string>();
    for (const own of named) for (const name of own) names.add(name);
    if (names.size === 0) continue;
    const { link, kind: target } = field.refersTo;
    const selection = links.get(link);
    const targets = await targetsOf(transaction, field, [...names], selection);
    for (const [index, { ids, linked, issues }] of found.entries()) {
      const own = named[index] ?? [];
      if (own.length === 0) continue;
      const rowIds: number[] = [];
      ids.set(field.name, rowIds);
      for (const name of own) {
        const resource = targets.get(name);
        if (!resource) issues.push(issue(field, `${target} ${quote(name)} does not exist`));
        else rowIds.push(resource.rowId);
        if (resource && selection && !linked.has(link)) linked.set(link, resource);
      }
    }
  }
  return found;
}

/** The names of the targets in the value of a reference field. */
function namesIn(value: Value | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? value.map(String) : [String(value)];
}

async function targetsOf(
  transaction: Transaction,
  { refersTo: { target, targetColumn } }: ReferenceField,
  names: readonly string[],
  selection: Selection = REF_ONLY,
): Promise<ReadonlyMap<string, Resource>> {
  const keys = pad(names, '');
  const plan = planFor(target, selection);
  const rows = await transaction.rows(
    `SELECT t.${targetColumn}, ${plan.columns} FROM ${target.table} t ${plan.joins}
     WHERE t.${targetColumn} IN (${places(keys.length)})${target.shared ? ' AND t.kind = ?' : ''}`,
    [...keys, ...(target.shared ? [target.name] : [])],
  );
  return new Map(rows.map((row) => [String(row[0]), plan.hydrate(row, 1)]));
}
