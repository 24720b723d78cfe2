import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  GraphQLISODateTime,
  Int,
  ObjectType,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';

import { CALL_ALERT, type Change } from '../../../changes/change';
import type { Stored } from '../../../history/identities';
import { Gateway } from '../../../model/gateway';
import { alertEventOf, type CallAlert, type CallAlertEvent, type CallLimit } from '../../../sip/live/call-alerts';
import type { Context } from '../../context';
import { enumOf, nullable, objectOf } from '../../schema/type-tables';
import { FormerResource, readFormer } from '../../schema/former-resource';
import { ResourceInterface } from '../../schema/object-types';
import { linkTo } from '../../schema/resource-link';
import { liveChanges, SINCE } from '../change-resolver';
import { ChangeType } from '../change-types';

const CallAlertEventEnum = enumOf<CallAlertEvent>('CallAlertEvent', 'What the SIP server tells about calls.', {
  LIMIT_NEARLY_REACHED:
    '80 % of the calls that may be at once are in progress, of the new calls of a second have begun, or of the minutes a day are used.',
  LIMIT_REACHED: 'A call was refused, or left through another gateway, because of a limit.',
  EMERGENCY_CALL: 'An emergency number was called, whatever became of the call.',
});

const CallLimitEnum = enumOf<CallLimit>('CallLimit', 'A limit of calls.', {
  MAX_CALLS: '`maxCalls`, or the limit of the SIP server: calls at once.',
  MAX_CALLS_PER_SECOND: '`maxCallsPerSecond`: new calls in each second.',
  DAILY_MINUTES: '`dailyMinutes`: minutes a day to a prefix.',
});

const CallAlertType = objectOf('CallAlert', 'What the SIP server tells about calls.', {
  at: [GraphQLISODateTime, 'When it happened.'],
  ref: [nullable(String), "The reference of what has the limit, or of the emergency caller's domain."],
  limit: [nullable(CallLimitEnum), 'The limit; null for an emergency call.'],
  used: [nullable(Int), 'How many calls or minutes counted; null for an emergency call.'],
  most: [nullable(Int), 'How many may; null for an emergency call.'],
  number: [nullable(String), 'The emergency number that was called; null for a limit.'],
  agentRef: [nullable(String), 'The reference of the agent that called it; null for others.'],
  peerRef: [nullable(String), 'The reference of the peer that called it; null for others.'],
});

@ObjectType('CallAlertChange', { implements: ChangeType, description: 'The SIP server tells something about calls.' })
class CallAlertChange extends ChangeType {
  /** The row id of the alert. */
  get alertId(): number {
    return Number(this.told.ref);
  }

  @Field(() => CallAlertEventEnum, { description: 'What happened.' })
  get event(): string {
    return alertEventOf(this.told);
  }
}

/** The subscription to alerts. */
@Resolver()
export class CallAlertResolver {
  @Subscription(() => CallAlertChange, {
    description: 'An event for each limit of calls that is nearly reached or reached, and for each emergency call.',
    subscribe: liveChanges(CALL_ALERT),
  })
  callAlert(
    @Root() change: Change,
    @Arg('since', () => String, { nullable: true, description: SINCE }) _since?: string | null,
  ): CallAlertChange {
    return new CallAlertChange(change);
  }
}

/** The alert of an event. */
@Resolver(() => CallAlertChange)
export class ChangedAlertResolver {
  @FieldResolver(() => CallAlertType, { nullable: true, description: 'The alert; null if it is no longer kept.' })
  async alert(@Root() { alertId }: CallAlertChange, @Ctx() { session }: Context): Promise<CallAlert | undefined> {
    return (await session.read.alerts([alertId])).get(alertId);
  }
}

/** What an alert refers to and no longer exists. */
@Resolver(() => CallAlertType)
class FormerOfAlert {
  @FieldResolver(() => [FormerResource], {
    description:
      'Of what has the limit, the agent, peer and domain of an emergency caller and the gateway: those that no longer exist, also if another one has the reference since. Links do not lead to that one.',
  })
  async former(@Root() alert: CallAlert, @Ctx() { session }: Context): Promise<readonly FormerResource[]> {
    const former = await readFormer(storedIn(alert), session.read, session.shared.model);
    return [...former.values()];
  }
}

/** The references in an alert. */
function storedIn({ kind, ref, agentRef, peerRef, gatewayRef, at }: CallAlert): readonly Stored[] {
  const all = [
    { kind, ref },
    { kind: 'Agent', ref: agentRef },
    { kind: 'Peer', ref: peerRef },
    { kind: 'Gateway', ref: gatewayRef },
  ];
  return all.flatMap((each) =>
    each.kind === null || each.ref === null ? [] : [{ kind: each.kind, ref: each.ref, at }],
  );
}

/** The links from an alert. */
export const alertLinks = [
  FormerOfAlert,
  linkTo(
    CallAlertType,
    'resource',
    () => ResourceInterface,
    "What has the limit, or the emergency caller's domain; null for a peer without one, or if it was deleted, also if another one has its reference since.",
    ({ kind, ref, at }: CallAlert) => ({ kind, ref, at }),
  ),
  linkTo(
    CallAlertType,
    'gateway',
    () => Gateway,
    'The gateway through which the emergency call left first; null for a limit.',
    ({ gatewayRef: ref, at }: CallAlert) => ({ kind: 'Gateway', ref, at }),
  ),
];
