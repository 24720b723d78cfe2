import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

import type { Actor } from '../changes/actor';
import type { State } from '../changes/details';
import { noteChange } from '../changes/outbox';
import type { OwnTransaction } from '../database/sql';
import type { ApiToken } from './api-token-store';

/** Writes to the history that a token was created, or deleted: on request, with its user, or because it had expired. */
export function noteToken(
  transaction: OwnTransaction,
  actor: Actor,
  event: 'CREATED' | 'DELETED',
  token: ApiToken,
): void {
  const details = { [event === 'CREATED' ? 'after' : 'before']: stateOf(token) };
  noteChange(transaction, { kind: 'ApiToken', ref: token.ref, event, actor, details });
}

/** The values of a token in the history. */
function stateOf({ name, note, role, username, expiresOn, documents }: ApiToken): State {
  return {
    ...{ name, role, username },
    ...(note !== null && { note }),
    ...(expiresOn !== null && { expiresOn }),
    ...(documents > 0 && { documents }),
  };
}

/** What every API token begins with, for people and for programs that search for leaked secrets. */
const PREFIX = 'sg_';
/**
 * Follows the prefix in a token that may only send its own documents. An earlier version, which does not know such
 * tokens, rejects them because of their form, so that nobody can use it to send other documents.
 */
const RESTRICTED = 'doc_';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// 30 random digits of base 62 have 178 bits.
const RANDOM = 30;
// The digits of base 62 of a 32-bit checksum.
const CHECKSUM = 6;
const FORM = new RegExp(
  `^${PREFIX}(?:${RESTRICTED})?([0-9A-Za-z]{${String(RANDOM)}})([0-9A-Za-z]{${String(CHECKSUM)}})$`,
);

/**
 * Generates an API token: the prefix, 30 random digits of base 62, and their CRC-32 as 6 digits of base 62, as in the
 * tokens of GitHub, so that scanners recognise a leaked token without asking the server.
 */
export function newApiToken(isRestricted: boolean): string {
  const random = Array.from({ length: RANDOM }, () => DIGITS.charAt(randomInt(DIGITS.length))).join('');
  return `${PREFIX}${isRestricted ? RESTRICTED : ''}${random}${checksumOf(random)}`;
}

/** Whether the text is meant as an API token, which may be mistyped. JSON Web Tokens begin with `ey`. */
export function isApiToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Whether an API token may only send its own documents. The stored hash is that of the whole token, with its prefix. */
export function isRestricted(token: string): boolean {
  return token.startsWith(`${PREFIX}${RESTRICTED}`);
}

/** Whether an API token has the right length and checksum. */
export function isWellFormed(token: string): boolean {
  const [, random = '', checksum] = FORM.exec(token) ?? [];
  return checksum !== undefined && checksumOf(random) === checksum;
}

/** The hash under which a token is stored. The token is random, so a fast hash without a salt is sufficient. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function checksumOf(random: string): string {
  let digits = '';
  for (let left = crc32(random); digits.length < CHECKSUM; left = Math.floor(left / DIGITS.length))
    digits = DIGITS.charAt(left % DIGITS.length) + digits;
  return digits;
}
