import { createUnionType, GraphQLISODateTime, Int } from 'type-graphql';

import { writeAddressOfRecord } from '../../../model/format/address-of-record';
import { Did, TelephoneNumber } from '../../../model/number';
import type { AddressExplanation } from '../../../sip/diagnosis/address-diagnosis';
import { NUMBER_STATES, type Facts, type Momentary, type NumberState } from '../../../sip/diagnosis/facts';
import type { Cause, Explanation, Flows, HealthCounts } from '../../../sip/diagnosis/number-diagnosis';
import type { PastNumber } from '../../../history/past/past-diagnosis';
import { stepsOf, summaryOf } from '../../../sip/diagnosis/steps';
import type { Flow, FlowEnd } from '../../../sip/diagnosis/flows-query';
import { CREATION_CURSORS } from '../../schema/cursors';
import { enumOf, nullable, objectOf } from '../../schema/type-tables';
import { KindEnum } from '../../schema/object-types';
import { addressSteps, ExplanationStep, numberSteps, pastNumberSteps } from './explanation-steps';
import type { PastOf } from './past-fields';

/** The GraphQL enum of verdicts. */
export const NumberStateEnum = enumOf<NumberState | Momentary | 'UNKNOWN'>(
  'NumberState',
  'The outcome of a call to a number: the first broken link of its path.',
  {
    MISSING: 'The number does not exist.',
    DISABLED: 'The number is disabled.',
    AMBIGUOUS: 'Several numbers have the same digits, but different targets or spellings.',
    GATEWAY_DISABLED: 'The gateway is disabled.',
    GATEWAY_DRAINING: 'The gateway is draining: it takes no new calls.',
    GATEWAY_NOT_REGISTERED: 'The gateway is not registered: its provider did not respond, or no REGISTER was sent.',
    GATEWAY_EXPIRED: "The gateway's registration has expired and was not renewed.",
    GATEWAY_REFUSED: "The provider rejects the gateway's registration.",
    DOMAIN_MISSING: 'No domain has the host in aorLink.',
    TARGET_FORBIDDEN: 'The agent in aorLink does not belong to the domain in aorLink, but to another one.',
    TARGET_MISSING: 'No agent or peer has the user name in aorLink.',
    TARGET_DISABLED: 'The agent or peer in aorLink, or its domain, is disabled.',
    NOT_REGISTERED: 'The agent or peer has no registered device.',
    EXPIRED: "The registrations of the agent's or peer's devices have expired.",
    REACHABLE: 'A call rings at least one device.',
    LIMIT_REACHED:
      'Only of `explainNumber`: the SIP server would refuse the call now, because of a limit of calls in progress or of minutes.',
    NO_WAY_OUT:
      'Only of `explainNumber`: the call would go to outside numbers only, for which no gateway can be called now.',
    UNKNOWN: 'Only of an earlier time: what was then is no longer known, or was never recorded.',
  },
);

export const PhoneNumber = createUnionType({
  name: 'PhoneNumber',
  description: 'A DID or a Number.',
  types: () => [Did, TelephoneNumber] as const,
});

/** What the explanations of a number and of an address of record have in common. */
const VERDICT = {
  state: [NumberStateEnum, 'The verdict: the first broken link.'],
  reachable: [Boolean, 'Whether a call reaches a device.'],
  summary: [String, 'A description of the first broken link, and how to fix it.'],
} as const;

/** The GraphQL type of an explanation. */
export const NumberExplanationType = objectOf('NumberExplanation', 'Explains why a number rings or does not.', {
  ...VERDICT,
  telUrl: [String, 'The number as given in the query.'],
  digits: [String, 'The digits of the number, by which the SIP server routes calls.'],
  steps: [
    [ExplanationStep],
    'The links in the path of a call: number, gateway, address of record, domain, target and devices. Links after a broken one are included.',
  ],
});
export type NumberExplanationType = InstanceType<typeof NumberExplanationType> & {
  readonly facts: Facts | undefined;
  readonly past?: PastOf<PastNumber>;
};

