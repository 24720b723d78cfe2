import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Field, Int, ObjectType } from 'type-graphql';

import { InvalidInputError } from '../../errors';
import { HEAVY_READ } from '../../limits/budgets';
import { EFFECTS, type NumberEffect, type NumberPath } from '../../sip/simulation/number-effects';
import { LOSSES, MAX_ENDS, type LostWay } from '../../sip/simulation/lost-ways';
import type { Shadow } from '../../sip/simulation/shadowed-rules';
import type { WayOutEffect } from '../../sip/simulation/ways-out';
import type { Simulated, Simulation } from '../../sip/simulation/simulation';
import type { Context } from '../context';
import { CREATION_CURSORS } from '../schema/cursors';
import { enumOf } from '../schema/enums';
import { asksFor } from '../schema/look-ahead';
import { KindEnum } from '../schema/object-types';
import { NumberStateEnum } from './diagnosis/diagnosis-types';

const EffectEnum = enumOf('CallEffect', 'What changes do to the calls of a number.', EFFECTS, {
  STOPS: 'Calls ring before the changes, and not after them.',
  STARTS: 'Calls ring after the changes, and not before them.',
  MOVES: 'Calls ring, but come through another gateway or reach another target.',
  OTHER: 'Calls do not ring before or after the changes, but for another reason or with another target.',
});

const LossEnum = enumOf('Loss', 'What a gateway or a domain loses.', LOSSES, {
  NUMBERS: 'The last number of a gateway, so no calls come through it.',
  CALLS:
    'The last way for calls that leave: no route or egress policy uses the gateway, or the domain has none with a gateway that takes calls.',
});

// The numbers that a simulation returns.
const DEFAULT_NUMBERS = 100;
const MAX_NUMBERS = 1000;

/** What becomes of calls to a number, in GraphQL. */
@ObjectType('NumberPath', { description: 'What becomes of calls to a number before or after changes.' })
class NumberPathType {
  constructor(private readonly path: NumberPath) {}

  @Field(() => NumberStateEnum, { description: 'The verdict of explainNumber.' })
  get state(): string {
    return this.path.state;
  }

  @Field(() => String, { description: 'What rings, or why nothing does.' })
  get summary(): string {
    return this.path.summary;
  }

  @Field(() => String, { nullable: true, description: 'The name of the gateway; null without the number.' })
  get gateway(): string | null {
    return this.path.facts?.gatewayName ?? null;
  }

  @Field(() => [String], { description: 'The address of record and the further targets; empty without the number.' })
  get targets(): readonly string[] {
    const { facts } = this.path;
    return facts ? [facts.aorLink, ...facts.further.map(({ target }) => target)] : [];
  }
}

/** A number whose calls go differently, in GraphQL. */
@ObjectType('NumberEffect', { description: 'A DID or Number whose calls go differently after changes.' })
class NumberEffectType {
  constructor(private readonly found: NumberEffect) {}

  @Field(() => EffectEnum, { description: 'What the changes do to its calls.' })
  get effect(): string {
    return this.found.effect;
  }

  @Field(() => KindEnum, { description: 'DID or Number.' })
  get kind(): string {
    return this.found.number.kind;
  }

  @Field(() => String, { description: 'Reference of the number. A reference that would be generated is an example.' })
  get ref(): string {
    return this.found.number.ref;
  }

  @Field(() => String, { description: 'The number before the changes; of a new number, after them.' })
  get telUrl(): string {
    return this.found.number.telUrl;
  }

  @Field(() => NumberPathType, { description: 'What becomes of its calls now.' })
  get before(): NumberPathType {
    return new NumberPathType(this.found.before);
  }

  @Field(() => NumberPathType, { description: 'What would become of its calls.' })
  get after(): NumberPathType {
    return new NumberPathType(this.found.after);
  }
}

@ObjectType('NumberEffectCounts', {
  simpleResolvers: true,
  description: 'How many of the compared numbers go differently.',
})
class NumberEffectCounts {
  @Field(() => Int, { description: 'Numbers that stop ringing.' })
  stops!: number;

  @Field(() => Int, { description: 'Numbers that start ringing.' })
  starts!: number;

  @Field(() => Int, { description: 'Numbers that ring elsewhere or come through another gateway.' })
  moves!: number;

  @Field(() => Int, { description: 'Numbers that do not ring, for another reason than before.' })
  other!: number;
}

/** A way out that differs, in GraphQL. */
@ObjectType('WayOutEffect', { description: 'A way out of a domain through which calls go differently after changes.' })
class WayOutEffectType {
  constructor(private readonly found: WayOutEffect) {}

  @Field(() => String, { description: 'The domain whose calls leave.' })
  get domainUri(): string {
    return this.found.way.host;
  }

  @Field(() => String, {
    nullable: true,
    description: 'The beginning of the dialed numbers of a route; null for the egress policy.',
  })
  get prefix(): string | null {
    return this.found.way.prefix ?? null;
  }

  @Field(() => Boolean, { description: 'Whether `prefix` is an emergency number.' })
  get emergency(): boolean {
    return this.found.way.isEmergency;
  }

  @Field(() => [String], {
    nullable: true,
    description:
      'The gateways that take the calls now, in order, each with the number that is shown, and with what differs in how it is called; empty if none does; null if there is no such route or policy, or it is disabled.',
  })
  get before(): readonly string[] | null {
    return this.found.before ?? null;
  }

