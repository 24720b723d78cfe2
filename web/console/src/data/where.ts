import type { Kind, Model } from '../model/model';
import { shapeOf } from '../model/schema';

/** The values of a list's filter: conditions of the graph, and `q`, which is searched for. */
export type Filter = Readonly<Record<string, unknown>>;

/** Returns the conditions of the graph for the filter of a list; undefined if all resources meet them. */
export function whereOf(model: Model, kind: Kind, { q, ...conditions }: Filter): object | undefined {
  const given = pruned(conditions) as Filter | undefined;
  if (typeof q !== 'string' || q.trim() === '') return given;
  const found = { or: searched(model, kind).map((name) => ({ [name]: { containsIgnoreCase: q.trim() } })) };
  return given ? { and: [given, found] } : found;
}

/** The fields that a search looks at: all texts of the kind. */
function searched({ schema }: Model, { name }: Kind): readonly string[] {
  const conditions = schema.get(`${name}Where`)?.inputFields ?? [];
  return conditions.filter(({ type }) => shapeOf(type).name === 'TextFilter').map((each) => each.name);
}

/** Returns the value without the parts that a form leaves empty; undefined if nothing is left. */
function pruned(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined;
  if (Array.isArray(value)) return value.length > 0 ? value : undefined;
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const left = pruned(each);
    return left === undefined ? [] : [[name, left] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
