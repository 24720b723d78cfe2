import type { HealthState } from '../../model/gateway-health';
import { enumOf } from './type-tables';

/** The GraphQL enum of the health of gateways. */
export const HealthStateEnum = enumOf<HealthState>(
  'GatewayHealthState',
  "Whether a gateway's host responds to OPTIONS.",
  {
    UP: 'The host responded twice in a row, with any status, and has not missed three checks since.',
    DOWN: 'The host did not respond three times in a row, and has not responded twice since.',
    UNKNOWN:
      'The host is not checked, was changed, or the checks are not conclusive yet, or no check has ended for four intervals.',
  },
);
