import { createGateways } from './gateways';
import { createDid } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';

interface Try {
  readonly what: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const SELECTION = '{ totalCount nodes { ref } }';
const cursor = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Forged cursors: with values of another type, or longer than any value. */
const VALUES = ['x', 5, null, 1e308, -1, 'a\u0000b', '\ud800', 'x'.repeat(5000), 1e20, true, [], {}];
const FIELDS = { NAME: 'name', PORT: 'port', SEND_REGISTER: 'sendRegister', CREATED_ON: 'createdOn' };
const cursors = Object.entries(FIELDS).flatMap(([field, name]) =>
  VALUES.flatMap((value) =>
    ['ASC', 'DESC'].flatMap((direction) =>
      ['after', 'before'].map((bound): Try => {
        const at = cursor([direction === 'DESC' ? `-${name}` : name, value, 2]);
        return {
          what: `${bound} a cursor by ${field} ${direction} at ${JSON.stringify(value).slice(0, 30)}`,
          query: `query ($at: String) { gateways(${bound}: $at, orderBy: [{ field: ${field}, direction: ${direction} }]) ${SELECTION} }`,
          variables: { at },
        };
      }),
    ),
  ),
);

const TEXTS = [
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\udc00x',
    '𝄞',
    '\uffff',
    '\u{10ffff}',
    '%',
    '_',
    '\\',
    '\\%',
    "'",
    '"',
    '`',
    '?',
    ':x',
  ],
  ...['a\u0301', 'ﬀ', 'İ', 'ß', 'ẞ', 'ſ', 'K', 'Σ', 'ς', 'é', 'x'.repeat(1000)],
];
const OPERATORS = [
  ...['eq', 'ne', 'gt', 'lte', 'contains', 'startsWith', 'endsWith', 'matches'],
  ...['eqIgnoreCase', 'containsIgnoreCase', 'startsWithIgnoreCase', 'endsWithIgnoreCase'],
];
const conditions = TEXTS.flatMap((text) =>
  OPERATORS.map((operator): Try => ({
    what: `${operator} ${JSON.stringify(text).slice(0, 30)}`,
    query: `query ($text: String) { gateways(where: { name: { ${operator}: $text } }) ${SELECTION} }`,
    variables: { text },
  })),
);

const FILTERS = [
  ...TEXTS.flatMap((text) => ['', 'i', 's'].map((flags) => `@.metadata.name =~ /.*[a${text}].*/${flags}`)),
  ...['@.spec.port==9223372036854775808', '@.spec.port<1e308', '@.spec.port==-0', '@.spec.port==5060.0000000000001'],
  ...['@.spec.ex_maxContact==3.50', '@.spec.tags[2]==7', '@.spec.tags[2]=="7"', '@.spec.tags contains [1]'],
  ...['@.spec.tags == ["red","blue",7,true,null]', '@.spec.matrix contains [3]', '@.spec.matrix == [[1,2],[3]]'],
  ...['@.spec.matrix[*] contains [1,2]', '[1] in @.spec.matrix', '@.spec.nested == null', '@.spec.registries[*] == []'],
  ...['@.spec.nested.deep.level in @.spec.list', '@.spec.tags subsetof @.spec.tags', '@.spec.host == @.spec.tags[0]'],
  ...[
    '@.metadata.createdOn == @.metadata.modifiedOn',
    "@.metadata.createdOn contains 'T'",
    'length(@.metadata.createdOn)==24',
  ],
  ...['@.kind == @.apiVersion', '@.spec.flag == @.spec.sendRegister', 'count(@.kind)==1', '@.spec.sendRegister < true'],
  ...[
    '@.spec.sendRegister in [true]',
    '@.spec.sendRegister in @.spec.tags',
    '@.spec.none subsetof []',
    '[] subsetof @.spec.none',
  ],
  ...[
    '1 in [1,2]',
    "'a' contains 'a'",
    '[1] contains 1',
    "['a'] size 1",
    '[] empty true',
    "'' empty true",
    "'b' =~ /b/",
  ],
  ...['5 =~ /5/', 'true =~ /t.*/', "length('☎')==1", '@ == @', '@ != 1', '@.spec == @.spec', "@[' ']==1"],
].map((filter): Try => ({
  what: filter,
  query: `query ($filter: String) { gateways(filter: $filter) ${SELECTION} }`,
  variables: { filter },
}));

const NAMES = Array.from({ length: 99 }, (_, n) => `{ name: { eq: "n${String(n)}" } }`).join(' ');
const SHAPES = [
  `{ gateways(where: { or: [${NAMES}] }) ${SELECTION} }`,
  `{ gateways(where: { dids: { gateway: { dids: { gateway: { host: { contains: "o" } } } } } }) ${SELECTION} }`,
  `{ gateways(where: { registries: { containsAny: [] }, host: { in: [] } }) ${SELECTION} }`,
  `{ gateways(where: { registries: { containsAll: [] } }) ${SELECTION} }`,
].map((query): Try => ({ what: query.slice(0, 60), query, variables: {} }));

/** The results on the first database. */
const answers = new Map<Try, string>();

onEachDatabase('Odd values', (subject) => {
  beforeAll(async () => {
    await createGateways(subject().app, subject().url);
    await createDid(subject().app, { gatewayRef: 'one' });
  });

  test.each([
    ['of cursors', cursors],
    ['of conditions', conditions],
    ['of filters', FILTERS],
    ['of shapes', SHAPES],
  ])('%s are rejected or accepted with the same result on every database', async (_what, tries) => {
    const different: unknown[] = [];
    for (const each of tries) {
      const { data, errors } = await subject().app.graphql(each.query, each.variables);
      if (errors) expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
      const answer = JSON.stringify({ data, messages: errors?.map(({ message }) => message) });
      const before = answers.get(each) ?? answer;
      answers.set(each, before);
      if (before !== answer) different.push([each.what, before, answer]);
    }
    expect(different).toEqual([]);
  });
});
