import { once } from 'node:events';

import { WebSocket } from 'ws';

import { startApp, type TestApp } from '../support/app';
import { createAgent, createDomain, createGateway } from '../support/factories';

/** What a body may have of one long text. */
const LONG = 200_000;
const MAX = 2000;

const long = (character = 'a', length = LONG): string => character.repeat(length);

let app: TestApp;
const lines: string[] = [];

beforeAll(async () => {
  app = await startApp({}, { write: (line) => void lines.push(line) });
});
afterAll(() => app.close());

/** The number of bytes of each text in a value. */
function sizes(value: unknown): readonly number[] {
  if (typeof value === 'string') return [Buffer.byteLength(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(sizes);
}

/** Expects no text, name, list or log line of a response to be long. */
function expectShort(errors: readonly unknown[] | undefined): void {
  expect(errors?.length).toBeGreaterThan(0);
  expect(errors?.length).toBeLessThanOrEqual(50);
  expect(Math.max(...sizes(errors))).toBeLessThanOrEqual(MAX);
  const places = JSON.stringify(errors).match(/"line":/g) ?? [];
  expect(places.length).toBeLessThanOrEqual(10 * (errors?.length ?? 0));
  expect(JSON.stringify(errors).length).toBeLessThan(50_000);
  expect(Math.max(0, ...lines.map((line) => line.length))).toBeLessThan(10_000);
}

const CREATE = 'mutation ($v: CreateGatewayInput!) { createGateway(input: $v) { ref } }';
const AGENT = 'mutation ($v: CreateAgentInput!) { createAgent(input: $v) { ref } }';
const IMPORT = 'mutation ($v: String!) { importNumbers(csv: $v) { imported } }';
const DELETE = 'mutation ($v: [String!]!) { deleteManyGateways(refs: $v, expectedCount: 1) { count } }';

const REPEATED: readonly (readonly [what: string, query: string, v?: unknown])[] = [
  ['a syntax error', `{ viewer { username } } ${long()}`],
  ['a name of a field', `{ ${long()} }`],
  ['a name of an argument', `{ gateways(${long()}: 1) { totalCount } }`],
  ['a name of a type', `query ($v: ${long()}) { viewer { username } }`],
  ['a name of a fragment', `{ ...${long()} }`],
  ['a name of a directive', `{ viewer @${long()} { username } }`],
  ['a name of an input field', `mutation { createGateway(input: { ${long()}: 1 }) { ref } }`],
  ['a name of an operation, once per variable', `query ${long()} { ${variables(20)} }`],
  ['a response name', `{ ${long()}: dids(after: "x") { totalCount } }`],
  ['a literal enum value', `{ gateways(where: { transport: { eq: ${long()} } }) { totalCount } }`],
  ['a literal string', `{ gateways(first: "${long()}") { totalCount } }`],
  ['a literal number', `{ gateways(first: ${long('1')}) { totalCount } }`],
  ['the places of an error', `{ gateways(${'first: 1 '.repeat(600)}) { totalCount } }`],
  ['a string for a number', 'query ($v: Int) { gateways(first: $v) { totalCount } }', long()],
  ['a string for a Boolean', 'query ($v: Boolean!) { viewer @skip(if: $v) { username } }', long()],
  ['a string for a time', 'query ($v: DateTimeISO) { gateway(ref: "x", asOf: $v) { ref } }', long()],
  ['an object for an id', 'query ($v: ID!) { node(id: $v) { id } }', { a: long() }],
  ['multi-byte characters for a number', 'query ($v: Int) { gateways(first: $v) { totalCount } }', long('☎', 60_000)],
  [
    'enum values',
    'query ($v: [Transport!]) { gateways(where: { transport: { in: $v } }) { totalCount } }',
    Array.from({ length: 9 }, () => long('☎', 7000)),
  ],
  ['a name of an input field in a variable', CREATE, { [long()]: 1 }],
  ['values of fields', CREATE, { name: long('a', 60_000), host: long('b', 60_000), transport: 'UDP' }],
  [
    'many missing references',
    AGENT,
    {
      name: 'Many',
      username: 'many',
      secret: 'many',
      domains: Array.from({ length: 1000 }, (_, index) => `d${String(index)}.example`),
    },
  ],
  ['many missing refs', DELETE, Array.from({ length: 1000 }, (_, index) => `missing-${String(index)}`)],
  ['long missing refs', DELETE, Array.from({ length: 20 }, (_, index) => long('a', 8000) + String(index))],
  ['a CSV header of commas', IMPORT, long(',', 250_000)],
  ['a CSV header of names', IMPORT, Array.from({ length: 90 }, () => long('x', 700)).join(',')],
  ['a CSV row of quoted line breaks', IMPORT, `telUrl,aorLink,gwRef\n${'"\n",'.repeat(40_000)}`],
  ['a CSV cell', IMPORT, `telUrl,aorLink,gwRef\n${long('x', 60_000)}"`],
];

test.each(REPEATED.map(([what, query, v]) => ({ what, query, v })))(
  'GraphQL repeats $what only in part',
  async ({ query, v }) => {
    const { errors } = await app.graphql(query, { v });
    expectShort(errors);
  },
);

function variables(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `a${String(index)}: agent(ref: $v${String(index)}) { ref }`,
  ).join();
}

test('GraphQL presents 50 errors of a result, and counts the others', async () => {
  const gatewayRef = await createGateway(app);
  await createDomain(app, { domainUri: 'errors.example' });
  await createAgent(app, { username: 'errors', domains: ['errors.example'] });
  const aorLink = 'sip:errors@errors.example';
  const rows = Array.from({ length: 60 }, (_, index) => `tel:+1706604${String(1000 + index)},${aorLink},${gatewayRef}`);
  await app.graphql(IMPORT, { v: ['telUrl,aorLink,gwRef', ...rows].join('\n') });
  const query = '{ numbers(first: 60) { nodes { target { ... on Agent { dids(after: "x") { totalCount } } } } } }';
  const { data, errors } = await app.graphql<{ numbers: { nodes: readonly unknown[] } }>(query);
  expect(data.numbers.nodes).toHaveLength(60);
  const message = 'after: "x" is not a cursor of this service';
  expect(errors?.map((error) => error.message)).toEqual([
    ...Array.from({ length: 49 }, () => message),
    `${message} (and 10 more errors)`,
  ]);
});

const gateway = (spec: object): object => ({
  kind: 'Gateway',
  metadata: { name: 'Long' },
  spec: { host: 'long.example', transport: 'udp', ...spec },
});
const LIST = new Array<number>(1001).fill(1);

test.each<readonly [string, string, unknown]>([
  ['the name of a list that is too long', '/gateways', gateway({ [long()]: LIST })],
  [
    'the path of a list that is too long',
    '/gateways',
    gateway(Array.from({ length: 40 }).reduce<object>((below) => ({ [long('b', 4000)]: below }), { LIST })),
  ],
  [
    'the names of many lists that are too long',
    '/gateways',
    gateway(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${String(index)}`, LIST]))),
  ],
  [
    'the name of an object with too many members',
    '/gateways',
    gateway({ [long()]: Object.fromEntries(Array.from({ length: 1100 }, (_, index) => [`k${String(index)}`, 1])) }),
  ],
  ['values of fields', '/gateways', gateway({ host: long('a', 60_000), port: long('b', 60_000) })],
  ['the kind', '/gateways', { ...gateway({}), kind: long() }],
  ['a body that is not JSON', '/gateways', long()],
])('REST repeats %s only in part', async (_, path, body) => {
  const { body: answer, status } = await app.rest<readonly string[]>('POST', path, { body });
  expect(status).toBe(400);
  expect(answer.data.length).toBeLessThanOrEqual(20);
  expectShort(answer.data);
});

test('REST lists 20 mistakes of a document, and counts the others', async () => {
  const body = gateway(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${String(index)}`, LIST])));
  const { body: answer } = await app.rest<readonly string[]>('POST', '/gateways', { body });
  expect(answer.data).toHaveLength(20);
  expect(answer.data[0]).toBe('spec.k0: has more than 1000 entries');
  expect(answer.data[19]).toBe('spec.k19: has more than 1000 entries (and 80 more)');
});

