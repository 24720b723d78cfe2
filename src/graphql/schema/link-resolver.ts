import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Field as GraphqlField, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import type { Page } from '../../database/page';
import type { Kind, Lookup, Resource } from '../../model/kind';
import { linksOf, type Link } from '../../resources/read/links';
import type { Context } from '../context';
import { Connection, connectionOf } from './connection';
import { listArgsOf, listOf, type ListArgs } from './list-args';
import { loadByKey } from './loader';
import { connectionSelectionOf, selectionOf } from './look-ahead';
import { unionOf } from './object-types';
import { rowField } from './row-field';

type ResolverClass = new () => object;

/**
 * Creates the resolvers for the links of a kind. A link to a single resource has no resolver: when a resource is read,
 * resources/read/plan.ts joins the table of the linked resource. The other links are loaded in one batch for all
 * resources of a list.
 */
export function createLinkResolvers(kind: Kind): readonly ResolverClass[] {
  for (const { refersTo, required } of kind.references) {
    const { link, linkAbout: description, target } = refersTo;
    if (refersTo.through) continue;
    GraphqlField(() => target.class, { nullable: !required, description })(kind.class.prototype as object, link);
  }
  const links = linksOf(kind);
  return [
    ...links.filter(({ shape }) => shape === 'list').map((link) => listResolver(kind, link)),
    ...links.filter(({ shape }) => shape === 'connection').map((link) => connectionResolver(kind, link)),
    ...kind.lookups
      .filter(({ isMany }) => isMany !== true)
      .map((lookup) =>
        lookupResolver(
          kind,
          lookup,
          links.filter(({ name }) => name === lookup.name),
        ),
      ),
  ];
}

function listResolver(kind: Kind, link: Link): ResolverClass {
  const load = rowField(kind.class, link.name, ({ resources }, rowIds, selected) =>
    resources.readLinked(link, rowIds, selectionOf(link.target, selected)),
  );

  @Resolver(() => kind.class)
  class ListResolver {
    @FieldResolver(() => [link.target.class], { description: link.about })
    [link.name](
      @Root() resource: Resource,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): readonly Resource[] | Promise<readonly Resource[]> {
      return resource.lists?.[link.name] ?? load(resource, context, info).then((page) => page?.items ?? []);
    }
  }
  return ListResolver;
}

const NOTHING: Page<Resource> = { items: [], more: false };

function connectionResolver(kind: Kind, link: Link): ResolverClass {
  const listArgs = listArgsOf(link.target);

  @Resolver(() => kind.class)
  class ConnectionResolver {
    @FieldResolver(() => connectionOf(link.target.name, link.target.class), { description: link.about })
    async [link.name](
      @Root() { rowId }: Resource,
      @Args(() => listArgs) args: ListArgs,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Connection<Resource>> {
      const { resources, filters } = context.session.read;
      const found = await loadByKey(context, info, rowId, async (rowIds) => {
        const { range, query, cursors } = listOf(link.target, args, filters);
        const { nodes, total } = connectionSelectionOf(link.target, info);
        const [pages, counts] = await Promise.all([
          resources.readLinked(link, rowIds, nodes, range, query),
          total ? resources.linkedCounts(link, rowIds, query) : undefined,
        ]);
        const connection = (id: number): Connection<Resource> =>
          new Connection(pages.get(id) ?? NOTHING, range, counts && (counts.get(id) ?? 0), cursors);
        return new Map(rowIds.map((id) => [id, connection(id)]));
      });
      if (!found) throw new Error(`${link.name} was not loaded`);
      return found;
    }
  }
  return ConnectionResolver;
}

function lookupResolver(kind: Kind, lookup: Lookup, links: readonly Link[]): ResolverClass {
  const union = unionOf(lookup);
  const load = rowField(kind.class, lookup.name, async ({ resources }, rowIds, selected) => {
    const found = await Promise.all(
      links.map((link) => resources.readLinked(link, rowIds, selectionOf(link.target, selected))),
    );
    return new Map(
      found.flatMap((pages) =>
        [...pages].flatMap(([id, { items }]) => items.slice(0, 1).map((item) => [id, item] as const)),
      ),
    );
  });

  @Resolver(() => kind.class)
  class LookupResolver {
    @FieldResolver(() => union, { nullable: true, description: lookup.about })
    [lookup.name](
      @Root() resource: Resource,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource | undefined> {
      return load(resource, context, info);
    }
  }
  return LookupResolver;
}
