import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import type { Resource } from '../../model/kind';
import type { Context } from '../context';
import { loadByKey } from './loader';
import { selectionOf } from './look-ahead';

/** Identifies a resource by its kind, and by its row id or reference. None without a kind or without both. */
export interface ResourceKey {
  readonly kind: string | null;
  readonly rowId?: number | null | undefined;
  readonly ref?: string | null | undefined;
}

/** How GraphQL describes a link. */
interface LinkOptions {
  readonly description: string;
  /** Whether there may be no such resource. */
  readonly nullable?: boolean;
}

/**
 * Creates the resolver of a field that leads from an object to a resource. `keyOf` says which: undefined or null for
 * none. The resources of the objects of a list are read together.
 */
export function linkTo(
  type: new (...args: never[]) => object,
  name: string,
  to: () => object,
  options: LinkOptions,
  keyOf: (object: never) => ResourceKey | null | undefined,
): new () => object {
  @Resolver(() => type)
  class LinkResolver {
    @FieldResolver(() => to() as new () => object, options)
    [name](
      @Root() object: object,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource | undefined> {
      const key = keyOf(object as never); // a value of `type`
      return key ? resourceOf(key, context, info) : Promise.resolve(undefined);
    }
  }
  return LinkResolver;
}

/** Reads a resource. One loader serves all kinds, because it is made once for each field of the document. */
function resourceOf(
  { kind, rowId = null, ref = null }: ResourceKey,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Resource | undefined> {
  const id = rowId ?? ref;
  if (kind === null || id === null) return Promise.resolve(undefined);
  const { shared, read } = context.session;
  return loadByKey(context, info, `${kind} ${String(id)}`, async (keys) => {
    const found = new Map<string, Resource>();
    for (const each of shared.model.kinds) {
      const prefix = `${each.name} `;
      const ids = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
      if (ids.length === 0) continue;
      const selection = selectionOf(each, info);
      const resources =
        rowId === null
          ? await read.resources.some(each, ids, selection)
          : (await read.resources.byRowIds(each, ids.map(Number), selection)).values();
      for (const resource of resources)
        found.set(`${prefix}${String(rowId === null ? resource.ref : resource.rowId)}`, resource);
    }
    return found;
  });
}
