import type { NewChange } from '../../changes/outbox';
import { list, raw, sql, type Fragment } from '../../database/fragment';
import { batchesOf } from '../../database/batches';
import { pad, type SqlValue } from '../../database/sql';

/** A change that is simulated, as far as it matters for calls. */
export interface PlannedChange {
  readonly type: 'create' | 'update' | 'delete';
  /** The name of the kind. */
  readonly kind: string;
  readonly ref: string;
  /** The values of the changed fields, as they are stored: those before the change, and those after it. */
  readonly values: ReadonlyMap<string, readonly unknown[]>;
}

const TYPES: Readonly<Record<string, PlannedChange['type']>> = {
  CREATED: 'create',
  UPDATED: 'update',
  DELETED: 'delete',
};
// Fields that decide about no call.
const IDLE = new Set(['name', 'labels', 'note', 'secret', 'extra', 'createdOn', 'modifiedOn']);

/** A change of a resource that can make a difference to a call; undefined for any other. */
export function plannedOf({ kind, ref, event, details = {} }: NewChange): PlannedChange | undefined {
  const type = TYPES[event];
  if (!type) return undefined;
  const { before = {}, after = {} } = details;
  const names = Object.keys({ ...before, ...after }).filter((name) => !IDLE.has(name));
  if (type === 'update' && names.length === 0) return undefined;
  return { type, kind, ref, values: new Map(names.map((name) => [name, [before[name], after[name]]])) };
}

/** The refs of the changed resources of some kinds. */
export function plannedRefs(changes: readonly PlannedChange[], ...kinds: readonly string[]): readonly string[] {
  return [...new Set(changes.flatMap(({ kind, ref }) => (kinds.includes(kind) ? [ref] : [])))];
}

/** The texts that a field, or the entries of a list, have before or after changes of some kinds. */
export function plannedTexts(
  changes: readonly PlannedChange[],
  field: string,
  ...kinds: readonly string[]
): readonly string[] {
  const own = changes.filter(({ kind }) => kinds.includes(kind));
  const values = own.flatMap((each) => each.values.get(field) ?? []).flat();
  return [...new Set(values.filter((value) => typeof value === 'string'))];
}

/**
 * The same tables, which SQLite reads in this order. By itself, it finds the routes and policies of gateways by all numbers of these
 * gateways, because it does not know that there are fewer routes than numbers. The other databases choose the order.
 */
export function joinedInOrder(from: string): string {
  return from.replaceAll(/(?<!LEFT)\sJOIN /g, ' CROSS JOIN ');
}

// Values of a condition. SQLite allows 32,766 in a statement, and a change of many has up to 25,000 resources.
const MOST_VALUES = 8192;

/** Conditions that a number has one of these refs, which the index has by kind. */
export function isNumber(number: string, refs: readonly string[]): readonly Fragment[] {
  return isOneOf(`${number}.ref`, refs).map((one) => sql`${raw(number)}.kind IN ('DID', 'Number') AND ${one}`);
}

/** Conditions that a column has one of these values, one for each part of the values. None without values. */
export function isOneOf(column: string, values: readonly SqlValue[]): readonly Fragment[] {
  return batchesOf(values, MOST_VALUES).map((part) => sql`${raw(column)} IN (${list(pad(part, part[0] ?? null))})`);
}
