import type { GraphQLResolveInfo } from 'graphql';

import type { Reads } from '../../database/sql';
import type { Kind, KindClass, Resource } from '../../model/kind';
import type { ReadServices } from '../../session/services';
import type { Context } from '../context';
import { loadByKey } from './loader';
import { fieldNodesOf, type SelectedField } from './look-ahead';

type ReadRows<T> = (read: ReadServices, rowIds: readonly number[], selected: SelectedField) => Promise<ReadonlyMap<number, T>>;

/** How the fields of kinds that start from the row of a resource are read, by name. */
const fields = new Map<KindClass, Map<string, ReadRows<unknown>>>();

/**
 * Declares a field of a kind that starts from the row of a resource, and returns what its resolver calls. The fields of the
 * resources of a list are read together; those of a dry run have been read already (`readAhead`).
 */
export function rowField<T>(
  type: KindClass,
  name: string,
  readRows: ReadRows<T>,
): (resource: Resource, context: Context, info: GraphQLResolveInfo) => Promise<T | undefined> {
  const declared = fields.get(type) ?? new Map<string, ReadRows<unknown>>();
  fields.set(type, declared.set(name, readRows));
  return ({ rowId, ahead }, context, info) =>
    ahead?.has(name)
      ? Promise.resolve(ahead.get(name) as T | undefined) // as `readRows` returned it
      : loadByKey(context, info, rowId, (rowIds) => readRows(context.session.read, rowIds, info));
}

/**
 * Returns the function that reads the selected fields of a resource that start from its row, while that is what a dry run would
 * make it.
 */
export function readAhead(
  kind: Kind,
  { session }: Context,
  info: GraphQLResolveInfo,
): (reads: Reads, resource: Resource) => Promise<void> {
  return async (reads, resource) => {
    const read = session.read.within(reads);
    const ahead = new Map<string, unknown>();
    for (const [name, readRows] of fields.get(kind.class) ?? []) {
      const fieldNodes = fieldNodesOf(kind, name, info);
      if (fieldNodes.length === 0 || resource.lists?.[name]) continue;
      const found = await readRows(read, [resource.rowId], { fieldNodes, fragments: info.fragments });
      ahead.set(name, found.get(resource.rowId));
    }
    resource.ahead = ahead;
  };
}
