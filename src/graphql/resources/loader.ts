import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';

import type { Context } from '../context';

/** Loads values by row id. `batch` runs once per field of a document, for all objects of a list. */
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
