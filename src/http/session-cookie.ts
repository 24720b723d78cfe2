import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * The header with which a page of this server names the session of its browser. Pages of other origins cannot send it
 * together with cookies, because responses do not allow credentials (CORS).
 */
const SESSION_HEADER = 'sipgraph-session';

/**
 * Returns the id of a new session, which only the page of its origin has. Browsers send cookies to all ports of a host, and
 * whatever listens there could use a token: so the token in the cookie is encrypted, and the id is the key.
 */
export function newSessionId(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * Returns the token of a browser's session: that in the cookie which belongs to the session that the request names, and
 * to the origin of its page. Undefined if there is none, or if the request has other credentials. `session` is what the
 * request names, by default in its header, which a WebSocket of a browser cannot send.
 */
export function cookieToken(
  headers: IncomingHttpHeaders,
  session: string | undefined = sessionIn(headers),
): string | undefined {
  const { authorization, origin, cookie } = headers;
  if (authorization !== undefined || session === undefined || origin === undefined) return undefined;
  const start = `${nameOf(session, origin)}=`;
  const found = (cookie ?? '').split(';').find((each) => each.trim().startsWith(start));
  return found === undefined ? undefined : decrypted(found.trim().slice(start.length), session);
}

/** The session that a request names in its headers, or a WebSocket in the members of `connection_init`. */
export function sessionIn({ [SESSION_HEADER]: session }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof session === 'string' ? session : undefined;
}

/**
 * Returns the Set-Cookie header (RFC 6265) for the token of a session, or for removing it if `seconds` is 0. Without a
 * path, browsers use that of the request up to its last slash, also below a path that only a proxy knows.
 */
export function cookieOf(session: string, origin: string, token: string, seconds: number): string {
  const secure = isSecure(origin) ? '; Secure' : '';
  const value = seconds === 0 ? '' : encrypted(token, session);
  return `${nameOf(session, origin)}=${value}; Max-Age=${String(seconds)}; HttpOnly; SameSite=Strict${secure}`;
}

/**
 * The name depends on the session and on the origin. A page of another origin finds no cookie, even on the same site;
 * servers on other ports of the host, which share its cookies, use other names; and a page of a subdomain, which may set
 * cookies for this host, does not know the name.
 */
function nameOf(session: string, origin: string): string {
  const hash = createHash('sha256').update(`${session} ${origin}`).digest('base64url');
  return `${isSecure(origin) ? '__Secure-' : ''}sipgraph-${hash}`;
}

const CIPHER = 'aes-256-gcm';
// Bytes of the nonce and of the authentication tag (NIST SP 800-38D).
const NONCE = 12;
const TAG = 16;

function encrypted(token: string, session: string): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, keyOf(session), nonce);
  const text = Buffer.concat([cipher.update(token), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** The token in the value of a cookie; undefined if it was encrypted for another session, or not at all. */
function decrypted(value: string, session: string): string | undefined {
  const bytes = Buffer.from(value, 'base64url');
  if (bytes.length < NONCE + TAG) return undefined;
  const decipher = createDecipheriv(CIPHER, keyOf(session), bytes.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

function keyOf(session: string): Buffer {
  return createHmac('sha256', session).update('token').digest();
}

/** Whether the page was loaded over HTTPS. Behind a proxy, only the browser's origin tells that for certain. */
function isSecure(origin: string): boolean {
  return origin.startsWith('https:');
}
