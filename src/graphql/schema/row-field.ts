import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import type { Reads } from '../../database/sql';
import type { Kind, KindClass, Resource } from '../../model/kind';
import type { ReadServices } from '../../session/services';
import type { Context } from '../context';
import { loadByKey } from './loader';
import { fieldNodesOf, type SelectedField } from './look-ahead';

type ReadRows<T> = (
  read: ReadServices,
  rowIds: readonly number[],
  selected: SelectedField,
) => Promise<ReadonlyMap<number, T>>;

/** How the fields of kinds that start from the row of a resource are read, by name. */
const fields = new Map<KindClass, Map<string, ReadRows<unknown>>>();

/** What GraphQL shows of a field. */
interface ShownField {
  readonly type: () => object;
  readonly description: string;
  readonly nullable?: boolean;
}

/**
 * Creates the resolver of a field of a kind that starts from the row of a resource. The fields of the resources of a list are read
 * together; those that the statement of the resource has read, and those of a dry run (`readAhead`), are there already. `show` converts
 * what was read.
 */
export function rowField<T>(
  kind: KindClass,
  name: string,
  { type, ...options }: ShownField,
  readRows: ReadRows<T>,
  show?: (found: T | undefined) => unknown,
): new () => object {
  const declared = fields.get(kind) ?? new Map<string, ReadRows<unknown>>();
  fields.set(kind, declared.set(name, readRows));

  @Resolver(() => kind)
  class RowField {
    @FieldResolver(() => type() as new () => object, options)
    [name](
      @Root() { rowId, ahead, lists }: Resource,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): unknown {
      const list = lists?.[name];
      if (list) return list;
      const found = ahead?.has(name)
        ? Promise.resolve(ahead.get(name) as T | undefined) // as `readRows` returned it
        : loadByKey(context, info, rowId, (rowIds) => readRows(context.session.read, rowIds, info));
      return show ? found.then(show) : found;
    }
  }
  return RowField;
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
