import { ArgsType, Field, Int, ObjectType } from 'type-graphql';

import type { CallDifference } from '../../../resources/moving/replay';
import { SYSTEMS, type System } from '../../../resources/moving/moving-sources';
import { enumOf } from '../../schema/enums';
import { PendingChangesType } from '../pending/pending-types';
import { SimulatedResult } from '../simulation-types';

const MovingSystemEnum = enumOf<Uppercase<System>>('MovingSystem', 'A system to move from.', {
  KAMAILIO: "Kamailio's own tables.",
  DSIPROUTER: "dSIPRouter's database.",
  ROUTR2: 'Routr v2: its PostgreSQL tables, or YAML or JSON files.',
});

/** How to move. */
@ArgsType()
export class MoveOptionArgs {
  @Field(() => MovingSystemEnum, { description: 'The system.' })
  system!: Uppercase<System>;

  @Field(() => String, {
    nullable: true,
    description: 'The gateway of the numbers that name none: its host or name in the source, or its name or ref here.',
  })
  gateway?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Give users whose password is stored only as a digest a new secret, instead of leaving them out.',
  })
  newSecrets!: boolean;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Leave out records that cannot be imported, instead of importing none.',
  })
  skipInvalid!: boolean;

  @Field(() => Boolean, { defaultValue: false, description: 'Change nothing, and return what would change.' })
  dryRun!: boolean;
}

@ArgsType()
export class MoveArgs extends MoveOptionArgs {
  @Field(() => String, {
    description:
      'A dump of its database, as mysqldump, mariadb-dump, pg_dump and the .dump of SQLite write it; of Routr v2 also at most 2 MiB of YAML or JSON. Or this, compressed with gzip, in base64: then it may have 16 MiB.',
  })
  source!: string;
}

/** The system that an argument names. */
export function systemOf(name: Uppercase<System>): System {
  const found = SYSTEMS.find((system) => system.toUpperCase() === name);
  if (!found) throw new Error(`${name} is not a system`);
  return found;
}

@ObjectType('MovedKind', { description: 'The resources of a kind that a move created, or would create.' })
class MovedKindType {
  @Field(() => String, { description: 'The kind.' })
  kind!: string;

  @Field(() => Int, { description: 'Resources that are new.' })
  created!: number;

  @Field(() => Int, {
    description: 'Resources that existed with other values; in a dry run, also those that have a secret.',
  })
  updated!: number;

  @Field(() => Int, { description: 'Resources that existed with the same values.' })
  unchanged!: number;

  @Field(() => Int, { description: 'Records that are wrong.' })
  failed!: number;
}

@ObjectType('MovedCount', { description: 'Records of another system that have something in common.' })
class MovedCountType {
  @Field(() => String, { description: 'What they have in common.' })
  what!: string;

  @Field(() => Int, { description: 'How many there are.' })
  count!: number;

  @Field(() => String, { description: 'Where the first one is.' })
  first!: string;
}

@ObjectType('MoveFailure', { description: 'A record that cannot be imported.' })
class MoveFailureType {
  @Field(() => String, { description: 'Where it is, such as `subscriber 17`.' })
  place!: string;

  @Field(() => String, { description: 'The kind of the resource that it would be.' })
  kind!: string;

  @Field(() => String, { description: 'What is wrong.' })
  message!: string;
}

@ObjectType('MoveResult', { description: 'What a move from another system did, or would do.' })
export class MoveResultType extends SimulatedResult {
  @Field(() => Boolean, {
    description: 'Whether the move was made. Otherwise nothing was changed: a record is wrong, or it was a dry run.',
  })
  moved!: boolean;

  @Field(() => [MovedKindType], { description: 'The resources of each kind.' })
  kinds!: readonly MovedKindType[];

  @Field(() => [MovedCountType], { description: 'What has no counterpart.' })
  missing!: readonly MovedCountType[];

  @Field(() => [MovedCountType], { description: 'What differs in something that an operator should know.' })
  checks!: readonly MovedCountType[];

  @Field(() => [MoveFailureType], { description: 'The first 100 records that cannot be imported.' })
  failures!: readonly MoveFailureType[];

  @Field(() => Int, { description: 'How many records cannot be imported.' })
  failed!: number;

  @Field(() => [MoveFailureType], { description: 'The first records that were left out, because of `skipInvalid`.' })
  skipped!: readonly MoveFailureType[];

  @Field(() => Int, { description: 'How many records were left out.' })
  skippedCount!: number;

  @Field(() => PendingChangesType, {
    nullable: true,
    description: 'How the move waits for a confirmation or for `at`; null if it does not, and if nothing was changed.',
  })
  pending!: PendingChangesType | undefined;
}

@ObjectType('CallDifference', { description: 'Equal recorded calls that go in another way now.' })
class CallDifferenceType implements CallDifference {
  @Field(() => Int, { description: 'How many calls.' })
  count!: number;

  @Field(() => Int, { description: 'The line of the first one.' })
  line!: number;

  @Field(() => String, { description: 'The caller.' })
  from!: string;

  @Field(() => String, { description: 'The called number or address.' })
  to!: string;

  @Field(() => String, { nullable: true, description: 'The IP address of the caller; null if the record has none.' })
  source!: string | null;

  @Field(() => String, { description: 'How the call went.' })
  was!: string;

  @Field(() => String, { description: 'How it would go now, or why that is not known.' })
  now!: string;
}

@ObjectType('ReplayResult', { description: 'How recorded calls would go now.' })
export class ReplayResultType {
  @Field(() => Int, { description: 'Calls that were compared.' })
  calls!: number;

  @Field(() => Int, { description: 'Calls that go the same way.' })
  same!: number;

  @Field(() => Int, { description: 'Calls that left by a gateway which is now tried only if another one fails.' })
  later!: number;

  @Field(() => Int, { description: 'Calls that go in another way.' })
  differ!: number;

  @Field(() => Int, { description: 'Calls that depend on what only the SIP server knows.' })
  unknown!: number;

  @Field(() => Int, { description: 'Records without a call, such as a BYE.' })
  ignored!: number;

  @Field(() => Int, { description: 'Records that cannot be read.' })
  invalid!: number;

  @Field(() => String, { nullable: true, description: 'The first record that cannot be read, and why.' })
  invalidRecord!: string | undefined;

  @Field(() => [CallDifferenceType], {
    description: 'Those of `differ` and `later`, then those of `unknown`; of each, first the most frequent.',
  })
  differences!: readonly CallDifference[];
}
