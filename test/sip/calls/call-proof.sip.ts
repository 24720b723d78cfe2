import fc from 'fast-check';

import { databases } from '../../support/databases/databases';
import { isFull } from '../../support/runner/full';
import { harderWorlds } from '../call-proof/harder-worlds';
import { hasIpv6 } from '../call-proof/ipv6';
import { Theatre } from '../call-proof/play';
import { Place, type World } from '../call-proof/world';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const SEED = Number(process.env['SEED'] ?? Math.floor(Date.now() / 1000) % 1_000_000);
const CASES = Number(process.env['CASES'] ?? (isFull ? 600 : 150));
/** How many calls a world has, and how many worlds are played at once. */
const CALLS = 15;
const AT_ONCE = 5;
/** The largest share of the calls that may be UNKNOWN, and the smallest of those that ring or leave. */
const MOST_UNKNOWN = 0.1;
const LEAST_CALLED = 0.25;
/** One of so many groups of worlds is played over IPv6. */
const IPV6 = 4;
/** With so many calls, the shares are those of all worlds. */
const ENOUGH = 600;
/** Milliseconds for which a difference is shrunk. */
const SHRINKING = 120_000;

describe('explainCall', () => {
  const stacks: Stack[] = [];

  beforeAll(async () => {
    const unlimited = ['flood', 'user-guesses', 'address-guesses', 'agent-calls', 'gateway-calls'];
    const config = unlimited.flatMap((name) => [`--${name}`, '0']);
    stacks.push(await startStack(database, { config }));
    if (await hasIpv6(new Place(0, true))) stacks.push(await startStack(database, { config, host: '[::1]' }));
    else process.stderr.write('explainCall: not played over IPv6, because this machine gets no further addresses\n');
  });

  afterAll(async () => {
    for (const stack of stacks) await stack.close();
  });

  test(`says what the SIP server does (${String(CASES)} cases, seed ${String(SEED)})`, async () => {
    const [theatre, other = theatre] = stacks.map((stack, at) => new Theatre(stack, at === 1));
    if (!theatre || !other) throw new Error('the SIP server has to run');
    const arbitrary = harderWorlds(CALLS);
    const numRuns = Math.ceil(CASES / CALLS);
    const all: World[] = [];
    const collect = fc.property(arbitrary, (world) => void all.push(world));
    fc.assert(collect, { seed: SEED, numRuns });
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const own = (from / AT_ONCE) % IPV6 === 1 ? other : theatre;
      const found = await own.play(all.slice(from, from + AT_ONCE));
      const at = found.findIndex(({ length }) => length > 0);
      if (at < 0) continue;
      // Shrinks the world to what the difference needs.
      const holds = fc.asyncProperty(arbitrary, async (world) => {
        const [differences = []] = await own.play([world]);
        if (differences.length > 0) throw new Error(JSON.stringify(differences[0], null, 1));
      });
      const path = String(from + at);
      await fc.assert(holds, { seed: SEED, path, numRuns, interruptAfterTimeLimit: SHRINKING });
      throw new Error(`the difference in world ${path} does not appear again: ${JSON.stringify(found[at])}`);
    }
    const counted = new Map(theatre.counts);
    if (other !== theatre) for (const [kind, many] of other.counts) counted.set(kind, (counted.get(kind) ?? 0) + many);
    const counts = [...counted].map(([kind, many]) => `${String(many)} ${kind}`).join(', ');
    process.stderr.write(`explainCall: ${counts}\n`);
    const sum = [...counted.values()].reduce((total, many) => total + many, 0);
    const share = (...kinds: readonly string[]): number =>
      kinds.reduce((total, kind) => total + (counted.get(kind) ?? 0), 0) / sum;
    if (sum < ENOUGH) return;
    expect(share('UNKNOWN')).toBeLessThan(MOST_UNKNOWN);
    expect(share('RINGS', 'LEAVES')).toBeGreaterThan(LEAST_CALLED);
  }, 3_600_000);
});
