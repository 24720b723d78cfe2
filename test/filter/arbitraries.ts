import fc from 'fast-check';

/** A filter in Jayway's syntax, and in the syntax of RFC 9535 if both have the same meaning. */
export interface Written {
  readonly jayway: string;
  readonly rfc: string | undefined;
}

// Strings that equal no number, and numbers that equal no string. For these, RFC 9535 and Jayway agree.
const PLAIN_STRINGS = ['udp', 'bob', 'sip.a.net', 'ä☎', '', "it's", 'a"b', '𝄞', 'A', 'b '];
const PLAIN_NUMBERS = [2, 3.5, -1, 5061];
const CONVERTIBLE = ["'1001'", "'5060'", "'7'", "'5060.0'", '1001', '5060', '7'];

const KNOWN = [
  'metadata.ref',
  'metadata.name',
  'spec.host',
  'spec.transport',
  'spec.port',
  'spec.credentials.username',
];
const UNKNOWN = [
  'spec.u',
  'spec.v',
  'spec.deep.u',
  'spec.deep.w',
  'spec.credentials.u',
  'spec.ex_maxContact',
  'metadata.u',
];
const LISTS = ['spec.registries', 'spec.list', 'spec.deep.list'];
const PATHS = [
  ...KNOWN,
  ...UNKNOWN,
  ...LISTS,
  'spec.expires',
  'spec.sendRegister',
  'spec.credentials.secret',
  'spec.credentials',
  'nope.x',
  'spec',
];
const PATTERNS = ['sip.*', '.*', '[a-c]+', 'b|u', '[0-9]+', '.', ''];

const scalar = fc.oneof(
  fc.constantFrom<unknown>(...PLAIN_STRINGS, '1001', '7', 'x'.repeat(20)),
  fc.constantFrom<unknown>(...PLAIN_NUMBERS, 5060, 7, 0),
  fc.boolean(),
  fc.constant(null),
);
const list = fc.array(scalar, { maxLength: 4 });

