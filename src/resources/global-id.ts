import { InvalidInputError, quote } from '../errors';
import type { Kind } from '../model/kind';
import { kinds } from '../model/kinds';

/** The id of Relay's Node: opaque to clients, unique among all kinds. */
export function globalId(kind: Kind, ref: string): string {
  return opaqueId(kind.name, ref);
}

/** An id of the same form for what `node` does not find: caches of clients need one. */
export function opaqueId(type: string, key: string): string {
  return Buffer.from(`${type}:${key}`).toString('base64url');
}

/** The kind and ref in an id; throws InvalidInputError for what this service did not make. */
export function fromGlobalId(id: string): { readonly kind: Kind; readonly ref: string } {
  const [name, ref = ''] = Buffer.from(id, 'base64url').toString().split(':', 2);
  const kind = kinds.find((each) => each.name === name);
  if (!kind || globalId(kind, ref) !== id)
    throw InvalidInputError.of('id', `${quote(id)} is not an id of this service`);
  return { kind, ref };
}
