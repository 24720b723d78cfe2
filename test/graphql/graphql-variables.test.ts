import { readFile } from 'node:fs/promises';

import { buildSchema } from 'graphql';
import WebSocket from 'ws';

import { createDid, createGateway } from '../support/factories';
import { startApp, type TestApp } from '../support/app';
import { onEachDriver } from '../support/databases/on-each-database';
import { createSqliteDatabase } from '../support/databases/sqlite-database';
import { transports } from '../support/subscriptions';

type Values = Readonly<Record<string, unknown>>;

const AGENTS = 'query ($w: AgentWhere) { agents(where: $w) { totalCount } }';
const ALIASES = `query ($w: AgentWhere) { ${Array.from({ length: 30 }, (_, n) => `a${String(n)}: agents(where: $w) { totalCount }`).join(' ')} }`;
const GATEWAYS = 'query ($w: GatewayWhere) { gateways(where: $w) { totalCount } }';
const ORDERED = 'query ($w: [AgentOrder!]) { agents(orderBy: $w) { totalCount } }';

const unknownMembers = (count: number): Values =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${String(n)}`, 1]));
const lists = (count: number): Values => ({
  or: Array.from({ length: count }, () => ({ host: { in: Array<string>(1000).fill('') } })),
});

onEachDriver('Variables of a GraphQL operation', (subject) => {
  test('add no type to the schema that introspection shows', async () => {
    const types = '__schema { types { name } }';
    const documents: readonly (readonly [document: string, variables: Values])[] = [
      [`{ ${types} }`, {}],
      [`query ($w: AgentWhere) { ${types} agents(where: $w) { totalCount } }`, { w: {} }],
    ];
    const known = Object.keys(buildSchema(await readFile('schema/schema.graphql', 'utf8')).getTypeMap()).toSorted();
    for (const [document, variables] of documents) {
      // One that runs often is compiled.
      for (let turn = 0; turn < 4; turn++) {
        const { data, errors } = await subject().app.graphql<{ __schema: { types: { name: string }[] } }>(
          document,
          variables,
        );
        expect(errors).toBeUndefined();
        expect(data.__schema.types.map(({ name }) => name).toSorted()).toEqual(known);
      }
    }
  });

  test.each([
    ['15,000 unknown members', AGENTS, unknownMembers(15_000)],
    ['60,000 wrong elements', AGENTS, { and: Array(60_000).fill(1) }],
    ['60,000 wrong elements of an order', ORDERED, Array(60_000).fill(1)],
    ['80,000 empty conditions', AGENTS, { and: Array(80_000).fill({}) }],
    ['1,000 conditions that 30 aliases use', ALIASES, { and: Array(1000).fill({}) }],
    ['35 lists of 1,000', GATEWAYS, lists(35)],
    ['80 lists of 1,000', GATEWAYS, lists(80)],
  ])('with %s are refused before they are converted', async (_what, query, w) => {
    const { errors } = await subject().app.graphql(query, { w });
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.message).toContain('Variable "$w" has too many values');
    expect(errors?.[0]?.extensions).toEqual({
      code: 'BAD_USER_INPUT',
      status: 400,
      fields: ['w'],
      errors: [{ path: 'w', message: expect.stringContaining('has too many values') as string }],
    });
  });

  test('that do not fit their types get an error without their values, whatever these contain', async () => {
    const query = 'mutation ($input: CreateAgentInput!) { createAgent(input: $input) { ref } }';
    for (const secret of ['hush; hush-hush', 'hush at "x"; Field "y" hush', '"; hush']) {
      const { errors } = await subject().app.graphql(query, { input: { name: 'n', domains: ['a.test'], secret } });
      expect(JSON.stringify(errors)).not.toContain('hush');
      expect(errors?.[0]?.extensions).toMatchObject({ fields: ['username'] });
    }
  });

  test.each<[Values, string, string]>([
    [{ name: 'n' }, 'domainUri', 'Field "domainUri" of required type "String!" was not provided.'],
    [{ name: 'n', domainUri: 'a.test', nope: 1 }, 'nope', 'Field "nope" is not defined by type "CreateDomainInput".'],
    [{ name: 'n', domainUri: 'a.test', egressPolicy: 'x' }, 'egressPolicy', 'to be an object.'],
    [{ name: 1, domainUri: 'a.test' }, 'name', 'a string is expected'],
  ])('that do not fit their types get the field and the text of the error: %j', async (input, path, message) => {
    const { errors } = await subject().app.graphql(
      'mutation ($input: CreateDomainInput!) { createDomain(input: $input) { ref } }',
      { input },
    );
    expect(errors?.[0]?.extensions).toEqual({
      code: 'BAD_USER_INPUT',
      status: 400,
      fields: [path],
      errors: [{ path, message: expect.stringContaining(message) as string }],
    });
  });

  test.each([
    ['2,000 unknown members', AGENTS, unknownMembers(2000)],
    ['9,000 wrong elements', AGENTS, { and: Array(9000).fill(1) }],
    ['9,000 wrong elements of an order', ORDERED, Array(9000).fill(1)],
  ])('with %s get a few errors', async (_what, query, w) => {
    const { errors = [] } = await subject().app.graphql(query, { w });
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThanOrEqual(11);
    for (const { extensions } of errors) expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', status: 400 });
  });

  test('get a few errors for an operation that is compiled, too', async () => {
    const { app } = subject();
    for (let time = 0; time < 5; time++) await app.graphql(AGENTS, { w: {} });
    const { errors = [] } = await app.graphql(AGENTS, { w: unknownMembers(2000) });
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThanOrEqual(11);
  });

  test('with 300 empty conditions are refused, as with 300 conditions', async () => {
    const { errors } = await subject().app.graphql(AGENTS, { w: { and: Array(300).fill({}) } });
    expect(errors?.[0]?.message).toContain('has more than 200 conditions');
  });

  test('may have 5,000 values', async () => {
    const { errors } = await subject().app.graphql(GATEWAYS, { w: lists(5) });
    expect(errors).toBeUndefined();
  });
});

describe('Documents without a token', () => {
  test.each([
    `query (${Array.from({ length: 100 }, (_, n) => `$v${String(n)}: GatewayConnectionEdg${String(n)}`).join(' ')}) { __typename }`,
    `{ __schema { ${Array.from({ length: 100 }, (_, n) => `typ${String(n)}`).join(' ')} } }`,
  ])('get one error without a suggestion, however many mistakes they have: %#', async (query) => {
    const database = await createSqliteDatabase();
    const app = await startApp({ DATABASE_URL: database.url });
    try {
      const { errors = [] } = await app.graphql(query, {}, { token: null });
      expect(errors.length).toBeGreaterThan(0);
      expect(errors.length).toBeLessThanOrEqual(2); // the second: too many errors
      expect(JSON.stringify(errors)).not.toContain('Did you mean');
    } finally {
      await app.close();
      await database.drop();
    }
  });
});

describe('With a budget of 10,000 objects', () => {
  let app: TestApp;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    const database = await createSqliteDatabase();
    drop = database.drop;
    app = await startApp({ DATABASE_URL: database.url, RATE_LIMIT_WORK: '10000' });
  });

  afterEach(async () => {
    await app.close();
    await drop();
  });

  test('WebSocket messages are charged by size, and a pong has no payload', async () => {
    const token = await app.token();
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const received: string[] = [];
    socket.on('message', (data: Buffer) => received.push(data.toString()));
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    const ping = JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(200_000) } });
    socket.once('open', () => {
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
      socket.on('message', () => {
        socket.send(ping);
      });
    });
    expect(await closed).toBe(1013);
    expect(received.slice(1, 3)).toEqual(['{"type":"pong"}', '{"type":"pong"}']);
    expect(received.length).toBeLessThan(6);
  });

  test.each(transports)('over $name, events are charged for what they select', async ({ subscribe }) => {
    const gateways = Array.from(
      { length: 10 },
      (_, n) => `g${String(n)}: gateway { dids(first: 100) { nodes { gateway { ref } } } }`,
    );
    const selection = `resourceChanged { resource { ... on DID { ${gateways.join(' ')} } } }`;
    const subscription = await subscribe(app.url, await app.token(), `subscription { ${selection} }`);
    const gatewayRef = await createGateway(app);
    for (let n = 0; n < 8; n++) await createDid(app, { gatewayRef });
    const told = [await subscription.next()];
    while (!told.at(-1)?.errors) told.push(await subscription.next());
    expect(told.at(-1)?.errors?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    expect(told.length).toBeLessThan(8);
    await subscription.close();
  });
});
