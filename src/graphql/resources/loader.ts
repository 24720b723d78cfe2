import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';

import type { Context } from '../context';

/**
 * Returns the value for a row id. `batch` loads the values for all objects of a list, once per field of the document.
 */
export function loadByRowId<T>(
  context: Context,
  info: GraphQLResolveInfo,
  rowId: number,
  batch: (rowIds: readonly number[]) => Promise<ReadonlyMap<number, T>>,
): Promise<T | undefined> {
  const loader = context.once(
    info,
    () =>
      new DataLoader<number, T | undefined>(async (rowIds) => {
        const found = await batch(rowIds);
        return rowIds.map((id) => found.get(id));
      }),
  );
  return loader.load(rowId);
}
