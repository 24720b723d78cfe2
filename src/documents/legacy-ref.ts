import createXxhash from 'xxhash-wasm';

import type { Values } from '../resources/input';
import type { KindName } from '../model/kind';

const SEED = 0xabcd;

/** What Routr v1 made a ref of, and the letters that it began with: numbers of both kinds had `dd`. */
const KEYS: Readonly<Record<KindName, readonly [prefix: string, key: (values: Values) => string]>> = {
  Gateway: ['gw', (values) => text(values, 'host')],
  Agent: ['ag', (values) => text(values, 'username') + String([values.get('domains') ?? []].flat()[0] ?? '')],
  Peer: ['pr', (values) => text(values, 'username')],
  Domain: ['dm', (values) => text(values, 'domainUri')],
  DID: ['dd', (values) => text(values, 'telUrl')],
  Number: ['dd', (values) => text(values, 'telUrl')],
};

/** Gives the ref that Routr v1 made of a resource's natural key: xxHash32 of it, with a seed of its own. */
export async function createLegacyRefs(): Promise<(kind: KindName, values: Values) => string> {
  const xxhash = await createXxhash();
  return (kind, values) => {
    const [prefix, key] = KEYS[kind];
    return prefix + xxhash.h32(key(values), SEED).toString(16);
  };
}

function text(values: Values, name: string): string {
  return String(values.get(name) ?? '');
}
