import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';

import { fetchToken, startApp } from '../support/app';
import { cliEnvironment } from '../support/cli';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { closeAtTheLatest } from '../support/runner/leftovers';
import { onEachDriver } from '../support/databases/on-each-database';
import { build } from '../support/process';
import { createSqliteDatabase } from '../support/databases/sqlite-database';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

/** A collector of OpenTelemetry that keeps what it receives. */
async function startCollector() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      bodies.push(body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1/traces`,
    text: () => bodies.join('\n'),
    spans: (): readonly Span[] =>
      bodies.flatMap((body) => {
        const { resourceSpans } = JSON.parse(body) as {
          resourceSpans: readonly { scopeSpans: readonly { spans: readonly Span[] }[] }[];
        };
        return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
      }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Starts the server in a process of its own, because the SDK loads modules in a way that Jest does not support. */
async function startServer(env: Readonly<Record<string, string>>) {
  build();
  const secret = 'the-admin-secret-of-the-tests';
  const environment = cliEnvironment({
    PORT: '0',
    SAMPLE_DATA: 'false',
    RATE_LIMIT: 'off',
    ADMIN_SECRET: secret,
    ...env,
  });
  const child = spawn(process.execPath, ['dist/main.js'], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
  closeAtTheLatest(() => Promise.resolve(void child.kill('SIGKILL')));
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  let url = '';
  await eventually(60, () => {
    url = /GraphQL +(http\S+)\/graphql/.exec(output)?.[1] ?? '';
    expect(url).not.toBe('');
  });
  const close = async (): Promise<void> => {
    child.kill();
    await once(child, 'exit');
  };
  return { url, token: () => fetchToken(url, 'admin', secret), close };
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

onEachDriver('Traces', (subject) => {
  test('have a span for the request, its operation and its statements, below the span of the caller, and no values', async () => {
    const collector = await startCollector();
    const { url } = subject();
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' };
    const before = await startApp({ DATABASE_URL: url });
    await createGateway(before, { ref: 'gw-untraced' });
    await before.close();
    const app = await startServer({ DATABASE_URL: url, ...env });
    const token = await app.token();
    const send = async (flags: string, query: string): Promise<void> => {
      const answer = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          traceparent: `00-${TRACE}-${PARENT}-${flags}`,
        },
        body: JSON.stringify({ query }),
      });
      expect(await answer.json()).not.toHaveProperty('errors');
    };
    await send('00', '{ peers { totalCount } }');
    await send('01', '{ gateway(ref: "gw-untraced") { name ...values } } fragment values on Gateway { host }');
    const create =
      'mutation { createPeer(input: { name: "hush-name", username: "hush", secret: "hush-secret" }) { ref } }';
    await send('01', create);
    const rest = `${app.url}/api/v1beta1/gateways/gw-untraced?token=${token}`;
    await fetch(rest, { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
    await app.close();
    await eventually(10, () => expect(collector.spans().length).toBeGreaterThan(8));
    await collector.close();

    const spans = collector.spans();
    const childrenOf = (id: string): readonly Span[] => spans.filter(({ parentSpanId }) => parentSpanId === id);
    const below = (id: string): readonly string[] =>
      childrenOf(id).flatMap(({ name, spanId }) => [name, ...below(spanId)]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    const requests = childrenOf(PARENT);
    expect(requests.map(({ name }) => name)).toEqual([
      'POST /graphql',
      'POST /graphql',
      'GET /api/v1beta1/gateways/:ref',
    ]);
    const [read = [], written = [], legacy = []] = requests.map(({ spanId }) => below(spanId));
    expect(read).toEqual(expect.arrayContaining(['query gateway', 'SELECT gateways']));
    const [transaction] = spans.filter(({ name }) => name === 'TRANSACTION');
    expect(below(transaction?.spanId ?? '')).toContain('INSERT peers');
    expect(written).toEqual(expect.arrayContaining(['mutation createPeer', 'TRANSACTION', 'INSERT peers']));
    expect(legacy).toEqual(expect.arrayContaining(['GET /gateways/:ref', 'SELECT gateways']));
    for (const value of ['hush', 'gw-untraced', token]) expect(collector.text()).not.toContain(value);
  });
});

test('Strangers cannot have all requests traced', async () => {
  const collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' };
  const { url, drop } = await createSqliteDatabase();
  const app = await startServer({ DATABASE_URL: url, ...env });
  const begun = Date.now();
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
  await Promise.all(Array.from({ length: 200 }, () => fetch(`${app.url}/healthz`, { headers })));
  const seconds = (Date.now() - begun) / 1000;
  await app.close();
  await drop();
  await collector.close();
  const { length } = collector.spans().filter(({ name }) => name === 'GET /healthz');
  expect(length).toBeGreaterThan(0);
  expect(length).toBeLessThanOrEqual(10 * (seconds + 2));
});

test('A collector that never answers does not disturb requests or the end of the process', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((silent.address() as AddressInfo).port)}/`;
  const database = await createSqliteDatabase();
  const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: '1' };
  const app = await startServer({ DATABASE_URL: database.url, ...env });
  const headers = { authorization: `Bearer ${await app.token()}` };
  const gateways = `${app.url}/api/v1beta1/gateways`;
  const replies = await Promise.all(Array.from({ length: 20 }, () => fetch(gateways, { headers })));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  await app.close();
  await database.drop();
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

test('A response of the collector is not read beyond its status, and one that switches protocols delays no other export', async () => {
  const responses: Socket[] = [];
  const collector = createNetServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      responses.push(socket);
      // The second one never ends.
      socket.write(
        responses.length === 1
          ? 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
          : 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{',
      );
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const url = `http://127.0.0.1:${String((collector.address() as AddressInfo).port)}/`;
  const database = await createSqliteDatabase();
  const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: '1' };
  const app = await startServer({ DATABASE_URL: database.url, ...env });
  await eventually(15, async () => {
    await fetch(`${app.url}/healthz`);
    expect(responses.length).toBeGreaterThan(1);
  });
  await eventually(3, () => expect(responses[1]?.closed).toBe(true));
  await app.close();
  await database.drop();
  await new Promise((resolve) => collector.close(resolve));
});

// Prints whether the SDK was loaded by a server that has started.
const IS_LOADED = `
  const { createApp } = require('./src/app/app');
  const { loadConfig } = require('./src/config/config');
  createApp(loadConfig(process.env)).then(async (app) => {
    await app.listen();
    console.log(Object.keys(require.cache).some((name) => name.includes('otlp')));
    await app.close();
  });`;

test.each([
  { title: 'Without a collector, the SDK of OpenTelemetry is not loaded', env: {}, isLoaded: 'false' },
  {
    title: 'With a collector, the SDK of OpenTelemetry is loaded',
    env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' },
    isLoaded: 'true',
  },
])('$title', async ({ env, isLoaded }) => {
  const { url, drop } = await createSqliteDatabase();
  const args = ['-r', require.resolve('@swc-node/register'), '-e', IS_LOADED];
  const environment = cliEnvironment({ DATABASE_URL: url, PORT: '0', SAMPLE_DATA: 'false', ...env });
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: process.cwd(), env: environment });
  await drop();
  expect(stdout.trim()).toBe(isLoaded);
});
