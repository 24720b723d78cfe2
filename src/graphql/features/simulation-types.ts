import { Arg, Field, Int, ObjectType } from 'type-graphql';

import { InvalidInputError } from '../../errors';
import { EFFECTS, type NumberEffect, type NumberPath } from '../../sip/simulation/number-effects';
import type { WayOutEffect } from '../../sip/simulation/ways-out';
import type { Simulated } from '../../sip/simulation/simulation';
import { CREATION_CURSORS } from '../schema/cursors';
import { enumOf } from '../schema/enums';
import { KindEnum } from '../schema/object-types';
import { NumberStateEnum } from './diagnosis/diagnosis-types';

const EffectEnum = enumOf('CallEffect', 'What changes do to the calls of a number.', EFFECTS, {
  STOPS: 'Calls ring before the changes, and not after them.',
  STARTS: 'Calls ring after the changes, and not before them.',
  MOVES: 'Calls ring, but come through another gateway or reach another target.',
  OTHER: 'Calls do not ring before or after the changes, but for another reason or with another target.',
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
      'The gateways that take the calls now, in order, each with the number that is shown; empty if none does; null if there is no such route or policy, or it is disabled.',
  })
  get before(): readonly string[] | null {
    return this.found.before ?? null;
  }

  @Field(() => [String], { nullable: true, description: 'The same after the changes.' })
  get after(): readonly string[] | null {
    return this.found.after ?? null;
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

function assertSize(first: number): void {
  if (first < 0 || first > MAX_NUMBERS)
    throw InvalidInputError.of('first', `${String(first)} is not a number from 0 to ${String(MAX_NUMBERS)}`);
}
