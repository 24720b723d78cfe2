import fc from 'fast-check';

import { databases } from '../../support/databases/databases';
import { worlds, type World } from '../call-proof/world';
import { plans } from '../simulate-proof/plan';
import { Trial, type Case, type Difference } from '../simulate-proof/trial';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const SEED = Number(process.env['SEED'] ?? Math.floor(Date.now() / 1000) % 1_000_000);
const CASES = Number(process.env['CASES'] ?? 24);
/** Which of several processes this is, such as 1/4, that play the plans of one seed together. */
const [PART = 1, PARTS = 1] = (process.env['PART'] ?? '1/1').split('/').map(Number);
/** How many steps a plan has, and how many plans are played at once. */
const STEPS = 5;
const AT_ONCE = 24;
/** Milliseconds for which a difference is shrunk. With 0, all differences are collected, and none is shrunk. */
const SHRINKING = Number(process.env['SHRINKING'] ?? 120_000);

/**
 * What a simulation does not know: the addresses of hosts, which places are down, connections with TLS, used minutes, whether a caller
 * may call at all (access control lists, sources of peers), and which number of a route with shares a call shows by chance.
 */
function knowable({ domains, agents, peers, gateways, ...world }: World): World {
  const isHost = (text: string | undefined): string | undefined =>
    text?.endsWith('.invalid') === true ? undefined : text;
  return {
    ...world,
    domains: domains.map((each) => ({
      ...each,
      ...{ isSpent: false, deny: [], allow: [] },
      routes: each.routes.map((route) => ({ ...route, shares: undefined })),
    })),
    agents: agents.map((each) => ({ ...each, isSpent: false })),
    peers: peers.map((each) => ({ ...each, contactAddr: isHost(each.contactAddr), sources: [] })),
    gateways: gateways.map((each) => ({
      ...each,
      outboundProxy: isHost(each.outboundProxy),
      transport: 'UDP',
      isSpent: false,
      isDown: false,
      destinations: each.destinations.map((destination) => ({ ...destination, isDown: false })),
    })),
  };
}

const cases: fc.Arbitrary<Case> = fc.record({ world: worlds(0).map(knowable), plan: plans(STEPS) });

describe('simulate', () => {
  let stack: Stack;
  // Beyond those of call-proof, whose providers may listen at the same time.
  let next = 40_000;
  const counts = new Map<string, number>();

  beforeAll(async () => {
    const unlimited = ['flood', 'user-guesses', 'address-guesses', 'agent-calls', 'gateway-calls'];
    stack = await startStack(database, { config: unlimited.flatMap((name) => [`--${name}`, '0']) });
  });

  afterAll(() => stack.close());

  /** Plays cases at once. Returns the differences of each. */
  async function play(some: readonly Case[]): Promise<readonly (readonly Difference[])[]> {
    const trials = await Promise.all(some.map((each) => Trial.open(stack, each, next++, counts)));
    try {
      await Promise.all(trials.map((trial) => trial.prepare()));
      // The calls of a case are made at once, and the cases one after the other, so that no queue overflows.
      for (const trial of trials) await trial.apply();
      const found = [];
      for (const trial of trials) found.push(await trial.differences());
      return found;
    } finally {
      for (const trial of trials) await trial.close();
    }
  }

  test(`says what calls do after a plan (${String(CASES)} plans, seed ${String(SEED)})`, async () => {
    const all: Case[] = [];
    const collected: Difference[] = [];
    fc.assert(
      fc.property(cases, (each) => void all.push(each)),
      { seed: SEED, numRuns: CASES },
    );
    for (let from = (PART - 1) * AT_ONCE; from < all.length; from += PARTS * AT_ONCE) {
      const found = await play(all.slice(from, from + AT_ONCE));
      const at = found.findIndex(({ length }) => length > 0);
      if (at < 0) continue;
      if (SHRINKING === 0) {
        collected.push(...found.flat());
        for (const each of found.flat()) process.stderr.write(`${JSON.stringify(each)}\n`);
        continue;
      }
      // Shrinks the case to what the difference needs.
      const holds = fc.asyncProperty(cases, async (each) => {
        const [differences = []] = await play([each]);
        if (differences.length > 0) throw new Error(JSON.stringify(differences[0], null, 1));
      });
      const path = String(from + at);
      await fc.assert(holds, { seed: SEED, path, numRuns: CASES, interruptAfterTimeLimit: SHRINKING });
      throw new Error(`the difference in case ${path} does not appear again: ${JSON.stringify(found[at])}`);
    }
    process.stderr.write(`simulate: ${[...counts].map(([what, many]) => `${String(many)} ${what}`).join(', ')}\n`);
    expect(collected.length).toBe(0);
  }, 3_600_000);
});
