import { createHook } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import { createConnection, Socket, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { fetchToken, startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { build, killAll, listening, start } from '../support/process';
import { createSqliteDatabase } from '../support/databases/sqlite-database';

const ASSETS = join(__dirname, '../../dist/playground/assets');

afterAll(killAll);

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

async function connect(url: string): Promise<Socket> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes; returns what is received until the connection is closed, or until `enough` responses. */
async function exchange(url: string, bytes: string, enough = Infinity): Promise<string> {
  const socket = await connect(url);
  let text = '';
  socket.on('data', (data: Buffer) => {
    text += data.toString('latin1');
    if (statuses(text).length >= enough) socket.destroy();
  });
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

function statuses(text: string): readonly string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status);
}

/** Requests a path without decompressing the response, as `fetch` would; gives its status and encoding. */
async function raw(url: string, path: string, headers: Record<string, string>): Promise<readonly unknown[]> {
  const [response] = (await once(get(`${url}${path}`, { headers }), 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return [response.statusCode, response.headers['content-encoding']];
}

function openFiles(pid: string): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

describe('Pipelined requests', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
  });
  afterAll(() => app.close());

  test('have their responses in order, each handled after the one before it', async () => {
    const token = await app.token();
    const body = JSON.stringify({
      kind: 'Domain',
      metadata: { name: 'Piped' },
      spec: { context: { domainUri: 'piped.example' } },
    });
    const create = [
      `POST /api/v1beta1/domains?token=${token} HTTP/1.1`,
      ...['Host: x', 'Content-Type: application/json', `Content-Length: ${String(body.length)}`, '', body],
    ].join('\r\n');
    const list = `/api/v1beta1/domains?token=${token}&filter=${encodeURIComponent("@.spec.context.domainUri=='piped.example'")}`;
    const text = await exchange(app.url, create + GET(list) + GET('/healthz'), 3);
    expect(statuses(text)).toEqual(['201', '200', '200']);
    expect(text).toContain('"name":"Piped"');
  });

  test('may be 16', async () => {
    expect(statuses(await exchange(app.url, GET('/healthz').repeat(16), 16))).toHaveLength(16);
  });

  test('close the connection where they are more', async () => {
    expect(statuses(await exchange(app.url, GET('/readyz').repeat(1000))).length).toBeLessThan(16);
  });
});

test.each(['br', 'gzip'])(
  'The OpenAPI document is compressed with %s once, however often it is requested',
  async (encoding) => {
    const app = await startApp();
    let compressions = 0;
    const hook = createHook({ init: (_id, type) => void (compressions += Number(type === 'ZLIB')) }).enable();
    const headers = { 'accept-encoding': encoding };
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => raw(app.url, '/openapi.json', headers)));
      for (const [status, encoded] of answers) expect([status, encoded]).toEqual([200, encoding]);
    }
    hook.disable();
    expect(compressions).toBe(1);
    await app.close();
  },
);

test('The OpenAPI document is converted to bytes once, however often it is requested', async () => {
  const app = await startApp();
  const write = jest.spyOn(Socket.prototype, 'write');
  for (let round = 0; round < 3; round++) expect((await raw(app.url, '/openapi.json', {}))[0]).toBe(200);
  const bodies = write.mock.calls.map(([data]) => data).filter(({ length }) => length > 100_000);
  write.mockRestore();
  expect(bodies).toHaveLength(3);
  expect(new Set(bodies).size).toBe(1);
  await app.close();
});

