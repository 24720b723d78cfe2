import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Field, Int, ObjectType } from 'type-graphql';

import { InvalidInputError } from '../../errors';
import { HEAVY_READ } from '../../limits/budgets';
import { stoppedFirst, type NumberEffect, type NumberPath } from '../../sip/simulation/number-effects';
import { MAX_ENDS, type LostWay } from '../../sip/simulation/lost-ways';
import type { Shadow } from '../../sip/simulation/shadowed-rules';
import type { WayOutEffect } from '../../sip/simulation/ways-out';
import type { Simulated, Simulation } from '../../sip/simulation/simulation';
import type { Context } from '../context';
import { CREATION_CURSORS } from '../schema/cursors';
import { enumOf, nullable, objectOf } from '../schema/type-tables';
import { asksFor } from '../schema/look-ahead';
import { KindEnum } from '../schema/object-types';
import { NumberStateEnum } from './diagnosis/diagnosis-types';

const EffectEnum = enumOf<NumberEffect['effect']>('CallEffect', 'What changes do to the calls of a number.', {
  STOPS: 'Calls ring before the changes, and not after them.',
  STARTS: 'Calls ring after the changes, and not before them.',
  MOVES: 'Calls ring, but come through another gateway or reach another target.',
  OTHER: 'Calls do not ring before or after the changes, but for another reason or with another target.',
});

const LossEnum = enumOf<LostWay['lost']>('Loss', 'What a gateway, a peer or a domain loses.', {
  NUMBERS: 'The last number of a gateway, so no calls come through it.',
  CALLS:
    'The last way for calls that leave: no route or egress policy uses the gateway, or the domain has none with a gateway that takes calls.',
  SOURCES:
    'Networks from which calls come: a source or the host of a gateway, a source of a peer, or addresses that the access control list of a domain now denies.',
});

// The numbers that a simulation returns.
const DEFAULT_NUMBERS = 100;
const MAX_NUMBERS = 1000;

const NumberPathType = objectOf('NumberPath', 'What becomes of calls to a number before or after changes.', {
  state: [NumberStateEnum, 'The verdict of explainNumber.'],
  summary: [String, 'What rings, or why nothing does.'],
  gateway: [nullable(String), 'The name of the gateway; null without the number.'],
  targets: [[String], 'The address of record and the further targets; empty without the number.'],
});
type NumberPathType = InstanceType<typeof NumberPathType>;

function toPath({ state, summary, facts }: NumberPath): NumberPathType {
  const targets = facts ? [facts.aorLink, ...facts.further.map(({ target }) => target)] : [];
  return { state, summary, gateway: facts?.gatewayName ?? null, targets };
}

const NumberEffectType = objectOf('NumberEffect', 'A DID or Number whose calls go differently after changes.', {
  effect: [EffectEnum, 'What the changes do to its calls.'],
  kind: [KindEnum, 'DID or Number.'],
  ref: [String, 'Reference of the number. A reference that would be generated is an example.'],
  telUrl: [String, 'The number before the changes; of a new number, after them.'],
  before: [NumberPathType, 'What becomes of its calls now.'],
  after: [NumberPathType, 'What would become of its calls.'],
});
type NumberEffectType = InstanceType<typeof NumberEffectType>;

function toNumberEffect({ effect, number, before, after }: NumberEffect): NumberEffectType {
  const { kind, ref, telUrl } = number;
  return { effect, kind, ref, telUrl, before: toPath(before), after: toPath(after) };
}

const NumberEffectCounts = objectOf('NumberEffectCounts', 'How many of the compared numbers go differently.', {
  stops: [Int, 'Numbers that stop ringing.'],
  starts: [Int, 'Numbers that start ringing.'],
  moves: [Int, 'Numbers that ring elsewhere or come through another gateway.'],
  other: [Int, 'Numbers that do not ring, for another reason than before.'],
});
type NumberEffectCounts = InstanceType<typeof NumberEffectCounts>;

