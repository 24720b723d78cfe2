import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';

import type { Registration } from '../../sip/live/registration-reader';
import { TRUNK_STATES, type Trunk } from '../../sip/live/trunk-reader';
import { Gateway } from '../../model/gateway';
import type { Resource } from '../../model/kind';
import type { Context } from '../context';
import { Connection, connectionOf, rangeOf } from '../schema/connection';
import { loadByKey } from '../schema/loader';
import { asksFor } from '../schema/look-ahead';
import { RegistrationType } from './live-types';
import { TrunkArgs, TrunkCount, TrunkType } from './trunk-types';
import { one } from './verdict-loaders';

const trunkConnection = connectionOf('Trunk', TrunkType);

/** Queries for the gateways that register at their providers. */
@Resolver()
export class TrunkResolver {
  @Query(() => trunkConnection, {
    description: 'The gateways that register at their providers, in any state, in creation order.',
  })
  async trunks(
    @Args(() => TrunkArgs) args: TrunkArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<Trunk>> {
    const { trunks } = session.read;
    const range = rangeOf(args);
    const query = { states: args.states ?? undefined, search: args.search ?? undefined };
    const [page, count] = await Promise.all([
      trunks.page(range, query),
      asksFor('totalCount', info) ? trunks.count(query) : undefined,
    ]);
    return new Connection(page, range, count);
  }

  @Query(() => [TrunkCount], { description: 'The number of trunks in each state.' })
  async trunkCounts(@Ctx() { session }: Context): Promise<readonly TrunkCount[]> {
    const counts = await session.read.trunks.counts();
    return TRUNK_STATES.map((state) => ({ state, count: counts.get(state) ?? 0 }));
  }
}

/** The links from a trunk. */
@Resolver(() => TrunkType)
export class TrunkLinks {
  @FieldResolver(() => Gateway, { description: 'The gateway.' })
  gateway(
    @Root() { rowId }: Trunk,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return one('Gateway', rowId, context, info);
  }

  @FieldResolver(() => RegistrationType, { nullable: true, description: 'The registration at the provider.' })
  registration(
    @Root() { rowId }: Trunk,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Registration | undefined> {
    return loadByKey(context, info, rowId, (rowIds) => context.session.read.registrations.of(rowIds));
  }
}