test('The message of a refused document, in the profile of Routr v1, is short, too', async () => {
  const routr1 = await startApp({ REST_PROFILE: 'routr1' });
  const names = Array.from({ length: 100 }, (_, index) => long('k', 150) + String(index));
  const body = gateway(Object.fromEntries(names.map((name) => [name, LIST])));
  const answer = await routr1.rest('POST', '/gateways', { body });
  expect(answer.status).toBe(422);
  expect(answer.body.message).toMatch(/^spec\.k+0: has more than 1000 entries, /);
  expect(answer.body.message).toMatch(/ \(and 80 more\)$/);
  expect(Buffer.byteLength(answer.body.message)).toBeLessThanOrEqual(MAX);
  await routr1.close();
});

test.each([
  ['an unknown name', `kind: ${long()}`],
  ['an unknown alias', `*${long()}`],
  ['an unknown tag', `!${long()} x`],
  ['the name of a list that is too long', JSON.stringify(gateway({ [long()]: LIST }))],
])('A row of an import repeats %s only in part', async (_, v) => {
  const query = 'mutation ($v: String!) { importDocuments(text: $v) { rows { errors { field message } } } }';
  const { data } = await app.graphql<{ importDocuments: { rows: readonly { errors: readonly unknown[] }[] } }>(query, {
    v,
  });
  expectShort(data.importDocuments.rows.flatMap(({ errors }) => errors));
});

