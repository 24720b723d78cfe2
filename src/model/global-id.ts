import type { Kind } from './kind';
import type { Model } from './model';

/**
 * Returns a Relay node id: opaque to clients, and unique among all types. `key` is a resource's ref, or the key of
 * another type.
 */
export function globalId(type: string, key: string): string {
  return Buffer.from(`${type}:${key}`).toString('base64url');
}

/** Returns the kind and ref in a resource's id; undefined for any other text, such as the id of a device. */
export function fromGlobalId(model: Model, id: string): { readonly kind: Kind; readonly ref: string } | undefined {
  const [name = '', ref = ''] = Buffer.from(id, 'base64url').toString().split(':', 2);
  const kind = model.find(name);
  return kind && globalId(name, ref) === id ? { kind, ref } : undefined;
}
