import type { Nodes } from '../graph/lists';
import type { Limit } from './wait';

/** A set of changes that waits, or has waited, for a time or for a confirmation. */
export interface Pending {
  readonly id: string;
  readonly state: string;
  readonly username: string;
  readonly count: number;
  readonly dueOn: string | null;
  readonly finishedOn: string | null;
  readonly finishedBy: string | null;
  readonly reason: string | null;
  readonly revertIf: Readonly<Record<Limit, number | null>>;
  readonly figures: {
    readonly numbersStopped: number;
    readonly gatewaysLost: number;
    readonly newCalls: number;
    readonly failedCalls: number;
  } | null;
}

/** The result of BAR. */
export interface PendingOfBar {
  readonly waiting: Nodes<Pending>;
  readonly ended: Nodes<Pending>;
}

const FIELDS = `id state username count dueOn finishedOn finishedBy reason
  revertIf { numbersStopped gatewaysLost failedCallsPercent } figures { numbersStopped gatewaysLost newCalls failedCalls }`;

export const PENDING = `query PendingChanges($states: [PendingState!], $first: Int) {
  pendingChanges(states: $states, first: $first) { nodes { ${FIELDS} } }
}`;
/** The changes that wait, and those that have ended, for the bar. */
export const BAR = `query PendingBar {
  waiting: pendingChanges(states: [UNCONFIRMED], first: 10) { nodes { ${FIELDS} } }
  ended: pendingChanges(states: [REVERTED, NOT_REVERTED], first: 10) { nodes { ${FIELDS} } }
}`;
export const CONFIRM = 'mutation ConfirmChanges($id: String!) { confirmChanges(id: $id) { id } }';
export const CANCEL = 'mutation CancelChanges($id: String!) { cancelChanges(id: $id) { id } }';
