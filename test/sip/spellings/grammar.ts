import fc from 'fast-check';

/**
 * What an attacker writes into a header or a Request-URI. `{own}` stands for the address of the sender, `{other}` for
 * that of the other party, and `{provider}`, `{stranger}`, `{kamailio}`… for those of others; `{own.ip}` and
 * `{own.port}` for parts of it. `{me}` and `{them}` stand for the users of the sender and of the other party, `{home}`
 * for the domain of the sender, `{theirtag}` for the tag of the other party, and `{usual}` for the usual URI.
 */
export type Template = string;

export type Weighted<T> = readonly [weight: number, arbitrary: fc.Arbitrary<T> | T];

/** One of several arbitraries or values, by weight. */
export function weighted<T>(...choices: readonly Weighted<T>[]): fc.Arbitrary<T> {
  return fc.oneof(
    { withCrossShrink: true },
    ...choices.map(([weight, of]) => ({ weight, arbitrary: of instanceof fc.Arbitrary ? of : fc.constant(of) })),
  );
}

/** One of the values, and mostly the first. */
export function mostly<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return weighted([4 * others.length + 1, usual], ...others.map((other) => [1, other] as const));
}

/** Several texts, one after the other. */
export function joined(...parts: readonly (fc.Arbitrary<string> | string)[]): fc.Arbitrary<string> {
  return fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''));
}

function several(part: fc.Arbitrary<string>, maxLength: number, separator = ''): fc.Arbitrary<string> {
  return fc.array(part, { maxLength, size: 'max' }).map((texts) => texts.join(separator));
}

const BLANKS = ['', ' ', '\t', '\r\n ', '  \r\n\t'] as const;
/** Blanks before a value. */
export const blank = mostly(...BLANKS);

// Characters at which parsers stop, begin or skip.
const noise = fc.constantFrom(
  ...['<', '>', '"', ',', ';', '?', '@', ':', '%', '.', '\\', '&', '=', '(', ')', '[', ']', '*', ' '],
  ...['\t', '\0', '\r\n ', '\n', '\r', '\x0b', '%00', '"\\"'],
);
/** Inserts characters into a text. */
export function disturbed(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const insertions = fc.array(fc.tuple(fc.nat(120), noise), { minLength: 1, maxLength: 2 });
  return weighted(
    [5, text],
    [
      1,
      fc.tuple(text, insertions).map(([whole, added]) =>
        added.reduce((before, [at, what]) => {
          const here = at % (before.length + 1);
          // A placeholder stays whole.
          const place = /\{[^}]*$/.test(before.slice(0, here)) ? before.lastIndexOf('{', here - 1) : here;
          return before.slice(0, place) + what + before.slice(place);
        }, whole),
      ),
    ],
  );
}

// Addresses. {own} and {provider} are frequent, so that they meet in one header.
const place = weighted(
  [8, 'own'],
  [8, 'provider'],
  [2, 'other'],
  [2, 'stranger'],
  [2, 'beside'],
  [1, 'kamailio'],
  [1, 'provider2'],
  [1, 'pbx'],
);
/** An address as host:port, or another notation of it. */
export const address = fc
  .tuple(
    place,
    mostly<(name: string) => string>(
      (name) => `{${name}}`,
      (name) => `{${name}.ip}`,
      (name) => `{${name}.ip}.:{${name}.port}`,
      (name) => `{${name}.zeros}:{${name}.port}`,
      (name) => `{${name}.decimal}:{${name}.port}`,
      (name) => `[::ffff:{${name}.ip}]:{${name}.port}`,
      (name) => `{${name}.ip}:0{${name}.port}`,
      (name) => `{${name}.ip}:{${name}.port}:5060`,
    ),
  )
  .map(([name, form]) => form(name));

