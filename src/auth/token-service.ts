import { decode, sign, verify } from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';

import { UnauthenticatedError } from '../errors';
import type { KeyRing, SigningKey } from './key-ring';

/** The claims of a verified token. */
export interface Claims {
  /** The `kid` of the key that signed the token. Undefined for a Routr v1 token. */
  readonly kid: string | undefined;
  /** The user's ref, or the user's name in a Routr v1 token. */
  readonly sub: string;
  /** The generation of the user's secret. Undefined for a Routr v1 token. */
  readonly gen: number | undefined;
  /** Identifies the sign-in. Undefined in tokens of Routr v1 and of earlier versions. */
  readonly sid: string | undefined;
  /** Expiry in seconds since the epoch. */
  readonly exp: number;
}

/** How tokens of a Routr v1 server are accepted: their key, and until when, in milliseconds since the epoch. */
interface LegacyTokens {
  readonly key: Buffer;
  readonly until: number;
}

/** A newly issued token. */
export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresOn: number;
}

const MAX_LENGTH = 4096;
// The maximum total length of the cached tokens, in characters: 10,000 tokens of a usual length.
const MAX_CHARACTERS = 4_000_000;
const ISSUER = 'sipgraph';
const AUDIENCE = 'sipgraph-api';

/** Issues and verifies tokens (JWT, RFC 7519, with HS256). */
export class TokenService {
  // Caches the claims of verified tokens, so that each signature is verified once. Expiry, key and user are checked on
  // every request.
  private readonly verified = new LRUCache<string, Claims>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_claims, token) => token.length,
  });

  constructor(
    private readonly keys: KeyRing,
    /** Lifetime of a token in seconds. */
    private readonly lifetime: number,
    private readonly legacy?: LegacyTokens,
  ) {}

  /** Issues the token of a sign-in. `kid` names its key, and `issuedOn` is in milliseconds since the epoch. */
  async issue(
    user: { readonly ref: string; readonly role: string; readonly generation: number },
    sid: string,
  ): Promise<IssuedToken & { readonly kid: string; readonly issuedOn: number }> {
    const { kid, key } = await this.keys.current();
    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: user.ref, role: user.role, gen: user.generation, sid, iat: now, exp: now + this.lifetime };
    const token = sign(claims, key, { algorithm: 'HS256', keyid: kid, issuer: ISSUER, audience: AUDIENCE });
    return { token, expiresOn: claims.exp * 1000, kid, issuedOn: now * 1000 };
  }

  /**
   * Returns the claims of a valid token. Throws UnauthenticatedError if it is malformed, expired or signed by an
   * unknown key.
   */
  async read(token: string): Promise<Claims> {
    const claims = this.verified.get(token) ?? (await this.verify(token));
    if (claims.exp * 1000 <= Date.now()) {
      this.verified.delete(token);
      throw new UnauthenticatedError('The token has expired');
    }
    if (claims.kid !== undefined && !(await this.keys.byId(claims.kid)))
      throw new UnauthenticatedError('The token is no longer valid');
    return claims;
  }

  private async verify(token: string): Promise<Claims> {
    const kid = token.length <= MAX_LENGTH ? kidOf(token) : undefined;
    const signingKey = kid ? await this.keys.byId(kid) : undefined;
    const claims =
      kid === '' ? this.legacy && legacyClaims(token, this.legacy) : signingKey && verifiedClaims(token, signingKey);
    if (!claims) throw new UnauthenticatedError('The token is not valid');
    this.verified.set(token, claims);
    return claims;
  }
}

/** The kid in a token's header: empty if there is none, undefined if the token is malformed. */
function kidOf(token: string): string | undefined {
  try {
    const kid: unknown = decode(token, { complete: true })?.header.kid ?? '';
    return typeof kid === 'string' && /^[\w-]{0,32}$/.test(kid) ? kid : undefined;
  } catch {
    return undefined;
  }
}

// jsonwebtoken accepts tokens without `exp` and with unknown critical headers (RFC 7515, 4.1.11). Both are rejected
// here.
function verifiedClaims(token: string, { kid, key }: SigningKey): Claims | undefined {
  try {
    const { header, payload } = verify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      complete: true,
      ignoreExpiration: true,
    });
    if (typeof payload === 'string' || 'crit' in header) return undefined;
    const { sub, exp } = payload;
    const gen: unknown = payload['gen'];
    const sid: unknown = payload['sid'];
    return typeof sub === 'string' && typeof exp === 'number' && typeof gen === 'number'
      ? { kid, sub, exp, gen, sid: typeof sid === 'string' ? sid : undefined }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Verifies a Routr v1 token: signed with HS512, with the user's name as its subject, usually without expiry. */
function legacyClaims(token: string, { key, until }: LegacyTokens): Claims | undefined {
  try {
    const { header, payload } = verify(token, key, { algorithms: ['HS512'], complete: true, ignoreExpiration: true });
    if (typeof payload === 'string' || 'crit' in header || typeof payload.sub !== 'string') return undefined;
    const exp: unknown = payload.exp ?? Infinity;
    if (typeof exp !== 'number') return undefined;
    return {
      kid: undefined,
      sub: payload.sub,
      gen: undefined,
      sid: undefined,
      exp: Math.min(exp, Math.floor(until / 1000)),
    };
  } catch {
    return undefined;
  }
}
