import { registerEnumType } from 'type-graphql';

import { HEALTH_STATES, type HealthState } from '../../model/gateway-health';

/** The GraphQL enum of the health of gateways. */
export const HealthStateEnum = Object.fromEntries(HEALTH_STATES.map((state) => [state, state]));
registerEnumType(HealthStateEnum, {
  name: 'GatewayHealthState',
  description: "Whether a gateway's host responds to OPTIONS.",
  valuesConfig: {
    UP: { description: 'The host responded twice in a row, with any status, and has not missed three checks since.' },
    DOWN: { description: 'The host did not respond three times in a row, and has not responded twice since.' },
    UNKNOWN: {
      description:
        'The host is not checked, was changed, or the checks are not conclusive yet, or no check has ended for four intervals.',
    },
  } satisfies Record<HealthState, { description: string }>,
});
