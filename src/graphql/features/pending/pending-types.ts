import { Float, GraphQLISODateTime, Int } from 'type-graphql';

import { MIN_CALLS } from '../../../jobs/pending/figures';
import type { Pending, PendingState } from '../../../jobs/pending/pending';
import { enumOf, inputOf, nullable, objectOf } from '../../schema/type-tables';

export const PendingStateEnum = enumOf<PendingState>(
  'PendingState',
  'What has become of a set of changes that waits, or has waited, for a time or for a confirmation.',
  {
    SCHEDULED: 'They are made at `dueOn`.',
    UNCONFIRMED: 'They are made, and reverted at `dueOn` unless somebody confirms them.',
    CONFIRMED: 'They were confirmed, and are kept.',
    REVERTED: 'They were reverted, for the `reason`.',
    NOT_REVERTED: 'They had to be reverted, and were not, because somebody has built upon them: see `reason`.',
    APPLIED: 'They were scheduled, and are made. They need no confirmation.',
    NOT_APPLIED: 'They were scheduled, and were not made: see `reason`.',
    CANCELLED: 'They were scheduled, and were cancelled before they were made.',
  },
);

/** Limits in GraphQL. */
const LIMITS = {
  numbersStopped: [nullable(Int), 'Numbers that rang before the changes and do not ring any more: 1 to 100,000.'],
  gatewaysLost: [
    nullable(Int),
    'Gateways that were up or registered before the changes and are down, not registered or deleted: 1 to 100,000.',
  ],
  failedCallsPercent: [
    nullable(Float),
    'Percent of the calls that began after the changes and were answered or failed: 1 to 100.',
  ],
  minCalls: [
    nullable(Int),
    `How many such calls there must be before \`failedCallsPercent\` counts: 1 to 5,000, by default ${String(MIN_CALLS)}.`,
  ],
} as const;
const LIMITS_ABOUT = 'Figures after changes; from any of these on, the changes are reverted within 5 seconds.';
const LimitsType = objectOf('RevertLimits', LIMITS_ABOUT, LIMITS);
export const LimitsInput = inputOf('RevertLimitsInput', LIMITS_ABOUT, LIMITS);

const FiguresType = objectOf('RevertFigures', 'What was measured after changes.', {
  numbersStopped: [Int, 'Numbers that rang before the changes, and do not ring now.'],
  gatewaysLost: [
    Int,
    'Gateways that were up or registered before the changes, and are down, not registered or deleted now.',
  ],
  newCalls: [Int, 'Calls that began after the changes, and were answered or failed.'],
  failedCalls: [Int, 'How many of these failed.'],
});

/** A set of changes in GraphQL. */
export const PendingChangesType = objectOf(
  'PendingChanges',
  'A set of changes that waits, or has waited, for a time or for a confirmation. It is listed for 30 days.',
  {
    id: [
      String,
      'Identifies the set, for `confirmChanges` and `cancelChanges`. Once the changes are made, it is their `request` in the history.',
    ],
    state: [PendingStateEnum, 'What has become of it.'],
    username: [String, 'Name of the user who made or scheduled the changes.'],
    count: [Int, 'The number of changes.'],
    confirmWithin: [
      nullable(Int),
      'Seconds within which the changes must be confirmed; null if they need no confirmation.',
    ],
    revertIf: [LimitsType, 'From which figures on the changes are reverted.'],
    figures: [
      nullable(FiguresType),
      'What was measured last, every two seconds until the end; null before the first time.',
    ],
    watchedNumbers: [
      Int,
      'How many numbers are measured: those that the changes may affect and that rang, up to 1000.',
    ],
    watchedGateways: [
      Int,
      'How many gateways are measured: those that were up or registered, up to 1000, changed ones first.',
    ],
    createdOn: [GraphQLISODateTime, 'When the changes were sent.'],
    appliedOn: [nullable(GraphQLISODateTime), 'When they were made; null if they are not.'],
    dueOn: [nullable(GraphQLISODateTime), 'When they will be made or reverted; null if nothing more happens.'],
    finishedOn: [nullable(GraphQLISODateTime), 'Since when nothing more happens.'],
    finishedBy: [nullable(String), 'Name of the user who confirmed or cancelled them; null for sipgraph itself.'],
    reason: [nullable(String), 'Why they were reverted, not made or not reverted, with the figure and its limit.'],
    revertedBy: [nullable(String), 'The `request` of the revert in the history.'],
  },
);
export type PendingChangesType = InstanceType<typeof PendingChangesType> & {
  /** For cursors. */
  readonly rowId: number;
};

export function toPendingChanges({ limits, seconds, ...pending }: Pending): PendingChangesType {
  const { failedCallsPercent } = limits;
  const minCalls = failedCallsPercent === undefined ? undefined : (limits.minCalls ?? MIN_CALLS);
  return { ...pending, confirmWithin: seconds, revertIf: { ...limits, minCalls: minCalls ?? null } };
}
