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
    AMBIGUOUS: { description: 'Several numbers have the same digits, but other targets or spellings.' },
    GATEWAY_NOT_REGISTERED: {
      description: 'The gateway is not registered: its provider did not answer, or was not asked.',
    },
    GATEWAY_EXPIRED: { description: "The gateway's registration has ended, and was not renewed." },
    GATEWAY_REFUSED: { description: "The provider refuses the gateway's registration." },
    DOMAIN_MISSING: { description: 'There is no domain of the host that aorLink names.' },
    TARGET_FORBIDDEN: { description: 'The agent that aorLink names is not in that domain, but in another one.' },
    TARGET_MISSING: { description: 'There is neither an agent nor a peer of the name in aorLink.' },
    NOT_REGISTERED: { description: 'The agent or peer has no device registered.' },
    EXPIRED: { description: "The registrations of the agent's or peer's devices have ended." },
    REACHABLE: { description: 'A call rings at least one device.' },
  } satisfies Record<NumberState, { description: string }>,
});

const STEP_STATES: Readonly<Record<StepState, { readonly description: string }>> = {
  OK: { description: 'The link holds.' },
  MISSING: { description: 'It does not exist.' },
  NOT_REGISTERED: { description: 'It exists and is not registered.' },
  EXPIRED: { description: 'Its registration has ended.' },
  FORBIDDEN: { description: 'It is refused, or not allowed here.' },
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
