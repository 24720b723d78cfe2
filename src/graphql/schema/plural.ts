import type { Kind } from '../../model/kind';

/** Returns the plural of a kind's name, for the names of mutations: `DIDs` for the collection `dids`. */
export function pluralOf({ name, singular, collection }: Kind): string {
  return collection.startsWith(singular)
    ? name + collection.slice(singular.length)
    : collection.charAt(0).toUpperCase() + collection.slice(1);
}
