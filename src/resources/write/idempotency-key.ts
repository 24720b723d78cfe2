import { createHash } from 'node:crypto';

import { InvalidInputError } from '../../errors';

/** The name of the header, for messages. */
export const HEADER = 'Idempotency-Key';

/**
 * The key of a create that its caller may send again. The first create with the key stores it, and later ones return
 * what the first one has created.
 */
export interface IdempotencyKey {
  /** Identifies the user and the key. */
  readonly hash: string;
  /** Identifies the input of the create. A key cannot be used for another input. */
  readonly fingerprint: string;
}

/** A key as a caller sends it. */
export interface GivenKey {
  /** The ref of the user. Users do not share keys. */
  readonly user: string;
  readonly text: string;
  /** The position among the creates of the request, which all have the same key. */
  readonly index: number;
}

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** Returns the key of a create with this input. Throws InvalidInputError if the caller's text is no valid key. */
export function idempotencyKeyOf({ user, text, index }: GivenKey, ...input: readonly unknown[]): IdempotencyKey {
  if (!VISIBLE.test(text)) throw InvalidInputError.of(HEADER, 'must have 1 to 255 visible ASCII characters');
  return { hash: hashOf([user, String(index), text]), fingerprint: hashOf(input) };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortMembers)).digest('hex');
}

/** Sorts the members of objects, whose order has no meaning. */
function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
