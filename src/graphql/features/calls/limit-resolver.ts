import { Field, Int, ObjectType } from 'type-graphql';

import type { Kind } from '../../../model/kind';
import type { LimitOwner, UsedMinutes } from '../../../sip/calls/limit-reader';
import { rowField } from '../../schema/row-field';
import { nullable, objectOf } from '../../schema/objects';

@ObjectType('UsedMinutes', { description: 'Minutes a day (UTC) to numbers that begin with a prefix.' })
class UsedMinutesType implements UsedMinutes {
  @Field(() => String, { description: 'What the dialed number begins with.' })
  prefix!: string;

  @Field(() => Int, { description: 'How many minutes may be used in a day.' })
  minutes!: number;

  @Field(() => Int, { description: "How many seconds of today's are used by calls that have ended." })
  usedSeconds!: number;
}

const CallLimitsType = objectOf('CallLimits', 'How many calls are in progress, beside how many may be.', {
  calls: [Int, 'The recorded calls in progress that count, of all nodes of the SIP server, including ringing calls.'],
  maxCalls: [
    nullable(Int),
    'How many may be; null for no limit of its own: that of the SIP server applies, if there is one.',
  ],
  maxCallsPerSecond: [nullable(Int), 'How many may begin in each second; null for no limit.'],
  dailyMinutes: [[UsedMinutesType], 'Minutes a day by prefix; empty for no limit.'],
});

/** Creates the resolver for the limits of a kind. */
export function createLimitsResolver(kind: Kind, owner: LimitOwner): new () => object {
  const description = `The calls in progress that count for the limits of the ${kind.name}; null if it was deleted meanwhile.`;
  const shown = { type: () => CallLimitsType, nullable: true, description };
  return rowField(kind.class, 'limits', shown, ({ limits }, rowIds) => limits.of(owner, rowIds));
}
