import { Float, GraphQLISODateTime, ID, Int } from 'type-graphql';

import type { CallDirection, CallEnd, CallState } from '../../../sip/calls/call';
import { MAX_GROUPS, type CallGroup, type CallOrder } from '../../../sip/calls/call-reader';
import { DEFAULT_PAGE, PAGE } from '../../schema/connection';
import { argsOf, enumOf, inputOf, nullable, objectOf } from '../../schema/type-tables';

const CallStateEnum = enumOf<CallState>('CallState', 'The state of a call.', {
  CALLING: 'In progress: nothing rings yet.',
  RINGING: 'In progress: the callee rings.',
  ANSWERED: 'In progress: the callee has answered.',
  LOST: 'The SIP server stopped during the call; whether it went on, and when it ended, is unknown.',
  FAILED: 'The call was never answered.',
  ENDED: 'The call was answered, and has ended.',
});

const CallDirectionEnum = enumOf<CallDirection>('CallDirection', 'Where a call came from and went.', {
  IN: 'From a gateway to an agent or a peer.',
  OUT: 'From an agent or a peer through a gateway.',
  INTERNAL: 'Between agents and peers.',
});

const CallEndEnum = enumOf<CallEnd>('CallEnd', 'Who ended a call.', {
  CALLER: 'The caller hung up, or gave up before an answer.',
  CALLEE: 'The other side hung up, or refused the call.',
  SERVER: 'The SIP server: nobody answered in time, it refused the call, or it ended the call.',
});

const CallOrderEnum = enumOf<CallOrder>('CallOrder', 'The order of calls.', {
  NEWEST: 'The call that began last comes first.',
  OLDEST: 'The call that began first comes first.',
});

const CallGroupEnum = enumOf<CallGroup>('CallGroup', 'How calls are counted.', {
  STATUS: 'By the final status.',
  GATEWAY: 'By gateway.',
  HOUR: 'By the hour in which they began (UTC).',
});

/** The GraphQL type of a call. */
export const CallType = objectOf(
  'Call',
  'A call that the SIP server recorded, in progress or not. What is not known, or not yet, is null.',
  {
    id: [ID, 'Opaque and globally unique, for caches and `call`.'],
    callId: [String, 'The header Call-ID, which callers choose; `…` for viewers who see shortened numbers.'],
    fromTag: [String, 'The tag in From; `…` for viewers who see shortened numbers.'],
    state: [CallStateEnum, 'The state.'],
    direction: [nullable(CallDirectionEnum), 'Where the call came from and went.'],
    from: [nullable(String), 'The URI in From, as the caller wrote it.'],
    to: [nullable(String), 'The URI in To, as the caller wrote it: what was dialed.'],
    called: [nullable(String), 'The called address of record, or the number that was sent to the gateway.'],
    digits: [nullable(String), 'Digits of the DID or Number that was called, or from which the call left.'],
    gatewayRef: [
      nullable(String),
      'Reference of the gateway through which the call came or left, also if it no longer exists.',
    ],
    domainRef: [
      nullable(String),
      'Reference of the domain of the caller, or of the called one for a caller without, also if it no longer exists; null in calls of an earlier configuration of the SIP server.',
    ],
    routeRef: [
      nullable(String),
      'Reference of the route by which the call left, also if it no longer exists; null if the egress policy of the domain decided, and in calls of an earlier configuration of the SIP server.',
    ],
    begunOn: [GraphQLISODateTime, 'When the call began: when it was routed.'],
    ringingOn: [nullable(GraphQLISODateTime), 'When the callee began to ring.'],
    answeredOn: [nullable(GraphQLISODateTime), 'When the call was answered.'],
    endedOn: [nullable(GraphQLISODateTime), 'When the call ended or failed.'],
    endedBy: [nullable(CallEndEnum), 'Who ended the call.'],
    status: [
      nullable(Int),
      'The status code of the final response of the other side, or of the SIP server if it refused the call.',
    ],
    reason: [nullable(String), 'The reason phrase of that response.'],
    reasonHeader: [
      nullable(String),
      'The header Reason of that response or of the BYE (RFC 3326), such as `Q.850;cause=34`.',
    ],
    source: [nullable(String), 'The IP address of the caller.'],
    node: [String, 'The node of the SIP server, as host:port.'],
  },
);

/** The GraphQL type of an attempt of a call. */
export const RecordedAttemptType = objectOf(
  'RecordedAttempt',
  'A way out that was tried for a call, or a device that was called. What is not known, or not yet, is null.',
  {
    gatewayRef: [nullable(String), 'Reference of the gateway, also if it no longer exists; null for a device.'],
    destination: [
      nullable(String),
      'The address to which the INVITE was sent, or from which the device responded, as a SIP URI.',
    ],
    at: [nullable(GraphQLISODateTime), 'When it began.'],
    duration: [nullable(Int), 'The time until the final response, in milliseconds.'],
    status: [
      nullable(Int),
      'The status code of the final response; 408 also without any response, null if it could not be sent.',
    ],
    reason: [nullable(String), 'The reason phrase of that response.'],
    reasonHeader: [nullable(String), 'The header Reason of that response (RFC 3326).'],
  },
);

