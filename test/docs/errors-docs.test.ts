import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startApp, type RestOptions, type TestApp } from '../support/app';

const page = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8');
const rows = [...page.matchAll(/^\| `([A-Z_]+)`\s*\| (\d+)\s*\| (?:`([^`]+)`)?\s*\|/gm)].map(
  ([, code = '', status = '', message = '']) => ({ code, status: Number(status), message }),
);
const [extensions, inUse, malformed] = [...page.matchAll(/```json\n([^`]*)```/g)].map(([, block = '']): unknown =>
  JSON.parse(block),
);

const CREATE = 'mutation ($input: CreateDIDInput!) { createDID(input: $input) { ref } }';
const did = { gatewayRef: 'gweef506', telUrl: 'tel:0000000000', aorLink: 'sip:1001@sip.local' };
const gateway = (spec: object): object => ({
  kind: 'Gateway',
  metadata: { name: 'New' },
  spec: { host: 'new.test', transport: 'udp', ...spec },
});
const numberOf = (gwRef: string): object => ({
  kind: 'Number',
  metadata: { gwRef },
  spec: { location: { telUrl: 'tel:+1', aorLink: 'sip:1001@sip.local' } },
});

describe('docs/errors.md', () => {
  let app: TestApp;
  let limited: TestApp;
  let viewer: string;

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
    limited = await startApp({ RATE_LIMIT_REQUESTS: '1' });
    await limited.rest('GET', '/gateways');
    const { data } = await app.graphql<{ createApiToken: { token: string } }>(
      'mutation { createApiToken(name: "viewer", role: VIEWER) { token } }',
    );
    viewer = data.createApiToken.token;
  });

  afterAll(() => Promise.all([app.close(), limited.close()]));

  test('lists all codes of the schema with their statuses, and no others', async () => {
    const { data } = await app.graphql<{
      __type: { enumValues: readonly { readonly name: string; readonly description: string }[] };
    }>('{ __type(name: "ErrorCode") { enumValues { name description } } }');
    const codes = data.__type.enumValues.map(({ name, description }) => ({
      code: name,
      status: Number(/\(status (\d+)\)/.exec(description)?.[1]),
    }));
    const listed = rows.filter(({ status }) => status !== 422).map(({ code, status }) => ({ code, status }));
    const byCode = (one: { readonly code: string }, other: { readonly code: string }): number =>
      one.code < other.code ? -1 : 1;
    expect(listed.toSorted(byCode)).toEqual(codes.toSorted(byCode));
  });

  test.each<[string, string, object?]>([
    ['BAD_USER_INPUT', '{ gateways(first: -1) { totalCount } }'],
    ['NOT_FOUND', '{ gateway(ref: "nope") { name } }'],
    ['NOT_SUPPORTED', 'mutation { evictContact(addressOfRecord: "sip:1001@sip.local") }'],
    ['CONFLICT', CREATE, { input: did }],
    ['UNFULFILLED_DEPENDENCY', CREATE, { input: { ...did, gatewayRef: 'nope' } }],
    ['DEPENDENT_OBJECTS', 'mutation { deleteGateway(ref: "gweef506") }'],
    ['GRAPHQL_PARSE_FAILED', '{ gateways'],
    ['GRAPHQL_VALIDATION_FAILED', '{ nope }'],
  ])('is right about %s in GraphQL', async (code, query, variables = {}) => {
    const { errors } = await app.graphql(query, { ...variables });
    expect(rows).toContainEqual(expect.objectContaining({ code, status: errors?.[0]?.extensions['status'] }));
    expect(errors?.[0]?.extensions['code']).toBe(code);
  });

  test('is right about several mutations in one document', async () => {
    const create = (name: string, input: string): string =>
      `${name}: createGateway(input: { name: "${name}", host: "several.test", transport: UDP ${input} }) { ref }`;
    const { data, errors } = await app.graphql(
      `mutation { ${create('first', 'ref: "first"')} ${create('second', '')} ${create('third', 'port: 5070')} }`,
    );
    expect([data, errors]).toMatchObject([null, [{ path: ['second'], extensions: { code: 'CONFLICT' } }]]);
    const names = '{ gateways(where: { host: { eq: "several.test" } }) { nodes { name } } }';
    expect((await app.graphql(names)).data).toEqual({ gateways: { nodes: [{ name: 'first' }] } });
  });

  test('is right about callers who may not send a request, or not now', async () => {
    const query = 'mutation { deleteGateway(ref: "gweef506") }';
    for (const [code, response] of [
      ['UNAUTHENTICATED', await app.graphql(query, {}, { token: null })],
      ['FORBIDDEN', await app.graphql(query, {}, { token: viewer })],
      ['RATE_LIMITED', await limited.graphql(query)],
    ] as const) {
      expect(response.errors?.[0]?.extensions['code']).toBe(code);
    }
    expect((await app.graphql(query, {}, { token: null })).status).toBe(401);
    expect((await limited.graphql(query)).errors?.[0]?.extensions['retryAfter']).toEqual(expect.any(Number));
  });

  test.each<[number, string, string, RestOptions?]>([
    [400, 'GET', '/gateways?page=x'],
    [401, 'GET', '/gateways', { token: null }],
    [404, 'GET', '/gateways/nope'],
    [405, 'DELETE', '/location'],
    [
      409,
      'POST',
      '/gateways',
      { body: gateway({ host: 'sip.provider.net', credentials: { username: '215706', secret: 's' } }) },
    ],
    [4091, 'POST', '/numbers', { body: numberOf('nope') }],
    [4092, 'DELETE', '/gateways/gweef506'],
  ])('is right about %i in REST', async (status, method, path, options = {}) => {
    const response = await app.rest(method, path, options);
    const { message } = rows.find((row) => row.status === status) ?? {};
    expect([Number(response.body.status), response.body.message]).toEqual([status, message]);
    expect(response.status).toBe(status > 999 ? 409 : status);
  });

  test('is right about 403, 422 and 429 in REST', async () => {
    const send = (host: string) =>
      app.rest('POST', '/gateways', { body: gateway({ host }), headers: { 'idempotency-key': 'errors' } });
    await send('one.test');
    const refusals = [
      await app.rest('DELETE', '/gateways/gweef506', { token: viewer }),
      await send('two.test'),
      await limited.rest('GET', '/gateways'),
    ];
    const listed = [403, 422, 429].map((status) => rows.find((row) => row.status === status));
    expect(refusals.map(({ body }) => body)).toMatchObject(
      listed.map((row) => ({ status: String(row?.status), message: row?.message })),
    );
    expect(refusals.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  test('has examples that are true', async () => {
    const { errors } = await app.graphql(
      'mutation ($input: CreateGatewayInput!) { createGateway(input: $input) { ref } }',
      {
        input: { name: 'New', host: 'a b', transport: 'UDP', port: 0 },
      },
    );
    expect(errors?.[0]?.extensions).toEqual(extensions);
    expect((await app.rest('POST', '/numbers', { body: numberOf('nope') })).body).toEqual(inUse);
    expect((await app.rest('POST', '/gateways', { body: gateway({ port: 70_000 }) })).body).toEqual(malformed);
  });
});
