import type { Kind } from '../model/kind';
import { planOf, type Plan } from './plan';
import type { Selection } from './selection';

const plans = new WeakMap<Selection, Map<Kind, Plan>>();

/** Returns the plan of a selection. Compiled documents and REST routes reuse their selection objects, so each plan is made once. */
export function planFor(kind: Kind, selection: Selection): Plan {
  const known = plans.get(selection) ?? new Map<Kind, Plan>();
  plans.set(selection, known);
  const plan = known.get(kind) ?? planOf(kind, selection);
  known.set(kind, plan);
  return plan;
}
