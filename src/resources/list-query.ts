import { sql, type Fragment } from '../database/fragment';
import type { Order } from '../database/page';
import type { Effort } from './effort';
import type { Kind } from '../model/kind';

/** A condition on a row, and what finding the rows costs. */
export interface Condition extends Fragment {
  /** Undefined where the cost is not bounded: the read is a heavy one. */
  readonly effort?: Effort & { readonly rows: Fragment };
}

/** The condition and the order of a list, on a row of the kind's table named `t`. */
export interface ListQuery {
  readonly condition?: Condition;
  /** Undefined means creation order. */
  readonly order?: Order;
}

/** Every resource, in creation order. */
export const ALL_RESOURCES: ListQuery = {};

/** The condition that selects a kind's rows in a shared table; undefined for other tables. */
export function ofKind(kind: Kind): Fragment | undefined {
  return kind.shared ? sql`t.kind = ${kind.name}` : undefined;
}
