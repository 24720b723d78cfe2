import { Arg, Args, Ctx, GraphQLISODateTime, ID, Mutation, Resolver } from 'type-graphql';

import { InvalidInputError } from '../../errors';
import { fieldChanges } from '../../history/history-entry';
import { entryNumber } from '../../history/revert-service';
import { HEAVY_READ, ROW_WRITTEN } from '../../limits/budgets';
import { type Kind, withArticle } from '../../model/kind';
import type { PendingResult } from '../../jobs/pending/pending-service';
import type { GivenChange } from '../../resources/bulk/change-set';
import { MAX_CHANGES, type AppliedChange, type SimulatedChanges } from '../../resources/bulk/change-set-service';
import { MAX_COMPARED, type Simulation } from '../../sip/simulation/simulation';
import { idempotencyKeyOf } from '../../resources/write/idempotency-key';
import type { Input } from '../../resources/write/input';
import { chargeOf, inputSizeOf } from '../../resources/write/input-size';
import type { Session } from '../../session/session';
import type { Context } from '../context';
import { enumOf, inputOf, nullable, objectOf } from '../schema/type-tables';
import { addInputField as add, declareInput, type InputClass } from '../schema/filter-types';
import { inputsOf } from '../schema/input-types';
import { rowIdIn } from '../schema/cursors';
import { KindEnum } from '../schema/object-types';
import { FieldChangeType, RevertSecretInput } from './history-types';
import { revertOptionsOf } from './history-resolver';
import { PendingChangesType, toPendingChanges } from './pending/pending-types';
import { keyedWait, WaitArgs, waitOf } from './pending/wait-args';
import { SimulatedCallsType, WRITE_RESULT } from './simulation-types';

/** A change in GraphQL. Each part has a member for each kind, of which exactly one is given. */
interface ChangeInput {
  readonly create?: CreateInput | null;
  readonly update?: UpdateInput | null;
  readonly delete?: DeleteInput | null;
}

interface CreateInput extends Input {
  readonly localRef?: string | null;
}

interface UpdateInput extends Input {
  readonly ref: string;
  readonly ifUnchangedSince?: Date | null;
}

interface DeleteInput {
  readonly kind: string;
  readonly ref: string;
  readonly ifUnchangedSince?: Date | null;
}

const ChangeOutcome = enumOf<AppliedChange['outcome']>(
  'ChangeOutcome',
  'What a change of `applyChanges` did, or would do.',
  {
    CREATED: 'The resource was created.',
    UPDATED: 'The resource was updated. In a dry run, also each update that sets a secret.',
    UNCHANGED: 'The resource had these values already.',
    DELETED: 'The resource was deleted.',
  },
);

const AppliedChangeType = objectOf('AppliedChange', 'What a change of `applyChanges` did, or would do.', {
  outcome: [ChangeOutcome, 'What happened to the resource.'],
  kind: [KindEnum, 'The kind of the resource.'],
  ref: [String, 'Reference of the resource. In a dry run, a generated reference is an example.'],
  localRef: [nullable(String), 'The `localRef` of a create, if it had one.'],
  changes: [
    [FieldChangeType],
    'The fields that changed; of a create and a delete, all fields with a value. Empty in the result of a repeated request with the same Idempotency-Key.',
  ],
});
type AppliedChangeType = InstanceType<typeof AppliedChangeType>;

function toAppliedChange({ details = {}, ...applied }: AppliedChange): AppliedChangeType {
  return { ...applied, changes: fieldChanges(details) };
}

const AppliedChangesType = objectOf('AppliedChanges', 'What `applyChanges` did, or would do.', {
  ...WRITE_RESULT,
  changes: [[AppliedChangeType], 'What each change did, in the given order.'],
  pending: [
    nullable(PendingChangesType),
    'How the changes wait for a confirmation or for `at`; null if they do not, and if nothing was changed.',
  ],
});
type AppliedChangesType = InstanceType<typeof AppliedChangesType>;

const SimulationType = objectOf('Simulation', 'What changes would do, and what calls would do differently.', {
  changes: [[AppliedChangeType], 'What each change would do, in the given order.'],
  calls: [SimulatedCallsType, 'What calls would do differently.'],
});
type SimulationType = InstanceType<typeof SimulationType>;

function toSimulation({ changes, simulated }: Pick<SimulatedChanges, 'changes' | 'simulated'>): SimulationType {
  return { changes: changes.map(toAppliedChange), calls: new SimulatedCallsType(simulated) };
}

const SINCE =
  'The `modifiedOn` that you have read. If the resource was changed later, by another request, nothing is changed.';

