import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';

import type { Context } from '../context';

/**
 * Returns the value for a key, such as a row id. `batch` loads the values for all objects of a list, once per field of
 * the document.
 */
export function loadByKey<K, T>(
  context: Context,
  info: GraphQLResolveInfo,
  key: K,
  batch: (keys: readonly K[]) => Promise<ReadonlyMap<K, T>>,
): Promise<T | undefined> {
  const loader = context.once(
    info,
    () =>
      new DataLoader<K, T | undefined>(async (keys) => {
        const found = await batch(keys);
        return keys.map((each) => found.get(each));
      }),
  );
  return loader.load(key);
}
