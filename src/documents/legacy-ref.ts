import createXxhash from 'xxhash-wasm';

import type { Kind } from '../model/kind';
import type { Values } from '../resources/input';

const SEED = 0xabcd;

/**
 * Generates the ref that Routr v1 generated from a resource's natural key: xxHash32 with a seed of its own. Undefined for
 * kinds that Routr v1 did not have.
 */
export async function createLegacyRefs(): Promise<(kind: Kind, values: Values) => string | undefined> {
  const xxhash = await createXxhash();
  return ({ legacyRef }, values) => {
    if (!legacyRef) return undefined;
    const key = legacyRef.fields.map((name) => firstOf(values, name)).join('');
    return legacyRef.prefix + xxhash.h32(key, SEED).toString(16);
  };
}

/** The value; of a list, its first entry. */
function firstOf(values: Values, name: string): string {
  return String([values.get(name) ?? []].flat()[0] ?? '');
}
