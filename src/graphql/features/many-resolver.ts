import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Info, Int, Mutation, Resolver } from 'type-graphql';

import { InvalidInputError } from '../../errors';
import { fieldChanges } from '../../history/history-entry';
import { ROW_WRITTEN } from '../../limits/budgets';
import type { Kind } from '../../model/kind';
import type { ManyOptions, ManyResult } from '../../resources/bulk/many-service';
import { MAX_SELECTED, selectedBy } from '../../resources/bulk/selected';
import type { Identity } from '../../resources/read/resource-reader';
import { idempotencyKeyOf } from '../../resources/write/idempotency-key';
import type { Input } from '../../resources/write/input';
import { chargeOf, inputSizeOf } from '../../resources/write/input-size';
import type { WriteServices } from '../../session/services';
import type { Simulation } from '../../sip/simulation/simulation';
import type { Context } from '../context';
import { inputsOf } from '../schema/input-types';
import { conditionOf } from '../schema/list-args';
import { ResourceInterface } from '../schema/object-types';
import { linkTo } from '../schema/resource-link';
import { whereOf } from '../schema/where-types';
import { FieldChangeType } from './history-types';
import { PendingChangesType, toPendingChanges } from './pending/pending-types';
import { keyedWait, WaitArgs, waitOf, writeOrWait, type Waited } from './pending/wait-args';
import { SimulatedCallsType, SIMULATED_RESULT, simulationFor } from './simulation-types';
import { argsOf, nullable, objectOf, withDefault } from '../schema/type-tables';

/** The arguments that select the resources of a change of many. */
interface SelectionArgs {
  readonly refs?: readonly string[] | null;
  readonly where?: Readonly<Record<string, unknown>> | null;
  readonly filter?: string | null;
  readonly expectedCount?: number | null;
  readonly dryRun: boolean;
}

/** Creates the GraphQL type of the arguments that select many resources of a kind. */
function selectionArgsOf(kind: Kind): new () => object {
  const where = whereOf(kind);

  return argsOf({
    refs: [nullable([String]), 'Select the resources with these references.'],
    where: [nullable(where), 'Select the resources that meet these conditions; `{}` selects all.'],
    filter: [nullable(String), 'Select the resources that match this JsonPath predicate, as in lists.'],
    expectedCount: [
      nullable(Int),
      `The number of resources that must be selected, at most ${String(MAX_SELECTED)}; otherwise the mutation fails with CONFLICT. Required unless \`dryRun\` is true.`,
    ],
    dryRun: [withDefault(Boolean, false), 'Change nothing, and return what would change.'],
  });
}

const ManySample = objectOf('ManySample', 'A resource that was changed or deleted, or would be.', {
  ref: [String, 'Reference of the resource.'],
  changes: [
    [FieldChangeType],
    'The fields that changed; of a deletion, all fields that had a value. Long texts and lists are cut, and end with …',
  ],
});
type ManySample = InstanceType<typeof ManySample> & {
  readonly kind: string;
};

const PENDING = 'How the changes wait for a confirmation or for `at`; null if they do not, and if nothing was changed.';

const ManyResultType = objectOf('ManyResult', 'What a change of many resources changed, or would change.', {
  ...SIMULATED_RESULT,
  count: [Int, 'The number of selected resources.'],
  changed: [
    Int,
    'The number of selected resources that were changed; the others had these values. A dry run counts all if it sets a secret.',
  ],
  sample: [[ManySample], 'The first ten resources that were changed, in creation order.'],
  pending: [nullable(PendingChangesType), PENDING],
});
type ManyResultType = InstanceType<typeof ManyResultType>;

function toManyResult(
  kind: string,
  { result: { sample, requestId, ...counts }, pending }: Waited<ManyResult>,
  simulation: Simulation | undefined,
): ManyResultType {
  return {
    ...counts,
    calls: simulation ? new SimulatedCallsType(simulation.found) : null,
    sample: sample.map(({ ref, details }) => ({ kind, ref, changes: fieldChanges(details) })),
    request: requestId,
    pending: pending && toPendingChanges(pending),
  };
}

/** What is asked of a change of many. */
interface Asked {
  readonly operation: string;
  readonly args: SelectionArgs;
  readonly set?: Input;
  readonly waiting: WaitArgs;
}

