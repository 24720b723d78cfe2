import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';

import { InvalidInputError } from '../../errors';
import { ROW_WRITTEN } from '../../limits/budgets';
import type { Kind, Resource } from '../../model/kind';
import { idempotencyKeyOf } from '../../resources/write/idempotency-key';
import type { Input } from '../../resources/write/input';
import type { ManyOptions } from '../../resources/bulk/many-service';
import type { Identity } from '../../resources/read/resource-reader';
import { selectedBy } from '../../resources/bulk/selected';
import { chargeOf, inputSizeOf } from '../../resources/write/input-size';
import type { Context } from '../context';
import { inputsOf } from '../schema/input-types';
import { conditionOf } from '../schema/list-args';
import { ResourceInterface } from '../schema/object-types';
import { pluralOf } from '../schema/plural';
import { ManyResultType, ManySample, selectionArgsOf, type SelectionArgs } from './many-types';
import { currentState } from './current-state';

/** Creates the resolver of the mutations that change many resources of a kind. */
export function createManyResolver(kind: Kind): new () => object {
  const { name } = kind;
  const plural = pluralOf(kind);
  const selection = selectionArgsOf(kind);
  const inputs = inputsOf(kind);

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
      @Ctx() context: Context,
    ): Promise<ManyResultType> {
      const { many } = context.session.write;
      const key = keyOf(context, `update ${name}`, { ...args, set });
      const chosen = await select(kind, args, context, set);
      return new ManyResultType(name, await many.update(kind, chosen, set, { ...optionsOf(args, context), key }));
    }

    @Mutation(() => ManyResultType, {
      name: `deleteMany${plural}`,
      description: `Deletes all selected ${name} resources, or none if another resource refers to one of them. Select them with \`refs\`, \`where\` or \`filter\`; of several, all must hold.`,
    })
    async delete(@Args(() => selection) args: SelectionArgs, @Ctx() context: Context): Promise<ManyResultType> {
      const { many } = context.session.write;
      const key = keyOf(context, `delete ${name}`, args);
      const chosen = await select(kind, args, context);
      return new ManyResultType(name, await many.delete(kind, chosen, { ...optionsOf(args, context), key }));
    }
  }
  return ManyResolver;
}

/** The resource of a sample. */
@Resolver(() => ManySample)
export class ManySampleResolver {
  @FieldResolver(() => ResourceInterface, {
    nullable: true,
    description: 'The current state of the resource; null if it does not exist.',
  })
  resource(
    @Root() { kind, ref }: ManySample,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return currentState(kind, ref, context, info);
  }
}

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
    charge: (rows) => session.spend(ROW_WRITTEN * rows),
  };
}

function keyOf(context: Context, operation: string, args: object): ManyOptions['key'] {
  const given = context.nextKey();
  return given && idempotencyKeyOf(given, operation, args);
}
