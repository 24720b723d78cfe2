/** A header of a message. */
export interface Header {
  /** In lower case; a compact form is written out. */
  readonly name: string;
  /** As in the message, but unfolded. */
  readonly value: string;
  /** The lines of the header, as in the message. */
  readonly lines: string;
}

/** What a parser takes a URI for. */
export interface Reading {
  readonly scheme: string;
  /** Without escapes. Empty if there is none. */
  readonly user: string;
  /** In lower case, without a final dot, escapes and leading zeros. Empty in a tel URI. */
  readonly host: string;
}

const COMPACT: Readonly<Record<string, string>> = {
  a: 'accept-contact',
  b: 'referred-by',
  c: 'content-type',
  d: 'request-disposition',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
};

/** The headers of a message. Accepts any line end, folding, and space before the colon. */
export function headersOf(message: string): readonly Header[] {
  const head = message.split(/\r\n\r\n|\n\n/, 1)[0] ?? '';
  return head
    .split(/(?:\r\n|\n|\r(?!\n))(?![ \t])/)
    .slice(1)
    .map((lines) => {
      const [, written = '', value = ''] = /^([^:]*):([^]*)$/.exec(lines) ?? [];
      const name = written.replace(/[\0-\x20]+/g, '').toLowerCase();
      return { name: COMPACT[name] ?? name, value: value.replace(/(\r\n|\n|\r)[ \t]+/g, ' ').trim(), lines };
    });
}

/**
 * Whether all parsers agree on where the headers of a message in a datagram begin, and where the message ends: its
 * lines end with CRLF, it contains no NUL, and it has the length that its only Content-Length names. Without a
 * Content-Length, the body ends with the datagram (RFC 3261 18.3).
 */
export function areLinesClear(message: string): boolean {
  const [head = '', body = ''] = message.split(/\r\n\r\n(.*)/s);
  const lengths = valuesOf(message, 'content-length');
  const isLengthClear = lengths.length === 0 || (lengths.length === 1 && lengths[0] === String(body.length));
  return isLengthClear && !/\r(?!\n)|(?<!\r)\n|\0/.test(head);
}

/** The values of all headers of this name, in lower case. */
export function valuesOf(message: string, name: string): readonly string[] {
  return headersOf(message)
    .filter((header) => header.name === name)
    .map(({ value }) => value);
}

/** All URIs that some parser may read in the value of a header such as From. */
export function urisIn(value: string): readonly string[] {
  const uris = new Set<string>();
  for (const text of withoutNul(value)) {
    for (const part of [text, ...text.split(','), ...splitOutsideQuotes(text)]) {
      for (const unquoted of withoutDisplayName(part)) {
        const [, first] = /<([^>]*)/.exec(unquoted) ?? [];
        const [, last] = /.*<([^>]*)/s.exec(unquoted) ?? [];
        const [, widest] = /<(.*)>/s.exec(unquoted) ?? [];
        for (const uri of [first, last, widest]) if (uri !== undefined) uris.add(uri.trim());
        // A parser of addr-spec alone does not look for brackets.
        const bare = unquoted.replace(/^[\s<]+/, '');
        if (/^[a-z]+:/i.test(bare)) uris.add(bare.replace(/[>\s,"].*$/s, ''));
      }
    }
  }
  return [...uris];
}

/** All readings of a URI. */
export function readingsOf(uri: string): readonly Reading[] {
  const [, scheme = '', rest = ''] = /^\s*<?\s*(sips?|tel)\s*:(.*)$/is.exec(uri) ?? [];
  if (scheme === '') return [];
  if (/tel/i.test(scheme)) {
    return usersOf(rest.replace(/[?>].*$/s, '')).map((user) => ({ scheme: 'tel', user, host: '' }));
  }
  const readings: Reading[] = [];
  for (const text of [rest, rest.replace(/[;?].*$/s, ''), rest.replace(/[>\s].*$/s, '')]) {
    for (const at of new Set([text.indexOf('@'), text.lastIndexOf('@')])) {
      const host = hostOf(text.slice(at + 1));
      const users = at < 0 ? [''] : usersOf(text.slice(0, at));
      for (const user of users) readings.push({ scheme: 'sip', user, host });
    }
  }
  return readings;
}

/** All readings of the URIs in the value of a header. */
export function addressesIn(value: string): readonly Reading[] {
  return urisIn(value).flatMap(readingsOf);
}

/** Some parsers stop at a NUL, some begin behind it, some ignore it. */
function withoutNul(text: string): readonly string[] {
  return text.includes('\0') ? [...text.split('\0'), text.replaceAll('\0', ''), text] : [text];
}

/** Removes a quoted display name: with escapes, without them, and not at all. */
function withoutDisplayName(text: string): readonly string[] {
  const trimmed = text.trim();
  return [
    trimmed,
    trimmed.replace(/^"(?:[^"\\]|\\.)*"/s, ''),
    trimmed.replace(/^"[^"]*"/, ''),
    trimmed.replace(/^.*"/s, ''),
  ];
}

function splitOutsideQuotes(text: string): readonly string[] {
  return text.match(/(?:"(?:[^"\\]|\\.)*"|<[^>]*>|[^,])+/gs) ?? [];
}

function usersOf(text: string): readonly string[] {
  const cuts = [text, text.replace(/:.*$/s, ''), text.replace(/;.*$/s, ''), text.replace(/[:;].*$/s, '')];
  return [...new Set(cuts.flatMap(withoutNul).flatMap((user) => [user, unescaped(user)]))];
}

function hostOf(text: string): string {
  const [host = ''] = /^(\[[^\]]*\]|[^:;?>\s,"&]*)/.exec(unescaped(text).trim()) ?? [];
  const name = host
    .toLowerCase()
    .replace(/\.+$/, '')
    .replace(/^\[::ffff:(.*)\]$/, '$1');
  return /^[\d.]+$/.test(name) ? name.replace(/\b0+(?=\d)/g, '') : name;
}

/** A text without escapes. */
export function unescaped(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
