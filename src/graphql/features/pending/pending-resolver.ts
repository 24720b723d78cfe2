import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Info, Mutation, Query, Resolver } from 'type-graphql';

import { HEAVY_READ } from '../../../limits/budgets';
import type { Context } from '../../context';
import { type Connection, connectionOf, PAGE, rangeOf, readConnection } from '../../schema/connection';
import { DryRun } from '../../schema/dry-run';
import { PendingChangesType, PendingStateEnum, toPendingChanges } from './pending-types';
import { argsOf, nullable } from '../../schema/type-tables';

const connection = connectionOf('PendingChanges', PendingChangesType);

const PendingArgs = argsOf({
  ...PAGE,
  states: [nullable([PendingStateEnum]), 'Return only those in these states.'],
});
type PendingArgs = InstanceType<typeof PendingArgs>;

/** Sets of changes that wait for a time or for a confirmation. */
@Resolver()
export class PendingResolver {
  @Query(() => connection, {
    description:
      'Sets of changes of `applyChanges` that wait for a time or for a confirmation, and what has become of those of the last 30 days, newest first.',
  })
  async pendingChanges(
    @Args(() => PendingArgs) { states, ...args }: PendingArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<PendingChangesType>> {
    const range = rangeOf(args);
    const { pending } = session.read;
    const page = pending.page(states ?? undefined, range);
    const shown = page.then(({ items, more }) => ({ items: items.map(toPendingChanges), more }));
    return readConnection(info, range, shown, () => pending.count(states ?? undefined));
  }

  @Mutation(() => PendingChangesType, {
    description:
      'Keeps changes that wait for a confirmation. Fails with CONFLICT if they do not, and if none of them is in force, because they were reverted meanwhile.',
  })
  async confirmChanges(
    @Arg('id', () => String, { description: 'The id of the set of changes.' }) id: string,
    @DryRun('Return what would become of the set.') dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<PendingChangesType> {
    session.spend(HEAVY_READ);
    return toPendingChanges(await session.write.pending.confirm(id, { charge: session.chargeRows, dryRun }));
  }

  @Mutation(() => PendingChangesType, {
    description:
      'Reverts changes that wait for a confirmation now, or cancels scheduled ones. Fails with CONFLICT if they wait for neither, or if a later change would be lost.',
  })
  async cancelChanges(
    @Arg('id', () => String, { description: 'The id of the set of changes.' }) id: string,
    @DryRun('Return what would become of the set.') dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<PendingChangesType> {
    const { pending } = session.write;
    session.spend(HEAVY_READ);
    const options = { request: session.permit, charge: session.chargeRows, dryRun };
    return toPendingChanges(await pending.cancel(id, options));
  }
}
