import type { GraphQLResolveInfo } from 'graphql';

import type { Resource } from '../../model/kind';
import type { Context } from '../context';
import { loadByKey } from '../schema/loader';
import { selectionOf } from '../schema/look-ahead';

/** Reads the resource of a kind with this ref, for a field of each object of a list. Undefined if there is none. */
export function currentState(
  kind: string,
  ref: string,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Resource | undefined> {
  const { model, resources } = context.session.read;
  return loadByKey(context, info, `${kind} ${ref}`, async (keys) => {
    const found = new Map<string, Resource>();
    for (const each of model.kinds) {
      const refs = keys.filter((key) => key.startsWith(`${each.name} `)).map((key) => key.slice(each.name.length + 1));
      for (const resource of await resources.some(each, refs, selectionOf(each, info)))
        found.set(`${each.name} ${resource.ref}`, resource);
    }
    return found;
  });
}
