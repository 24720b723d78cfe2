import { isIP, isIPv4 } from 'node:net';

import { quote } from '../../errors';
import { FormatError, text, type Format } from './format';

// A label as in RFC 1123, 2.1, and with the underscore that container networks put into names.
const LABEL = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
const NAME = `${LABEL}(?:\\.${LABEL})*\\.?`;
const HOST = `(?:${NAME}|\\[[0-9A-Fa-f:.]+\\])`;

/** A host name, an IPv4 address, or an IPv6 reference in brackets (RFC 3261, 25.1 `host`). Names are kept in lower case. */
export function host(): Format {
  return refined(
    text(253, { pattern: new RegExp(`^${HOST}$`), expected: 'a host name or IP address', normalise: lower }),
    isHost,
    'a host name or IP address',
  );
}

/** A host with an optional port (RFC 3261, 25.1 `hostport`). */
export function hostPort(): Format {
  return refined(
    text(259, { pattern: new RegExp(`^${HOST}(?::\\d{1,5})?$`), expected: 'host or host:port', normalise: lower }),
    (value) => hostIn(value) !== undefined,
    'host or host:port',
  );
}

const HOST_PORT = new RegExp(`^(${HOST})(?::(\\d{1,5}))?$`);

/** The host of `host` or `host:port`, in lower case; undefined where it is neither. */
export function hostIn(value: string): string | undefined {
  const [, hostname, port] = HOST_PORT.exec(value) ?? [];
  if (hostname === undefined || !isHost(hostname) || (port !== undefined && !isPort(port))) return undefined;
  return lower(hostname);
}

const VISUAL = '[-.()]';
const GLOBAL = `\\+${VISUAL}*\\d(?:\\d|${VISUAL})*`;
const LOCAL = `(?:[0-9A-Fa-f*#]|${VISUAL})*[0-9A-Fa-f*#](?:[0-9A-Fa-f*#]|${VISUAL})*`;
const PARAMETER = ";[A-Za-z0-9-]+(?:=[A-Za-z0-9\\-_.!~*'()\\[\\]/:&+$%]+)?";

/**
 * A tel URI (RFC 3966, 3): a global number with `+`, or a local one. A local number needs no `phone-context`, although the
 * RFC requires one: legacy clients send `tel:0000000000` (docs/rest-contract.md, section 2.8).
 */
export function telUrl(): Format {
  return text(100, {
    pattern: new RegExp(`^tel:(?:${GLOBAL}|${LOCAL})(?:${PARAMETER})*$`),
    expected: 'a tel URI (RFC 3966)',
  });
}

const USER = "(?:[A-Za-z0-9\\-_.!~*'()&=+$,;?/#]|%[0-9A-Fa-f]{2})+";
const SIP_URI = new RegExp(
  `^(sips?):(?:(${USER})@)?(${HOST})(?::(\\d{1,5}))?((?:;[^\\s;?<>"]+)*)(\\?[^\\s<>"]*)?$`,
  'i',
);

/** A SIP or SIPS URI (RFC 3261, 19.1.1). */
export function sipUri(): Format {
  return refined(
    text(255, { pattern: SIP_URI, expected: 'a sip: or sips: URI' }),
    (value) => {
      const [, , , hostname = '', port] = SIP_URI.exec(value) ?? [];
      return isHost(hostname) && (port === undefined || isPort(port));
    },
    'a sip: or sips: URI',
  );
}

/** The user and host that a SIP URI names as they are compared (RFC 3261, 19.1.4): unescaped, and in lower case. */
export function addressOfRecord(uri: string): { readonly user: string; readonly host: string } {
  const [, , user = '', hostname = ''] = SIP_URI.exec(uri) ?? [];
  return { user: unescaped(user), host: hostname.toLowerCase() };
}

/** A user as it is named, `%6Fscar` being oscar (RFC 3261, 19.1.2); what is escaped and no UTF-8 stays as it is written. */
export function unescaped(user: string): string {
  return user.replace(/(?:%[0-9A-F]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}

/** The digits of a tel URI that a SIP server routes by: `tel:+1-706-604` is 1706604. */
export function telDigits(uri: string): string {
  return (uri.split(';', 1)[0] ?? '').replace(/\D/g, '');
}

/** An IP address, a CIDR block (RFC 4632), or `ip/mask`. */
export function addressRange(): Format {
  const format = text(64);
  return refined(
    format,
    (value) => {
      const [address = '', mask, ...rest] = value.split('/');
      const version = isIP(address);
      // A zone (RFC 4007) names an interface of one host.
      if (version === 0 || address.includes('%') || rest.length > 0) return false;
      if (mask === undefined) return true;
      if (/^\d{1,3}$/.test(mask)) return Number(mask) <= (version === 4 ? 32 : 128);
      return version === 4 && isMask(mask);
    },
    'an IP address, a CIDR block or ip/mask',
  );
}

function isMask(mask: string): boolean {
  if (!isIPv4(mask)) return false;
  const bits = mask
    .split('.')
    .map((byte) => Number(byte).toString(2).padStart(8, '0'))
    .join('');
  return /^1*0*$/.test(bits);
}

function isHost(value: string): boolean {
  if (value.startsWith('[')) return isIP(value.slice(1, -1)) === 6;
  // What looks like an IPv4 address is one.
  return /^[\d.]+$/.test(value) ? isIPv4(value) : true;
}

function isPort(value: string): boolean {
  return Number(value) >= 1 && Number(value) <= 65_535;
}

function lower(value: string): string {
  return value.toLowerCase();
}

function refined(format: Format, holds: (value: string) => boolean, expected: string): Format {
  return {
    ...format,
    parse: (value) => {
      const parsed = format.parse(value);
      if (typeof parsed === 'string' && holds(parsed)) return parsed;
      throw new FormatError(`${quote(value)} is not ${expected}`);
    },
  };
}
