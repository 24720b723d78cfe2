import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, GraphQLISODateTime, ID, Info, Mutation, Query, Resolver } from 'type-graphql';

import { globalId } from '../../model/global-id';
import type { Input } from '../../resources/write/input';
import type { Kind, Resource } from '../../model/kind';
import { Connection, connectionOf } from './connection';
import type { Context } from '../context';
import { inputsOf } from './input-types';
import { listArgsOf, listOf, type ListArgs } from './list-args';
import { connectionSelectionOf, selectionOf } from './look-ahead';
import { checkListArguments } from './nested-lists';
import { withArticle } from './article';

const REF = 'Reference of the resource.';

/** The description of the argument `asOf`. */
export const AS_OF =
  'Return the fields as they were at this time; null if the resource did not exist. Links cannot be selected.';

/** The queries and mutations of a kind. */
export function createResourceResolver(kind: Kind): new () => object {
  const type = () => kind.class;
  const connection = connectionOf(kind.name, kind.class);
  const inputs = inputsOf(kind);
  const listArgs = listArgsOf(kind);
  const { name } = kind;

  @Resolver(type)
  class ResourceResolver {
    @Query(type, {
      name: kind.singular,
      nullable: true,
      description: `The ${name} with this reference. Fails with NOT_FOUND if there is none, unless \`asOf\` is given.`,
    })
    one(
      @Arg('ref', () => String, { description: REF }) ref: string,
      @Arg('asOf', () => GraphQLISODateTime, { nullable: true, description: AS_OF }) asOf: Date | null | undefined,
      @Ctx() { session }: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource | undefined> {
      const { resources, past } = session.read;
      const selection = selectionOf(kind, info);
      return asOf ? past.read(kind, ref, asOf.getTime(), selection) : resources.get(kind, ref, selection);
    }

    @Query(() => connection, {
      name: kind.collection,
      description: `Lists the ${name} resources that match \`filter\` and \`where\`, by default all, in creation order unless \`orderBy\` is given.`,
    })
    async many(
      @Args(() => listArgs) args: ListArgs,
      @Ctx() { session }: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Connection<Resource>> {
      const { resources, filters } = session.read;
      const { nodes, total } = connectionSelectionOf(kind, info);
      const { range, query, cursors } = listOf(kind, args, filters);
      const [page, count] = await Promise.all([
        resources.page(kind, nodes, range, query),
        total ? resources.count(kind, query) : undefined,
      ]);
      return new Connection(page, range, count, cursors);
    }

    @Mutation(type, { name: `create${name}`, description: `Creates ${withArticle(name)}.` })
    create(
      @Arg('input', () => inputs.create, { description: `The new ${name}.` }) input: Input,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource> {
      const { resources } = context.session.write;
      const key = context.nextKey();
      checkListArguments(info, context.session.read);
      return resources.create(kind, input, selectionOf(kind, info), { key });
    }

    @Mutation(type, {
      name: `update${name}`,
      description: `Updates ${withArticle(name)}. An omitted field keeps its value; null clears it.`,
    })
    update(
      @Arg('ref', () => String, { description: REF }) ref: string,
      @Arg('input', () => inputs.update, { description: 'The changes.' }) input: Input,
      @Ctx() { session }: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource> {
      const { resources } = session.write;
      checkListArguments(info, session.read);
      return resources.update(kind, ref, input, selectionOf(kind, info));
    }

    @Mutation(() => ID, {
      name: `delete${name}`,
      description: `Deletes ${withArticle(name)} that no other resource refers to, and returns its id.`,
    })
    async delete(
      @Arg('ref', () => String, { description: REF }) ref: string,
      @Ctx() { session }: Context,
    ): Promise<string> {
      await session.write.resources.delete(kind, ref);
      return globalId(name, ref);
    }
  }
  return ResourceResolver;
}
