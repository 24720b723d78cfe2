import type { TestApp } from '../support/app';
import { createAgent } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { socketClient } from '../support/subscriptions';

interface Operation {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Record<string, unknown>;
}

type Send = (app: TestApp, operation: Operation) => Promise<unknown>;

async function headersFor(app: TestApp, accept: string): Promise<Record<string, string>> {
  return { 'content-type': 'application/json', authorization: `Bearer ${await app.token()}`, accept };
}

/** Errors, or data, as each transport gives them. */
const TRANSPORTS: readonly (readonly [name: string, send: Send])[] = [
  [
    'HTTP',
    async (app, operation) => {
      const headers = await headersFor(app, 'application/json');
      const body = JSON.stringify(operation);
      return (await fetch(`${app.url}/graphql`, { method: 'POST', headers, body })).json();
    },
  ],
  [
    'GET',
    async (app, { query, operationName, variables }) => {
      const headers = await headersFor(app, 'application/graphql-response+json');
      const search = new URLSearchParams({ query, ...(operationName !== undefined && { operationName }) });
      if (variables) search.set('variables', JSON.stringify(variables));
      return (await fetch(`${app.url}/graphql?${search.toString()}`, { headers })).json();
    },
  ],
  [
    'event streams',
    async (app, operation) => {
      const headers = await headersFor(app, 'text/event-stream');
      const body = JSON.stringify(operation);
      const stream = await (await fetch(`${app.url}/graphql`, { method: 'POST', headers, body })).text();
      return JSON.parse(/^event: next\ndata: (.*)$/m.exec(stream)?.[1] ?? '') as unknown;
    },
  ],
  [
    'WebSockets',
    async (app, operation) => {
      const client = socketClient(app.url, await app.token());
      try {
        for await (const { data, errors } of client.iterate(operation)) return { data, ...(errors && { errors }) };
      } catch (errors) {
        return { errors };
      } finally {
        await client.dispose();
      }
      return undefined;
    },
  ],
];

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

const OPERATIONS: readonly (readonly [what: string, operation: Operation, code: string | undefined])[] = [
  ['reads', { query: '{ viewer { username } }' }, undefined],
  ['asks for what is not there', { query: '{ gateway(ref: "nope") { ref } }' }, 'NOT_FOUND'],
  ['has a malformed argument', { query: '{ dids(first: 0) { totalCount } }' }, 'BAD_USER_INPUT'],
  ['does not parse', { query: '{ viewer { ' }, 'GRAPHQL_PARSE_FAILED'],
  ['has too many tokens', { query: `{ ${'viewer { ref } '.repeat(600)} }` }, 'GRAPHQL_VALIDATION_FAILED'],
  ['asks for one field too often', { query: `{ ${'viewer { ref } '.repeat(300)} }` }, 'GRAPHQL_VALIDATION_FAILED'],
  ['is invalid in two places', { query: '{ gatewys { ref } nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
  [
    'may give too many objects',
    { query: '{ gateways(first: 100) { nodes { dids(first: 100) { nodes { gateway { ref } } } } } }' },
    'GRAPHQL_VALIDATION_FAILED',
  ],
  ['names no operation', { query: 'query A { __typename }', operationName: 'B' }, 'BAD_USER_INPUT'],
  ['leaves a variable out', { query: 'query ($ref: String!) { gateway(ref: $ref) { ref } }' }, 'BAD_USER_INPUT'],
  [
    'has a variable that does not fit',
    { query: 'query ($ref: String!) { gateway(ref: $ref) { ref } }', variables: { ref: 7 } },
    'BAD_USER_INPUT',
  ],
  [
    'has a variable that is too deep',
    { query: 'query ($ref: String!) { gateway(ref: $ref) { ref } }', variables: { ref: deep(200) } },
    'BAD_USER_INPUT',
  ],
];

onEachDriver('An operation', (subject) => {
  test.each(OPERATIONS.map(([what, operation, code]) => ({ what, operation, code })))(
    'that $what has the same result over each transport, the first time and the fifth',
    async ({ operation, code }) => {
      const { app } = subject();
      const results: unknown[] = [];
      for (let time = 0; time < 5; time++)
        for (const [name, send] of TRANSPORTS) results.push([name, await send(app, operation)]);
      const [first] = results as [[string, { errors?: readonly { extensions: Record<string, unknown> }[] }]];
      expect(results).toEqual(results.map((each) => [(each as [string])[0], first[1]]));
      expect(first[1].errors?.[0]?.extensions['code']).toBe(code);
    },
  );

  test('may be sent with GET and a token, and without a preflight only then', async () => {
    const { app } = subject();
    const url = `${app.url}/graphql?${new URLSearchParams({ query: '{ viewer { username } }' }).toString()}`;
    const authorization = `Bearer ${await app.token()}`;
    const answer = await fetch(url, { headers: { authorization } });
    expect(await answer.json()).toEqual({ data: { viewer: { username: 'admin' } } });
    const blocked = await fetch(url);
    expect(blocked.status).not.toBe(200);
  });

  test.each([
    ['gzip;q=0.8', 'gzip'],
    ['br;q=1.0, gzip;q=0.01', 'gzip'],
    ['gzip;q=0', null],
    ['gzip; q=0.000, br', null],
  ])('for the schema is compressed as Accept-Encoding: %s asks for', async (accepted, encoding) => {
    const { app } = subject();
    const headers = { ...(await headersFor(app, 'application/json')), 'accept-encoding': accepted };
    const body = JSON.stringify({ query: '{ __schema { types { name description } } }' });
    for (let time = 0; time < 2; time++) {
      const answer = await fetch(`${app.url}/graphql`, { method: 'POST', headers, body });
      if (time > 0) expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(await answer.json()).toHaveProperty('data');
    }
  });

  test.each([
    ['without a valid token', '{"query":"{ viewer { username } }"}', { authorization: 'Bearer x' }, 401],
    ['with a body that is not JSON', '{', {}, 400],
    ['with a body of another type', 'x', { 'content-type': 'text/css' }, 415],
  ])('%s is answered in the type that the client accepts', async (_what, body, more, status) => {
    const { app } = subject();
    for (const accept of ['application/graphql-response+json', 'application/json']) {
      const headers = { ...(await headersFor(app, `${accept}, */*;q=0.1`)), ...more };
      const answer = await fetch(`${app.url}/graphql`, { method: 'POST', headers, body });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, `${accept}; charset=utf-8`]);
      expect(await answer.json()).toHaveProperty('errors');
    }
  });

  test.each(['GET', 'HEAD', 'OPTIONS'])('that changes something is not executed with %s', async (method) => {
    const { app } = subject();
    const ref = await createAgent(app);
    const search = new URLSearchParams({ query: `mutation { deleteAgent(ref: "${ref}") }` });
    for (const accept of ['application/json', 'text/event-stream']) {
      const headers = await headersFor(app, accept);
      await (await fetch(`${app.url}/graphql?${search.toString()}`, { method, headers })).text();
    }
    const { data } = await app.graphql(`{ agent(ref: "${ref}") { ref } }`);
    expect(data).toEqual({ agent: { ref } });
  });
});
