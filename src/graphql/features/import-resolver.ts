import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Int, Mutation, Resolver, Root, Subscription } from 'type-graphql';

import { InvalidInputError, quote } from '../../errors';
import { MAX_ENTRIES } from '../../history/revert-service';
import type { ProgressState } from '../../resources/bulk/import-progress';
import {
  isWhole,
  type ImportedRow,
  type ImportOptions,
  type ImportResult,
  type ImportService,
  type Outcome,
} from '../../resources/bulk/import-service';
import type { Session } from '../../session/session';
import type { Simulation } from '../../sip/simulation/simulation';
import type { Context } from '../context';
import { argsOf, enumOf, nullable, objectOf, withDefault } from '../schema/type-tables';
import { KindEnum } from '../schema/object-types';
import { NumberStateEnum } from './diagnosis/diagnosis-types';
import { PendingChangesType, toPendingChanges } from './pending/pending-types';
import { WaitArgs, waitOf, writeOrWait, type Waited } from './pending/wait-args';
import { SimulatedCallsType, SIMULATED_RESULT, simulationFor } from './simulation-types';

/** The kinds that an import of numbers can create. */
const NumberKindEnum = enumOf('NumberKind', 'The kinds of numbers.', {
  DID: 'A direct inward dialling number.',
  Number: 'A number that calls can also leave from.',
});

/** The outcomes of rows, in GraphQL. */
const ImportOutcomeEnum = enumOf<Outcome>(
  'ImportOutcome',
  'What an import did with a row or a document, or would do if nothing failed.',
  {
    CREATED: 'The resource was created.',
    UPDATED:
      'The resource existed with other values, and was updated. In a dry run, also each that existed if the row or document sets a secret.',
    UNCHANGED: 'The resource existed already.',
    FAILED: 'The row or document is wrong, so nothing was imported.',
  },
);

const ImportPhaseEnum = enumOf<ProgressState['phase']>('ImportPhase', 'How far an import is.', {
  WAITING: 'The import has not begun. The subscription is active.',
  RUNNING: 'Rows are being imported.',
  DONE: 'The import or its dry run succeeded. This is the last event.',
  FAILED: 'Nothing was imported. This is the last event.',
});

const IMPORT = {
  dryRun: [withDefault(Boolean, false), 'Change nothing, and return what would change.'],
  progressId: [nullable(ID), 'Your id for `importProgress`: 1 to 64 letters, digits, _ or -.'],
} as const;

const ImportArgs = argsOf(IMPORT);
type ImportArgs = InstanceType<typeof ImportArgs>;

const ImportPartArgs = argsOf({
  ...IMPORT,
  partOf: [
    nullable(ID),
    `The \`request\` of an earlier part of the same import, in the last hour. The history then has both as one request, of at most ${String(MAX_ENTRIES)} entries, which is reverted as a whole.`,
  ],
});
type ImportPartArgs = InstanceType<typeof ImportPartArgs>;

const ImportRowsArgs = argsOf({
  outcomes: [nullable([ImportOutcomeEnum]), 'Return only rows with these outcomes.'],
  first: [withDefault(Int, 1000), 'Return at most this many rows.'],
});
type ImportRowsArgs = InstanceType<typeof ImportRowsArgs>;

const ImportErrorType = objectOf('ImportError', 'What is wrong with a row or a document.', {
  field: [nullable(String), 'The column, or the member of the document; null if it is not one of them.'],
  value: [
    nullable(String),
    'The cell of an `importCsv`, shortened; null if it is a secret, or if the file has no such column.',
  ],
  message: [String, 'What is wrong.'],
});

const ImportRow = objectOf('ImportRow', 'The result of a row of CSV, or of a document.', {
  line: [Int, 'The line of the row, or the line on which the document starts, from 1.'],
  outcome: [ImportOutcomeEnum, 'What the import did with it.'],
  kind: [nullable(KindEnum), 'The kind of the resource; null if it is not known.'],
  ref: [nullable(String), "The resource's reference; null if it failed."],
  errors: [[ImportErrorType], 'What is wrong; empty unless it failed.'],
});
type ImportRow = InstanceType<typeof ImportRow>;

const ImportWarningType = objectOf('ImportWarning', 'Numbers of an import that will not ring for the same reason.', {
  state: [NumberStateEnum, 'The first broken link of these numbers.'],
  count: [Int, 'How many numbers.'],
  line: [Int, 'The line of the first one.'],
  summary: [String, 'The reason in a sentence, of the first one.'],
});

