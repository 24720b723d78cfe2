import { Field, Float, GraphQLISODateTime, InputType, Int, ObjectType } from 'type-graphql';

import { MIN_CALLS, type Figures, type Limits } from '../../../jobs/pending/figures';
import type { Pending, PendingState } from '../../../jobs/pending/pending';
import { enumOf } from '../../schema/enums';

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

const LIMITS = {
  name: 'RevertLimits',
  description: 'Figures after changes; from any of these on, the changes are reverted within 5 seconds.',
};

/** Limits in GraphQL. */
@InputType(`${LIMITS.name}Input`, { description: LIMITS.description })
@ObjectType(LIMITS.name, { description: LIMITS.description })
export class LimitsType implements Partial<Record<keyof Limits, number | null>> {
  @Field(() => Int, {
    nullable: true,
    description: 'Numbers that rang before the changes and do not ring any more: 1 to 100,000.',
  })
  numbersStopped?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Gateways that were up or registered before the changes and are down, not registered or deleted: 1 to 100,000.',
  })
  gatewaysLost?: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Percent of the calls that began after the changes and were answered or failed: 1 to 100.',
  })
  failedCallsPercent?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: `How many such calls there must be before \`failedCallsPercent\` counts: 1 to 5,000, by default ${String(MIN_CALLS)}.`,
  })
  minCalls?: number | null;
}

@ObjectType('RevertFigures', { description: 'What was measured after changes.' })
class FiguresType implements Figures {
  @Field(() => Int, { description: 'Numbers that rang before the changes, and do not ring now.' })
  numbersStopped!: number;

  @Field(() => Int, {
    description: 'Gateways that were up or registered before the changes, and are down, not registered or deleted now.',
  })
  gatewaysLost!: number;

  @Field(() => Int, { description: 'Calls that began after the changes, and were answered or failed.' })
  newCalls!: number;

  @Field(() => Int, { description: 'How many of these failed.' })
  failedCalls!: number;
}

/** A set of changes in GraphQL. */
@ObjectType('PendingChanges', {
  description:
    'A set of changes that waits, or has waited, for a time or for a confirmation. It is listed for 30 days.',
})
export class PendingChangesType {
  /** For cursors. */
  rowId!: number;

  @Field(() => String, {
    description:
      'Identifies the set, for `confirmChanges` and `cancelChanges`. Once the changes are made, it is their `request` in the history.',
  })
  id!: string;

  @Field(() => PendingStateEnum, { description: 'What has become of it.' })
  state!: string;

  @Field(() => String, { description: 'Name of the user who made or scheduled the changes.' })
  username!: string;

  @Field(() => Int, { description: 'The number of changes.' })
  count!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds within which the changes must be confirmed; null if they need no confirmation.',
  })
  confirmWithin!: number | null;

  @Field(() => LimitsType, { description: 'From which figures on the changes are reverted.' })
  revertIf!: LimitsType;

  @Field(() => FiguresType, {
    nullable: true,
    description: 'What was measured last, every two seconds until the end; null before the first time.',
  })
  figures!: Figures | null;

  @Field(() => Int, {
    description: 'How many numbers are measured: those that the changes may affect and that rang, up to 1000.',
  })
  watchedNumbers!: number;

  @Field(() => Int, {
    description: 'How many gateways are measured: those that were up or registered, up to 1000, changed ones first.',
  })
  watchedGateways!: number;

  @Field(() => GraphQLISODateTime, { description: 'When the changes were sent.' })
  createdOn!: number;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When they were made; null if they are not.' })
  appliedOn!: number | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When they will be made or reverted; null if nothing more happens.',
  })
  dueOn!: number | null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'Since when nothing more happens.' })
  finishedOn!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the user who confirmed or cancelled them; null for sipgraph itself.',
  })
  finishedBy!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why they were reverted, not made or not reverted, with the figure and its limit.',
  })
  reason!: string | null;

  @Field(() => String, { nullable: true, description: 'The `request` of the revert in the history.' })
  revertedBy!: string | null;
}

export function toPendingChanges({ limits, seconds, ...pending }: Pending): PendingChangesType {
  const { failedCallsPercent } = limits;
  const minCalls = failedCallsPercent === undefined ? undefined : (limits.minCalls ?? MIN_CALLS);
  return { ...pending, confirmWithin: seconds, revertIf: { ...limits, minCalls: minCalls ?? null } };
}
