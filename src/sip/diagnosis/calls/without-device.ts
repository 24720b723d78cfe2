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
  if (broken.some(({ of }) => !OF_TARGETS.includes(of))) return undefined;
  // An outside number has a route, which says nothing of the other targets.
  const lost = new Set(broken.flatMap((step) => (['domain', 'target'].includes(step.of) ? [addressOf(step)] : [])));
  const contacts = broken.find((step) => step.of === 'contacts' && !lost.has(addressOf(step)));
  return contacts && addressOf(contacts);
}
