import { gzipSync } from 'node:zlib';

import { onEachDriver } from '../support/databases/on-each-database';

const DOCUMENTS: [what: string, document: string, variables?: Readonly<Record<string, unknown>>][] = [
  [
    'fields and links',
    '{ did(ref: "dd50baa4") { id kind apiVersion ref telUrl geoInfo { city } gateway { name transport } } }',
  ],
  [
    'aliases with different arguments',
    '{ g: gateway(ref: "gweef506") { a: numbers(first: 1) { nodes { ref } } b: numbers(last: 1) { nodes { ref } } } }',
  ],
  [
    'fragments',
    'query { gateways { nodes { ...G } } } fragment G on Gateway { ref ... on Resource { kind ... on Node { id } } }',
  ],
  ['a field asked for twice', '{ dids { nodes { gateway { ref } gateway { name host } } } }'],
  [
    'variables',
    'query Q($ref: String!, $n: Int = 2) { gateway(ref: $ref) { dids(first: $n) { nodes { ref } } } }',
    { ref: 'gweef506' },
  ],
  ['variables that do not fit', 'query Q($ref: String!) { gateway(ref: $ref) { ref } }', { ref: 7 }],
  ['a variable that is missing', 'query Q($ref: String!) { gateway(ref: $ref) { ref } }'],
  [
    '@include and @skip',
    'query Q($yes: Boolean!) { dids { nodes { ref @include(if: $yes) telUrl @skip(if: $yes) gateway @skip(if: $yes) { ref } } } }',
    { yes: true },
  ],
  [
    'an interface',
    '{ node(id: "R2F0ZXdheTpnd2VlZjUwNg") { __typename id ... on Gateway { host dids { totalCount } } } }',
  ],
  [
    'a union',
    '{ dids { nodes { target { __typename ... on Agent { username domains { domainUri } } ... on Peer { device } } } } }',
  ],
  ['what is not there', '{ gateway(ref: "nope") { ref } did(ref: "dd50baa4") { ref } }'],
  ['a malformed argument', '{ dids(first: 0) { totalCount } }'],
  ['a malformed nested argument', '{ gateways { nodes { ref numbers(first: 0) { totalCount } } } }'],
  ['the schema', '{ __schema { queryType { name } } __type(name: "DID") { name fields { name } } }'],
  ['several operations', 'query A { viewer { username } } query B { systemInfo { apiPath } }'],
  [
    'an invalid mutation',
    'mutation { createDID(input: { gatewayRef: "nope", telUrl: "x", aorLink: "sip:a@b" }) { ref } }',
  ],
  [
    'a conflict',
    'mutation { createDID(input: { gatewayRef: "gweef506", telUrl: "tel:0000000000", aorLink: "sip:a@b" }) { ref } }',
  ],
];

const MANY = (make: (index: string) => string): string =>
  Array.from({ length: 20 }, (_, i) => make(String(i))).join(' ');

