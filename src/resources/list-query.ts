import { sql, type Fragment } from '../database/fragment';
import type { Order } from '../database/page';
import type { Effort } from './effort';
import type { Kind } from '../model/kind';

/** A condition on a row, and what finding the rows costs. */
export interface Condition extends Fragment {
  /** Without one, it may take any time: the read is a heavy one. */
  readonly effort?: Effort & { readonly rows: Fragment };
}

/** Which resources of a list are wanted, and in which order; about a row of the kind's table named `t`. */
export interface ListQuery {
  readonly condition?: Condition;
  /** Undefined is the order of creation. */
  readonly order?: Order;
}

/** Every resource, in creation order. */
export const ALL_RESOURCES: ListQuery = {};

/** Tells the rows of a kind apart from others in its table. */
export function ofKind(kind: Kind): Fragment | undefined {
  return kind.shared ? sql`t.kind = ${kind.name}` : undefined;
}
