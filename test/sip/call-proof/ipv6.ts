import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { SPOTS, type Place } from './world';

const run = promisify(execFile);

/** Gives this machine the IPv6 addresses of a world, or takes them away. */
export async function setAddresses(place: Place, how: 'add' | 'del'): Promise<void> {
  if (!place.isIpv6) return;
  const running = run('ip', ['-6', '-batch', '-']);
  for (const spot of SPOTS)
    running.child.stdin?.write(`addr ${how} ${place.address(spot)}/128 dev lo${how === 'add' ? ' nodad' : ''}\n`);
  running.child.stdin?.end();
  await running;
}

/** Whether this machine can have further IPv6 addresses, which takes the right to configure its network. */
export async function hasIpv6(place: Place): Promise<boolean> {
  return setAddresses(place, 'add').then(
    () => setAddresses(place, 'del').then(() => true),
    () => false,
  );
}