export function toNumberExplanation(telUrl: string, explanation: Explanation): NumberExplanationType {
  const { digits, state, steps, facts } = explanation;
  const summary = summaryOf(steps);
  return { telUrl, digits, ...verdict(state), summary, steps: numberSteps(steps, facts), facts };
}

export function toPastNumberExplanation(telUrl: string, past: PastOf<PastNumber>): NumberExplanationType {
  const { digits, state, summary, steps, facts } = past.explanation;
  const links = pastNumberSteps(steps, facts, past.explanation);
  return { telUrl, digits, ...verdict(state), summary, steps: links, facts, past };
}

function verdict<T extends string>(state: T): { readonly state: T; readonly reachable: boolean } {
  return { state, reachable: state === 'REACHABLE' };
}

/** The GraphQL type of the explanation of an address of record. */
export const AddressExplanationType = objectOf(
  'AddressExplanation',
  'Explains why calls to an address of record ring or not.',
  {
    ...VERDICT,
    addressOfRecord: [String, 'The address of record, as a SIP URI.'],
    steps: [
      [ExplanationStep],
      'The links in the path of a call: address of record, domain, target and devices. Links after a broken one are included.',
    ],
  },
);
export type AddressExplanationType = InstanceType<typeof AddressExplanationType>;

export function toAddressExplanation({ state, steps, facts }: AddressExplanation): AddressExplanationType {
  const summary = summaryOf(steps);
  return { ...verdict(state), summary, addressOfRecord: facts.aorLink, steps: addressSteps(steps, facts) };
}

const NumberStateCount = objectOf('NumberStateCount', 'The number of DIDs and Numbers in a state.', {
  state: [NumberStateEnum, 'The state.'],
  count: [Int, 'The number of DIDs and Numbers.'],
});

/** The GraphQL type of the states of some numbers. */
export const NumberHealthCountsType = objectOf('NumberHealthCounts', 'How many DIDs and Numbers are in each state.', {
  states: [[NumberStateCount], 'The states of the examined numbers; states without numbers have 0.'],
  examined: [Int, 'How many numbers were examined.'],
  hasNextPage: [Boolean, 'Whether further numbers follow: continue after `endCursor`, and add the counts.'],
  endCursor: [String, 'The cursor of the last number that was examined.'],
});
export type NumberHealthCountsType = InstanceType<typeof NumberHealthCountsType> & {
  /** Shown by a field with an argument. */
  readonly causes: readonly Cause[];
};

export function toHealthCounts({ counts, causes, examined, end, more }: HealthCounts): NumberHealthCountsType {
  return {
    causes,
    states: NUMBER_STATES.filter((state) => state !== 'MISSING').map((state) => ({
      state,
      count: counts.get(state) ?? 0,
    })),
    examined,
    hasNextPage: more,
    endCursor: CREATION_CURSORS.write({ rowId: end }),
  };
}

/** The GraphQL type of the verdict on one number. */
export const NumberHealthType = objectOf('NumberHealth', 'Whether a number rings.', {
  state: [NumberStateEnum, 'The verdict: the first broken link.'],
  reachable: [Boolean, 'Whether a call reaches a device.'],
  summary: [String, 'A description of the first broken link. `explainNumber` also suggests corrections.'],
  kind: [KindEnum, 'Whether it is a DID or a Number.'],
  ref: [String, "The number's reference."],
  telUrl: [String, 'The number, as a tel URI.'],
  aorLink: [String, 'The address of record to which calls to the number are routed.'],
});
export type NumberHealthType = InstanceType<typeof NumberHealthType> & {
  /** For the cursor. */
  readonly rowId: number;
  readonly facts: Facts;
};

export function toNumberHealth(facts: Facts): NumberHealthType {
  const { rowId, state, kind, ref, telUrl, aorLink } = facts;
  return {
    ...{ rowId, facts, ...verdict(state), kind, ref, telUrl, aorLink },
    // Described only if it is selected.
    get summary() {
      return summaryOf(stepsOf(facts));
    },
  };
}