onEachDriver(
  'Documents',
  (subject) => {
    test.each(DOCUMENTS.map(([what, document, variables = {}]) => ({ what, document, variables })))(
      '$what get the same response the first time and the tenth',
      async ({ document, variables }) => {
        const answers = [];
        for (let time = 0; time < 10; time++) {
          const { status, data, errors } = await subject().app.graphql(document, variables);
          answers.push({ status, data, errors });
        }
        for (const answer of answers) expect(answer).toEqual(answers[0]);
      },
    );

    test('a known document is rejected without a token', async () => {
      const { app } = subject();
      for (let time = 0; time < 6; time++) await app.graphql('{ peers { nodes { ref } } }');
      const { data, errors } = await app.graphql('{ peers { nodes { ref } } }', {}, { token: null });
      expect([data, errors?.[0]?.extensions['code']]).toEqual([undefined, 'UNAUTHENTICATED']);
    });

    test.each<[string, string, string, string?]>([
      [
        'too deep',
        `{ gateways { nodes ${'{ dids { nodes { gateway '.repeat(5)} { ref } ${'} } }'.repeat(5)} } }`,
        'depth',
      ],
      [
        'nests too many fragments',
        `{ ${'... on Query { '.repeat(50)} viewer { ref } ${'} '.repeat(50)} }`,
        'Nesting limit',
      ],
      [
        'doubles its fragments, also where they are left out',
        `{ did(ref: "x") { __typename ...F0 @include(if: false) } } ${Array.from({ length: 40 }, (_, i) => `fragment F${String(i)} on DID { ...F${String(i + 1)} ...F${String(i + 1)} }`).join(' ')} fragment F40 on DID { id }`,
        'Selections limit',
      ],
      [
        'has too many aliases',
        `{ ${Array.from({ length: 40 }, (_, index) => `a${String(index)}: viewer { ref }`).join(' ')} }`,
        'liases',
      ],
      ['asks for one field too often', `{ ${'agents { totalCount } '.repeat(300)} }`, 'too many times'],
      [
        'requests one field too often in fragments',
        `{ ${MANY((i) => `...F${i}`)} } ${MANY((i) => `fragment F${i} on Query { ${'viewer { ref } '.repeat(15)} }`)}`,
        'too many times',
      ],
      [
        'requests one field too often in a fragment with a duplicate name',
        `{ ...F } fragment F on Query { ${'viewer { ref } '.repeat(300)} } fragment F on Query { __typename }`,
        'too many times',
      ],
      ['spreads a fragment within itself', '{ ...F } fragment F on Query { __typename ...F }', 'within itself'],
      ['has too many tokens', `{ ${'viewer { ref } '.repeat(600)} }`, 'token'],
      [
        'requests too many objects',
        '{ gateways(first: 100) { nodes { dids(first: 100) { nodes { gateway { numbers(first: 100) { nodes { ref } } } } } } } }',
        'objects',
      ],
      ['has too many directives', `{ viewer { ref ${'@include(if: true) '.repeat(60)} } }`, 'irectives'],
      ['has lists in lists', `{ gateways(first: ${'['.repeat(50_000)}`, 'The document '],
      ['is no document', '{ gateways { ', 'Syntax Error', 'GRAPHQL_PARSE_FAILED'],
      ['asks for what there is not', '{ nothing }', 'Cannot query field'],
    ])('a document that %s is rejected', async (_what, query, message, code = 'GRAPHQL_VALIDATION_FAILED') => {
      for (let time = 0; time < 4; time++) {
        const { status, data, errors } = await subject().app.graphql(query);
        expect([status, data]).toEqual([400, undefined]);
        expect(JSON.stringify(errors)).toContain(message);
        expect(errors?.[0]?.extensions).toMatchObject({ code, status: 400 });
        expect(errors?.[0]?.message.startsWith('Syntax Error')).toBe(code === 'GRAPHQL_PARSE_FAILED');
      }
    });

    test('the levels of fragments do not count as levels of fields', async () => {
      const query = `query { ...Lists }
        fragment Lists on Query { gateways(first: 1) { ...Page } }
        fragment Page on GatewayConnection { edges { ...Edge } }
        fragment Edge on GatewayEdge { node { ...Item } }
        fragment Item on Gateway { numbers(first: 1) { edges { node { ...Target } } } }
        fragment Target on Number { ... on Resource { ... on Number { target { ... on Agent { name } } } } }`;
      const { errors } = await subject().app.graphql(query);
      expect(errors).toBeUndefined();
    });

    test('a document with a hundred fragments that repeat fields of one object is accepted', async () => {
      const each = (make: (index: string) => string): string =>
        Array.from({ length: 100 }, (_, i) => make(String(i))).join(' ');
      const fragments = each((i) => `fragment F${i} on Viewer { __typename ref username }`);
      const { errors, data } = await subject().app.graphql(`{ viewer { ${each((i) => `...F${i}`)} } } ${fragments}`);
      expect([errors, data]).toMatchObject([undefined, { viewer: { __typename: 'Viewer', username: 'admin' } }]);
    });

    test('the error for a misspelt field has a suggestion, but not without a token', async () => {
      const { app } = subject();
      const misspelt = '{ gatewys { nodes { ref } } }';
      const { errors } = await app.graphql(misspelt);
      expect(errors?.[0]?.message).toBe(
        'Cannot query field "gatewys" on type "Query". Did you mean "gateways" or "gateway"?',
      );
      const outside = await app.graphql(misspelt, {}, { token: null });
      expect(JSON.stringify(outside.errors)).not.toContain('Did you mean');
    });

    test('page sizes in variables count, also in a known document', async () => {
      const query = `query ($n: Int!) { gateways(first: $n) { nodes { dids(first: $n) { nodes { gateway { numbers(first: $n) { nodes { ref } } } } } } } }`;
      for (let time = 0; time < 6; time++)
        expect((await subject().app.graphql(query, { n: 2 })).errors).toBeUndefined();
      const { errors } = await subject().app.graphql(query, { n: 100 });
      expect(errors?.[0]?.message).toContain('more than 10000');
    });

    test.each([
      ['of another type', { input: { name: 'x', username: 'u', secret: 12_345, domains: ['sip.local'] } }],
      ['with a missing field', { input: { username: 'u', secret: 'hush-hush' } }],
      [
        'with an unknown field',
        { input: { name: 'x', username: 'u', secret: 'hush-hush', domains: ['sip.local'], more: 1 } },
      ],
    ])('an input %s is rejected, and the error does not contain its secret', async (_what, variables) => {
      const { data, errors } = await subject().app.graphql(
        'mutation ($input: CreateAgentInput!) { createAgent(input: $input) { ref } }',
        variables,
      );
      expect(data).toBeUndefined();
      expect(JSON.stringify(errors)).not.toMatch(/12345|hush-hush/);
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining('$input') as string,
        extensions: { code: 'BAD_USER_INPUT', status: 400 },
      });
    });

    test.each([
      ['malformed JSON', '{"query":', 400],
      ['a list, since there is no batching', '[{"query":"{ viewer { ref } }"}]', 400],
      ['a body over the limit', JSON.stringify({ query: `{ viewer { ref } } #${'x'.repeat(300_000)}` }), 413],
      ['no query', '{}', 400],
      ['a body that is not UTF-8', Buffer.from('{"query":"{ viewer { ref } } #é"}', 'latin1'), 400],
      ['a compressed body', gzipSync('{"query":"{ viewer { ref } }"}'), 400, { 'content-encoding': 'gzip' }],
    ])('%s is rejected', async (_what, body, status, more: object = {}) => {
      const { app } = subject();
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${await app.token()}`, ...more };
      const answer = await fetch(`${app.url}/graphql`, { method: 'POST', headers, body });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({
        errors: [{ message: expect.any(String) as string, extensions: { code: 'BAD_USER_INPUT', status: 400 } }],
      });
    });
  },
  { SAMPLE_DATA: 'true' },
);