const ImportResultType = objectOf('ImportResult', 'What an import did, or would do.', {
  ...SIMULATED_RESULT,
  imported: [Boolean, 'Whether the import was made. Otherwise nothing was changed: a row failed, or it was a dry run.'],
  pending: [
    nullable(PendingChangesType),
    'How the import waits for a confirmation or for `at`; null if it does not, and if nothing was changed.',
  ],
  warnings: [
    [ImportWarningType],
    'In a dry run, why DIDs and Numbers that it would create or update will not ring: what they lead to does not exist, or their gateway is down. At most 100 reasons, the most frequent first. Numbers that only lack a registered device are left out.',
  ],
});
type ImportResultType = InstanceType<typeof ImportResultType> & {
  /** Shown by fields with arguments. */
  readonly rows: readonly ImportedRow[];
};

function toImportResult(
  { result: { requestId, ...result }, pending }: Waited<ImportResult>,
  simulation: Simulation | undefined,
): ImportResultType {
  const calls = simulation && isWhole(result.rows) ? new SimulatedCallsType(simulation.found) : null;
  return { ...result, request: requestId, pending: pending && toPendingChanges(pending), calls };
}

const ImportProgressType = objectOf('ImportProgress', 'How far an import is.', {
  phase: [ImportPhaseEnum, 'The phase.'],
  done: [Int, 'The number of rows or documents that were processed.'],
  total: [Int, 'The number of all rows or documents.'],
});
type ImportProgressType = InstanceType<typeof ImportProgressType>;

const ALL_OR_NOTHING =
  'All or nothing: if one is wrong, nothing is imported, and the result says what is wrong with each.';
/** The largest page of rows. */
const MAX_ROWS = 10_000;

