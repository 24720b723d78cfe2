import createXxhash from 'xxhash-wasm';

import type { Kind } from '../model/kind';
import type { Values } from '../resources/input';

const SEED = 0xabcd;

/**
 * Returns a function that generates the same ref as Routr v1 from a resource's natural key: xxHash32 with Routr v1's seed. It
 * returns undefined for kinds that Routr v1 did not have.
 */
export async function createLegacyRefs(): Promise<(kind: Kind, values: Values) => string | undefined> {
  const xxhash = await createXxhash();
  return ({ legacyRef }, values) => {
    if (!legacyRef) return undefined;
    const key = legacyRef.fields.map((name) => firstOf(values, name)).join('');
    return legacyRef.prefix + xxhash.h32(key, SEED).toString(16);
  };
}

/** Returns the value of a field, or its first entry if it is a list. */
function firstOf(values: Values, name: string): string {
  return String([values.get(name) ?? []].flat()[0] ?? '');
}
