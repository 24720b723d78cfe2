import fc from 'fast-check';

import { databases } from '../support/databases';
import { Theatre } from './call-proof/play';
import { worlds, type World } from './call-proof/world';
import { startStack, type Stack } from './stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const SEED = Number(process.env['SEED'] ?? Math.floor(Date.now() / 1000) % 1_000_000);
const CASES = Number(process.env['CASES'] ?? 150);
/** How many calls a world has, and how many worlds are played at once. */
const CALLS = 15;
const AT_ONCE = 5;
/** Milliseconds for which a difference is shrunk. */
const SHRINKING = 120_000;

describe('explainCall', () => {
  let stack: Stack;

  beforeAll(async () => {
    const unlimited = ['flood', 'user-guesses', 'address-guesses', 'user-requests', 'agent-calls', 'gateway-calls'];
    stack = await startStack(database, { config: unlimited.flatMap((name) => [`--${name}`, '0']) });
  });

  afterAll(() => stack.close());

  test(`says what the SIP server does (${String(CASES)} cases, seed ${String(SEED)})`, async () => {
    const theatre = new Theatre(stack);
    const arbitrary = worlds(CALLS);
    const numRuns = Math.ceil(CASES / CALLS);
    const all: World[] = [];
    const collect = fc.property(arbitrary, (world) => void all.push(world));
    fc.assert(collect, { seed: SEED, numRuns });
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const found = await theatre.play(all.slice(from, from + AT_ONCE));
      const at = found.findIndex(({ length }) => length > 0);
      if (at < 0) continue;
      // Shrinks the world to what the difference needs.
      const holds = fc.asyncProperty(arbitrary, async (world) => {
        const [differences = []] = await theatre.play([world]);
        if (differences.length > 0) throw new Error(JSON.stringify(differences[0], null, 1));
      });
      const path = String(from + at);
      await fc.assert(holds, { seed: SEED, path, numRuns, interruptAfterTimeLimit: SHRINKING });
      throw new Error(`the difference in world ${path} does not appear again: ${JSON.stringify(found[at])}`);
    }
    process.stderr.write(
      `explainCall: ${[...theatre.counts].map(([kind, many]) => `${String(many)} ${kind}`).join(', ')}\n`,
    );
  }, 3_600_000);
});
