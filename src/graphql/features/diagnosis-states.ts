import { registerEnumType } from 'type-graphql';

import { NUMBER_STATES, type NumberState } from '../../sip/diagnosis/facts';
import type { StepState } from '../../sip/diagnosis/steps';

/** The GraphQL enum of verdicts. */
export const NumberStateEnum = Object.fromEntries(NUMBER_STATES.map((state) => [state, state]));
registerEnumType(NumberStateEnum, {
  name: 'NumberState',
  description: 'The outcome of a call to a number: the first broken link of its path.',
  valuesConfig: {
    MISSING: { description: 'The number does not exist.' },
    AMBIGUOUS: { description: 'Several numbers have the same digits, but different targets or spellings.' },
    GATEWAY_NOT_REGISTERED: {
      description: 'The gateway is not registered: its provider did not respond, or no REGISTER was sent.',
    },
    GATEWAY_EXPIRED: { description: "The gateway's registration has expired and was not renewed." },
    GATEWAY_REFUSED: { description: "The provider rejects the gateway's registration." },
    DOMAIN_MISSING: { description: 'No domain has the host in aorLink.' },
    TARGET_FORBIDDEN: {
      description: 'The agent in aorLink does not belong to the domain in aorLink, but to another one.',
    },
    TARGET_MISSING: { description: 'No agent or peer has the user name in aorLink.' },
    NOT_REGISTERED: { description: 'The agent or peer has no registered device.' },
    EXPIRED: { description: "The registrations of the agent's or peer's devices have expired." },
    REACHABLE: { description: 'A call rings at least one device.' },
  } satisfies Record<NumberState, { description: string }>,
});

const STEP_STATES: Readonly<Record<StepState, { readonly description: string }>> = {
  OK: { description: 'The link works.' },
  MISSING: { description: 'The resource does not exist.' },
  NOT_REGISTERED: { description: 'The device or gateway exists but is not registered.' },
  EXPIRED: { description: 'The registration has expired.' },
  FORBIDDEN: { description: 'The registration is rejected, or the agent does not belong to the domain.' },
  AMBIGUOUS: { description: 'Several numbers match.' },
  NOT_NEEDED: { description: 'The resource does not exist, but the call does not need it.' },
};
/** The GraphQL enum of the states of links. */
export const StepStateEnum = Object.fromEntries(Object.keys(STEP_STATES).map((state) => [state, state]));
registerEnumType(StepStateEnum, {
  name: 'StepState',
  description: 'The state of a link in the path of a call.',
  valuesConfig: STEP_STATES,
});