/** Imports, and their progress. */
@Resolver()
export class ImportResolver {
  @Mutation(() => ImportResultType, {
    description: `Creates a Number or DID for each row of CSV. ${ALL_OR_NOTHING} A number that exists with the same gateway and address of record is left unchanged.`,
  })
  async importNumbers(
    @Arg('csv', () => String, {
      description:
        'CSV with a header row. The columns are telUrl, aorLink and gwRef, which may be the name of a gateway, and optionally city, country and countryISOCode.',
    })
    csv: string,
    @Arg('kind', () => NumberKindEnum, { defaultValue: 'Number', description: 'The kind to create.' })
    kind: string,
    @Args(() => ImportPartArgs) args: ImportPartArgs,
    @Args(() => WaitArgs) waiting: WaitArgs,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ImportResultType> {
    const { model } = context.session.shared;
    return run(context, info, { args, waiting }, (imports, options) =>
      imports.numbers(model.kindOf(kind), csv, options),
    );
  }

  @Mutation(() => ImportResultType, {
    description: `Creates or updates a resource for each row of CSV, as the console exports it. ${ALL_OR_NOTHING} A row updates the resource with its ref or, without a ref, with its natural key, and creates the resource if there is none. An empty cell clears a field, except a secret; a column that is missing changes nothing.`,
  })
  async importCsv(
    @Arg('kind', () => KindEnum, { description: 'The kind of the rows.' }) kind: string,
    @Arg('csv', () => String, {
      description:
        'At most 10000 rows of CSV with a header row, separated by commas, semicolons or tabs. The columns are ref and the fields of the kind, such as name and egressPolicy.rule. The entries of a list are separated by spaces, commas or semicolons. A link such as gatewayRef has the ref of a resource, its number or domain, or a name that no other has.',
    })
    csv: string,
    @Args(() => ImportPartArgs) args: ImportPartArgs,
    @Args(() => WaitArgs) waiting: WaitArgs,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ImportResultType> {
    const { model } = context.session.shared;
    return run(context, info, { args, waiting }, (imports, options) => imports.csv(model.kindOf(kind), csv, options));
  }

  @Mutation(() => ImportResultType, {
    description: `Imports documents in Routr v1's format. ${ALL_OR_NOTHING} A document updates the resource with its ref or, without a ref, with its natural key, and creates the resource if there is none. Users cannot be imported.`,
  })
  async importDocuments(
    @Arg('text', () => String, { description: 'At most 1000 YAML documents or items of lists, or JSON.' }) text: string,
    @Args(() => ImportArgs) args: ImportArgs,
    @Args(() => WaitArgs) waiting: WaitArgs,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ImportResultType> {
    return run(context, info, { args, waiting }, (imports, options) => imports.documents(text, options));
  }

  @Subscription(() => ImportProgressType, {
    description:
      'The progress of your import with this `progressId`. The first event comes immediately: then start the import. With several processes behind a load balancer, send both over one WebSocket, because only the process that imports knows the progress.',
    subscribe: ({ args: { progressId }, context }: { args: { progressId: string }; context: Context }) => {
      const { session, caller } = context;
      return session.subscription((left) =>
        session.shared.importProgress.watch(session.viewer.ref, progressId, { ended: caller.ended, left }),
      );
    },
  })
  importProgress(
    @Root() state: ProgressState,
    @Arg('progressId', () => ID, { description: 'The id that you pass to the import.' }) _id: string,
  ): ImportProgressType {
    return state;
  }
}

/** The fields of a result that depend on arguments. */
@Resolver(() => ImportResultType)
export class ImportResultResolver {
  @FieldResolver(() => Int, { description: 'The number of rows or documents with this outcome, or of all.' })
  count(
    @Root() { rows }: ImportResultType,
    @Arg('outcome', () => ImportOutcomeEnum, { nullable: true, description: 'The outcome.' })
    outcome: Outcome | null | undefined,
  ): number {
    return outcome ? rows.filter((row) => row.outcome === outcome).length : rows.length;
  }

  @FieldResolver(() => [ImportRow], { description: 'The result of each row or document, by line.' })
  rows(
    @Root() { rows }: ImportResultType,
    @Args(() => ImportRowsArgs) { outcomes, first }: ImportRowsArgs,
  ): readonly ImportRow[] {
    if (first < 0 || first > MAX_ROWS)
      throw InvalidInputError.of('first', `${String(first)} is not between 0 and ${String(MAX_ROWS)}`);
    return rows.filter(({ outcome }) => outcomes?.includes(outcome) !== false).slice(0, first);
  }
}

/** Imports at once, or so that the changes wait. */
async function run(
  context: Context,
  info: GraphQLResolveInfo,
  { args, waiting }: { readonly args: ImportPartArgs; readonly waiting: WaitArgs },
  work: (imports: ImportService, options: ImportOptions) => Promise<ImportResult>,
): Promise<ImportResultType> {
  const { session } = context;
  session.assertWriter();
  const own = waitOf(waiting);
  if (own && typeof args.partOf === 'string')
    throw InvalidInputError.of(
      'partOf',
      'cannot be given with confirmWithin, revertIf or at: those of the first part apply to all',
    );
  const simulation = simulationFor(context, args, info);
  const { dryRun, progressId } = args;
  const given = { progressId: progressId ?? undefined, request: session.permit, charge: session.spend };
  const { isWaiting = false, ...part } = await partIn(args, session);
  const wait = isWaiting ? { at: undefined, terms: undefined, partOf: part.partOf } : own;
  const options = { ...given, ...part };
  const how = {
    dryRun,
    rehearser: simulation,
    key: undefined,
    isWhole: ({ rows }: ImportResult) => isWhole(rows),
  };
  const waited = await writeOrWait(session, wait, how, ({ imports }, { dryRun, rehearser }) =>
    work(imports, { ...options, dryRun, rehearser }),
  );
  return toImportResult(waited, simulation);
}

/** How long after its last part an import may have another one, in milliseconds. */
const HOUR = 3_600_000;

/**
 * Returns the request to which a part of an import belongs, and how many entries it may still have. Throws
 * InvalidInputError unless the request is an import that the caller made in the last hour and that was not reverted. If it waits for a
 * confirmation, so does the part.
 */
async function partIn(
  { partOf }: ImportPartArgs,
  { read, shared, viewer }: Session,
): Promise<Pick<ImportOptions, 'partOf' | 'room'> & { readonly isWaiting?: boolean }> {
  if (typeof partOf !== 'string') return {};
  const query = { kinds: shared.model.kinds.map(({ name }) => name), requestId: partOf };
  const { items } = await read.history.page(query, { limit: 1, backwards: false }, 'nothing');
  const [last] = items;
  const isOwn = last?.userRef === viewer.ref && last.channel === 'IMPORT' && last.at > Date.now() - HOUR;
  if (!isOwn)
    throw InvalidInputError.of('partOf', `${quote(partOf)} is not the request of your import of the last hour`);
  const waiting = await read.pending.byId(partOf);
  if (waiting?.state === 'REVERTED')
    throw InvalidInputError.of('partOf', `${quote(partOf)} was reverted: send the import again as a whole`);
  return {
    partOf,
    isWaiting: waiting?.state === 'UNCONFIRMED',
    room: Math.max(0, MAX_ENTRIES - (await read.history.count(query))),
  };
}
