/** A message of a call without its body and its secrets. */
export interface KeptHeaders {
  readonly callId: string;
  /** The tag in From, which whoever begins a call chooses; empty if there is none. */
  readonly fromTag: string;
  /** The request line or the status line. */
  readonly firstLine: string;
  /** The other lines, one for each header. */
  readonly headers: string;
}

/** The methods of calls (RFC 3261, 3262, 3311, 3515, 6086). */
const METHODS = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'PRACK', 'UPDATE', 'REFER', 'INFO'];

/** The headers whose values are kept. Of others, which may contain secrets, only the names are. */
const SHOWN = new Set(
  `accept allow allow-events call-id contact content-length content-type cseq date diversion event expires from history-info
  max-forwards min-se p-asserted-identity p-preferred-identity privacy rack reason record-route refer-to referred-by
  remote-party-id replaces require retry-after route rseq server session-expires subscription-state supported timestamp to
  unsupported user-agent via warning`.split(/\s+/),
);
/** Compact names (RFC 3261, 7.3.3, and those that register others). */
const COMPACT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ b: 'Referred-By', c: 'Content-Type', f: 'From', i: 'Call-ID', k: 'Supported', l: 'Content-Length' },
    ...{ m: 'Contact', o: 'Event', r: 'Refer-To', t: 'To', u: 'Allow-Events', v: 'Via', x: 'Session-Expires' },
  }),
);
const HIDDEN = '…';
/** The password in a URI, and the headers of a request that it makes (RFC 3261, 19.1.1). */
const PASSWORD = /\b(sips?:[^\s:@<>"]*):[^\s@<>"]*@/gi;
const URI_HEADERS = /\?[^\s<>"]*/g;
/** What lets others wake a device (RFC 8599). */
const PUSH = /;(pn-prid|pn-param)=[^\s;<>"]*/gi;
const MOST_LINE = 512;
const MOST_LINES = 60;

/** Returns what is kept of a SIP message. Undefined for one that does not belong to a call. */
export function keptHeadersOf(text: string): KeptHeaders | undefined {
  const [head = ''] = text.split(/\r?\n\r?\n/, 1);
  // A line that begins with a space continues the one before it (RFC 3261, 7.3.1).
  const [firstLine = '', ...lines] = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  if (!/^(SIP\/2\.0 \d{3}( |$)|[A-Z]+ \S+ SIP\/2\.0$)/.test(firstLine)) return undefined;
  const headers = lines.slice(0, MOST_LINES).flatMap((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trimEnd();
    const value = line.slice(colon + 1).trimStart();
    const isHeader = /^\S+$/.test(name) && !/[\r\u2028\u2029]/.test(value);
    return isHeader ? [[COMPACT.get(name.toLowerCase()) ?? name, value.trimEnd()] as const] : [];
  });
  const valueOf = (wanted: string): string =>
    headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1] ?? '';
  const callId = valueOf('Call-ID');
  const [, method = ''] = /^\d+\s+(\S+)$/.exec(valueOf('CSeq')) ?? [];
  if (callId === '' || callId.length > 255 || !METHODS.includes(method)) return undefined;
  const shown = headers.map(([name, value]) => `${name}: ${SHOWN.has(name.toLowerCase()) ? value : HIDDEN}`);
  const [, fromTag = ''] = /;tag=([^;,\s]*)/i.exec(valueOf('From').slice(0, MOST_LINE)) ?? [];
  return {
    callId: copyOf(callId),
    fromTag: copyOf(fromTag),
    firstLine: copyOf(plain(firstLine)),
    headers: copyOf(shown.map(plain).join('\n')),
  };
}

/**
 * The line without secrets, in at most MOST_LINE characters. It is shortened before the patterns run, because its length
 * decides what they cost, and after them, because what is hidden can be shorter than the sign for it.
 */
function plain(line: string): string {
  const isLong = line.length > MOST_LINE;
  // What is cut off inside a URI could begin with a password.
  const cut = isLong
    ? line.slice(0, 1 + Math.max(...DELIMITERS.map((each) => line.lastIndexOf(each, MOST_LINE)))) + HIDDEN
    : line;
  return cut
    .replace(PASSWORD, `$1:${HIDDEN}@`)
    .replace(URI_HEADERS, `?${HIDDEN}`)
    .replace(PUSH, `;$1=${HIDDEN}`)
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, MOST_LINE);
}

const DELIMITERS = [' ', '<', '>', '"', '@'];

/** The same text, which does not keep the whole message in memory, as a part of it would. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
