import { isIP, isIPv4 } from 'node:net';

import { IPv6 } from 'ipaddr.js';

import { refine, text, type Format, type Value } from './format';

// A label of RFC 1123 (2.1) that may also contain underscores, because container networks use them in names.
const LABEL = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
const NAME = `${LABEL}(?:\\.${LABEL})*\\.?`;

/** The source of a pattern for a host. */
export const HOST = `(?:${NAME}|\\[[0-9A-Fa-f:.]+\\])`;

const HOST_PORT = new RegExp(`^(${HOST})(?::(\\d{1,5}))?$`);

/** A host name, an IPv4 address, or an IPv6 address in brackets (RFC 3261, 25.1 `host`), kept in lower case. */
export function host(): Format {
  return refine(
    text(253, { pattern: new RegExp(`^${HOST}$`), expected: 'a host name or IP address', normalise: lower }),
    isHost,
    'a host name or IP address',
  );
}

/** A host with an optional port (RFC 3261, 25.1 `hostport`), kept in lower case. */
export function hostPort(): Format {
  return refine(
    // The pattern is part of the OpenAPI document, so it has no capturing groups.
    text(259, { pattern: new RegExp(`^${HOST}(?::\\d{1,5})?$`), expected: 'host or host:port', normalise: lower }),
    (value) => hostIn(value) !== undefined,
    'host or host:port',
  );
}

/** The host of `host` or `host:port`, in lower case; undefined if the text is neither. */
export function hostIn(value: string): string | undefined {
  const [, hostname, port] = HOST_PORT.exec(value) ?? [];
  if (hostname === undefined || !isHost(hostname) || (port !== undefined && !isPort(port))) return undefined;
  return lower(hostname);
}

/** The host and the port of a value of `hostPort`; a null port is the default. Undefined if there is no value. */
export function partsOfHostPort(
  value: Value | undefined,
): { readonly host: string; readonly port: string | null } | undefined {
  const [, hostname, port] = HOST_PORT.exec(typeof value === 'string' ? value : '') ?? [];
  return hostname === undefined
    ? undefined
    : { host: hostname, port: port === undefined ? null : String(Number(port)) };
}

/** Whether a text that matches HOST is a host. A text that looks like an IP address must be a valid one. */
export function isHost(value: string): boolean {
  if (value.startsWith('[')) return isIP(value.slice(1, -1)) === 6;
  return /^[\d.]+$/.test(value) ? isIPv4(value) : true;
}

/**
 * A text that is the same for all spellings of a host: an IPv6 address has one (RFC 5952), and a final dot of a name says nothing
 * (RFC 1034, 3.1).
 */
export function comparableHost(value: string): string {
  return value.startsWith('[') ? `[${IPv6.parse(value.slice(1, -1)).toRFC5952String()}]` : value.replace(/\.$/, '');
}

/** Whether a text of digits is a port. */
export function isPort(value: string): boolean {
  return Number(value) >= 1 && Number(value) <= 65_535;
}

function lower(value: string): string {
  return value.toLowerCase();
}
