import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient, type Client } from '../../clients/typescript/src/index';
import { startApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { runCommand } from '../support/command-line';
import { metric } from '../support/metrics';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';
import { socketClient, type Told } from '../support/subscriptions';

const LIST = 'query List($first: Int) { gateways(first: $first) { nodes { ref } } }';
const EVENTS = 'subscription Events { resourceChanged { ref } }';
const CREATE = 'mutation Create($input: CreateGatewayInput!) { createGateway(input: $input) { ref } }';
const SCHEMA = '{ __schema { queryType { name } } }';
const OTHER = '{ viewer { username } }';
const LISTED = [LIST, EVENTS, CREATE];

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const byHash = (text: string, more: object = {}): object => ({
  extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(text) }, ...more },
});

/** The first result of an operation, and the HTTP status if there is one. */
interface Answer extends Told {
  readonly status?: number;
}

onEachDriver('API tokens with documents', (subject) => {
  let admin: Client;
  let restricted: string;

  const made = async (documents: readonly string[]) =>
    (await admin.createApiToken({ name: 'a page', role: 'ADMIN', documents: [...documents] })).createApiToken;

  const post = async (token: string, body: object, headers: object = {}): Promise<Answer> => {
    const response = await fetch(`${subject().app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, ...((await response.json()) as Told) };
  };

  const get = async (token: string, parameters: Record<string, string>, accept: string): Promise<string> => {
    const url = `${subject().app.url}/graphql?${new URLSearchParams(parameters).toString()}`;
    const headers = { accept, authorization: `Bearer ${token}`, 'apollo-require-preflight': 'true' };
    return (await fetch(url, { headers })).text();
  };

  const overSocket = async (token: string, payload: object): Promise<Told> => {
    const client = socketClient(subject().app.url, token);
    try {
      for await (const told of client.iterate({ query: '', ...payload })) return told;
      return {};
    } catch (errors) {
      return { errors: errors as NonNullable<Told['errors']> };
    } finally {
      await client.dispose();
    }
  };

  const ways: readonly (readonly [string, (token: string, query: string) => Promise<Told>])[] = [
    ['POST', (token, query) => post(token, { query })],
    ['POST with extensions', (token, query) => post(token, { query, extensions: { client: 'x' } })],
    ['POST with the hash', (token, query) => post(token, byHash(query))],
    ['POST with the document and its hash', (token, query) => post(token, { query, ...byHash(query) })],
    ['GET', async (token, query) => JSON.parse(await get(token, { query }, 'application/json')) as Told],
    ['a WebSocket', (token, query) => overSocket(token, { query })],
    ['a WebSocket with the hash', (token, query) => overSocket(token, byHash(query))],
  ];

  beforeAll(async () => {
    admin = createClient(`${subject().app.url}/graphql`, { token: await subject().app.token() });
    restricted = (await made(LISTED)).token;
    await createGateway(subject().app);
    // So that it is compiled, and the schema is cached, when the token sends them.
    for (let time = 0; time < 5; time++) {
      await post(await subject().app.token(), { query: OTHER });
      await post(await subject().app.token(), { query: SCHEMA });
    }
  });

  test.each(ways)('%s runs a listed document, and refuses any other with FORBIDDEN', async (_way, send) => {
    expect(await send(restricted, LIST)).toMatchObject({ data: { gateways: { nodes: [{}] } } });
    for (const query of [
      OTHER,
      SCHEMA,
      `${LIST} `,
      `${LIST} ${EVENTS}`,
      'mutation { createToken(username: "x", secret: "y") { token } }',
    ]) {
      const { data, errors } = await send(restricted, query);
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining('may only send the documents'),
        extensions: { code: 'FORBIDDEN', status: 403 },
      });
      expect(data ?? undefined).toBeUndefined();
    }
  });

  test('an event stream sends the events of a listed document, also by its hash, and of no other', async () => {
    const accept = 'text/event-stream';
    const parameters = (query: string) => ({ extensions: JSON.stringify(byHash(query)).slice(14, -1) });
    expect(await get(restricted, { query: LIST }, accept)).toContain('"nodes":[{');
    expect(await get(restricted, parameters(LIST), accept)).toContain('"nodes":[{');
    for (const query of [OTHER, 'subscription { callChanged { call { id } } }']) {
      expect(await get(restricted, { query }, accept)).toContain('"code":"FORBIDDEN"');
      expect(await get(restricted, parameters(query), accept)).toContain('"code":"FORBIDDEN"');
    }
  });

  test('a WebSocket subscribes to a listed document by its hash', async () => {
    const client = socketClient(subject().app.url, restricted);
    const events = client.iterate({ query: '', ...byHash(EVENTS) });
    const first = events.next();
    const heard: unknown[] = [];
    void first.then((event) => heard.push(event));
    await eventually(60, async () => {
      // Until the subscription has begun, it misses changes.
      await createGateway(subject().app);
      expect(heard).toHaveLength(1);
    });
    expect(heard[0]).toMatchObject({ value: { data: { resourceChanged: { ref: expect.any(String) } } } });
    await client.dispose();
  });

  test('a WebSocket that sends the hash of another document leaves no request in progress', async () => {
    const { app } = subject();
    expect((await overSocket(restricted, byHash(OTHER))).errors).toHaveLength(1);
    expect(await metric(app.url, await app.token(), 'sipgraph_requests_in_progress')).toBe(0);
  });

  test('a listed mutation takes variables, with the role of the token, and the schema is sent if it is listed', async () => {
    const variables = { input: { name: 'by hash', host: 'byhash.example', transport: 'UDP' } };
    expect(await post(restricted, { variables, ...byHash(CREATE) })).toMatchObject({
      status: 200,
      data: { createGateway: { ref: expect.any(String) } },
    });
    const { token } = await made([SCHEMA]);
    expect(await post(token, { query: SCHEMA })).toMatchObject({
      data: { __schema: { queryType: { name: 'Query' } } },
    });
    expect((await post(token, { query: LIST })).status).toBe(403);
  });

  test('REST and the metrics refuse an API token with documents', async () => {
    const { app } = subject();
    for (const method of ['GET', 'POST', 'PATCH'])
      expect((await app.rest(method, '/gateways', { token: restricted })).status).toBe(403);
    expect((await app.rest('GET', '/gateways/nothing', { token: restricted })).body).toMatchObject({ status: '403' });
    const headers = { authorization: `Bearer ${restricted}` };
    expect((await fetch(`${app.url}/metrics`, { headers })).status).toBe(403);
  });

  test('each refusal of another document is logged as a security event, also if only its hash was sent', async () => {
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line) };
    const app = await startApp({ DATABASE_URL: subject().url, LOG_LEVEL: 'info' }, log);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${restricted}` };
    for (const body of [{ query: OTHER }, byHash(OTHER)])
      await fetch(`${app.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
    await app.close();
    const events = lines.map((line) => JSON.parse(line) as { readonly event?: string });
    expect(events.filter(({ event }) => event === 'refused-by-role')).toMatchObject([
      { user: 'admin', reason: expect.stringContaining('may only send the documents') },
      { user: 'admin', reason: expect.stringContaining(hashOf(OTHER)) },
    ]);
  });

  test.each<[string, readonly string[], string]>([
    ['no documents', [], 'is empty'],
    ['101 documents', Array.from({ length: 101 }, (_, index) => `query Q${String(index)} { __typename }`), '101'],
    ['a document of 10,001 characters', [`{ __typename }${' '.repeat(9987)}`], 'documents[0] has 10001 characters'],
    [
      'more than 200,000 characters',
      Array.from({ length: 21 }, (_, index) => `query Q${String(index)} { __typename }`.padEnd(9999)),
      '209979',
    ],
    [
      'a text that is no document',
      [LIST, '{ "the secret" }'],
      'documents[1] is not a GraphQL document (line 1, column 3)',
    ],
    [
      'a field that does not exist',
      [LIST, 'query X { nope }'],
      'documents[1] does not fit the schema (line 1, column 11)',
    ],
    ['a value of another type', ['{ gateway(ref: {a: "secret"}) { ref } }'], 'documents[0] does not fit the schema'],
    ['a document without an operation', ['fragment F on Gateway { ref }'], 'documents[0] has no operation'],
  ])('createApiToken refuses %s', async (_what, documents, message) => {
    const before = (await admin.apiTokens()).apiTokens.length;
    const refused = made(documents);
    await expect(refused).rejects.toMatchObject({ fields: ['documents'], message: expect.stringContaining(message) });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
    expect((await admin.apiTokens()).apiTokens).toHaveLength(before);
  });

  test.each<[string, object, string]>([
    ['a hash that is no text', { extensions: { persistedQuery: { sha256Hash: 7 } } }, 'must be a string'],
    ['the hash of another document', { query: LIST, ...byHash(EVENTS) }, 'is not the hash of query'],
  ])('a request with %s is refused', async (_what, body, message) => {
    expect((await post(restricted, body)).errors?.[0]).toMatchObject({
      message: `extensions.persistedQuery.sha256Hash: ${message}`,
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  test('a token with the role VIEWER is not made for a mutation that requires another role', async () => {
    const create = (documents: readonly string[], role = 'VIEWER') =>
      subject().app.graphql(
        'mutation ($documents: [String!], $role: Role!) { createApiToken(name: "v", role: $role, documents: $documents) { token } }',
        { documents, role },
      );
    const refused: readonly (readonly [documents: readonly string[], message: string])[] = [
      [[LIST, CREATE], 'documents[1] has the mutation createGateway'],
      [
        ['mutation { ... on Mutation { ... { deleteGateway(ref: "a") } } }'],
        'documents[0] has the mutation deleteGateway',
      ],
      [
        ['mutation { ...F } fragment F on Mutation { a: deleteGateway(ref: "a") }'],
        'documents[0] has the mutation deleteGateway',
      ],
    ];
    for (const [documents, message] of refused) {
      const { errors } = await create(documents);
      expect(errors).toMatchObject([
        {
          message: `documents: ${message}, which a token with the role VIEWER may not send`,
          extensions: { code: 'BAD_USER_INPUT', fields: ['documents'] },
        },
      ]);
      expect((await create(documents, 'OPERATOR')).errors).toBeUndefined();
    }
    const own = 'mutation { __typename cancelExport(ref: "a") }';
    expect((await create([LIST, EVENTS, own])).errors).toBeUndefined();
  });

  test('only an API token with documents may send a hash', async () => {
    const { token } = (await admin.createApiToken({ name: 'any', role: 'ADMIN' })).createApiToken;
    const { errors } = await post(token, byHash(LIST));
    expect(errors).toHaveLength(1);
    expect((await overSocket(token, byHash(LIST))).errors).toHaveLength(1);
  });

  test('its documents are listed by name and hash, in the history by their number, and deleted with it', async () => {
    const { app } = subject();
    const { apiToken, token } = await made([LIST, CREATE, LIST]);
    // Versions without documents reject the form of the token.
    expect(token).toMatch(/^sg_doc_[0-9A-Za-z]{36}$/);
    const { data } = await app.graphql<{ apiTokens: { ref: string; documents: unknown }[] }>(
      '{ apiTokens { ref documents { name sha256Hash } } }',
    );
    expect(data.apiTokens.find(({ ref }) => ref === apiToken.ref)?.documents).toEqual([
      { name: 'query List', sha256Hash: hashOf(LIST) },
      { name: 'mutation Create', sha256Hash: hashOf(CREATE) },
    ]);
    const { token: any } = (await admin.createApiToken({ name: 'any', role: 'ADMIN' })).createApiToken;
    const own = await app.graphql<{ apiTokens: { documents: unknown }[] }>(
      '{ apiTokens { documents { name } } }',
      {},
      { token: any },
    );
    expect(own.data.apiTokens.some(({ documents }) => documents === null)).toBe(true);
    const history = await app.graphql<{ history: { nodes: unknown[] } }>(
      `{ history(first: 1, where: { kind: ApiToken, ref: "${apiToken.ref}" }) { nodes { changes { field after } } } }`,
    );
    expect(history.data.history.nodes).toEqual([
      { changes: expect.arrayContaining([{ field: 'documents', after: '2' }]) },
    ]);
    await admin.deleteApiToken({ ref: apiToken.ref });
    const left = 'SELECT COUNT(*) FROM api_token_documents WHERE token_id NOT IN (SELECT id FROM api_tokens)';
    expect(await runSql(subject().url, left)).toEqual([[0]]);
  });

  test('the command line creates a token with the documents of files', async () => {
    const env = { DATABASE_URL: subject().url };
    const files = LISTED.map((text, index) => {
      const file = join(tmpdir(), `sipgraph-${String(process.pid)}-${String(index)}.graphql`);
      writeFileSync(file, text);
      return file;
    });
    const create = (...documents: readonly string[]) =>
      runCommand(env, 'token', 'create', 'admin', '--name', 'page', '--role', 'operator', '--documents', ...documents);
    const { out, code } = await create(...files);
    expect(code).toBe(0);
    expect(await post(out.trim(), { query: LIST })).toMatchObject({ status: 200 });
    expect(await post(out.trim(), { query: OTHER })).toMatchObject({ status: 403 });
    expect((await runCommand(env, 'token', 'list')).out).toContain('only 3 documents');
    expect(await create('nothing.graphql')).toMatchObject({ code: 1, err: expect.stringContaining('nothing.graphql') });
  });
});
