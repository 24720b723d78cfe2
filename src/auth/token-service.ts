import { decode, sign, verify } from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';

import { UnauthenticatedError } from '../errors';
import type { KeyRing, SigningKey } from './key-ring';

/** What a token says: whose it is, and until when. */
export interface Claims {
  /** The key that signed it; a token of Routr v1 names none. */
  readonly kid: string | undefined;
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

const MAX_LENGTH = 4096;
const ISSUER = 'sipgraph';
const AUDIENCE = 'sipgraph-api';

/** Signs and reads tokens (JWT, RFC 7519, with HS256). */
export class TokenService {
  // A token's signature does not change, so it is verified once; its time, its key and its user are looked at each time.
  private readonly verified = new LRUCache<string, Claims>({ max: 10_000 });

  constructor(
    private readonly keys: KeyRing,
    /** Seconds that a token lives. */
    private readonly lifetime: number,
    private readonly legacy?: LegacyTokens,
  ) {}

  async issue(user: {
    readonly ref: string;
    readonly role: string;
    readonly generation: number;
  }): Promise<IssuedToken> {
    const { kid, key } = await this.keys.current();
    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: user.ref, role: user.role, gen: user.generation, iat: now, exp: now + this.lifetime };
    const token = sign(claims, key, { algorithm: 'HS256', keyid: kid, issuer: ISSUER, audience: AUDIENCE });
    return { token, expiresOn: claims.exp * 1000 };
  }

  /** The claims of a token that this service signed and that has not ended; throws UnauthenticatedError. */
  async read(token: string): Promise<Claims> {
    const claims = this.verified.get(token) ?? (await this.verify(token));
    if (claims.exp * 1000 <= Date.now()) throw new UnauthenticatedError('The token has expired');
    if (claims.kid !== undefined && !(await this.keys.named(claims.kid)))
      throw new UnauthenticatedError('The token is no longer valid');
    return claims;
  }

  private async verify(token: string): Promise<Claims> {
    const kid = token.length <= MAX_LENGTH ? kidOf(token) : undefined;
    const signingKey = kid === undefined ? undefined : await this.keys.named(kid);
    const claims =
      kid === '' ? this.legacy && legacyClaims(token, this.legacy) : signingKey && verifiedClaims(token, signingKey);
    if (!claims) throw new UnauthenticatedError('The token is not valid');
    this.verified.set(token, claims);
    return claims;
  }
}

/** The key that a token names; empty where it names none, undefined where the token is malformed. */
function kidOf(token: string): string | undefined {
  try {
    const kid: unknown = decode(token, { complete: true })?.header.kid ?? '';
    return typeof kid === 'string' && /^[\w-]{0,32}$/.test(kid) ? kid : undefined;
  } catch {
    return undefined;
  }
}

// jsonwebtoken takes tokens without `exp` and with critical headers that it does not know (RFC 7515, 4.1.11).
function verifiedClaims(token: string, { kid, key }: SigningKey): Claims | undefined {
  try {
    const { header, payload } = verify(token, key, {
      ...{ algorithms: ['HS256'], issuer: ISSUER, audience: AUDIENCE },
      ...{ complete: true, ignoreExpiration: true },
    });
    if (typeof payload === 'string' || 'crit' in header) return undefined;
    const { sub, exp } = payload;
    const gen: unknown = payload['gen'];
    return typeof sub === 'string' && typeof exp === 'number' && typeof gen === 'number'
      ? { kid, sub, exp, gen }
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
    return {
      kid: undefined,
      sub: payload.sub,
      gen: undefined,
      exp: Math.min(payload.exp ?? Infinity, Math.floor(until / 1000)),
    };
  } catch {
    return undefined;
  }
}
