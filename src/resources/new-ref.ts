import { randomUUID } from 'node:crypto';

import type { Kind } from '../model/kind';

/** Generates a ref: the prefix of the kind and eight random hexadecimal digits. */
export function newRef({ prefix }: Kind): string {
  return prefix + randomUUID().slice(0, 8);
}
