import { createDid, createGateway, createPeer } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';

type Variables = Readonly<Record<string, unknown>>;

const id = (text: string): string => Buffer.from(text).toString('base64url');
const IDS = ['Gateway:gweef506', 'DID:dd50baa4', 'Number:dd50baa4', 'Peer:nobody', 'DID:compiled'].map(id);

const READS: readonly (readonly [what: string, document: string, variables?: unknown])[] = [
  ['a list that a single value stands for', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: IDS[0] }],
  ['a number for an id', 'query ($id: ID!) { node(id: $id) { id } }', { id: 5 }],
  ['a fraction for an id', 'query ($i: ID!) { node(id: $i) { id } }', { i: 5.5 }],
  ...[2, 2.5, '2', true, 3_000_000_000, null, undefined, [1], {}].map(
    (n, index) =>
      [
        `the size ${JSON.stringify(n)}`,
        `query Q${String(index)}($n: Int) { dids(first: $n) { nodes { ref } } }`,
        { n },
      ] as const,
  ),
  ['a default', 'query ($n: Int = 1) { dids(first: $n) { nodes { ref } } }'],
  ['null for a default', 'query A($n: Int = 1) { dids(first: $n) { nodes { ref } } }', { n: null }],
  ['null where a default allowed the variable', 'query ($r: String = "x") { gateway(ref: $r) { ref } }', { r: null }],
  ['null for @include', 'query ($y: Boolean = true) { dids { totalCount @include(if: $y) } }', { y: null }],
  ['null, written out', '{ dids(first: null, after: null) { nodes { ref } } }'],
  ['no variables at all', '{ dids { nodes { ref telUrl } } }', null],
  ['a list of variables', '{ dids { nodes { ref aorLink } } }', []],
  ['variables as a string', '{ dids { nodes { ref kind } } }', '{}'],
  ['an unknown variable', '{ dids { nodes { telUrl } } }', { more: 1 }],
  ['a text for @include', 'query ($y: Boolean!) { dids { totalCount @include(if: $y) } }', { y: 'true' }],
  ['nothing left to ask for', 'query B($y: Boolean!) { dids { nodes { ref @include(if: $y) } } }', { y: false }],
  [
    'fragments, some of them skipped',
    `query ($y: Boolean!) { dids { ...F @skip(if: $y) ... @include(if: $y) { totalCount nodes { ...G } } } }
     fragment F on DIDConnection { nodes { ref } } fragment G on DID { ref gateway @skip(if: $y) { ref } telUrl }`,
    { y: true },
  ],
  [
    '@skip and @include together',
    `query ($y: Boolean!, $n: Boolean!) { dids {
      totalCount @include(if: $y) @skip(if: $n) nodes { ref @include(if: $y) @skip(if: $y) telUrl } } }`,
    { y: true, n: false },
  ],
  ['several missing resources', '{ a: gateway(ref: "x") { ref } b: agent(ref: "y") { ref } viewer { username } }'],
  [
    'several errors in a list',
    '{ gateways { nodes { ref numbers(first: 0) { totalCount } dids(last: 0) { totalCount } } } }',
  ],
  [
    'an error that makes all data null',
    '{ viewer { ref } dids(first: 0) { totalCount } gateways(first: 0) { totalCount } }',
  ],
  [
    'aliases everywhere',
    `{ dids { a: nodes { x: ref } b: nodes { y: telUrl g: gateway { n: name } h: gateway { t: transport
      one: numbers(first: 1) { nodes { ref } } last: numbers(last: 1) { nodes { ref } } } }
      e: edges { n: node { z: aorLink } c: cursor } count: totalCount } }`,
  ],
  [
    'one name for fields of two types',
    '{ dids { nodes { target { ... on Agent { n: username } ... on Peer { n: name } } } } }',
  ],
  [
    'interfaces within a union',
    `{ dids { nodes { target { __typename ... on Resource { ref kind } ... on Node { id }
      ... on Agent { numbers { totalCount } contacts { uri } domains { domainUri agents { totalCount } } }
      ... on Peer { dids { nodes { ref } } device } } } } }`,
  ],
  [
    'types within an interface',
    `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on Resource { ref }
      ... on DID { gateway { ref numbers(first: 1) { nodes { ref } } } contacts { uri } }
      ... on Number { gateway { ref numbers(first: 2) { nodes { ref } } } target { __typename } }
      ... on Gateway { secretSet registration { ip } numbers { totalCount } } } }`,
    { ids: IDS },
  ],
  [
    'selections of one link in several places',
    `{ did(ref: "dd50baa4") { gateway { numbers { nodes { ref } } } ...X gateway { numbers { totalCount nodes { telUrl } } } } }
     fragment X on DID { gateway { host numbers { pageInfo { hasNextPage } } } }`,
  ],
  [
    '__typename everywhere',
    '{ __typename dids { __typename nodes { __typename gateway { __typename } } pageInfo { __typename } } }',
  ],
  [
    'the schema',
    '{ __type(name: "Transport") { kind enumValues { name description } } __schema { directives { name args { name } } } }',
  ],
  [
    'live state',
    `{ contacts { totalCount nodes { uri expires nat } edges { cursor } }
       registrations { nodes { gatewayRef gateway { name registration { ip gateway { dids { totalCount } } } } } } }`,
  ],
  ['a text with everything in it', 'query ($r: String!) { gateway(ref: $r) { ref } }', { r: 'a"b\\c\n\u2028ü☎' }],
  ['different arguments under one name', '{ a: dids(first: 1) { totalCount } a: dids(first: 2) { totalCount } }'],
];

