import { list, raw, sql, type Fragment } from '../../database/fragment';
import { pad, type SqlValue } from '../../database/sql';

/** A change that is simulated, as far as it matters for calls. */
export interface PlannedChange {
  readonly type: 'create' | 'update' | 'delete';
  /** The name of the kind. */
  readonly kind: string;
  readonly ref: string;
  /** The fields that a create or an update gives, as they are stored. */
  readonly values: ReadonlyMap<string, unknown>;
}

// Fields that decide about no call.
const IDLE = new Set(['name', 'labels', 'note', 'secret']);

/** The changes that can make a difference to a call. */
export function effective(changes: readonly PlannedChange[]): readonly PlannedChange[] {
  return changes.filter(({ type, values }) => type !== 'update' || [...values.keys()].some((name) => !IDLE.has(name)));
}

/** The refs of the changed resources of some kinds. */
export function refsOf(changes: readonly PlannedChange[], ...kinds: readonly string[]): readonly string[] {
  return [...new Set(changes.flatMap(({ kind, ref }) => (kinds.includes(kind) ? [ref] : [])))];
}

/** The texts that changes of some kinds give a field. */
export function textsOf(
  changes: readonly PlannedChange[],
  field: string,
  ...kinds: readonly string[]
): readonly string[] {
  const found = changes.flatMap(({ kind, values }) => {
    const value = values.get(field);
    return kinds.includes(kind) && typeof value === 'string' ? [value] : [];
  });
  return [...new Set(found)];
}

/** The condition that a column has one of these values. None without values. */
export function isOneOf(column: string, values: readonly SqlValue[]): readonly Fragment[] {
  const [first] = values;
  return first === undefined ? [] : [sql`${raw(column)} IN (${list(pad(values, first))})`];
}
