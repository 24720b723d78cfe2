import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { WebSocket } from 'ws';

import { startApp, type TestApp } from '../support/app';
import { onEachDriver } from '../support/databases/on-each-database';

const UNAUTHORIZED = 'You are unauthorized to make this request.';

/** Sends bytes; returns what is received until the connection is closed, or until `enough`. */
function exchange(app: TestApp, bytes: string, enough?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
      if (enough?.test(text) === true) socket.destroy();
    });
    socket.on('error', reject).on('close', () => resolve(text));
  });
}

function post(path: string, headers: readonly string[], body: string): string {
  return [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', body].join('\r\n');
}

const JSON_TYPE = 'Content-Type: application/json';
const FORM = 'Content-Type: multipart/form-data; boundary=b';
const LARGE = 'x'.repeat(300_000);

const SIGN_IN = 'mutation ($u: String!, $s: String!) { createToken(username: $u, secret: $s) { token role } }';
const INTROSPECTION = '{ __schema { types { name fields { name args { name type { name } } type { name } } } } }';

onEachDriver('A request without a token', (subject) => {
  test.each<[string, readonly string[], string]>([
    ['malformed JSON', [JSON_TYPE, 'Content-Length: 5'], '{"a":'],
    ['a body shorter than its Content-Length', [JSON_TYPE, 'Content-Length: 5000'], '{}'],
    ['a form', [FORM, 'Content-Length: 9'], '--b\r\nwhat'],
    ['a form without a boundary', ['Content-Type: multipart/form-data', 'Content-Length: 2'], '{}'],
    ['a body that is too large', [JSON_TYPE, `Content-Length: ${String(LARGE.length)}`], LARGE],
    ['malformed chunks', [JSON_TYPE, 'Transfer-Encoding: chunked'], '5\r\n{"a":\r\n'],
    ['a body that is announced', [JSON_TYPE, 'Content-Length: 5000', 'Expect: 100-continue'], ''],
    ['a compressed body', [JSON_TYPE, 'Content-Encoding: gzip', 'Content-Length: 2'], '{}'],
  ])('is 401 whatever else is wrong, with %s', async (_what, headers, body) => {
    for (const [path, status] of [
      ['/api/v1beta1/dids', '"401"'],
      ['/api/v1beta1/dids?token=wrong', '"401"'],
      ['/api/v1beta1/registry', '401'],
    ] as const) {
      const answer = await exchange(subject().app, post(path, headers, body), /\}$/);
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer).not.toContain('100 Continue');
      expect(answer).toContain(`{"status":${status},"message":"${UNAUTHORIZED}"}`);
    }
  });

  test('does not keep a connection waiting for the rest of its body', async () => {
    const headers = [JSON_TYPE, 'Content-Length: 200000'];
    const answer = await exchange(subject().app, post('/api/v1beta1/dids', headers, '{'));
    expect(answer).toMatch(/^HTTP\/1\.1 401 [^]*connection: close/i);
  });

  test('gets its response in order with other requests on the connection, once its body has arrived', async () => {
    const one = post('/api/v1beta1/dids', [JSON_TYPE, 'Content-Length: 2'], '[]');
    const answers = await exchange(subject().app, one + one + one, /(HTTP[^]*){3}\}$/);
    expect(answers.match(/HTTP\/1\.1 401/g)).toHaveLength(3);
  });

  test.each(['GET', 'HEAD', 'OPTIONS'])('may be a %s with a body that nobody reads', async (method) => {
    const { app } = subject();
    const uncaught: unknown[] = [];
    const hear = (error: unknown): void => void uncaught.push(error);
    process.on('uncaughtExceptionMonitor', hear);
    const socket = createConnection(Number(new URL(app.url).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    const headers = ['Host: x', 'Content-Type: text/plain', 'Transfer-Encoding: chunked', '', ''];
    socket.write([`${method} /graphql?query=%7B__typename%7D HTTP/1.1`, ...headers].join('\r\n'));
    for (let part = 0; part < 8; part++) {
      await delay(20);
      socket.write(`1387\r\n${'x'.repeat(4999)}\r\n`);
    }
    expect((await app.rest('GET', '/dids')).status).toBe(200);
    socket.destroy();
    process.off('uncaughtExceptionMonitor', hear);
    expect(uncaught).toEqual([]);
  });

  test('is 404 or 405 before its body has arrived, too', async () => {
    const headers = [JSON_TYPE, 'Content-Length: 5'];
    for (const [path, status] of [
      ['/api/v1beta1/nothing', 404],
      ['/nothing', 404],
      ['/api/v1beta1/token', 405],
    ] as const) {
      const answer = await exchange(subject().app, post(path, headers, '{"a":'), /\}$/);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
    }
  });

  async function graphql(body: string, headers: Readonly<Record<string, string>> = {}) {
    const { app } = subject();
    const answer = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  }

  test('can sign in and introspect the schema', async () => {
    const { app } = subject();
    const signIn = await app.graphql(SIGN_IN, { u: 'admin', s: app.adminSecret }, { token: null });
    expect(signIn).toMatchObject({ status: 200, data: { createToken: { role: 'ADMIN' } } });
    expect(await app.graphql(INTROSPECTION, {}, { token: null })).toMatchObject({ data: { __schema: {} } });
    expect(await app.graphql('{ __typename }', {}, { token: null })).toMatchObject({ data: { __typename: 'Query' } });
    const get = await fetch(`${app.url}/graphql?query=${encodeURIComponent('{ __typename }')}`, {
      headers: { 'apollo-require-preflight': 'true' },
    });
    expect(await get.json()).toEqual({ data: { __typename: 'Query' } });
  });

  test.each<[string, string]>([
    ['a field that requires a token', '{ viewer { username } }'],
    ['such a field next to others', '{ __typename systemInfo { version } }'],
    ['such a field in a fragment', '{ ...F } fragment F on Query { viewer { ref } }'],
    ['such a field in another operation', 'query A { __typename } query B { viewer { ref } }'],
    ['an unknown field', '{ nothing }'],
    ['a document that does not parse', '{ __typename'],
    ['a filter', 'query ($w: AgentWhere) { agents(where: $w) { totalCount } }'],
    ['a subscription', 'subscription { resourceChanged { ref } }'],
    [
      'many sign-ins',
      'mutation { a: createToken(username: "a", secret: "b") { token } b: createToken(username: "a", secret: "c") { token } }',
    ],
    ['the schema twice', '{ a: __schema { types { name } } b: __schema { types { name } } }'],
    [
      'one type of the schema under several names',
      '{ __schema { types { fields { type { a: ofType { name } b: ofType { name } } } } } }',
    ],
    ['one name of the schema under several names', '{ __schema { types { a: name b: name } } }'],
    ['recursive introspection', '{ __schema { types { fields { type { fields { name } } } } } }'],
    ['more than five hundred tokens', `{ ${'__typename '.repeat(600)} }`],
  ])('is UNAUTHENTICATED with %s', async (_what, query) => {
    const { status, text } = await graphql(JSON.stringify({ query }));
    expect([status, text]).toEqual([401, expect.stringContaining('"code":"UNAUTHENTICATED"')]);
  });

  test.each<[string, string, Readonly<Record<string, string>>]>([
    ['is longer than 16 KiB', JSON.stringify({ query: '{ __typename }', more: 'x'.repeat(17_000) }), {}],
    ['is a form', '--b', { 'content-type': 'multipart/form-data; boundary=b' }],
    ['is a text', '{"query":"{ __typename }"}', { 'content-type': 'text/plain' }],
    ['is a list', '[{"query":"{ __typename }"}]', {}],
    ['wants events', '{"query":"subscription { __typename }"}', { accept: 'text/event-stream' }],
  ])('is UNAUTHENTICATED when its body %s', async (_what, body, headers) => {
    const { status, text } = await graphql(body, headers);
    expect([status, text]).toEqual([401, expect.stringContaining('"code":"UNAUTHENTICATED"')]);
  });

  test('is UNAUTHENTICATED if its chunks exceed 16 KiB', async () => {
    const chunk = `2000\r\n${' '.repeat(0x2000)}\r\n`;
    const bytes = post('/graphql', [JSON_TYPE, 'Transfer-Encoding: chunked'], chunk.repeat(4));
    expect(await exchange(subject().app, bytes, /\}$/)).toMatch(/^HTTP\/1\.1 401 [^]*"UNAUTHENTICATED"/);
  });

  test('is not compiled or cached', async () => {
    const { app } = subject();
    const begun = performance.now();
    for (let time = 0; time < 5; time++) {
      await app.graphql('query ($w: AgentWhere) { agents(where: $w) { totalCount } }', {}, { token: null });
    }
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('over a WebSocket is closed after 16 KiB, after a message that only a server sends, or if it never authenticates', async () => {
    const url = `${subject().app.url.replace('http', 'ws')}/graphql`;
    const closed = (send: string | undefined): Promise<number> =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(url, 'graphql-transport-ws');
        socket.on('open', () => {
          if (send !== undefined) socket.send(send);
        });
        socket.on('close', resolve).on('error', reject);
      });
    const large = JSON.stringify({ type: 'connection_init', payload: { token: 'x'.repeat(20_000) } });
    expect(await Promise.race([closed(large), delay(15_000, 'open')])).toBe(1009);
    expect(await Promise.race([closed('{"type":"connection_ack"}'), delay(15_000, 'open')])).toBe(4400);
    expect(await Promise.race([closed(undefined), delay(15_000, 'open')])).toBe(4408);
  });
});

