import type { Subscriber } from '../../changes/delivery';
import type { Call } from './call';
import type { CallQuery } from './call-query';

/** What happened to a call. MISSED stands for events that are not delivered one by one, because there are too many. */
export const CALL_EVENTS = ['BEGUN', 'RINGING', 'ANSWERED', 'ENDED', 'MISSED'] as const;
export type CallEvent = (typeof CALL_EVENTS)[number];

/** An event of a call. */
export interface CallChange {
  /** Identifies the event in this process, so that subscribers share its result: a number and milliseconds since the epoch. */
  readonly id: number;
  readonly at: number;
  readonly event: CallEvent;
  /** The call as it is now; null for MISSED. */
  readonly call: Call | null;
}

/** What a subscriber asks for. */
export interface CallListening extends Subscriber {
  readonly query: CallQuery;
  /** Whether the subscriber sees shortened numbers, and no addresses. */
  readonly isShortened: boolean;
}
