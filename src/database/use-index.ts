import type { Product } from './driver';
import { raw, type Fragment } from './fragment';

/** Follows a table's name in SQL, and makes the database use this index, whatever it knows about the table. */
export function useIndex(product: Product, name: string): Fragment {
  return raw(product === 'sqlite' ? `INDEXED BY ${name}` : `FORCE INDEX (${name})`);
}