test('A header of CSV with unknown columns names three of them', async () => {
  const names = Array.from({ length: 90 }, (_, index) => `column${String(index)}${long('x', 90)}`);
  const { errors } = await app.graphql(IMPORT, { v: `telUrl,${names.join(',')}\n` });
  expect(errors?.[0]?.message).toMatch(
    /^header: unknown column column0x+\.\.\.x+, unknown column column1x+\.\.\.x+, unknown column column2x+\.\.\.x+, 87 more unknown columns, missing column aorLink, missing column gwRef; expected /,
  );
});

test.each(['\n', '\r\n', '\r'])('A row of CSV after %j has at most 100 columns', async (lineBreak) => {
  const rows = ['telUrl,aorLink,gwRef', '"a,b"",c",d,e', ' "x" , ",,", f', ',x'.repeat(100)];
  const { errors } = await app.graphql(IMPORT, { v: rows.join(lineBreak) });
  expect(errors?.[0]?.message).toBe('Line 4: the row has more than 100 columns');
});

test.each([0, 1])(
  'A line of CSV that ends with two characters is counted once, wherever a text is split (%i)',
  async (more) => {
    const first = 'telUrl,aorLink,gwRef\r\n';
    // The first part of the text has 16,384 characters.
    const row = `,,${' '.repeat(16_384 + more - first.length - 4)}\r\n`;
    const { errors } = await app.graphql(IMPORT, { v: first + row + ',x'.repeat(100) });
    expect(errors?.[0]?.message).toBe('Line 3: the row has more than 100 columns');
  },
);

test('Errors of a document with more than 500 lines name no places, which take long to find', async () => {
  const unknown = Array.from({ length: 20 }, (_, index) => `unknown${String(index)}`).join(' ');
  const few = await app.graphql(`${'\n'.repeat(400)}{ ${unknown} }`);
  expect(few.errors?.[0]).toHaveProperty('locations', [{ line: 401, column: 3 }]);
  const many = await app.graphql(`${'\n'.repeat(100_000)}{ ${unknown} }`);
  expect(many.errors).toHaveLength(20);
  for (const error of many.errors ?? []) expect(error).not.toHaveProperty('locations');
});

test('An event stream repeats a long name only in part', async () => {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await app.token()}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: `{ ${long()} }` }),
  });
  expect((await response.text()).length).toBeLessThan(MAX + 500);
});

describe('A WebSocket', () => {
  /** Sends messages after the acknowledgement; gives what is received, and how the connection is closed. */
  async function exchange(messages: readonly object[]): Promise<{ text: string; code: number; reason: string }> {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { token: await app.token() } }));
    await once(socket, 'message');
    let text = '';
    socket.on('message', (data: Buffer) => {
      text += data.toString();
      socket.close();
    });
    for (const message of messages) socket.send(JSON.stringify(message));
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    return { text, code, reason: reason.toString() };
  }

  test('repeats a long name only in part', async () => {
    const { text } = await exchange([{ id: '1', type: 'subscribe', payload: { query: `{ ${long()} }` } }]);
    expect(text).toContain('"type":"error"');
    expect(text.length).toBeLessThan(MAX + 500);
  });

  test('with a long id that is in use is closed with the reason in part, and nothing is logged', async () => {
    const message = {
      id: long(),
      type: 'subscribe',
      payload: { query: 'subscription { contactsChanged { __typename } }' },
    };
    lines.length = 0;
    const { code, reason } = await exchange([message, message]);
    expect(code).toBe(4409);
    expect(reason).toMatch(/^Subscriber for a+\.\.\.a+ already exists$/);
    expect(lines).toEqual([]);
  });
});

test('A form with many parts is refused before they are all read', async () => {
  const form = new FormData();
  for (let part = 0; part < 100; part++) form.append(`part${String(part)}`, 'x');
  const response = await fetch(`${app.url}/api/v1beta1/gateways?token=${await app.token()}`, {
    method: 'POST',
    body: form,
  });
  expect(await response.json()).toMatchObject({ status: '400', data: ['body: has more than 20 parts'] });
});