/** The unknown members of a gateway. */
const extra = fc.record(
  {
    metadata: fc.record({ u: scalar }, { requiredKeys: [] }),
    spec: fc.record(
      {
        u: scalar,
        credentials: fc.record({ u: scalar }, { requiredKeys: [] }),
        ex_maxContact: fc.oneof(scalar, list),
        v: fc.oneof(scalar, list),
        list,
        deep: fc.oneof(scalar, fc.record({ u: scalar, w: list, list: fc.oneof(scalar, list) }, { requiredKeys: [] })),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

/** A gateway: the input that creates it, and its unknown members. */
export const gateway = fc.record({
  input: fc.record(
    {
      name: fc.constantFrom('bob', 'Bob', 'ä☎', '7', 'b ', "it's", 'a"b', '𝄞'),
      transport: fc.constantFrom('UDP', 'TCP'),
      port: fc.constantFrom(5060, 5061, 7),
      expires: fc.constantFrom(0, 2, 5060),
      sendRegister: fc.boolean(),
      registries: fc.uniqueArray(fc.constantFrom('sip.a.net', 'b.test', 'b.test:5061'), { maxLength: 3 }),
      username: fc.constantFrom('1001', 'bob', '7'),
    },
    { requiredKeys: ['name', 'transport'] },
  ),
  extra: fc.option(extra),
});

// Parts of patterns: atoms, and repetitions.
const ATOMS = [
  'a',
  'b',
  'i',
  's',
  '.',
  '[a-c]',
  '[^b]',
  '\\d',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  'ä',
  '☎',
  '𝄞',
  '[☎-𝄞]',
  '\\.',
  '\\u0061',
  '\\x{1d11e}',
  '[\\d_-]',
  '(a|b)',
  '(?:i|p|\\.)',
  '(ob)',
  "'",
  '"',
];
const TIMES = ['', '', '', '?', '*', '+', '{2}', '{1,2}', '{0,}', '+?'];
const pattern = fc
  .array(fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...TIMES)), { maxLength: 5 })
  .map((pieces) => pieces.map((piece) => piece.join('')).join(''));
const anywhere = fc
  .tuple(fc.constantFrom('', '^', '.*'), pattern, fc.constantFrom('', '$', '.*'))
  .map((parts) => parts.join(''));

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
const plainLiteral = fc.oneof(
  fc.constantFrom(...PLAIN_STRINGS).map(quoted),
  fc.constantFrom(...PLAIN_NUMBERS).map(String),
  fc.constantFrom('true', 'false', 'null'),
);
const path = fc.constantFrom(...PATHS).map((name) => `@.${name}`);
const placed = fc
  .tuple(fc.constantFrom(...LISTS, ...UNKNOWN), fc.integer({ min: -3, max: 3 }))
  .map(([name, place]) => `@.${name}[${String(place)}]`);
const singular = fc.oneof({ weight: 4, arbitrary: path }, placed);
const each = fc.constantFrom(...LISTS, ...UNKNOWN).map((name) => `@.${name}[*]`);
const comparison = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');

/** Adds a test for existence, because an absent value makes a relation false in Jayway, but not in RFC 9535. */
function guarded(path: string, test: string): string {
  return `(${path} && ${test})`;
}

const test: fc.Arbitrary<Written> = fc.oneof(
  singular.map((one) => ({ jayway: one, rfc: one })),
  each.map((one) => ({ jayway: one, rfc: one })),
  {
    weight: 6,
    arbitrary: fc.tuple(singular, comparison, plainLiteral).map(([a, op, b]) => both(a, `${a} ${op} ${b}`, op, b)),
  },
  fc.tuple(singular, fc.constantFrom(...PATTERNS), fc.constantFrom('match', 'search')).map(([a, pattern, name]) => ({
    jayway: `${name}(${a}, '${pattern}')`,
    // Only Jayway matches the text of numbers, booleans and entries of lists.
    rfc: undefined,
  })),
  fc.tuple(fc.constantFrom('spec.host', 'metadata.name'), fc.constantFrom(...PATTERNS)).map(([name, pattern]) => {
    const call = `search(@.${name}, '${pattern}')`;
    return { jayway: call, rfc: call };
  }),
  fc.tuple(each, comparison, fc.integer({ min: 0, max: 3 })).map(([a, op, n]) => {
    const text = `count(${a}) ${op} ${String(n)}`;
    return { jayway: text, rfc: text };
  }),
  fc.tuple(fc.constantFrom(...KNOWN), comparison, fc.integer({ min: 0, max: 9 })).map(([name, op, n]) => {
    const text = `length(@.${name}) ${op} ${String(n)}`;
    return { jayway: text, rfc: name === 'spec.port' || name === 'metadata.name' || op === '!=' ? undefined : text };
  }),
  // The forms below exist, or have this meaning, only in Jayway.
  fc.tuple(singular, comparison, fc.constantFrom(...CONVERTIBLE)).map(([a, op, b]) => jayway(`${a} ${op} ${b}`)),
  fc.tuple(singular, comparison, singular).map((parts) => jayway(parts.join(' '))),
  fc
    .tuple(
      singular,
      fc.constantFrom('in', 'nin', 'subsetof', 'anyof', 'noneof', '==', '!='),
      fc.array(fc.oneof(plainLiteral, fc.constantFrom(...CONVERTIBLE)), { maxLength: 3 }),
    )
    .map(([a, op, values]) => jayway(`${a} ${op} [${values.join(', ')}]`)),
  fc
    .tuple(singular, fc.constantFrom('in', 'nin', 'contains', 'subsetof', 'anyof', 'noneof'), singular)
    .map((parts) => jayway(parts.join(' '))),
  fc
    .tuple(fc.oneof(singular, each), fc.oneof(plainLiteral, fc.constantFrom(...CONVERTIBLE)))
    .map(([a, b]) => jayway(`${a} contains ${b}`)),
  fc.tuple(singular, fc.integer({ min: 0, max: 4 })).map(([a, n]) => jayway(`${a} size ${String(n)}`)),
  fc.tuple(singular, fc.boolean()).map(([a, is]) => jayway(`${a} empty ${String(is)}`)),
  fc
    .tuple(fc.oneof(singular, each), anywhere, fc.constantFrom('', 'i', 's', 'is'))
    .map(([a, source, flags]) => jayway(`${a} =~ /${source}/${flags}`)),
  fc
    .tuple(singular, fc.constantFrom(...PATTERNS, 'SIP.*', 'true', '7'))
    .map(([a, pattern]) => jayway(`${a} =~ /${pattern.replace('\\\\', '\\')}/i`)),
);

function jayway(text: string): Written {
  return { jayway: text, rfc: undefined };
}

/** RFC 9535 orders values as Jayway does, but also compares lists and absent values. */
function both(path: string, text: string, operator: string, literal: string): Written {
  // In RFC 9535, equal values are also `<=`, including null and booleans.
  const odd = /^[<>]=$/.test(operator) && /^[a-z]/.test(literal);
  return { jayway: text, rfc: odd ? undefined : guarded(path, text) };
}

/** Filters of all forms, nested a few levels. */
export const filter: fc.Arbitrary<Written> = fc.letrec<{ predicate: Written }>((tie) => ({
  predicate: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    test,
    fc.tuple(tie('predicate'), fc.constantFrom('&&', '||'), tie('predicate')).map(([a, op, b]) => ({
      jayway: `(${a.jayway} ${op} ${b.jayway})`,
      rfc: a.rfc !== undefined && b.rfc !== undefined ? `(${a.rfc} ${op} ${b.rfc})` : undefined,
    })),
    tie('predicate').map((a) => ({ jayway: `!(${a.jayway})`, rfc: a.rfc === undefined ? undefined : `!(${a.rfc})` })),
  ),
})).predicate;