const domainForm = mostly<(name: string) => string>(
  (name) => name,
  (name) => `${name}.`,
  (name) => name.toUpperCase(),
  (name) => `${name}:{kamailio.port}`,
  (name) => `${name}.:{kamailio.port}`,
  (name) => `${name}:5060`,
  (name) => name.replace('.', '%2e'),
  (name) => `${name}..`,
  (name) => `${name}\0.invalid`,
  (name) => `${name} `,
);
const userForm = mostly<(name: string) => string>(
  (name) => name,
  (name) => `${name}:x`,
  (name) => `${name};x=y`,
  (name) => `${name}%00`,
  (name) => `${name}\0`,
  (name) => name.replace(/[a+]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (name) => name.toUpperCase(),
  (name) => `"${name}"`,
  (name) => `${name}@one.test`,
  (name) => `+1900;x=${name}`,
  (name) => `+1900:${name}`,
  (name) => name.replace(/^[+]?\d\d/, '$&-'),
);
const scheme = mostly('sip:', 'sips:', 'SIP:', 'sip: ', 'sip:\t', 'sip://', '');

function spelledUri(user: fc.Arbitrary<string>, host: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const spelled = fc.tuple(user, userForm).map(([name, form]) => form(name));
  return weighted([9, joined(scheme, spelled, '@', host)], [2, joined(scheme, host)]);
}
/** An address of record or another user of a domain, as `user@host`. */
function spelledUser(users: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(scheme, users, userForm, domainForm).map(([before, address, user, domain]) => {
    const [name = '', host = ''] = address.split('@');
    return `${before}${user(name)}@${host.startsWith('{') ? host : domain(host)}`;
  });
}

// What a URI stands for. +1900… may never be called, +49… by out.test, +493010… are numbers here.
const PLACE = spelledUri(
  weighted([4, '{me}'], [2, '{them}'], [3, '+1900'], [1, '+4930555']),
  weighted(
    [9, address],
    [1, weighted([1, 'one.test'], [1, 'out.test'], [1, '127.0.0.1:{kamailio.port}'], [1, 'localhost:9'])],
  ),
);
const PERSON = spelledUser(
  weighted<string>(
    [3, '{me}@{home}'],
    [3, 'anna@one.test'],
    [2, 'eve@one.test'],
    [2, 'olga@out.test'],
    [1, 'otto@two.test'],
    [3, '+33142@{provider}'],
    [2, '+33142@outside.example'],
    [1, '+1900@one.test'],
    [1, '+4930100@{provider}'],
  ),
);
const CALLED = weighted(
  [
    9,
    spelledUser(
      weighted<string>(
        [5, 'anna@one.test'],
        [3, '+1900@one.test'],
        [3, '+1900@out.test'],
        [2, '+4930555@out.test'],
        [1, '+4930555@one.test'],
        [2, 'olga@out.test'],
        [1, '{me}@{home}'],
        [2, '+1900@{kamailio}'],
        [1, '+1900@{provider}'],
        [1, '+4930101@one.test'],
        [1, '0049301@out.test'],
        [2, 'x@outside.example'],
        [1, 'pbx@one.test'],
      ),
    ),
  ],
  [1, fc.constantFrom('tel:+1900', 'tel:+4930555', 'tel:+4930101', 'TEL:+1-900', 'tel:+4930101;x=+1900')],
);

interface Vocabulary {
  /** URIs with parameters. */
  readonly uri: fc.Arbitrary<string>;
  /** The value of a header with one or several addresses. */
  readonly addresses: fc.Arbitrary<string>;
}

/** What can be written around these URIs. A parameter or a header of a URI may contain another URI. */
function vocabulary(plainUri: fc.Arbitrary<string>): Vocabulary {
  const nested = fc
    .tuple(
      plainUri,
      mostly<(uri: string) => string>(
        (uri) => `<${uri}>`,
        (uri) => uri,
        (uri) => `"${uri}"`,
        (uri) => `"<${uri}>"`,
        (uri) => `<${uri}`,
        (uri) => `\\"<${uri}>`,
        (uri) => `%3C${uri}%3E`,
      ),
    )
    .map(([uri, form]) => form(uri));
  const parameter = weighted([2, known], [3, joined(mostly(';p=', ';x=y;p=', '; p = ', ';'), nested)]);
  const uriHeader = joined(mostly('?x=', '?Route=', '?From=', '?Refer-To=', '?', '?x=y&P-Asserted-Identity='), nested);
  const uri = joined(plainUri, weighted([5, ''], [3, several(parameter, 2)]), weighted([8, ''], [1, uriHeader]));
  const displayName = weighted<string>(
    [4, ''],
    [1, 'Name '],
    [1, '"Name" '],
    [2, joined('"', plainUri, '" ')],
    [2, joined('"<', plainUri, '>" ')],
    [1, joined('"\\" <', plainUri, '>" ')],
    [1, joined('"\\"" <', plainUri, '> ')],
    [1, joined('"\\\\" <', plainUri, '> ')],
    [1, joined('"<', plainUri, '> ')],
    [1, joined(plainUri, ' ')],
    [2, joined('<', plainUri, '> ')],
    [1, '"'],
    [1, "'"],
  );
  const proper = joined(
    mostly('', 'Name ', '"Name" ', '"x, y" '),
    '<',
    plainUri,
    several(known, 1),
    '>',
    several(known, 1),
  );
  const bracketed = fc.tuple(displayName, uri, bracketing, several(parameter, 2));
  const one = weighted(
    [8, proper],
    [3, joined('<', uri, '>', several(parameter, 1))],
    [4, uri],
    [3, bracketed.map(([name, text, form, after]) => name + form(text) + after)],
  );
  // Parsers differ in which of several addresses they take, and in where the first one ends.
  const addresses = joined(
    blank,
    weighted([6, one], [3, joined(one, mostly(',', ', ', ' ,\t', ',\r\n '), one)], [1, joined(one, ' ', one)]),
  );
  return { uri, addresses: disturbed(addresses) };
}

const bracketing = mostly<(text: string) => string>(
  (text) => `<${text}>`,
  (text) => `<<${text}>>`,
  (text) => `<${text}`,
  (text) => `${text}>`,
  (text) => `<${text}>>`,
  (text) => `< ${text} >`,
  (text) => `<>${text}`,
  (text) => `<>;<${text}>`,
);
const known = joined(
  mostly(';', ' ; ', ';\r\n ', ';;'),
  weighted<string>(
    [3, 'lr'],
    [1, 'lr=on'],
    [1, 'ob'],
    [2, 'transport=udp'],
    [1, 'transport=TCP'],
    [1, 'user=phone'],
    [1, 'expires=60'],
    [1, 'q=0.5'],
    [1, 'tag=x'],
    [1, 'tag={theirtag}'],
    [1, 'method=INVITE'],
    [1, 'reg-id=1;+sip.instance="<urn:uuid:00000000-0000-1000-8000-000000000001>"'],
    [1, 'gr=urn:uuid:00000000-0000-1000-8000-000000000001'],
    [2, joined('maddr=', address)],
    [
      2,
      joined(
        'received',
        mostly('=', ' = '),
        weighted([1, joined('sip:', address)], [1, joined('"sip:', address, '"')]),
      ),
    ],
    [
      2,
      place.chain((name) =>
        mostly(
          `alias={${name}.ip}~{${name}.port}~1`,
          `ALIAS={${name}.ip}~{${name}.port}~1`,
          `alias={${name}.ip}~{${name}.port}~2`,
        ),
      ),
    ],
  ),
);

/** Addresses that say where something is, who somebody is, and who is to be called. */
export const places = vocabulary(PLACE);
export const people = vocabulary(PERSON);
export const called = vocabulary(CALLED);

/** A Request-URI. */
export const requestUri = disturbed(
  weighted(
    [2, places.uri],
    [2, called.uri],
    [
      1,
      joined(
        '{usual}',
        several(weighted([2, known], [1, joined(';p=<', PLACE, '>')]), 2),
        mostly('', '?x=y', '?Route=%3Csip:{provider};lr%3E'),
      ),
    ],
  ),
);