const WayOutCallerType = objectOf('WayOutCaller', 'A changed agent or peer whose calls leave differently.', {
  kind: [KindEnum, 'Agent or Peer.'],
  ref: [String, 'Reference of the agent or peer.'],
  user: [String, 'The user name with which it calls from the domain.'],
});

const WayOutEffectType = objectOf(
  'WayOutEffect',
  'A way out of a domain through which calls go differently after changes.',
  {
    domainUri: [String, 'The domain whose calls leave.'],
    prefix: [nullable(String), 'The beginning of the dialed numbers of a route; null for the egress policy.'],
    emergency: [Boolean, 'Whether `prefix` is an emergency number.'],
    caller: [
      nullable(WayOutCallerType),
      'The agent or peer of which only the calls differ, because its name, its domains, its numbers or whether it can call differ; null for all calls of the domain.',
    ],
    before: [
      nullable([String]),
      'The gateways that take the calls now, in order, each with the number that is shown, and with those of its settings that differ, such as `gateway at sip.example as tel:+331`; empty if none does; null if there is no such route or policy, it is disabled, or `caller` cannot call there.',
    ],
    after: [nullable([String]), 'The same after the changes.'],
  },
);
type WayOutEffectType = InstanceType<typeof WayOutEffectType>;

function toWayOutEffect({ way, before, after }: WayOutEffect): WayOutEffectType {
  return {
    domainUri: way.host,
    prefix: way.prefix ?? null,
    emergency: way.isEmergency,
    caller: way.caller ?? null,
    before,
    after,
  };
}

const LostWayType = objectOf(
  'LostWay',
  'A gateway or a domain that loses its last number or its last way for calls, or a gateway, a peer or a domain whose calls may come from fewer networks.',
  {
    kind: [KindEnum, 'Gateway, Peer or Domain.'],
    ref: [String, 'Reference of the gateway, peer or domain.'],
    name: [String, 'Its name.'],
    lost: [LossEnum, 'What it loses.'],
    sources: [
      nullable([String]),
      'With SOURCES, the networks and host names from which calls are not accepted any more, at least in part.',
    ],
  },
);
type LostWayType = InstanceType<typeof LostWayType>;

const ShadowedRuleType = objectOf(
  'ShadowedRule',
  'A range of numbers, a route or an egress policy that loses calls to a rule, or to a user with the name of an outside number, that comes first.',
  {
    kind: [KindEnum, 'DID, Number or Route; Domain for its egress policy.'],
    ref: [String, 'Reference of the range or the route.'],
    rule: [String, 'The first and the last number of the range, or the domain and the prefix.'],
    by: [String, 'The number, the domain and the prefix, or the address of the user that comes first.'],
    byRef: [String, 'Reference of the number, route, agent or peer that comes first.'],
    isWhole: [
      Boolean,
      'Whether the route takes no more calls to longer numbers, because there is a longer prefix for each next digit.',
    ],
  },
);
type ShadowedRuleType = InstanceType<typeof ShadowedRuleType>;

function toShadowedRule({ rule, by, isWhole }: Shadow): ShadowedRuleType {
  return { kind: rule.kind, ref: rule.ref, rule: rule.text, by: by.text, byRef: by.ref, isWhole };
}

/** What calls would do differently, in GraphQL. */
@ObjectType('SimulatedCalls', { description: 'What calls would do differently after changes.' })
export class SimulatedCallsType {
  constructor(private readonly simulated: Simulated) {}

  @Field(() => NumberEffectCounts, { description: 'How many of the compared numbers go differently.' })
  get counts(): NumberEffectCounts {
    const { STOPS: stops, STARTS: starts, MOVES: moves, OTHER: other } = this.simulated.counts;
    return { stops, starts, moves, other };
  }

  @Field(() => [NumberEffectType], {
    description: 'The numbers that go differently: first those that stop ringing, then in creation order.',
  })
  numbers(
    @Arg('first', () => Int, firstOf('numbers', ' The counts cover all that were compared.')) first: number,
  ): readonly NumberEffectType[] {
    assertSize(first);
    return stoppedFirst(this.simulated.numbers).slice(0, first).map(toNumberEffect);
  }