const TWO = 'query A { viewer { username } } query B { systemInfo { apiPath } }';
const NAMES: readonly (readonly [query: string, operationName: unknown])[] = [
  [TWO, 'A'],
  [TWO, 'B'],
  [TWO, 'C'],
  [TWO, undefined],
  [TWO, ''],
  ['query A { viewer { role } }', undefined],
  ['query A { viewer { role } }', null],
  ['query A { viewer { role } }', 'A'],
  ['query A { viewer { role } }', 'B'],
  ['query A { viewer { role } }', ''],
  ['{ viewer { username role } }', 'A'],
  ['{ viewer { username role } }', ''],
  ['{ viewer { username role } }', 1],
];

const GATEWAY = '{ name host port transport username registries }';
/** Mutations that are repeated on a gateway and a DID, which are reset each time. */
const WRITES: readonly (readonly [what: string, document: string, variables?: Variables])[] = [
  [
    'a field whose variable is missing',
    `mutation ($p: Int) { updateGateway(ref: "gw", input: { port: $p }) ${GATEWAY} }`,
  ],
  [
    'a field whose variable is null',
    `mutation A($p: Int) { updateGateway(ref: "gw", input: { port: $p }) ${GATEWAY} }`,
    { p: null },
  ],
  [
    'a field whose variable is given',
    `mutation B($p: Int) { updateGateway(ref: "gw", input: { port: $p }) ${GATEWAY} }`,
    { p: 7 },
  ],
  [
    'a required field whose variable is missing',
    `mutation ($t: Transport) { updateGateway(ref: "gw", input: { transport: $t }) ${GATEWAY} }`,
  ],
  [
    'a required field that is null',
    `mutation C($t: Transport) { updateGateway(ref: "gw", input: { transport: $t }) ${GATEWAY} }`,
    { t: null },
  ],
  [
    'an unknown enum value',
    `mutation D($t: Transport) { updateGateway(ref: "gw", input: { transport: $t }) ${GATEWAY} }`,
    { t: 'udp' },
  ],
  [
    'an input with variables in it',
    `mutation ($i: UpdateGatewayInput!) { updateGateway(ref: "gw", input: $i) ${GATEWAY} }`,
    { i: { name: 'x', port: null } },
  ],
  [
    'an input with an enum value',
    `mutation E($i: UpdateGatewayInput!) { updateGateway(ref: "gw", input: $i) ${GATEWAY} }`,
    { i: { transport: 'WSS' } },
  ],
  [
    'an empty input',
    `mutation F($i: UpdateGatewayInput!) { updateGateway(ref: "gw", input: $i) ${GATEWAY} }`,
    { i: {} },
  ],
  [
    'an input with an unknown field',
    `mutation G($i: UpdateGatewayInput!) { updateGateway(ref: "gw", input: $i) ${GATEWAY} }`,
    { i: { more: 1 } },
  ],
  [
    'an input with wrong types',
    `mutation H($i: UpdateGatewayInput!) { updateGateway(ref: "gw", input: $i) ${GATEWAY} }`,
    { i: { name: 1, port: 'x' } },
  ],
  [
    'an input as the default of a variable',
    `mutation ($i: UpdateGatewayInput! = { port: 77 }) { updateGateway(ref: "gw", input: $i) ${GATEWAY} }`,
  ],
  [
    'a single value for a list',
    `mutation ($l: [String!]) { updateGateway(ref: "gw", input: { registries: $l }) ${GATEWAY} }`,
    { l: 'a.test' },
  ],
  [
    'a single value for a list in an input',
    `mutation I($i: UpdateGatewayInput!) { updateGateway(ref: "gw", input: $i) ${GATEWAY} }`,
    { i: { registries: 'a.test' } },
  ],
  [
    'a list with a null',
    `mutation J($l: [String!]) { updateGateway(ref: "gw", input: { registries: $l }) ${GATEWAY} }`,
    { l: ['a.test', null] },
  ],
  [
    'a variable within a list',
    `mutation ($l: String!) { updateGateway(ref: "gw", input: { registries: [$l, "b.test"] }) ${GATEWAY} }`,
    { l: 'c.test' },
  ],
  [
    'a group whose variable is missing',
    'mutation ($g: GeoInfoInput) { updateDID(ref: "compiled", input: { geoInfo: $g }) { geoInfo { city country } } }',
  ],
  [
    'a field of a group whose variable is missing',
    'mutation ($c: String) { updateDID(ref: "compiled", input: { geoInfo: { city: $c, country: "I" } }) { geoInfo { city country } } }',
  ],
  [
    'a group with one field',
    'mutation K($g: GeoInfoInput) { updateDID(ref: "compiled", input: { geoInfo: $g }) { geoInfo { city country } } }',
    { g: { city: 'Rome' } },
  ],
  [
    'several, of which one fails',
    `mutation { a: updateGateway(ref: "gw", input: { name: "1" }) { name } b: deleteGateway(ref: "nope") c: updateGateway(ref: "gw", input: { name: "3" }) { name } }`,
  ],
  [
    'several in a fragment',
    `mutation { ...M } fragment M on Mutation { a: updateGateway(ref: "gw", input: { name: "1" }) { name } b: deleteGateway(ref: "nope") c: updateGateway(ref: "gw", input: { name: "3" }) { name } }`,
  ],
  [
    'a conflict',
    'mutation { createDID(input: { ref: "compiled", gatewayRef: "gw", telUrl: "tel:+9", aorLink: "sip:a@b" }) { ref } }',
  ],
  ['a delete of what is in use', 'mutation { deleteGateway(ref: "gw") }'],
];

