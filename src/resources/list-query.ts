import type { Fragment } from '../database/fragment';
import type { Order } from '../database/page';

/** Which resources of a list are wanted, and in which order; about a row of the kind's table named `t`. */
export interface ListQuery {
  readonly condition?: Fragment;
  /** Undefined is the order of creation. */
  readonly order?: Order;
}

/** All of them, in the order of creation. */
export const EVERYTHING: ListQuery = {};
