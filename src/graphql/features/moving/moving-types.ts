import { Int } from 'type-graphql';

import { SYSTEMS, type System } from '../../../resources/moving/moving-sources';
import { argsOf, enumOf, nullable, objectOf, withDefault } from '../../schema/type-tables';
import { PendingChangesType } from '../pending/pending-types';
import { SIMULATED_RESULT } from '../simulation-types';

const MovingSystemEnum = enumOf<Uppercase<System>>('MovingSystem', 'A system to move from.', {
  KAMAILIO: "Kamailio's own tables.",
  DSIPROUTER: "dSIPRouter's database.",
  ROUTR2: 'Routr v2: its PostgreSQL tables, or YAML or JSON files.',
});

/** How to move. */
export const MOVE_OPTIONS = {
  system: [MovingSystemEnum, 'The system.'],
  gateway: [
    nullable(String),
    'The gateway of the numbers that name none: its host or name in the source, or its name or ref here.',
  ],
  newSecrets: [
    withDefault(Boolean, false),
    'Give users whose password is stored only as a digest a new secret, instead of leaving them out.',
  ],
  skipInvalid: [withDefault(Boolean, false), 'Leave out records that cannot be imported, instead of importing none.'],
  dryRun: [withDefault(Boolean, false), 'Change nothing, and return what would change.'],
} as const;

export const MoveArgs = argsOf({
  ...MOVE_OPTIONS,
  source: [
    String,
    'A dump of its database, as mysqldump, mariadb-dump, pg_dump and the .dump of SQLite write it; of Routr v2 also at most 2 MiB of YAML or JSON. Or this, compressed with gzip, in base64: then it may have 16 MiB.',
  ],
});
export type MoveArgs = InstanceType<typeof MoveArgs>;

/** The system that an argument names. */
export function systemOf(name: Uppercase<System>): System {
  const found = SYSTEMS.find((system) => system.toUpperCase() === name);
  if (!found) throw new Error(`${name} is not a system`);
  return found;
}

const MovedKindType = objectOf('MovedKind', 'The resources of a kind that a move created, or would create.', {
  kind: [String, 'The kind.'],
  created: [Int, 'Resources that are new.'],
  updated: [Int, 'Resources that existed with other values; in a dry run, also those that have a secret.'],
  unchanged: [Int, 'Resources that existed with the same values.'],
  failed: [Int, 'Records that are wrong.'],
});

const MovedCountType = objectOf('MovedCount', 'Records of another system that have something in common.', {
  what: [String, 'What they have in common.'],
  count: [Int, 'How many there are.'],
  first: [String, 'Where the first one is.'],
});

const MoveFailureType = objectOf('MoveFailure', 'A record that cannot be imported.', {
  place: [String, 'Where it is, such as `subscriber 17`.'],
  kind: [String, 'The kind of the resource that it would be.'],
  message: [String, 'What is wrong.'],
});

export const MoveResultType = objectOf('MoveResult', 'What a move from another system did, or would do.', {
  ...SIMULATED_RESULT,
  moved: [Boolean, 'Whether the move was made. Otherwise nothing was changed: a record is wrong, or it was a dry run.'],
  kinds: [[MovedKindType], 'The resources of each kind.'],
  missing: [[MovedCountType], 'What has no counterpart.'],
  checks: [[MovedCountType], 'What differs in something that an operator should know.'],
  failures: [[MoveFailureType], 'The first 100 records that cannot be imported.'],
  failed: [Int, 'How many records cannot be imported.'],
  skipped: [[MoveFailureType], 'The first records that were left out, because of `skipInvalid`.'],
  skippedCount: [Int, 'How many records were left out.'],
  pending: [
    nullable(PendingChangesType),
    'How the move waits for a confirmation or for `at`; null if it does not, and if nothing was changed.',
  ],
});
export type MoveResultType = InstanceType<typeof MoveResultType>;

const CallDifferenceType = objectOf('CallDifference', 'Equal recorded calls that go in another way now.', {
  count: [Int, 'How many calls.'],
  line: [Int, 'The line of the first one.'],
  from: [String, 'The caller.'],
  to: [String, 'The called number or address.'],
  source: [nullable(String), 'The IP address of the caller; null if the record has none.'],
  was: [String, 'How the call went.'],
  now: [String, 'How it would go now, or why that is not known.'],
});

export const ReplayResultType = objectOf('ReplayResult', 'How recorded calls would go now.', {
  calls: [Int, 'Calls that were compared.'],
  same: [Int, 'Calls that go the same way.'],
  later: [Int, 'Calls that left by a gateway which is now tried only if another one fails.'],
  differ: [Int, 'Calls that go in another way.'],
  unknown: [Int, 'Calls that depend on what only the SIP server knows.'],
  ignored: [Int, 'Records without a call, such as a BYE.'],
  invalid: [Int, 'Records that cannot be read.'],
  invalidRecord: [nullable(String), 'The first record that cannot be read, and why.'],
  differences: [
    [CallDifferenceType],
    'Those of `differ` and `later`, then those of `unknown`; of each, first the most frequent.',
  ],
});
export type ReplayResultType = InstanceType<typeof ReplayResultType>;
