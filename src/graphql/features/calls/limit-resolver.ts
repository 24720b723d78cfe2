import { Int } from 'type-graphql';

import type { Kind } from '../../../model/kind';
import type { LimitOwner } from '../../../sip/calls/limit-reader';
import { rowField } from '../../schema/row-field';
import { nullable, objectOf } from '../../schema/type-tables';

const UsedMinutesType = objectOf('UsedMinutes', 'Minutes a day (UTC) to numbers that begin with a prefix.', {
  prefix: [String, 'What the dialed number begins with.'],
  minutes: [Int, 'How many minutes may be used in a day.'],
  usedSeconds: [Int, "How many seconds of today's are used by calls that have ended."],
});

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