describe('Responses that are not read', () => {
  let app: TestApp;
  let asset: string;

  beforeAll(async () => {
    if (!existsSync(ASSETS)) execFileSync(process.execPath, [join(__dirname, '../../tools/build-pages.mjs')]);
    const [largest] = readdirSync(ASSETS).sort(
      (a, b) => statSync(join(ASSETS, b)).size - statSync(join(ASSETS, a)).size,
    );
    asset = `/assets/${String(largest)}`;
    app = await startApp();
  });
  afterAll(() => app.close());

  test('leave no file open once their connection has closed', async () => {
    const before = openFiles('self');
    const socket = await connect(app.url);
    socket.write(GET(asset).repeat(16));
    await once(socket, 'readable');
    // One at a time.
    expect(openFiles('self')).toBeLessThan(before + 6);
    socket.destroy();
    await eventually(5, () => expect(openFiles('self')).toBeLessThanOrEqual(before));
  });

  test('do not exhaust the files of the process, which admits only as many connections as it can serve', async () => {
    build();
    const { url: databaseUrl, drop } = await createSqliteDatabase();
    const run = start({ DATABASE_URL: databaseUrl, ADMIN_SECRET: 'a secret', SAMPLE_DATA: 'true' }, 260);
    const url = await listening(run);
    expect(run.output()).toContain('MAX_CONNECTIONS is lowered');
    const sockets = await Promise.all(Array.from({ length: 300 }, () => connect(url)));
    for (const socket of sockets) socket.write(GET(asset).repeat(4));
    // Longer than the interval at which the process looks at its memory.
    await setTimeout(4000);
    expect(openFiles(String(run.child.pid))).toBeLessThan(200);
    for (const socket of sockets) socket.destroy();
    // The process notices soon that the connections are closed.
    let token = '';
    await eventually(5, async () => void (token = await fetchToken(url, 'admin', 'a secret')));
    const list = `${url}/api/v1beta1/agents?token=${token}&filter=${encodeURIComponent('@.metadata.name =~ /.*o.*/')}`;
    expect((await fetch(list)).status).toBe(200);
    run.child.kill('SIGTERM');
    expect(await run.ended()).toBe(0);
    await drop();
  });
});

test('Repeated readiness probes share one check, which calls the SIP server', async () => {
  let calls = 0;
  const sipServer = createServer((_request, response) => {
    calls++;
    response.end('{"jsonrpc":"2.0","result":{},"id":1}');
  }).listen(0, '127.0.0.1');
  await once(sipServer, 'listening');
  const { port } = sipServer.address() as AddressInfo;
  const app = await startApp({ SIP_RPC_URL: `http://127.0.0.1:${String(port)}/rpc` });
  await Promise.all(Array.from({ length: 50 }, () => fetch(`${app.url}/readyz`)));
  const perCheck = calls;
  expect(perCheck).toBeLessThan(5);
  for (let round = 0; round < 10; round++) await fetch(`${app.url}/readyz`);
  expect(calls).toBeLessThanOrEqual(2 * perCheck);
  await eventually(10, async () => {
    await fetch(`${app.url}/readyz`);
    expect(calls).toBeGreaterThan(perCheck);
  });
  await app.close();
  sipServer.close();
});

test.each(['GET', 'POST'])(
  '%s with an upgrade to another protocol than WebSocket is answered as if it had none',
  async (method) => {
    const app = await startApp();
    const body = '{"query":"{ __typename }"}';
    const request = (headers: readonly string[]): string =>
      [
        method === 'GET' ? 'GET /graphql?query=%7B__typename%7D HTTP/1.1' : 'POST /graphql HTTP/1.1',
        ...['Host: x', 'Apollo-Require-Preflight: 1', ...headers],
        ...(method === 'GET'
          ? ['', '']
          : ['Content-Type: application/json', `Content-Length: ${String(body.length)}`, '', body]),
      ].join('\r\n');
    const text = await exchange(
      app.url,
      request(['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA']) +
        (method === 'GET' ? GET('/healthz') : ''),
      method === 'GET' ? 2 : 1,
    );
    expect(statuses(text)).toEqual(method === 'GET' ? ['200', '200'] : ['200']);
    expect(text).toContain('{"data":{"__typename":"Query"}}');
    await app.close();
  },
);

