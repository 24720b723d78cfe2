import fc from 'fast-check';

import { call, worlds, type CallOf, type World } from './world';

/*
 * Worlds with limits of calls and with calls in progress, with destinations of the same priority, and with parameters of numbers.
 *
 * Left out is what explainCall cannot know: how many calls have begun in this second (maxCallsPerSecond), the limits of the SIP
 * server's own configuration, the addresses of host names, and, of gateways that share the calls, the one through which an outside
 * number is called that rings together with others. Fewer minutes than a call lasts are not played either, because a call
 * that is made here lasts for milliseconds.
 */

/** The most calls at once of one that has a limit. */
const MOST_CALLS = 2;
const MOST_HELD = 4;
/** From where agents call that have calls in progress. */
const PHONE = 1;

const limit = fc.option(fc.integer({ min: 1, max: MOST_CALLS }), { nil: undefined, freq: 2 });
const many = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(arbitrary, { minLength: 5, maxLength: 5 });

const member = fc.nat({ max: 4 }).map((at) => `~${String(at)}`);

/** Most of them are answered, and go on: agents call each other and outside numbers. */
const held: fc.Arbitrary<CallOf> = fc
  .tuple(
    call,
    member,
    fc.oneof(member, fc.constantFrom('+33123456789', '+49170555', '+$1', '+$2')),
    fc.constantFrom(
      ['200 OK', '486 Busy Here'],
      ['503 Service Unavailable', '200 OK', '486 Busy Here'],
      ['486 Busy Here', '200 OK', '486 Busy Here'],
    ),
  )
  .map(([made, from, to, answers]) => ({ ...made, from, to, spot: PHONE, answers }));

const limits = fc.record({
  agents: many(limit),
  domains: many(limit),
  gateways: many(limit),
  held: fc.array(held, { minLength: 1, maxLength: MOST_HELD }),
});

/** The weights of the destinations of a gateway; undefined for those that have priorities of their own. */
const weights = many(fc.option(many(fc.integer({ min: 1, max: 20 })), { nil: undefined, freq: 2 }));

/** Worlds as `worlds` makes them, of which half have limits and half have weights. */
export function harderWorlds(calls: number): fc.Arbitrary<World> {
  return fc
    .tuple(
      worlds(calls),
      fc.option(limits, { nil: undefined, freq: 2 }),
      fc.option(weights, { nil: undefined, freq: 2 }),
    )
    .map(([world, limited, weighted]) => {
      const shared = weighted ? { ...world, gateways: world.gateways.map(sharing(weighted)) } : world;
      return withParameters(limited ? withLimits(shared, limited) : shared);
    });
}

/** Every fifth call, if it is to a number, has the parameters of one that was ported (RFC 4694). */
function withParameters(world: World): World {
  const written = ({ to }: CallOf): string => `${to.replace(/[\s()-]/g, '')};npdi;rn=+491@0`;
  const calls = world.calls.map((each, at) =>
    at % 5 === 4 && /^[+0][^@]*$/.test(each.to) ? { ...each, to: written(each) } : each,
  );
  return { ...world, calls };
}

type Gateways = World['gateways'];

function sharing(weighted: readonly (readonly number[] | undefined)[]) {
  return (gateway: Gateways[number], at: number): Gateways[number] => {
    const own = weighted[at];
    if (!own) return gateway;
    const destinations = gateway.destinations.map((each, index) => ({
      ...each,
      // The priority of the host is 0.
      priority: each.priority % 2,
      weight: own[index] ?? 1,
    }));
    return { ...gateway, destinations };
  };
}

function withLimits(
  world: World,
  limited: Readonly<Record<'agents' | 'domains' | 'gateways', readonly (number | undefined)[]>> & {
    readonly held: readonly CallOf[];
  },
): World {
  const { agents, domains, gateways } = world;
  return {
    ...world,
    agents: agents.map((each, at) => ({ ...each, maxCalls: limited.agents[at] })),
    domains: domains.map((each, at) => ({ ...each, maxCalls: limited.domains[at] })),
    gateways: gateways.map((each, at) => ({ ...each, maxCalls: limited.gateways[at] })),
    held: limited.held,
    // Those who have calls in progress call again.
    calls: [...limited.held, ...world.calls].slice(0, world.calls.length),
  };
}
