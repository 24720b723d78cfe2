import { Int } from 'type-graphql';

import type { PastCall } from '../../../history/past/past-diagnosis';
import type { Then } from '../../../history/past/past-resources';
import type { CallExplanation, CallOutcome } from '../../../sip/diagnosis/calls/call-diagnosis';
import { summaryOf } from '../../../sip/diagnosis/steps';
import { enumOf, nullable, objectOf } from '../../schema/type-tables';
import { HealthStateEnum } from '../../schema/health-state';
import { ExplanationStep, explanationSteps, pastCallSteps } from './explanation-steps';
import type { PastOf } from './past-fields';
import { ContactType } from '../live-types';

const CallOutcomeEnum = enumOf<CallOutcome>('CallOutcome', 'What becomes of a call.', {
  RINGS: 'It rings the devices in `attempts`, all at once, or in their order if the called number has several targets.',
  LEAVES: 'It leaves through the gateways in `attempts`, one after the other.',
  REFUSED: 'The SIP server refuses it, with `status`.',
  UNKNOWN:
    'This cannot be said: it depends on the address of a host name, or on which of several numbers the SIP server finds. For an earlier time, also if it is not known what was then.',
});

/** The GraphQL type of an INVITE that the SIP server sends. */
export const CallAttempt = objectOf('CallAttempt', 'An INVITE that the SIP server sends for a call.', {
  order: [Int, 'Attempts of one order are made at once. Those of the next order follow; the first is 1.'],
  after: [
    nullable(Int),
    'For how many seconds those of the order before may ring until this one is made; null if it is made only when they have failed.',
  ],
  health: [nullable(HealthStateEnum), "Whether the gateway's host responds to OPTIONS; null for a call that rings."],
  share: [
    nullable(Int),
    'In how many percent of the calls it comes before the others of the same priority, by weight (RFC 2782), which are attempts beside it; null if the order is fixed.',
  ],
  contact: [
    nullable(ContactType),
    'The device that rings; null for a call that leaves, and at the contactAddr of a peer.',
  ],
  requestUri: [String, 'The Request-URI.'],
  nextHop: [
    nullable(String),
    'The SIP URI of the address to which it goes; null if only the SIP server knows the address of the host.',
  ],
  from: [nullable(String), 'From, without its tag; null for a call from outside, whose From stays as it is.'],
  assertedIdentity: [nullable(String), 'P-Asserted-Identity (RFC 3325); null for none.'],
  diversion: [
    nullable(String),
    'Diversion (RFC 5806) of a call to an outside number that is a target of the called one, without its reason; null for other calls.',
  ],
});
export type CallAttempt = InstanceType<typeof CallAttempt> & {
  readonly gatewayId: number | null;
  readonly numberId: number | null;
  readonly lot: number | null;
  /** The resources as they were; undefined for the present. */
  readonly past?: readonly Then[] | undefined;
};

/** The GraphQL type of the explanation of a call. */
export const CallExplanationType = objectOf('CallExplanation', 'Explains what becomes of a call, and why.', {
  outcome: [CallOutcomeEnum, 'What becomes of the call.'],
  status: [nullable(Int), 'The SIP status with which it is refused; null for other outcomes.'],
  reason: [nullable(String), 'The reason phrase of the refusal; null for other outcomes.'],
  summary: [
    String,
    'A description of the first broken link; without one, of what rings, or of the gateway that is tried first.',
  ],
  steps: [
    [ExplanationStep],
    'The decisions of the SIP server, in its order. Those after a broken one are not made, and only shown if they are known.',
  ],
  attempts: [
    [CallAttempt],
    'The INVITEs that the SIP server sends, in their `order`, until one is answered. A call that leaves tries one after the other; a call that rings sends all at once, except for a number with several targets.',
  ],
});
export type CallExplanationType = InstanceType<typeof CallExplanationType> & {
  readonly past?: PastOf<PastCall> | undefined;
};

export function toCallExplanation(explanation: CallExplanation): CallExplanationType {
  const { steps } = explanation;
  return { ...explanation, summary: summaryOf(steps), steps: explanationSteps(steps) };
}

export function toPastCallExplanation(past: PastOf<PastCall>): CallExplanationType {
  const { explanation } = past;
  const { resources } = explanation;
  const attempts = explanation.attempts.map((attempt) => ({ ...attempt, past: resources }));
  return { ...explanation, past, steps: pastCallSteps(explanation), attempts };
}
