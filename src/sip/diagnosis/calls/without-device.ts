import type { AddressFacts } from '../facts';
import { isBroken } from '../steps';
import type { CallStep } from './call-steps';

/** The links of the targets of a number; those before them decide about the call as a whole. */
const OF_TARGETS: readonly CallStep['of'][] = ['aor', 'domain', 'target', 'contacts', 'route'];

/**
 * The address of record that a refused call would ring if a device was registered there: the first whose other links
 * all work. Undefined if anything else refuses the call, such as a disabled agent or a limit.
 */
export function withoutDevice(steps: readonly CallStep[]): AddressFacts | undefined {
  const addressOf = ({ address, facts }: CallStep): AddressFacts | undefined => address ?? facts;
  const broken = steps.filter(isBroken);
  // After a route come the gateways of an outside number.
  const outside = steps.slice(steps.findIndex(({ of }) => of === 'route') + 1 || steps.length);
  const isOfTarget = (step: CallStep): boolean =>
    OF_TARGETS.includes(step.of) || (step.of === 'gateway' && outside.includes(step));
  if (!broken.every(isOfTarget)) return undefined;
  // An outside number has a route, which says nothing of the other targets: if it was thought to ring, they are not needed.
  const failed = steps.filter(({ state }) => state !== 'OK');
  const lost = new Set(failed.flatMap((step) => (['domain', 'target'].includes(step.of) ? [addressOf(step)] : [])));
  const contacts = failed.find((step) => step.of === 'contacts' && !lost.has(addressOf(step)));
  return contacts && addressOf(contacts);
}
