import type { KeyedRead } from '../../database/sql';
import type { Kind } from '../../model/kind';
import { planOf, type Plan } from './plan';
import type { Selection } from './selection';

const plans = new WeakMap<Selection, Map<Kind, Plan>>();

/**
 * Returns the plan of a selection. Compiled documents and REST routes reuse their selection objects, so each plan is
 * made once.
 */
export function planFor(kind: Kind, selection: Selection): Plan {
  const cached = plans.get(selection) ?? new Map<Kind, Plan>();
  plans.set(selection, cached);
  const plan = cached.get(kind) ?? planOf(kind, selection);
  cached.set(kind, plan);
  return plan;
}

/** The columns of the row id and the ref, with which every plan starts. */
export const ROW_ID = 0;
export const REF = 1;
const lookups = new WeakMap<Plan, KeyedRead>();

/** Returns the read that finds the resource of a plan by its ref. */
export function lookupOf(plan: Plan): KeyedRead {
  const { kind, columns, joins } = plan;
  const lookup = lookups.get(plan) ?? {
    text: `SELECT ${columns} FROM ${kind.table} t ${joins} WHERE t.ref IN (?)${kind.shared ? ' AND t.kind = ?' : ''}`,
    values: kind.shared ? [kind.name] : [],
    keyColumn: REF,
  };
  lookups.set(plan, lookup);
  return lookup;
}