test('A request with two Host headers is refused, as RFC 9112 demands, in the form of errors that its caller expects', async () => {
  const app = await startApp();
  const token = await app.token();
  const headers = (body: string): string =>
    `Host: a\r\nhost: b\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\nConnection: close`;
  const send = (line: string, body = ''): Promise<string> =>
    exchange(app.url, `${line} HTTP/1.1\r\n${headers(body)}\r\n\r\n${body}`);
  const message = 'Host: is sent more than once';
  const replies = [
    [await send('GET /healthz'), message],
    [await send(`GET /api/v1beta1/gateways?token=${token}`), `"data":["${message}"]`],
    [await send('POST /graphql', '{"query":"{ __typename }"}'), `"message":"${message}"`],
  ] as const;
  for (const [text, expected] of replies) {
    expect(statuses(text)).toEqual(['400']);
    expect(text).toContain(expected);
  }
  await app.close();
});

test('The connection of a request of HTTP/1.0 in chunks is closed, and nothing behind it is handled, as RFC 9112 demands', async () => {
  const app = await startApp();
  const headers = ['Host: x', 'Connection: keep-alive', 'Transfer-Encoding: chunked'];
  const send = (version: string): Promise<string> =>
    exchange(
      app.url,
      `${[`POST /graphql HTTP/${version}`, ...headers].join('\r\n')}\r\n\r\n0\r\n\r\n${GET('/healthz')}`,
      2,
    );
  expect(statuses(await send('1.0'))).toEqual(['401']);
  expect(statuses(await send('1.1'))).toEqual(['401', '200']);
  await app.close();
});

test('The connection of a refused upgrade is closed, although the client keeps its side open', async () => {
  const app = await startApp();
  const port = Number(new URL(app.url).port);
  const socket = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString()));
  const failed = once(socket, 'error');
  socket.write('GET /x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await once(socket, 'end');
  expect(statuses(text)).toEqual(['404']);
  const writing = setInterval(() => socket.write('x'), 100);
  expect(await failed).toMatchObject([{ code: expect.stringMatching(/ECONNRESET|EPIPE/) }]);
  clearInterval(writing);
  await app.close();
});

test('Upgrades that are ignored leave nothing behind on their connection', async () => {
  const app = await startApp();
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  const asking = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
  const socket = await connect(app.url);
  for (let n = 0; n < 30; n++) {
    socket.write(asking);
    await once(socket, 'data');
  }
  await setTimeout(50);
  expect(warnings).toEqual([]);
  process.off('warning', note);
  socket.destroy();
  await app.close();
});

