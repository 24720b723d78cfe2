import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Query, Resolver } from 'type-graphql';

import { InvalidInputError } from '../../errors';
import { fromGlobalId, globalId } from '../../model/global-id';
import type { Resource } from '../../model/kind';
import type { Context } from '../context';
import { MAX_PAGE } from './connection';
import { selectionOf } from './look-ahead';
import { Node } from './object-types';

/** Relay's `node` and `nodes`, which return resources by id. Relay's compiler accepts no further argument of `node`. */
@Resolver()
export class NodeResolver {
  @Query(() => Node, { nullable: true, description: 'The resource with this id; null if there is none (Relay).' })
  async node(
    @Arg('id', () => ID, { description: 'The id of a resource.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | null> {
    const [resource = null] = await nodesOf([id], context, info);
    return resource;
  }

  @Query(() => [Node], {
    nullable: 'items',
    description: `The resources with these ids, in the same order, and null for ids without a resource; at most ${String(MAX_PAGE)} ids.`,
  })
  nodes(
    @Arg('ids', () => [ID], { description: 'Ids of resources.' }) ids: readonly string[],
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<readonly (Resource | null)[]> {
    if (ids.length > MAX_PAGE) {
      throw InvalidInputError.of('ids', `${String(ids.length)} ids are more than ${String(MAX_PAGE)}`);
    }
    return nodesOf(ids, context, info);
  }
}

async function nodesOf(
  ids: readonly string[],
  { session }: Context,
  info: GraphQLResolveInfo,
): Promise<readonly (Resource | null)[]> {
  const { model } = session.shared;
  const { resources } = session.read;
  const wanted = ids.map((id) => fromGlobalId(model, id));
  const found = await Promise.all(
    model.kinds
      .map((kind) => ({ kind, refs: wanted.flatMap((each) => (each?.kind === kind ? [each.ref] : [])) }))
      .filter(({ refs }) => refs.length > 0)
      .map(({ kind, refs }) => resources.some(kind, refs, selectionOf(kind, info))),
  );
  const byId = new Map(found.flat().map((resource) => [globalId(resource.kind, resource.ref), resource]));
  return ids.map((id) => byId.get(id) ?? null);
}