  @Field(() => [String], { nullable: true, description: 'The same after the changes.' })
  get after(): readonly string[] | null {
    return this.found.after ?? null;
  }
}

/** A gateway or a domain that loses its last way, in GraphQL. */
@ObjectType('LostWay', { description: 'A gateway or a domain that loses its last number or its last way for calls.' })
class LostWayType {
  constructor(private readonly found: LostWay) {}

  @Field(() => KindEnum, { description: 'Gateway or Domain.' })
  get kind(): string {
    return this.found.kind;
  }

  @Field(() => String, { description: 'Reference of the gateway or domain.' })
  get ref(): string {
    return this.found.ref;
  }

  @Field(() => String, { description: 'Its name.' })
  get name(): string {
    return this.found.name;
  }

  @Field(() => LossEnum, { description: 'What it loses.' })
  get lost(): string {
    return this.found.lost;
  }
}

/** A rule that loses calls to another one, in GraphQL. */
@ObjectType('ShadowedRule', {
  description: 'A range of numbers or a route that loses calls to a rule that comes first.',
})
class ShadowedRuleType {
  constructor(private readonly shadow: Shadow) {}

  @Field(() => KindEnum, { description: 'DID, Number or Route.' })
  get kind(): string {
    return this.shadow.rule.kind;
  }

  @Field(() => String, { description: 'Reference of the range or the route.' })
  get ref(): string {
    return this.shadow.rule.ref;
  }

  @Field(() => String, { description: 'The first and the last number of the range, or the domain and the prefix.' })
  get rule(): string {
    return this.shadow.rule.text;
  }

  @Field(() => String, { description: 'The number, or the domain and the prefix, that comes first.' })
  get by(): string {
    return this.shadow.by.text;
  }

  @Field(() => String, { description: 'Reference of the number or the route that comes first.' })
  get byRef(): string {
    return this.shadow.by.ref;
  }

  @Field(() => Boolean, {
    description:
      'Whether the route takes no more calls to longer numbers, because there is a longer prefix for each next digit.',
  })
  get isWhole(): boolean {
    return this.shadow.isWhole;
  }
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
    @Arg('first', () => Int, {
      defaultValue: DEFAULT_NUMBERS,
      description: `How many numbers to return, at most ${String(MAX_NUMBERS)}. The counts cover all that were compared.`,
    })
    first: number,
  ): readonly NumberEffectType[] {
    assertSize(first);
    const { numbers } = this.simulated;
    const isFirst = ({ effect }: NumberEffect): boolean => effect === 'STOPS';
    const sorted = [...numbers.filter(isFirst), ...numbers.filter((each) => !isFirst(each))];
    return sorted.slice(0, first).map((each) => new NumberEffectType(each));
  }

  @Field(() => [WayOutEffectType], {
    description:
      'The routes, emergency numbers and egress policies whose calls leave differently. Without its route, a call leaves by that for a shorter prefix or by the egress policy.',
  })
  waysOut(
    @Arg('first', () => Int, {
      defaultValue: DEFAULT_NUMBERS,
      description: `How many ways out to return, at most ${String(MAX_NUMBERS)}.`,
    })
    first: number,
  ): readonly WayOutEffectType[] {
    assertSize(first);
    return this.simulated.waysOut.slice(0, first).map((each) => new WayOutEffectType(each));
  }

  @Field(() => Int, { description: 'How many ways out differ.' })
  get waysOutCount(): number {
    return this.simulated.waysOut.length;
  }

  @Field(() => Int, { description: 'How many of these ways out are emergency numbers, which come first.' })
  get emergencyCount(): number {
    return this.simulated.waysOut.filter(({ way }) => way.isEmergency).length;
  }

  @Field(() => [LostWayType], {
    description: `Gateways and domains that lose their last number or their last way for calls, of the first ${String(MAX_ENDS)} gateways and domains that the changes are about.`,
  })
  lostWays(@Arg('first', () => Int, firstOf('gateways and domains')) first: number): readonly LostWayType[] {
    assertSize(first);
    return this.simulated.lost.slice(0, first).map((each) => new LostWayType(each));
  }

  @Field(() => Int, { description: 'How many gateways and domains lose their last way.' })
  get lostWaysCount(): number {
    return this.simulated.lost.length;
  }

  @Field(() => [ShadowedRuleType], {
    description:
      'Ranges and routes that lose calls to changed numbers inside the range, longer prefixes or emergency numbers, which take precedence.',
  })
  shadowed(@Arg('first', () => Int, firstOf('ranges and routes')) first: number): readonly ShadowedRuleType[] {
    assertSize(first);
    return this.simulated.shadowed.slice(0, first).map((each) => new ShadowedRuleType(each));
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
function firstOf(what: string): { readonly defaultValue: number; readonly description: string } {
  return {
    defaultValue: DEFAULT_NUMBERS,
    description: `How many ${what} to return, at most ${String(MAX_NUMBERS)}.`,
  };
}

function assertSize(first: number): void {
  if (first < 0 || first > MAX_NUMBERS)
    throw InvalidInputError.of('first', `${String(first)} is not a number from 0 to ${String(MAX_NUMBERS)}`);
}

/** The description of the field `calls` of a dry run. */
export const CALLS_OF_DRY_RUN =
  'What calls would do differently after this dry run, which writes its changes and rolls them back. Null without `dryRun`, and if the changes fail.';

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
