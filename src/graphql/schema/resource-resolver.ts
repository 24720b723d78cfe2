import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, GraphQLISODateTime, ID, Info, Mutation, Query, Resolver } from 'type-graphql';

import { globalId } from '../../model/global-id';
import { type Kind, type Resource, withArticle } from '../../model/kind';
import type { Input } from '../../resources/write/input';
import type { Context } from '../context';
import { Connection, connectionOf } from './connection';
import { inputsOf } from './input-types';
import { listArgsOf, listOf, type ListArgs } from './list-args';
import { connectionSelectionOf, selectionOf } from './look-ahead';
import { readAhead } from './row-field';

const REF = 'Reference of the resource.';

/** The description of `dryRun` in mutations of one resource. */
const DRY_RUN =
  'Check everything, change nothing, and return what the resource would be. Connections, such as `history`, are those that are stored.';

/** The same in deletes. */
const DRY_DELETE = 'Check everything, change nothing, and return the id.';

/** The description of `ifUnchangedSince`. */
const IF_UNCHANGED =
  'The `modifiedOn` that you have read, or the `at` of an entry of the history. If the resource was changed later, the mutation fails with CONFLICT, and `extensions.changes` says which fields, by whom and when.';

/** The description of the argument `asOf`. */
const AS_OF =
  'Return the fields as they were at this time; null if the resource did not exist. A change counts from the `at` of its entry of the history, which is shortly after its `modifiedOn`. Links cannot be selected.';

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
      @Arg('dryRun', () => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun: boolean,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource> {
      const { resources } = context.session.write;
      const key = context.nextKey();
      const dry = { dryRun, readAhead: readAhead(kind, context, info) };
      return resources.create(kind, input, selectionOf(kind, info), { key, ...dry });
    }

    @Mutation(type, {
      name: `update${name}`,
      description: `Updates ${withArticle(name)}. An omitted field keeps its value; null clears it.`,
    })
    update(
      @Arg('ref', () => String, { description: REF }) ref: string,
      @Arg('input', () => inputs.update, { description: 'The changes.' }) input: Input,
      @Arg('dryRun', () => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun: boolean,
      @Arg('ifUnchangedSince', () => GraphQLISODateTime, { nullable: true, description: IF_UNCHANGED })
      since: Date | null | undefined,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource> {
      const { resources } = context.session.write;
      const dry = { dryRun, readAhead: readAhead(kind, context, info) };
      return resources.update(kind, ref, input, selectionOf(kind, info), {
        ...dry,
        ifUnchangedSince: since?.getTime(),
      });
    }

    @Mutation(() => ID, {
      name: `delete${name}`,
      description: `Deletes ${withArticle(name)} that no other resource refers to, and returns its id.`,
    })
    async delete(
      @Arg('ref', () => String, { description: REF }) ref: string,
      @Arg('dryRun', () => Boolean, { defaultValue: false, description: DRY_DELETE }) dryRun: boolean,
      @Arg('ifUnchangedSince', () => GraphQLISODateTime, { nullable: true, description: IF_UNCHANGED })
      since: Date | null | undefined,
      @Ctx() { session }: Context,
    ): Promise<string> {
      await session.write.resources.delete(kind, ref, { dryRun, ifUnchangedSince: since?.getTime() });
      return globalId(name, ref);
    }
  }
  return ResourceResolver;
}
