import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

import { sign, verify } from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';

import type { Database } from '../database/database';
import { failureOf } from '../database/errors';
import { UnauthenticatedError } from '../errors';

/** What a token says: whose it is, and until when. */
export interface Claims {
  /** The user's reference; in a token of Routr v1, the user's name. */
  readonly sub: string;
  /** The generation of the user's secret; a token of Routr v1 knows none. */
  readonly gen: number | undefined;
  /** Seconds since the epoch. */
  readonly exp: number;
}

/** Tokens of a Routr v1 server that are still taken: their key, and until when, in milliseconds since the epoch. */
export interface LegacyTokens {
  readonly key: Buffer;
  readonly until: number;
}

/** A token as it is handed out. */
export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresOn: number;
}

const KEY_SETTING = 'jwt-key';
const MAX_LENGTH = 4096;

/** The key that signs tokens: JWT_SECRET, else one made once and kept in the database, so that replicas and restarts agree. */
export async function loadTokenKey(database: Database, secret: string | undefined): Promise<KeyObject> {
  if (secret !== undefined) return createSecretKey(Buffer.from(secret));
  const made = randomBytes(64).toString('base64');
  const keep = (): Promise<string> =>
    database.transaction(async (transaction) => {
      const [row] = await transaction.rows('SELECT value FROM settings WHERE name = ?', [KEY_SETTING]);
      if (row) return String(row[0]);
      await transaction.run('INSERT INTO settings (name, value) VALUES (?, ?)', [KEY_SETTING, made]);
      return made;
    });
  const kept = await keep().catch((error: unknown) => {
    // Another replica that starts now was faster: its key is there.
    if (failureOf(error).type === 'duplicate') return keep();
    throw error;
  });
  return createSecretKey(Buffer.from(kept, 'base64'));
}

/** Signs and reads tokens (JWT, RFC 7519, with HS256). */
export class TokenService {
  // A token's signature does not change, so it is verified once; only its time and its user are looked at again.
  private readonly verified = new LRUCache<string, Claims>({ max: 10_000 });

  constructor(
    private readonly key: KeyObject,
    /** Seconds that a token lives. */
    private readonly lifetime: number,
    private readonly legacy?: LegacyTokens,
  ) {}

  issue(user: { readonly ref: string; readonly role: string; readonly generation: number }): IssuedToken {
    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: user.ref, role: user.role, gen: user.generation, iat: now, exp: now + this.lifetime };
    return { token: sign(claims, this.key, { algorithm: 'HS256' }), expiresOn: claims.exp * 1000 };
  }

  /** The claims of a token that this service signed and that has not ended; throws UnauthenticatedError. */
  read(token: string): Claims {
    const claims = this.verified.get(token) ?? this.verify(token);
    if (claims.exp * 1000 <= Date.now()) throw new UnauthenticatedError('The token has expired');
    return claims;
  }

  private verify(token: string): Claims {
    const fits = token.length <= MAX_LENGTH;
    const claims = fits
      ? (verifiedClaims(token, this.key) ?? (this.legacy && legacyClaims(token, this.legacy)))
      : undefined;
    if (!claims) throw new UnauthenticatedError('The token is not valid');
    this.verified.set(token, claims);
    return claims;
  }
}

// jsonwebtoken takes tokens without `exp` and with critical headers that it does not know (RFC 7515, 4.1.11).
function verifiedClaims(token: string, key: KeyObject): Claims | undefined {
  try {
    const { header, payload } = verify(token, key, { algorithms: ['HS256'], complete: true, ignoreExpiration: true });
    if (typeof payload === 'string' || 'crit' in header) return undefined;
    const { sub, exp } = payload;
    const gen: unknown = payload['gen'];
    return typeof sub === 'string' && typeof exp === 'number' && typeof gen === 'number'
      ? { sub, exp, gen }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Routr v1 signed with HS512, named the user by name, and gave no end. */
function legacyClaims(token: string, { key, until }: LegacyTokens): Claims | undefined {
  try {
    const { header, payload } = verify(token, key, { algorithms: ['HS512'], complete: true, ignoreExpiration: true });
    if (typeof payload === 'string' || 'crit' in header || typeof payload.sub !== 'string') return undefined;
    return { sub: payload.sub, gen: undefined, exp: Math.min(payload.exp ?? Infinity, Math.floor(until / 1000)) };
  } catch {
    return undefined;
  }
}
