import { registerEnumType } from 'type-graphql';

import { NUMBER_STATES, type NumberState } from '../../diagnosis/facts';
import type { StepState } from '../../diagnosis/steps';

/** The verdicts in the graph. */
export const NumberStateEnum = Object.fromEntries(NUMBER_STATES.map((state) => [state, state]));
registerEnumType(NumberStateEnum, {
  name: 'NumberState',
  description: 'What happens to a call to a number: the first broken link of its chain.',
  valuesConfig: {
    MISSING: { description: 'There is no such number.' },
    AMBIGUOUS: { description: 'Several numbers have the same digits, but different targets or spellings.' },
    GATEWAY_NOT_REGISTERED: {
      description: 'The gateway is not registered: its provider did not respond, or no REGISTER was sent.',
    },
    GATEWAY_EXPIRED: { description: "The gateway's registration has expired and was not renewed." },
    GATEWAY_REFUSED: { description: "The provider rejects the gateway's registration." },
    DOMAIN_MISSING: { description: 'There is no domain with the host in aorLink.' },
    TARGET_FORBIDDEN: {
      description: 'The agent in aorLink does not belong to the domain in aorLink, but to another one.',
    },
    TARGET_MISSING: { description: 'There is no agent or peer with the user name in aorLink.' },
    NOT_REGISTERED: { description: 'The agent or peer has no registered device.' },
    EXPIRED: { description: "The registrations of the agent's or peer's devices have expired." },
    REACHABLE: { description: 'A call rings at least one device.' },
  } satisfies Record<NumberState, { description: string }>,
});

const STEP_STATES: Readonly<Record<StepState, { readonly description: string }>> = {
  OK: { description: 'The link works.' },
  MISSING: { description: 'It does not exist.' },
  NOT_REGISTERED: { description: 'It exists but is not registered.' },
  EXPIRED: { description: 'Its registration has expired.' },
  FORBIDDEN: { description: 'It is rejected, or not allowed here.' },
  AMBIGUOUS: { description: 'There is more than one.' },
  NOT_NEEDED: { description: 'It does not exist and is not needed.' },
};
/** The states of steps in the graph. */
export const StepStateEnum = Object.fromEntries(Object.keys(STEP_STATES).map((state) => [state, state]));
registerEnumType(StepStateEnum, {
  name: 'StepState',
  description: 'The state of a link of the chain.',
  valuesConfig: STEP_STATES,
});