describe('A request that asks for an upgrade', () => {
  let app: TestApp;
  let token: string;
  const asking = (protocol: string): readonly string[] => ['Connection: Upgrade', `Upgrade: ${protocol}`];
  const request = (line: string, headers: readonly string[], body = ''): string =>
    [`${line} HTTP/1.1`, 'Host: x', ...headers, '', body].join('\r\n');
  const query = (hidden: string): string => JSON.stringify({ query: '{ __typename }', extensions: { hidden } });
  const post = (headers: readonly string[], hidden = ''): string =>
    request(
      'POST /graphql',
      [
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        ...headers,
        `Content-Length: ${String(query(hidden).length)}`,
      ],
      query(hidden),
    );
  const webSocket = (more: readonly string[] = [], body = ''): string =>
    request(
      'GET /graphql?query=%7B__typename%7D',
      [
        ...asking('websocket'),
        'Apollo-Require-Preflight: 1',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Protocol: graphql-transport-ws',
        ...more,
      ],
      body,
    );

  beforeAll(async () => {
    app = await startApp();
    token = await app.token();
  });
  afterAll(() => app.close());

  test.each([
    ['few', 0],
    ['1,020', 1020],
    ['2,500', 2500],
  ])('and has %s header lines is one request, whatever its body contains', async (_, lines) => {
    const many = Array.from({ length: lines }, () => 'a:b');
    for (const headers of [many, [...many, ...asking('foo')], [...asking('foo'), ...many]]) {
      const text = await exchange(app.url, post([...headers, 'Connection: close'], GET('/healthz')));
      expect(statuses(text)).toEqual(['200']);
      expect(text).toContain('{"data":{"__typename":"Query"}}');
    }
  });

  test.each([
    ['whole', (body: string) => [body]],
    ['in two parts', (body: string) => [body.slice(0, 9), body.slice(9)]],
  ])('and has a chunked body, %s, is one request', async (_, parts) => {
    const chunks = parts(query(GET('/healthz'))).map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
    const headers = [...asking('foo'), `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
    const head = request('POST /graphql', [...headers, 'Transfer-Encoding: chunked']);
    const socket = await connect(app.url);
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString()));
    for (const part of [head + chunks.join(''), '0\r\n\r\n']) {
      socket.write(part);
      await setTimeout(100);
    }
    await eventually(5, () => expect(text).toContain('{"data":{"__typename":"Query"}}'));
    // Another request is not answered, because the connection has been closed.
    if (!socket.closed) await once(socket, 'close');
    expect(statuses(text)).toEqual(['200']);
  });

  test.each(['foo', 'websocket'])('%s behind another request is answered after it', async (protocol) => {
    const asks = protocol === 'foo' ? request('GET /healthz', asking('foo')) : webSocket();
    const text = await exchange(app.url, GET('/readyz') + asks, 2);
    expect(statuses(text)).toEqual(['200', '200']);
    const typename = text.indexOf('__typename');
    if (protocol === 'websocket') expect(typename).toBeGreaterThan(text.lastIndexOf('HTTP/1.1'));
  });

  test('and is behind another request closes the connection, and nothing behind it is handled', async () => {
    const body = JSON.stringify({
      kind: 'Domain',
      metadata: { name: 'Behind' },
      spec: { context: { domainUri: 'behind.example' } },
    });
    const create = request(
      `POST /api/v1beta1/domains?token=${token}`,
      [`Content-Length: ${String(body.length)}`],
      body,
    );
    const socket = await connect(app.url);
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString()));
    socket.write(GET('/readyz') + request('GET /healthz', asking('foo')) + create.slice(0, -60));
    socket.write(create.slice(-60));
    if (!socket.closed) await once(socket, 'close');
    expect(statuses(text)).toEqual(['200', '200']);
    expect(text).toContain('Connection: close');
    const { body: list } = await app.rest<unknown[]>('GET', '/domains');
    expect(list.data).toEqual([]);
  });

  test('to WebSocket with a body is answered as if it did not ask', async () => {
    const text = await exchange(app.url, webSocket(['Content-Length: 26'], GET('/healthz')));
    expect(statuses(text)).toEqual(['200']);
    expect(text).not.toContain(' 101 ');
  });

  test('with CONNECT is not answered', async () => {
    expect(await exchange(app.url, request('CONNECT x:1', []) + GET('/healthz'))).toBe('');
  });
});

describe('A body in chunks', () => {
  let app: TestApp;
  let token: string;

  beforeAll(async () => {
    app = await startApp();
    token = await app.token();
  });
  afterAll(() => app.close());

  const head = (headers: readonly string[]): string =>
    ['POST /graphql HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...headers].join('\r\n') +
    '\r\nTransfer-Encoding: chunked\r\n\r\n';
  const chunksOf = (text: string, length: number): string =>
    (text.match(new RegExp(`.{1,${String(length)}}`, 'g')) ?? [])
      .map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
      .join('');
  const query = (length: number): string => `{"query":"{ __typename }"}`.padEnd(length);

  test.each([
    ['2,000 of one byte', 2000, 1],
    ['16,000 of 16 bytes', 256_000, 16],
  ])('may have %s', async (_, length, each) => {
    const bearer = [`Authorization: Bearer ${token}`];
    const text = await exchange(app.url, `${head(bearer)}${chunksOf(query(length), each)}0\r\n\r\n`, 1);
    expect(statuses(text)).toEqual(['200']);
  });

  test.each([
    ['with', true],
    ['without', false],
  ])('of one byte closes its connection when it is longer, %s a token', async (_, isSignedIn) => {
    const bearer = isSignedIn ? [`Authorization: Bearer ${token}`] : [];
    const text = await exchange(app.url, `${head(bearer)}${chunksOf(query(20_000), 1)}0\r\n\r\n`, 1).catch(
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    );
    expect(['', 'ECONNRESET']).toContain(text);
  });
});

describe('A WebSocket', () => {
  // Frames of a client, masked with zeros.
  const frame = (first: number, text = ''): string =>
    `${String.fromCharCode(first, 0x80 + text.length)}\0\0\0\0${text}`;
  const PONG = frame(0x8a);
  const IN_FRAGMENTS = frame(0x01, '{"type":"pong"}') + frame(0x00).repeat(30) + frame(0x80);
  const TRY_AGAIN_LATER = '\x03\xf5';

  let app: TestApp;
  let token: string;
  beforeEach(async () => {
    app = await startApp({ RATE_LIMIT_WORK: '30000' });
    token = await app.token();
  });
  afterEach(() => app.close());

  /** Opens one, and signs in. Returns its connection, and what is received. */
  const open = async (): Promise<readonly [Socket, () => string]> => {
    const socket = await connect(app.url);
    let text = '';
    socket.setEncoding('latin1').on('data', (data: string) => (text += data));
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Protocol: graphql-transport-ws'];
    const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
    const headers = ['Host: x', `Authorization: Bearer ${token}`, ...upgrade, ...key].join('\r\n');
    socket.write(`GET /graphql HTTP/1.1\r\n${headers}\r\n\r\n`);
    await eventually(5, () => expect(text).toContain(' 101 '));
    return [socket, () => text];
  };
  const signIn = async (): Promise<readonly [Socket, () => string]> => {
    const [socket, text] = await open();
    socket.write(frame(0x81, '{"type":"connection_init"}'), 'latin1');
    await eventually(5, () => expect(text()).toContain('connection_ack'));
    return [socket, text];
  };

  /** Resolves when a connection is closed, also by a reset. */
  const closed = (socket: Socket): Promise<unknown> => new Promise((resolve) => void socket.once('close', resolve));

  test('that sends thousands of operations at once does not hold up other connections until all are handled', async () => {
    const [socket, text] = await signIn();
    const handled = (): number => text().split('"type":"error"').length - 1;
    const operation = (id: number): string =>
      frame(0x81, `{"id":"${String(id)}","type":"subscribe","payload":{"query":"{"}}`);
    socket.write(Array.from({ length: 3000 }, (_, id) => operation(id)).join(''), 'latin1');
    await eventually(5, () => expect(handled()).toBeGreaterThan(0));
    expect(statuses(await exchange(app.url, GET('/healthz'), 1))).toEqual(['200']);
    expect(handled()).toBeLessThan(3000);
    await eventually(5, () => expect(handled()).toBe(3000));
    socket.destroy();
  });

  test.each([
    ['pongs', PONG.repeat(130_000)],
    ['fragments of messages', IN_FRAGMENTS.repeat(1800)],
  ])('whose user sends more %s than the budget pays for is closed', async (_, frames) => {
    const [socket, text] = await signIn();
    socket.write(frames, 'latin1');
    await closed(socket);
    expect(text()).toContain(TRY_AGAIN_LATER);
  });

  test('of a user who owes for the pongs on a connection that has ended is closed', async () => {
    const [socket] = await signIn();
    socket.end(PONG.repeat(50_000), 'latin1');
    await closed(socket);
    const [next, text] = await open();
    next.write(frame(0x81, '{"type":"connection_init"}'), 'latin1');
    await closed(next);
    expect(text()).toContain(TRY_AGAIN_LATER);
  });

  test('that is closed before connection_init because of what it sends is not read any more', async () => {
    const [socket] = await open();
    const pongs = PONG.repeat(10_000);
    const send = (): void => {
      while (!socket.destroyed && socket.write(pongs, 'latin1'));
    };
    socket.on('drain', send);
    send();
    await closed(socket);
    // What fits into the buffers of the system. In a second, the server would read several times as much.
    expect(socket.bytesWritten).toBeLessThan(9_000_000);
  });
});