function named<V>(rows: readonly (readonly [what: string, query: string, variables?: V])[]) {
  return rows.map(([what, query, variables]) => ({ what, query, variables }));
}

onEachDriver(
  'A document that is seen for the fifth time',
  (subject) => {
    const BEFORE = { name: 'before', host: 'compiled.test', port: 5080, transport: 'TCP', registries: ['r.test'] };
    const GEO = { city: 'Berlin', country: 'Germany' };

    beforeAll(async () => {
      const { app } = subject();
      await createGateway(app, { ref: 'gw', ...BEFORE });
      await createPeer(app, { username: 'compiled' });
      await createDid(app, { ref: 'compiled', gatewayRef: 'gw', aorLink: 'sip:compiled@x.test', geoInfo: GEO });
    });

    async function send(body: object): Promise<unknown> {
      const { app } = subject();
      const answer = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await app.token()}` },
        body: JSON.stringify(body),
      });
      const headers = ['content-type', 'cache-control'].map((name) => answer.headers.get(name));
      const { errors, ...rest } = (await answer.json()) as { readonly errors?: readonly { readonly path?: unknown }[] };
      // The order of errors in a query is not defined.
      const sorted = errors && [...errors].sort((one, other) => String(one.path).localeCompare(String(other.path)));
      return { status: answer.status, headers, body: { ...rest, ...(sorted && { errors: sorted }) } };
    }

    async function fiveTimes(
      body: object,
      afterwards: () => Promise<unknown> = () => Promise.resolve(),
    ): Promise<unknown[]> {
      const answers = [];
      for (let time = 0; time < 5; time++) answers.push([await send(body), await afterwards()]);
      return answers;
    }

    test.each(named(READS))('gives the same response as the first time, with $what', async ({ query, variables }) => {
      const answers = await fiveTimes({ query, variables });
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(JSON.stringify(answers)).not.toContain('INTERNAL_SERVER_ERROR');
    });

    test.each(NAMES)(
      'gives the same response as the first time: %s with the operation name %j',
      async (query, operationName) => {
        const answers = await fiveTimes({ query, operationName });
        for (const answer of answers) expect(answer).toEqual(answers[0]);
        expect(JSON.stringify(answers)).not.toContain('INTERNAL_SERVER_ERROR');
      },
    );

    test('executes the named operation, whatever was cached before', async () => {
      const query = 'query A { viewer { ref } } query B { systemInfo { version } }';
      for (let time = 0; time < 5; time++) {
        expect(await send({ query, operationName: 'A' })).toMatchObject({ body: { data: { viewer: {} } } });
        expect(await send({ query, operationName: 'B' })).toMatchObject({ body: { data: { systemInfo: {} } } });
        expect(await send({ query })).toMatchObject({ status: 400 });
      }
    });

    test.each(named(WRITES))('writes the same as the first time: $what', async ({ query, variables }) => {
      const { app } = subject();
      const stored = async (): Promise<unknown> => {
        const { data } = await app.graphql(
          `{ gateway(ref: "gw") ${GATEWAY} did(ref: "compiled") { geoInfo { city country } } }`,
        );
        await app.graphql(
          `mutation ($gateway: UpdateGatewayInput!, $did: UpdateDIDInput!) {
            updateGateway(ref: "gw", input: $gateway) { ref } updateDID(ref: "compiled", input: $did) { ref } }`,
          { gateway: BEFORE, did: { geoInfo: GEO } },
        );
        return data;
      };
      const answers = await fiveTimes({ query, variables }, stored);
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    });
  },
  { SAMPLE_DATA: 'true' },
);
