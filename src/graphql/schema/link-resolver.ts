import { Field as GraphqlField } from 'type-graphql';

import type { Kind, Lookup } from '../../model/kind';
import { linksOf, type Link } from '../../resources/read/links';
import { connectionFrom, connectionOf } from './connection';
import { listArgsOf, listOf, type ListArgs } from './list-args';
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
  return rowField(
    kind.class,
    link.name,
    { type: () => [link.target.class], description: link.about },
    ({ resources }, rowIds, selected) => resources.readLinked(link, rowIds, selectionOf(link.target, selected)),
    (page) => page?.items ?? [],
  );
}

function connectionResolver(kind: Kind, link: Link): ResolverClass {
  const { target } = link;
  return connectionFrom(
    kind,
    link.name,
    { type: connectionOf(target.name, target.class), description: link.about, args: listArgsOf(target) },
    ({ rowId }) => rowId,
    (args: ListArgs, { session }, info) => {
      const { resources, filters } = session.read;
      const { query, ...list } = listOf(target, args, filters);
      const { nodes } = connectionSelectionOf(target, info);
      return {
        ...list,
        pagesOf: (rowIds) => resources.readLinked(link, rowIds, nodes, list.range, query),
        countsOf: (rowIds) => resources.linkedCounts(link, rowIds, query),
      };
    },
  );
}

function lookupResolver(kind: Kind, lookup: Lookup, links: readonly Link[]): ResolverClass {
  const union = unionOf(lookup);
  const shown = { type: () => union, nullable: true, description: lookup.about };
  return rowField(kind.class, lookup.name, shown, async ({ resources }, rowIds, selected) => {
    const found = await Promise.all(
      links.map((link) => resources.readLinked(link, rowIds, selectionOf(link.target, selected))),
    );
    return new Map(
      found.flatMap((pages) =>
        [...pages].flatMap(([id, { items }]) => items.slice(0, 1).map((item) => [id, item] as const)),
      ),
    );
  });
}
