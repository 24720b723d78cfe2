import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * The header with which a page of this server names the session of its browser. Pages of other origins cannot send it
 * together with cookies, because responses do not allow credentials (CORS).
 */
const SESSION_HEADER = 'sipgraph-session';

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
  return found?.trim().slice(start.length);
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
  return `${nameOf(session, origin)}=${token}; Max-Age=${String(seconds)}; HttpOnly; SameSite=Strict${secure}`;
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

/** Whether the page was loaded over HTTPS. Behind a proxy, only the browser's origin tells that for certain. */
function isSecure(origin: string): boolean {
  return origin.startsWith('https:');
}
