import createXxhash from 'xxhash-wasm';

import { textOf } from '../../model/format/format';
import type { Kind } from '../../model/kind';
import type { Values } from '../write/input';

const SEED = 0xabcd;

/** Derives refs from natural keys, so that an import and its dry run agree on them. */
export interface LegacyRefs {
  /** Returns the ref that Routr v1 generates. Undefined for kinds that Routr v1 did not have. */
  readonly ofResource: (kind: Kind, values: Values) => string | undefined;
  readonly ofUser: (username: string) => string;
}

/** Creates the functions that derive refs as Routr v1 does: xxHash32 of the natural key, with Routr v1's seed. */
export async function createLegacyRefs(): Promise<LegacyRefs> {
  const xxhash = await createXxhash();
  const refOf = (prefix: string, key: string): string => prefix + xxhash.h32(key, SEED).toString(16);
  return {
    ofResource: ({ legacyRef }, values) =>
      legacyRef && refOf(legacyRef.prefix, legacyRef.fields.map((name) => firstOf(values, name)).join('')),
    ofUser: (username) => refOf('us', username),
  };
}

/** Returns the value of a field, or its first entry if it is a list. */
function firstOf(values: Values, name: string): string {
  const value = values.get(name);
  return textOf(Array.isArray(value) ? (value as readonly string[])[0] : value);
}
