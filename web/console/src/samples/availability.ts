import type { TrunkState } from '../live/operations';
import type { Span } from './use-samples';

/** The states of a trunk in a span of time. */
export interface Availability {
  /** In seconds. */
  readonly observed: number;
  /** The share of the observed time, from 0 to 1. */
  readonly registered: number;
  readonly periods: readonly { readonly state: TrunkState; readonly from: string; readonly to: string }[];
}

/** Selects `availability` of a gateway, in the span of $from and $to. */
export const AVAILABILITY = 'availability(from: $from, to: $to) { observed registered periods { state from to } }';

// What was missed at a restart, and the minute at each end, need not be told.
const NEARLY_ALL = 0.99;

/** For how many seconds of a span the state is known; undefined if it is nearly all. */
export function observedOf({ observed }: Availability, { from, to }: Span): number | undefined {
  return observed * 1000 < NEARLY_ALL * (to - from) ? observed : undefined;
}