  @Field(() => [WayOutEffectType], {
    description:
      'The routes, emergency numbers and egress policies whose calls leave differently, of a domain or of one changed agent or peer. Without its route, a call leaves by that for a shorter prefix or by the egress policy.',
  })
  waysOut(@Arg('first', () => Int, firstOf('ways out')) first: number): readonly WayOutEffectType[] {
    assertSize(first);
    return this.simulated.waysOut.slice(0, first).map(toWayOutEffect);
  }

  @Field(() => Int, { description: 'How many ways out differ.' })
  get waysOutCount(): number {
    return this.simulated.waysOutCount;
  }

  @Field(() => Int, { description: 'How many of these ways out are emergency numbers, which come first.' })
  get emergencyCount(): number {
    return this.simulated.emergencyCount;
  }

  @Field(() => [LostWayType], {
    description: `Gateways and domains that lose their last number or their last way for calls, of the first ${String(MAX_ENDS)} gateways and domains that the changes are about, and those, and peers, that accept calls from fewer networks.`,
  })
  lostWays(@Arg('first', () => Int, firstOf('gateways and domains')) first: number): readonly LostWayType[] {
    assertSize(first);
    return this.simulated.lost.slice(0, first);
  }

  @Field(() => Int, { description: 'How many gateways, peers and domains lose something.' })
  get lostWaysCount(): number {
    return this.simulated.lost.length;
  }

  @Field(() => [ShadowedRuleType], {
    description:
      'Ranges and routes that lose calls to changed numbers inside the range, longer prefixes or emergency numbers, or to changed agents and peers with the name of an outside number, which take precedence.',
  })
  shadowed(@Arg('first', () => Int, firstOf('ranges and routes')) first: number): readonly ShadowedRuleType[] {
    assertSize(first);
    return this.simulated.shadowed.slice(0, first).map(toShadowedRule);
  }

  @Field(() => Int, { description: 'How many ranges and routes lose calls.' })
  get shadowedCount(): number {
    return this.simulated.shadowed.length;
  }

  @Field(() => Int, { description: 'How many numbers that the changes may affect were compared.' })
  get examined(): number {
    return this.simulated.examined;
  }

  @Field(() => String, {
    nullable: true,
    description: 'If the changes may affect further numbers, the cursor to compare them with `after`; otherwise null.',
  })
  get endCursor(): string | null {
    const { more, end } = this.simulated;
    return more ? CREATION_CURSORS.write({ rowId: end }) : null;
  }
}

/** The argument `first` of a list. */
function firstOf(what: string, more = ''): { readonly defaultValue: number; readonly description: string } {
  const description = `How many ${what} to return, at most ${String(MAX_NUMBERS)}.${more}`;
  return { defaultValue: DEFAULT_NUMBERS, description };
}

function assertSize(first: number): void {
  if (first < 0 || first > MAX_NUMBERS)
    throw InvalidInputError.of('first', `${String(first)} is not a number from 0 to ${String(MAX_NUMBERS)}`);
}

/** What the results of all mutations of resources that can wait have in common. */
export const WRITE_RESULT = {
  request: [
    nullable(String),
    'The id of the request in the history, for `revertRequest`; null if nothing was changed.',
  ],
} as const;

/** The same, of those whose dry run can be simulated. */
export const SIMULATED_RESULT = {
  ...WRITE_RESULT,
  calls: [
    nullable(SimulatedCallsType),
    'What calls would do differently after the changes, which the dry run makes and rolls back. Null without `dryRun`, and if the changes fail.',
  ],
} as const;

/** The simulation of a dry run that selects `calls`, at the cost of the user; undefined for any other mutation. */
export function simulationFor(
  { session }: Context,
  { dryRun }: { readonly dryRun: boolean },
  info: GraphQLResolveInfo,
): Simulation | undefined {
  if (!dryRun || !asksFor('calls', info)) return undefined;
  session.spend(HEAVY_READ);
  return session.write.changeSets.simulation();
}
