import { raw, sql, type Fragment } from '../../database/fragment';
import type { Order } from '../../database/page';
import type { Kind } from '../../model/kind';
import type { SearchCost } from './search-cost';

/** A condition on a row, and the cost of finding the rows. */
export interface Condition extends Fragment {
  /** Undefined if the cost is unbounded, which makes the read a heavy one. */
  readonly searchCost?: SearchCost & { readonly rows: Fragment };
}

/** The condition and the order of a list. Both refer to the kind's table as `t`. */
export interface ListQuery {
  readonly condition?: Condition | undefined;
  /** Undefined means creation order. */
  readonly order?: Order | undefined;
}

/** Selects every resource, in creation order. */
export const ALL_RESOURCES: ListQuery = {};

/** Returns the condition that selects a kind's rows in a shared table. Undefined for other tables. */
export function ofKind(kind: Kind): Fragment | undefined {
  return kind.shared ? sql`t.kind = ${kind.name}` : undefined;
}

/** The resources of a kind that match a condition. */
export interface List {
  readonly kind: Kind;
  readonly condition?: Condition | undefined;
}

/** The table of a list that is read in creation order, as `t`. */
export function tableOf({ kind, condition }: List): Fragment {
  // Without a hint, MariaDB reads all rows of the kind up to the first row of a page. Only MariaDB reads this comment.
  const hint = kind.shared && !condition ? `/*M! FORCE INDEX (${kind.table}_kind) */` : '';
  return raw(`${kind.table} t ${hint}`);
}