const SimulatedRevertInput = inputOf(
  'SimulatedRevertInput',
  'What to revert in a simulation: exactly one of `request` and `entry`.',
  {
    request: [nullable(String), 'The id of the request or of the run of a command.'],
    entry: [nullable(ID), 'Number of the entry of the history.'],
    secrets: [nullable([RevertSecretInput]), 'Secrets that the revert needs.'],
  },
);
type SimulatedRevertInput = InstanceType<typeof SimulatedRevertInput>;

async function simulatedRevert(
  session: Session,
  { request, entry, secrets = null }: SimulatedRevertInput,
  simulation: Simulation,
): Promise<SimulationType> {
  const [id, number] = [request ?? undefined, entry ?? undefined];
  if ((id === undefined) === (number === undefined))
    throw InvalidInputError.of('revert', 'must have exactly one of request and entry');
  session.spend(HEAVY_READ);
  const { reverts } = session.write;
  const options = { ...revertOptionsOf({ secrets, dryRun: true }, session), rehearser: simulation, field: 'revert' };
  const reverted =
    id === undefined ? await reverts.entry(entryNumber(String(number)), options) : await reverts.request(id, options);
  const changes = reverted.map(({ event, kind, ref, before, after }): AppliedChange => ({
    outcome: event,
    kind,
    ref,
    details: { before, after },
  }));
  return toSimulation({ changes, simulated: simulation.found });
}

/** Creates the resolver of the mutation that changes resources of all kinds. */
export function createChangeSetResolver(kinds: readonly Kind[]): new () => object {
  const input = changeInput(kinds);

  @Resolver()
  class ChangeSetResolver {
    @Mutation(() => AppliedChangesType, {
      description: `Makes up to ${String(MAX_CHANGES)} changes of resources of all kinds in the given order, or none. If some fail, the error says what is wrong with each: \`extensions.errors\` has the first hundred mistakes with their places, such as \`changes[3].update.gateway.host\`. A \`localRef\` names a resource that a create makes, and later changes use it as \`#name\` where a reference is expected.`,
    })
    async applyChanges(
      @Arg('changes', () => [input], { description: 'The changes.' }) changes: readonly ChangeInput[],
      @Arg('dryRun', () => Boolean, {
        defaultValue: false,
        description: 'Check everything, change nothing, and return what would change.',
      })
      dryRun: boolean,
      @Arg('ifUnchangedSince', () => GraphQLISODateTime, {
        nullable: true,
        description:
          'A time. If a resource that is updated or deleted was changed later, by another request, nothing is changed. `ifUnchangedSince` of a change comes before it.',
      })
      since: Date | null | undefined,
      @Args(() => WaitArgs) waiting: WaitArgs,
      @Ctx() context: Context,
    ): Promise<AppliedChangesType> {
      const { session } = context;
      const { changeSets, pending } = session.write;
      const given = context.nextKey();
      assertFew(changes);
      const wait = waitOf(waiting);
      const { terms, at: time } = wait ?? {};
      session.spend((wait ? HEAVY_READ : 0) + ROW_WRITTEN * rowsIn(changes));
      const set = changesOf(kinds, changes);
      const options = {
        dryRun,
        ifUnchangedSince: since?.getTime(),
        key: given && idempotencyKeyOf(given, 'applyChanges', changes, since ?? null, ...keyedWait(wait)),
        request: session.permit,
        charge: session.chargeRows,
      };
      const result: PendingResult =
        time === undefined
          ? await (terms ? pending.apply(set, options, terms) : changeSets.apply(set, options))
          : await pending.schedule(set, options, { at: time, terms });
      const { pendingId: id } = result;
      const found = id === undefined ? undefined : await session.read.pending.byId(id);
      return {
        changes: result.changes.map(toAppliedChange),
        request: result.requestId,
        pending: found && toPendingChanges(found),
      };
    }

    // A mutation, although nothing changes: it requires the right to write, and takes the locks of the changes, so it must not run
    // in parallel with others of the same document, by GET, or from a cache.
    @Mutation(() => SimulationType, {
      description: `Makes changes, as \`applyChanges\` does, in a transaction that is rolled back, and returns what calls would do differently. Compares up to ${String(MAX_COMPARED)} of the numbers that the changes may affect; for others, repeat it with \`after\`.`,
    })
    async simulate(
      @Arg('changes', () => [input], {
        nullable: true,
        description: 'The changes, as in `applyChanges`. Required unless `revert` is given.',
      })
      changes: readonly ChangeInput[] | null | undefined,
      @Arg('revert', () => SimulatedRevertInput, {
        nullable: true,
        description: 'What to revert, as `revert` and `revertRequest` do, instead of changes.',
      })
      revert: SimulatedRevertInput | null | undefined,
      @Arg('after', () => String, {
        nullable: true,
        description: 'Compare only numbers after this `endCursor` of the same changes.',
      })
      after: string | null | undefined,
      @Ctx() { session }: Context,
    ): Promise<SimulationType> {
      const { changeSets } = session.write;
      const start = rowIdIn(after) ?? 0;
      if (revert && !changes) return simulatedRevert(session, revert, changeSets.simulation(start));
      if (revert || !changes) throw InvalidInputError.of('changes', 'give either changes or revert');
      assertFew(changes);
      session.spend(HEAVY_READ + ROW_WRITTEN * rowsIn(changes));
      const simulated = await changeSets.simulate(changesOf(kinds, changes), {
        after: start,
        request: session.permit,
        charge: session.chargeRows,
      });
      return toSimulation(simulated);
    }
  }
  return ChangeSetResolver;
}