test('A message that only a server sends closes a WebSocket, and writes no error to the log', async () => {
  const lines: string[] = [];
  const app = await startApp({ LOG_LEVEL: 'info' }, { write: (line) => void lines.push(line) });
  const payload = { token: await app.token() };
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })));
  socket.on('message', () => socket.send('{"type":"connection_ack"}'));
  const [code] = (await once(socket, 'close')) as [number]; // of a closed WebSocket
  expect(code).toBe(4400);
  expect(lines.filter((line) => line.includes('"level":"error"') || line.includes('Unexpected message'))).toEqual([]);
  await app.close();
});

test.each(['[', 'a b', '%', 'a:b', '\x80', 'a/b', ''])(
  'A Host of "%s" is 400 or ignored, without an error in the log',
  async (host) => {
    const lines: string[] = [];
    const app = await startApp({ LOG_LEVEL: 'info' }, { write: (line) => void lines.push(line) });
    const status = host === '' ? 200 : 400;
    for (const path of ['/graphql?query=%7B__typename%7D', '/healthz'])
      expect(
        await exchange(
          app,
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nApollo-Require-Preflight: true\r\nConnection: close\r\n\r\n`,
        ),
      ).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
    await app.close();
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  },
);

test('A deep path of the console whose body never comes is 404, without a line of the log', async () => {
  const lines: string[] = [];
  const app = await startApp({ LOG_LEVEL: 'info' }, { write: (line) => void lines.push(line) });
  const before = lines.length;
  const head = `GET /console/${'a/'.repeat(20)} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n`;
  expect(await exchange(app, head)).toMatch(/^HTTP\/1\.1 404 /);
  expect(lines.slice(before)).toEqual([]);
  await app.close();
});
