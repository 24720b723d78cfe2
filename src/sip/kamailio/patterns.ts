/**
 * Regular expressions of the printed configuration, in POSIX syntax. Kamailio matches them without regard to case.
 */

/** Writes a pattern as it stands within a string of Kamailio's configuration. */
function quote(pattern: string): string {
  return pattern.replace(/["\\]/g, '\\$&');
}

// A comma separates addresses for a parser that ignores quotes. So a quoted name with a comma contains no URI.
const QUOTED = '"([^"\\<>,[:cntrl:]]*|[^"\\<>@:[:cntrl:]]*)"';
const DISPLAY_NAME = `(${QUOTED} *|[^"\\<>,;:@?=[:cntrl:]]*)`;
// The same with escapes (RFC 3261, 25.1). A parser that ignores them reads a quote there, or none at the end. So it contains no URI, nothing
// behind it is quoted, and its last character is no escaped backslash.
const UNESCAPED = '[^"\\<>@:[:cntrl:]]';
const ESCAPED_NAME = `"(${UNESCAPED}|[\\][^<>@:[:cntrl:]])*(${UNESCAPED}|[\\][^\\<>@:[:cntrl:]])" *`;
const USER = '[^]["\\<>,:@?[:space:][:cntrl:]]+';
const HOST = '([a-z0-9_-]+([.][a-z0-9_-]+)*[.]?|\\[[0-9a-f:.]+\\])(:[0-9]{1,5})?';
const URI_PARAMETERS = '(;[^]["\\<>,;?@[:space:][:cntrl:]]+)*';
const URI_HEADERS = '([?][^]["\\<>,;?@[:space:][:cntrl:]]*)?';
const SIP_URI = `sips?:(${USER}@)?${HOST}${URI_PARAMETERS}${URI_HEADERS}`;
const TEL_URI = `tel:[+]?[0-9a-d*#().-]+${URI_PARAMETERS}`;
const URI = `(${SIP_URI}|${TEL_URI})`;
// Without angle brackets, parameters belong to the header (RFC 3261, 20.10), so the user must not contain any.
const BARE_URI = `(sips?:(${USER.replace('?', ';?')}@)?${HOST}|tel:[+]?[0-9a-d*#().-]+)`;
const URN = '"<urn:[^"\\<>,;?@[:space:][:cntrl:]]+>"';
const parameters = (quoted?: string): string => {
  const token = '[^"\\<>,;@[:space:][:cntrl:]]*';
  const value = quoted === undefined ? token : `(${quoted}|${URN}|${token})`;
  return `( *; *[^"\\<>,;?@=[:space:][:cntrl:]]+( *= *${value})?)*`;
};
const PARAMETERS = parameters(QUOTED);
const UNQUOTED_PARAMETERS = parameters();
// Kamailio takes an @ in them for the end of the user.
const BARE_PARAMETERS = parameters(QUOTED.replace(',', ',@'));

const LOOSE_ROUTER = `sips?:(${USER}@)?${HOST}${URI_PARAMETERS};lr(=[^]["\\<>,;?@[:space:][:cntrl:]]*)?${URI_PARAMETERS}`;

const TOKEN = "[a-z0-9.!%*_+`'~-]+";
// Kamailio itself drops what has a comma in quotes there.
const VIA_VALUE = '([]a-z0-9.!%*_+`\'~:[-]*|"[]a-z0-9.!%*_+`\'~:[/=@-]*")';
const PORT = '([0-5]?[0-9]{1,4}|6([0-4][0-9]{3}|5([0-4][0-9]{2}|5([0-2][0-9]|3[0-5]))))';
const VIA = `SIP */ *2[.]0 */ *${TOKEN} +${HOST.replace(':[0-9]{1,5}', ` *: *${PORT}`)}( *; *${TOKEN}( *= *${VIA_VALUE})?)*`;
const ABOVE_255 = '[0-9]{4}|[3-9][0-9]{2}|2(5[6-9]|[6-9][0-9])';
const ABOVE_65535 = '[0-9]{6}|[7-9][0-9]{4}|6([6-9][0-9]{3}|5([6-9][0-9]{2}|5([4-9][0-9]|3[6-9])))';
const NO_NUMBER = '[0-9]*[^0-9;,[:space:]]';
const REASON = `${TOKEN}( *; *${TOKEN}( *= *("[^"\\[:cntrl:]]*"|${TOKEN}))?)*`;

// In hexadecimal, because no string of the configuration contains a byte that is not UTF-8 (RFC 3629, 4).
const NEXT = '[89ab].';
const UTF8 = [
  ...['[0-7].', `c[2-9a-f]${NEXT}`, `d.${NEXT}`, `e0[ab].${NEXT}`, `e[1-9abcef]${NEXT}${NEXT}`, `ed[89].${NEXT}`],
  ...[`f0[9ab].${NEXT}${NEXT}`, `f[1-3]${NEXT}${NEXT}${NEXT}`, `f48.${NEXT}${NEXT}`],
];

/**
 * The names of headers that a call needs (RFC 3261 and its extensions), and that identify nobody. Includes compact
 * names.
 */
const NEEDED = [
  ...['accept', 'accept-encoding', 'accept-language', 'allow', 'allow-events', 'u', 'content-disposition'],
  ...['content-encoding', 'e', 'content-language', 'content-id', 'date', 'event', 'o', 'expires', 'info-package'],
  ...['max-breadth', 'mime-version', 'min-expires', 'min-se', 'p-early-media', 'priority'],
  ...['proxy-require', 'rack', 'reason', 'recv-info', 'refer-sub', 'require', 'retry-after', 'rseq'],
  ...['session-expires', 'x', 'subject', 's', 'subscription-state', 'supported', 'k', 'timestamp', 'unsupported'],
  ...['warning'],
];

/** Whom a REFER has called. In other messages, nobody needs it. */
const TRANSFER = ['refer-to', 'r'];

const anyOf = (names: readonly string[]): string => `^(${names.join('|')})$`;

/** The patterns that are the same in each configuration, by their placeholders. */
export const PATTERNS = {
  /** A header that is exactly one name-addr or addr-spec (RFC 3261, 20.10), with the parameters of the header. */
  ADDRESS: quote(
    `^(${DISPLAY_NAME}<${URI}>${PARAMETERS}|${ESCAPED_NAME}<${URI}>${UNQUOTED_PARAMETERS}|${BARE_URI}${BARE_PARAMETERS}) *$`,
  ),
  /** A list of loose routers (RFC 3261, 16.12 and 20.34), with the commas between headers. */
  LOOSE_ROUTES: quote(`^( *<${LOOSE_ROUTER}>${PARAMETERS} *(,|$))+$`),
  /** An rport or ttl in a list of Via that is no port, or no byte. */
  BAD_VIA_NUMBER: `;_(rport_=_(${NO_NUMBER}|${ABOVE_65535})|ttl_=_(${NO_NUMBER}|${ABOVE_255}))`.replaceAll(
    '_',
    '[[:space:]]*',
  ),
  /** A list of Via, with the commas between headers, that no parser refuses (RFC 3261, 20.42). It may have several lines. */
  VIAS: quote(`^( *${VIA} *(,|$))+$`.replaceAll(' ', '[[:space:]]')),
  /** The same of Reason (RFC 3326). */
  REASONS: quote(`^( *${REASON} *(,|$))+$`),
  /** The bytes of a text in UTF-8, in hexadecimal. */
  UNICODE: `^(${UTF8.join('|')})*$`,
  /**
   * A CSeq that can be followed: of some thousands less than 2**31 (RFC 3261, 8.1.1.5). Kamailio adds to it for challenges and its
   * own BYE, and cannot compare larger ones.
   */
  CSEQ: '^([0-9]{1,9}|1[0-9]{9}|20[0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}|21474[0-7][0-9]{4})$',
  /** A tag that would be another one without quotes, in which it is a token (RFC 3261, 25.1). */
  BAD_TAG: quote('[^!-~]|["\\<>,;@]'),
  /** An escape in a URI that is none, or that stands for a control character. */
  BAD_ESCAPE: '%([01]|7f|[^0-9a-f]|.[^0-9a-f]|.?$)',
  /**
   * Headers of a hidden caller (RFC 3323) that others receive. Via, From, To, Contact, Call-ID, CSeq, Max-Forwards,
   * routes and the headers of the body are always kept.
   */
  CALL_HEADERS: anyOf([...NEEDED, ...TRANSFER, 'replaces', 'join']),
  /** Headers of agents and peers that providers receive, besides those that are always kept. */
  LEAVING_HEADERS: anyOf([...NEEDED, 'user-agent', 'server']),
  /** The same of a BYE, which the other side must not refuse. */
  ENDING_HEADERS: anyOf(['reason']),
  /** The same of a REFER, which is only sent within a call. */
  LEAVING_TRANSFER_HEADERS: anyOf([...NEEDED, ...TRANSFER, 'user-agent', 'server']),
};

/** Addresses of this server, as host:port: for SIP over UDP and TCP, and for TLS if it is on. */
export interface OwnAddresses {
  readonly sip: string;
  readonly tls: string | undefined;
}

/** A Record-Route or Route that names only this server, where it listens or as it is advertised. */
export function ownRoute(...known: readonly OwnAddresses[]): string {
  return quote(`^ *<(${known.map(ownUri).join('|')})[;>][^,]*$`);
}

/**
 * The end of a list of Record-Route, without spaces, as Kamailio writes it: one route, or two if the request arrived by
 * another transport than it leaves.
 */
export function ownRecord(named: OwnAddresses): string {
  const route = `<${ownUri(named)}(;(transport=${named.tls === undefined ? 'tcp' : '(tcp|tls)'}|r2=on|lr=on|lr|ftag=[^;,<>]*))*>`;
  return quote(`(^|,)${route}(,${route})?$`);
}

/** The URI of this server. Kamailio leaves out the default ports. */
function ownUri({ sip, tls }: OwnAddresses): string {
  const plain = `sip:${literal(sip).replace(/:5060$/, '(:5060)?')}`;
  return tls === undefined ? plain : `(${plain}|sips?:${literal(tls).replace(/:5061$/, '(:5061)?')})`;
}

/** The addresses of edge proxies, as address|port. Matches nothing if there are none. */
export function edges(addresses: readonly string[]): string {
  const places = addresses.map((address) => literal(address.replace(/:(\d+)$/, '|$1')));
  return places.length === 0 ? '^none$' : quote(`^(${places.join('|')})$`);
}

function literal(text: string): string {
  return text.replace(/[.|[]/g, '[$&]');
}