function assertFew({ length }: readonly ChangeInput[]): void {
  if (length <= MAX_CHANGES) return;
  throw InvalidInputError.of('changes', `has ${String(length)} changes; send at most ${String(MAX_CHANGES)}`);
}

function changeInput(kinds: readonly Kind[]): InputClass {
  const create = declareInput('CreateChange', 'A resource to create. Exactly one kind must be given.');
  const about =
    'A name for the resource in this request: 1 to 23 letters, digits, _ or -. Later changes use it as `#name`.';
  add(create, 'localRef', () => String, about);
  const update = declareInput('UpdateChange', 'An update of a resource. Exactly one kind must be given.');
  add(update, 'ref', () => String, 'Reference of the resource, or `#` and a `localRef`.', false);
  add(update, 'ifUnchangedSince', () => GraphQLISODateTime, SINCE);
  for (const kind of kinds) {
    const inputs = inputsOf(kind);
    add(create, kind.singular, () => inputs.create, `The new ${kind.name}.`);
    const changes = `The resource is ${withArticle(kind.name)}: its changes. An omitted field keeps its value; null clears it.`;
    add(update, kind.singular, () => inputs.update, changes);
  }
  const remove = declareInput('DeleteChange', 'A resource to delete. No other resource may refer to it.');
  add(remove, 'kind', () => KindEnum, 'The kind of the resource.', false);
  add(remove, 'ref', () => String, 'Reference of the resource, or `#` and a `localRef`.', false);
  add(remove, 'ifUnchangedSince', () => GraphQLISODateTime, SINCE);
  const type = declareInput('ChangeInput', 'A change of `applyChanges`: exactly one of these.');
  add(type, 'create', () => create, 'Create a resource.');
  add(type, 'update', () => update, 'Update a resource.');
  add(type, 'delete', () => remove, 'Delete a resource.');
  return type;
}

/** The cost of the changes, in rows. */
function rowsIn(changes: readonly ChangeInput[]): number {
  return changes.reduce((sum, each) => sum + chargeOf(inputSizeOf(each), 1), 0);
}

/** Converts the changes. Throws InvalidInputError with the places of those that do not have exactly one part. */
function changesOf(kinds: readonly Kind[], changes: readonly ChangeInput[]): readonly GivenChange[] {
  const wrong: string[] = [];
  const found = changes.flatMap((change, index): readonly GivenChange[] => {
    const at = `changes[${String(index)}]`;
    const [type, ...others] = (['create', 'update', 'delete'] as const).filter((name) => change[name]);
    if (!type || others.length > 0) {
      wrong.push(at);
      return [];
    }
    const place = `${at}.${type}`;
    if (change.delete) {
      const { kind: name, ref, ifUnchangedSince: since } = change.delete;
      const kind = kinds.find((each) => each.name === name);
      return kind ? [{ type: 'delete', place, kind, ref, ifUnchangedSince: since?.getTime() }] : [];
    }
    const part: Input = change.create ?? change.update ?? {};
    const [kind, ...more] = kinds.filter(({ singular }) => part[singular]);
    if (!kind || more.length > 0) {
      wrong.push(place);
      return [];
    }
    const input = part[kind.singular] as Input; // by its type in the schema
    if (change.create) return [{ type: 'create', place, kind, input, localRef: change.create.localRef ?? undefined }];
    const { ref = '', ifUnchangedSince: since } = change.update ?? {};
    return [{ type: 'update', place, kind, ref, input, ifUnchangedSince: since?.getTime() }];
  });
  if (wrong.length === 0) return found;
  throw new InvalidInputError(
    wrong.map((place) => {
      const message = place.includes('.')
        ? `must have exactly one of ${kinds.map(({ singular }) => singular).join(', ')}`
        : 'must have exactly one of create, update, delete';
      return { field: place, path: place, message };
    }),
  );
}
