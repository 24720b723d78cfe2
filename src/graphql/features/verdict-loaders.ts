import type { GraphQLResolveInfo } from 'graphql';

import type { Resource } from '../../model/kind';
import type { Context } from '../context';
import { loadByKey } from '../schema/loader';
import { selectionOf } from '../schema/look-ahead';

/** Returns the DIDs and Numbers with these row ids, by row id. */
export async function numbers(
  { session }: Context,
  info: GraphQLResolveInfo,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, Resource>> {
  const { model, resources } = session.read;
  const found = await Promise.all(
    ['DID', 'Number']
      .map((name) => model.kindOf(name))
      .map((kind) => resources.byRowIds(kind, rowIds, selectionOf(kind, info))),
  );
  return new Map(found.flatMap((some) => [...some]));
}

/** Returns the resource of a kind with this row id; undefined for null. Calls for the objects of a list are batched. */
export function one(
  name: string,
  rowId: number | null,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Resource | undefined> {
  if (rowId === null) return Promise.resolve(undefined);
  const { model, resources } = context.session.read;
  const kind = model.kindOf(name);
  return loadByKey(context, info, rowId, (ids) => resources.byRowIds(kind, ids, selectionOf(kind, info)));
}
