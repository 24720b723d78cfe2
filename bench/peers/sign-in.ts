import { createSecretKey } from 'node:crypto';

import { verify } from 'jsonwebtoken';

import { UnauthorizedError } from './errors';

const LIMIT = 10_000;
const key = createSecretKey(Buffer.from(process.env['JWT_SECRET'] ?? ''));
/** The expiry of each header with a verified token, in milliseconds since the epoch. */
const verified = new Map<string, number>();

/** Throws unless the Authorization header has a valid token. Verified tokens are cached; no user is looked up. */
export function assertSignedIn(authorization: string | undefined): void {
  const expires = verified.get(authorization ?? '') ?? expiryOf(authorization ?? '');
  if (expires <= Date.now()) throw new UnauthorizedError('The token has expired');
}

function expiryOf(authorization: string): number {
  try {
    const token = authorization.slice('Bearer '.length);
    const claims = verify(token, key, { algorithms: ['HS256'] });
    if (typeof claims === 'string' || claims.exp === undefined) throw new Error('The token has no expiry');
    if (verified.size > LIMIT) verified.clear();
    verified.set(authorization, claims.exp * 1000);
    return claims.exp * 1000;
  } catch (error) {
    throw new UnauthorizedError('The token is not valid', { cause: error });
  }
}
