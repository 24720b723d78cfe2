import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import { resourceThen } from '../../history/past/past-links';
import type { Then } from '../../history/past/past-resources';
import type { Resource } from '../../model/kind';
import type { Context } from '../context';
import { loadByKey } from './loader';
import { selectionOf } from './look-ahead';

/** Identifies a resource by its kind, and by its row id or reference. None without a kind or without both. */
export interface ResourceKey {
  readonly kind: string | null;
  readonly rowId?: number | null | undefined;
  readonly ref?: string | null | undefined;
  /**
   * When the reference was stored, in milliseconds since the epoch: a resource that was created later with the same reference is
   * another one.
   */
  readonly at?: number | undefined;
  /** The number of the entry of the history that has the reference, if one has it. */
  readonly entry?: number | undefined;
  /** The resources as they were, one of which has the row id; undefined for the present. */
  readonly past?: readonly Then[] | undefined;
}

/**
 * Creates the resolver of a field that leads from an object to a resource. `keyOf` says which: undefined or null for
 * none. The resources of the objects of a list are read together. `nullable` is false if there is always a resource.
 */
export function linkTo(
  type: new (...args: never[]) => object,
  name: string,
  to: () => object,
  description: string,
  keyOf: (object: never) => ResourceKey | null | undefined,
  nullable = true,
): new () => object {
  @Resolver(() => type)
  class LinkResolver {
    @FieldResolver(() => to() as new () => object, { nullable, description })
    [name](
      @Root() object: object,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource | undefined> {
      const key = keyOf(object as never); // a value of `type`
      if (!key) return Promise.resolve(undefined);
      return key.past ? Promise.resolve(resourceOfThen(key, key.past, context, info)) : resourceOf(key, context, info);
    }
  }
  return LinkResolver;
}

/** A resource as it was. */
export function resourceOfThen(
  { kind, rowId }: Pick<ResourceKey, 'kind' | 'rowId'>,
  past: readonly Then[],
  { session }: Context,
  info: GraphQLResolveInfo,
): Resource | undefined {
  const then = past.find((each) => each.kind === kind && each.rowId === rowId);
  if (!then) return undefined;
  const of = session.shared.model.kindOf(then.kind);
  return resourceThen(of, then, selectionOf(of, info), past);
}

/** Reads a resource, unless its reference meant another one when it was stored. */
async function resourceOf(key: ResourceKey, context: Context, info: GraphQLResolveInfo): Promise<Resource | undefined> {
  const { kind, ref = null, at, entry } = key;
  const isStored = kind !== null && ref !== null && at !== undefined;
  const [found, isSame] = await Promise.all([
    readResource(key, context, info),
    isStored ? context.session.read.identities.isSame({ kind, ref, at, entry }) : true,
  ]);
  return isSame ? found : undefined;
}

/** Reads a resource. One loader serves all kinds, because it is made once for each field of the document. */
function readResource(
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