/** Creates the resolver of the mutations that change many resources of a kind. */
export function createManyResolver(kind: Kind): new () => object {
  const { name } = kind;
  const plural = pluralOf(kind);
  const selection = selectionArgsOf(kind);
  const inputs = inputsOf(kind);

  /** Selects the resources, and changes them at once or so that the changes wait. */
  async function change(
    { operation, args, set, waiting }: Asked,
    context: Context,
    info: GraphQLResolveInfo,
    work: (services: WriteServices, chosen: readonly Identity[], options: ManyOptions) => Promise<ManyResult>,
  ): Promise<ManyResultType> {
    const { session } = context;
    session.assertWriter();
    const given = context.nextKey();
    const wait = waitOf(waiting);
    const input = set ? { ...args, set } : args;
    const key = given && idempotencyKeyOf(given, operation, input, ...keyedWait(wait));
    const chosen = await select(kind, args, context, set);
    const simulation = simulationFor(context, args, info);
    const how = { dryRun: args.dryRun, rehearser: simulation, key };
    const options = optionsOf(args, context);
    const waited = await writeOrWait(session, wait, how, (services, asked) =>
      work(services, chosen, { ...options, ...asked }),
    );
    return toManyResult(name, waited, simulation);
  }

  @Resolver()
  class ManyResolver {
    @Mutation(() => ManyResultType, {
      name: `updateMany${plural}`,
      description: `Makes the same changes to all selected ${name} resources, or to none. Select them with \`refs\`, \`where\` or \`filter\`; of several, all must hold.`,
    })
    async update(
      @Args(() => selection) args: SelectionArgs,
      @Arg('set', () => inputs.update, {
        description: 'The changes. An omitted field keeps its value; null clears it.',
      })
      set: Input,
      @Args(() => WaitArgs) waiting: WaitArgs,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<ManyResultType> {
      const asked = { operation: `update ${name}`, args, set, waiting };
      return change(asked, context, info, ({ many }, chosen, options) => many.update(kind, chosen, set, options));
    }

    @Mutation(() => ManyResultType, {
      name: `deleteMany${plural}`,
      description: `Deletes all selected ${name} resources, or none if another resource refers to one of them. Select them with \`refs\`, \`where\` or \`filter\`; of several, all must hold.`,
    })
    async delete(
      @Args(() => selection) args: SelectionArgs,
      @Args(() => WaitArgs) waiting: WaitArgs,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<ManyResultType> {
      const asked = { operation: `delete ${name}`, args, waiting };
      return change(asked, context, info, ({ many }, chosen, options) => many.delete(kind, chosen, options));
    }
  }
  return ManyResolver;
}

/** Returns the plural of a kind's name, for the names of mutations: `DIDs` for the collection `dids`. */
function pluralOf({ name, singular, collection }: Kind): string {
  return collection.startsWith(singular)
    ? name + collection.slice(singular.length)
    : collection.charAt(0).toUpperCase() + collection.slice(1);
}

/** The link from a sample to its resource. */
export const manySampleLink = linkTo(
  ManySample,
  'resource',
  () => ResourceInterface,
  'The current state of the resource; null if it does not exist.',
  ({ kind, ref }: ManySample) => ({ kind, ref }),
);

async function select(
  kind: Kind,
  args: SelectionArgs,
  { session }: Context,
  set: Input = {},
): Promise<readonly Identity[]> {
  const { refs, where, filter, expectedCount, dryRun } = args;
  const expected = expectedCount ?? undefined;
  if (expected === undefined && !dryRun)
    throw InvalidInputError.of('expectedCount', 'is required unless dryRun is true');
  if (!refs && !where && typeof filter !== 'string')
    throw InvalidInputError.of('where', 'is required, or refs or filter; {} selects all');
  const { resources, filters } = session.read;
  const condition = conditionOf(kind, args, filters);
  const chosen = await selectedBy(resources, kind, { ...(refs && { refs }), condition }, session.spend, expected);
  // The first object of each row is what reading it cost.
  session.spend(ROW_WRITTEN * chargeOf(inputSizeOf(set), chosen.length) - chosen.length);
  return chosen;
}

function optionsOf({ expectedCount, dryRun }: SelectionArgs, { session }: Context): ManyOptions {
  return {
    expected: expectedCount ?? undefined,
    dryRun,
    request: session.permit,
    charge: session.chargeRows,
  };
}