/** The GraphQL type of a message of a call. */
export const CallMessageType = objectOf(
  'CallMessage',
  'A SIP message of a call that the SIP server received or sent, without its body and without secrets.',
  {
    at: [GraphQLISODateTime, 'When it was received or sent.'],
    from: [String, 'IP address and port of the sender.'],
    to: [String, 'IP address and port of the receiver.'],
    firstLine: [String, 'The request line or the status line.'],
    headers: [
      [String],
      'The headers, each a line. Of those that may contain secrets, such as Authorization, only the names.',
    ],
  },
);

/** The GraphQL type of the calls of a group. */
export const CallCountType = objectOf('CallCount', 'The calls of a group, in numbers.', {
  status: [nullable(Int), 'The final status; null for other groups, and without one.'],
  gatewayRef: [nullable(String), 'Reference of the gateway; null for other groups, and for calls without one.'],
  hour: [nullable(GraphQLISODateTime), 'When the hour begins; null for other groups.'],
  calls: [Int, 'The number of calls.'],
  answered: [Int, 'The number of answered calls.'],
  answerSeizureRatio: [Float, 'The answer-seizure ratio: answered calls by calls.'],
  averageDuration: [nullable(Float), 'The average time from answer to end, in seconds.'],
  averagePostDialDelay: [
    nullable(Float),
    'The average time until the callee rang or answered (post-dial delay), in seconds.',
  ],
  postDialDelayP50: [
    nullable(Float),
    'The median of that time: half of the calls rang or were answered within it, in seconds.',
  ],
  postDialDelayP95: [nullable(Float), 'The time within which 95 % of the calls did, in seconds.'],
});
export type CallCountType = InstanceType<typeof CallCountType> & {
  /** When the first of the calls may have begun. */
  readonly begunOn: number;
};

/** The conditions on a call that webhooks for failed calls have, too. */
export const CALL_CONDITIONS = {
  direction: [nullable(CallDirectionEnum), 'Where the call came from and went.'],
  agentRef: [nullable(String), 'Reference of the agent that called or was called.'],
  peerRef: [nullable(String), 'Reference of the peer that called or was called.'],
  gatewayRef: [nullable(String), 'Reference of the gateway.'],
  domainRef: [nullable(String), 'Reference of the domain of the caller, or of the called one for a caller without.'],
  routeRef: [nullable(String), 'Reference of the route by which the call left.'],
  reason: [nullable(String), 'Part of the reason phrase or of the header Reason, ignoring case.'],
} as const;

export const CallWhere = inputOf('CallWhere', 'Conditions on a call; all must hold.', {
  ...CALL_CONDITIONS,
  state: [nullable(CallStateEnum), 'The state.'],
  states: [nullable([CallStateEnum]), 'One of these states.'],
  callId: [nullable(String), 'The header Call-ID.'],
  digits: [
    nullable(String),
    'The DID or Number that was called, or calls out: its digits, or the number in any spelling with the code of its country.',
  ],
  status: [nullable(Int), 'The final status, such as 486.'],
  minStatus: [nullable(Int), 'The lowest final status, such as 500.'],
  search: [
    nullable(String),
    'Part of the URIs in From and To, of what was called or of our number, ignoring case; a number also in any spelling with the code of its country.',
  ],
  from: [nullable(GraphQLISODateTime), 'Began at this time or later.'],
  to: [nullable(GraphQLISODateTime), 'Began at this time or earlier.'],
});
export type CallWhere = InstanceType<typeof CallWhere>;

export const CallArgs = argsOf({
  ...PAGE,
  where: [nullable(CallWhere), 'Return only calls that meet these conditions.'],
  orderBy: [nullable(CallOrderEnum), 'The order; by default NEWEST.'],
});
export type CallArgs = InstanceType<typeof CallArgs>;

export const CallCountArgs = argsOf({
  by: [CallGroupEnum, 'How to count.'],
  from: [nullable(GraphQLISODateTime), 'Start; by default 24 hours before `to`.'],
  to: [nullable(GraphQLISODateTime), 'End; by default now.'],
  first: [
    nullable(Int),
    `Return the first groups: 1 to ${String(MAX_GROUPS)}. The default is ${String(DEFAULT_PAGE)}.`,
  ],
});
export type CallCountArgs = InstanceType<typeof CallCountArgs>;