/** The GraphQL type of a cause for which numbers do not ring. */
export const NumberHealthCauseType = objectOf(
  'NumberHealthCause',
  'Numbers that do not ring for the same reason: they have the same gateway, address of record, unknown domain or digits, or are in a domain none of whose numbers has a registered device.',
  {
    state: [NumberStateEnum, 'The first broken link of these numbers.'],
    count: [Int, 'How many of the examined numbers do not ring for this reason.'],
    since: [
      nullable(GraphQLISODateTime),
      'When the last registration ended, of the gateway or of a device; null if none is known, and for a domain.',
    ],
    first: [NumberHealthType, 'The first of these numbers. Its `summary` says what is wrong.'],
  },
);
export type NumberHealthCauseType = InstanceType<typeof NumberHealthCauseType> & {
  /** The row id of the domain without devices. */
  readonly domainId: number | null;
};

export function toNumberHealthCause({ state, count, isOfDomain }: Cause, facts: Facts): NumberHealthCauseType {
  const isGateway = state.startsWith('GATEWAY_');
  const isDevice = !isOfDomain && (state === 'EXPIRED' || state === 'NOT_REGISTERED');
  const since = isGateway ? facts.registeredUntil : isDevice ? facts.devicesUntil : null;
  return { state, count, since, first: toNumberHealth(facts), domainId: isOfDomain ? facts.domainId : null };
}

/** The GraphQL enum of what numbers lead to in a flow. */
export const FlowEndEnum = enumOf<FlowEnd>('NumberFlowEnd', 'What numbers lead to in a flow.', {
  DOMAIN: 'The host of the address of record.',
  TARGET: 'The address of record.',
});

/** The GraphQL type of a flow. */
export const NumberFlowType = objectOf(
  'NumberFlow',
  'DIDs and Numbers that have the same gateway, lead to the same domain or address of record, and are in the same state.',
  {
    count: [Int, 'How many numbers.'],
    state: [NumberStateEnum, 'The verdict of explainNumber on each of them.'],
    host: [
      nullable(String),
      'The host of the address of record; null if those that fewer numbers lead to are summed up.',
    ],
    addressOfRecord: [
      nullable(String),
      'The address of record, as a SIP URI; null if the end of the flow is a domain, or summed up.',
    ],
  },
);
export type NumberFlowType = InstanceType<typeof NumberFlowType> & {
  readonly flow: Flow;
};

function toNumberFlow(flow: Flow): NumberFlowType {
  const { count, state, host, user } = flow;
  const addressOfRecord = user === null || host === null ? null : writeAddressOfRecord({ user, host });
  return { flow, count, state, host, addressOfRecord };
}

/** The GraphQL type of the flows of some numbers. */
export const NumberFlowsType = objectOf(
  'NumberFlows',
  'Where calls to numbers go: from gateways to domains or addresses of record, and whether they ring.',
  {
    flows: [
      [NumberFlowType],
      'The flows, first those of the most numbers. The gateways and the ends of the most numbers have flows of their own; the others are summed up.',
    ],
    by: [FlowEndEnum, 'What the flows lead to.'],
    gateways: [Int, 'How many gateways the flows have, with those that are summed up.'],
    ends: [Int, 'How many domains or addresses of record the flows lead to, with those that are summed up.'],
    examined: [Int, 'How many numbers were examined.'],
    hasNextPage: [Boolean, 'Whether further numbers follow: continue after `endCursor`.'],
    endCursor: [String, 'The cursor of the last number that was examined.'],
  },
);
export type NumberFlowsType = InstanceType<typeof NumberFlowsType>;

export function toNumberFlows({ flows, end, more, ...found }: Flows): NumberFlowsType {
  return {
    ...found,
    flows: flows.map(toNumberFlow),
    hasNextPage: more,
    endCursor: CREATION_CURSORS.write({ rowId: end }),
  };
}
