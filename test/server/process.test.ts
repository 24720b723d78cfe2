import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { fetchToken, startApp } from '../support/app';
import { eventually } from '../support/eventually';
import { build, killAll, listening, start, type Run } from '../support/process';
import { runSql, storeCall } from '../support/databases/sql';
import { createSqliteDatabase, type TestDatabase } from '../support/databases/sqlite-database';
import { transports } from '../support/subscriptions';

describe('The process', () => {
  let database: TestDatabase;

  beforeAll(() => {
    build();
  });

  beforeEach(async () => {
    database = await createSqliteDatabase();
  });

  afterEach(async () => {
    killAll();
    await database.drop();
  });

  async function stopped(run: Run): Promise<number | null> {
    run.child.kill('SIGTERM');
    return run.ended();
  }

  test('prints its URLs and, on the first start only, the secret of the admin', async () => {
    const first = start({ DATABASE_URL: database.url });
    const url = await listening(first);
    const secret = (await first.printed(/with secret +(\S+) /))[1] ?? '';
    for (const line of [
      /Console +http\S+\/console/,
      /Playground +http\S+\/playground/,
      /REST +http:\/\/[^\/]+\/api\/v1beta1\n/,
      /API docs +http\S+\/docs/,
    ]) {
      expect(first.output().match(new RegExp(line, 'g'))).toHaveLength(1);
    }
    const headers = { authorization: `Basic ${Buffer.from(`admin:${secret}`).toString('base64')}` };
    const { data } = (await (await fetch(`${url}/api/v1beta1/token`, { headers })).json()) as { data: string };
    const gateways = (await (await fetch(`${url}/api/v1beta1/gateways?token=${data}`)).json()) as { data: unknown[] };
    expect(gateways.data).toHaveLength(3);
    expect(await stopped(first)).toBe(0);

    const second = start({ DATABASE_URL: database.url });
    await listening(second);
    expect(await stopped(second)).toBe(0);
    expect(second.output()).not.toMatch(/secret/);
  });

  test('DISCOVERY=off prints no URLs of the playground and the API docs, and SIGTERM logs the shutdown', async () => {
    const run = start({ DATABASE_URL: database.url, DISCOVERY: 'off' });
    await listening(run);
    expect(run.output()).toContain('REST');
    expect(run.output()).not.toMatch(/Playground|API docs/);
    expect(run.output()).not.toContain('shutting down');
    expect(await stopped(run)).toBe(0);
    expect(run.output()).toContain('"signal":"SIGTERM","msg":"shutting down"');
  });

  test('V8 accepts the code caches of the build', async () => {
    const code = `require('./dist/commands/run'); require('./dist/packages');
      const { scripts } = require('./dist/code-cache.cjs');
      console.log([...scripts.values()].map(({ cachedDataRejected }) => cachedDataRejected).join());`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { cwd: join(__dirname, '../..') });
    expect(stdout).toBe('false,false\n');
  });

  test('SAMPLE_DATA=false loads no sample data', async () => {
    const run = start({ DATABASE_URL: database.url, SAMPLE_DATA: 'false' });
    await listening(run);
    expect(await stopped(run)).toBe(0);
    expect(await runSql(database.url, 'SELECT COUNT(*) FROM gateways')).toEqual([[0]]);
  });

  test('calls that cannot be answered, one later than the other, do not end it', async () => {
    const run = start({ DATABASE_URL: database.url, ADMIN_SECRET: 'hush-hush-hush' });
    const url = await listening(run);
    const token = await fetchToken(url, 'admin', 'hush-hush-hush');
    // The second in the list fails at once, because no Date has its time; the first when its attempts have been read.
    await storeCall(database.url, { callId: '2', begun: -9e15 });
    await storeCall(database.url, { callId: '1', attempts: 'not JSON' });
    const ask = async (query: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })).json();
    };
    const refused = { data: null, errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] };
    expect(await ask('{ calls { nodes { begunOn attempts { status } } } }')).toMatchObject(refused);
    await eventually(5, async () =>
      expect(await ask('{ viewer { username } }')).toMatchObject({ data: { viewer: { username: 'admin' } } }),
    );
    expect(run.child.exitCode).toBeNull();
    expect(await stopped(run)).toBe(0);
  });

  test('an invalid configuration prints every error, without secrets, and exits with 1', async () => {
    const run = start({
      PORT: 'x',
      DATABASE_URL: 'postgres://me:hush@host/db',
      TOKEN_TTL: '1 week',
      PLAYGROUND: 'maybe',
      JWT_SECRET: 'hush',
      LOG_LEVEL: 'loud',
      MAX_ITEMS_PER_PAGE: '0',
    });
    expect(await run.ended()).toBe(1);
    expect(run.output()).toContain('7 problem(s)');
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'TOKEN_TTL',
      'PLAYGROUND',
      'JWT_SECRET',
      'LOG_LEVEL',
      'MAX_ITEMS_PER_PAGE',
    ]) {
      expect(run.output()).toContain(`- ${name}: `);
    }
    expect(run.output()).not.toContain('hush');
  });

  test('line ends in settings, as of a file from Windows, are shown, and do not become part of a secret or a file name', async () => {
    const secrets = { ADMIN_SECRET: 'hush-hush-hush', KAMAILIO_PASSWORD: 'hush', SIP_RPC_TOKEN: 'hush' };
    const settings = { PORT: '0', DATABASE_URL: database.url, ...secrets };
    const run = start(Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, `${value}\r`])));
    expect(await run.ended()).toBe(1);
    expect(run.output()).toContain('- PORT: "0\\u000d" is not a whole number');
    for (const name of ['DATABASE_URL', ...Object.keys(secrets)])
      expect(run.output()).toContain(`- ${name}: contains a line end or another control character`);
    expect(run.output()).not.toMatch(/hush|\r/);
  });

  test('a HOST that is no address is reported with the name of the setting', async () => {
    const run = start({ DATABASE_URL: database.url, HOST: '[::1]' });
    expect(await run.ended()).toBe(1);
    expect(run.output()).toMatch(/sipgraph cannot start: getaddrinfo E.*\[::1\]: check HOST and PORT/);
  });

  test('a port in use is reported, and the process exits with 1', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const run = start({ DATABASE_URL: database.url, PORT: String(port) });
    expect(await run.ended()).toBe(1);
    expect(run.output()).toContain('sipgraph cannot start: listen EADDRINUSE');
    server.close();
  });

  const root = join(__dirname, '../..');
  const freePort = async (): Promise<string> => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    return String(port);
  };

  test('the server runs and ends also if whoever reads its output has ended before it listens', async () => {
    const port = await freePort();
    const env = { PATH: process.env['PATH'], PORT: port, DATABASE_URL: database.url, DRAIN: '200ms' };
    for (const command of [['dist/main.js'], ['dist/cli.js', 'serve']]) {
      const server = spawn(process.execPath, command, { cwd: root, env });
      server.stdout.destroy();
      server.stderr.destroy();
      try {
        await eventually(20, async () => {
          const ready = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1000) });
          expect(ready.status).toBe(200);
        });
        const ended = once(server, 'exit', { signal: AbortSignal.timeout(10_000) });
        server.kill('SIGTERM');
        expect(await ended).toEqual([0, null]);
      } finally {
        server.kill('SIGKILL');
      }
    }
  });

  test('with a full disk behind standard output, the server runs and ends, and commands fail', async () => {
    const port = await freePort();
    const env = { PATH: process.env['PATH'], PORT: port, DATABASE_URL: database.url, DRAIN: '200ms' };
    const server = spawn('sh', ['-c', 'exec "$0" dist/main.js > /dev/full', process.execPath], { cwd: root, env });
    let printed = '';
    server.stderr.on('data', (data: Buffer) => (printed += data.toString()));
    await eventually(20, async () => {
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
      expect(ready.status).toBe(200);
    });
    await eventually(5, () => expect(printed).toBe('the answer cannot be printed: no space left on device\n'));
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
    const listed = promisify(execFile)('sh', ['-c', '"$0" dist/cli.js list gateways > /dev/full', process.execPath], {
      cwd: root,
      env,
    });
    await expect(listed).rejects.toMatchObject({
      code: 1,
      stderr: 'the answer cannot be printed: no space left on device\n',
    });
  });

  test('with a full disk for the database, commands and a server that cannot start say why', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sipgraph-full-'));
    await (await startApp({ DATABASE_URL: database.url })).close();
    // A file of more than 33 kB cannot be written, which leaves room for the shared memory of SQLite.
    const run = (url: string, ...command: readonly string[]) =>
      promisify(execFile)('sh', ['-c', 'ulimit -f 66; exec "$0" "$@"', process.execPath, ...command], {
        cwd: root,
        env: { PATH: process.env['PATH'], DATABASE_URL: url, PORT: '0' },
      });
    const fresh = `sqlite:${join(directory, 'new.db')}`;
    const copy = join(directory, 'copy.db');
    const file = database.url.slice('sqlite:'.length);
    const fails = (stderr: string) => ({ code: 1, stderr: `${stderr}\n` });
    await expect(run(database.url, 'dist/cli.js', 'import', 'docs/kamailio/office.yml')).rejects.toMatchObject(
      fails('The database cannot complete the request; try again later: disk I/O error'),
    );
    await expect(run(database.url, 'dist/cli.js', 'backup', copy)).rejects.toMatchObject(
      fails(`${file} cannot be copied to ${copy}: disk I/O error`),
    );
    await expect(run(fresh, 'dist/cli.js', 'migrate')).rejects.toMatchObject(fails('disk I/O error'));
    await expect(run(fresh, 'dist/main.js')).rejects.toMatchObject(fails('sipgraph cannot start: disk I/O error'));
  });

  test('SIGTERM finishes the requests in flight and exits with 0', async () => {
    const run = start({ DATABASE_URL: database.url, ADMIN_SECRET: 'a secret' });
    const url = await listening(run);
    const headers = { authorization: `Basic ${Buffer.from('admin:a secret').toString('base64')}` };
    // Each sign-in computes an argon2id hash, so others are still in flight when the first is done.
    const signIns = Array.from(
      { length: 15 },
      async () => (await fetch(`${url}/api/v1beta1/token`, { headers })).status,
    );
    await Promise.race(signIns);
    run.child.kill('SIGTERM');
    expect(await Promise.all(signIns)).toEqual(Array.from({ length: 15 }, () => 200));
    expect(await run.ended()).toBe(0);
  });

  test('half of a request does not hold up the end for longer than five seconds', async () => {
    const run = start({ DATABASE_URL: database.url });
    const url = await listening(run);
    for (const half of [
      'GET /healthz HTTP/1.1\r\nHost: a\r\n',
      'POST /graphql HTTP/1.1\r\nContent-Length: 9\r\n\r\n{',
    ]) {
      const socket = createConnection(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(half);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await stopped(run)).toBe(0);
    expect(run.output()).not.toContain('killed by timeout');
  });

  test.each(transports)('SIGTERM ends subscriptions over $name, and exits with 0', async ({ subscribe }) => {
    const run = start({ DATABASE_URL: database.url, ADMIN_SECRET: 'a secret' });
    const url = await listening(run);
    const token = await fetchToken(url, 'admin', 'a secret');
    const changes = await subscribe(url, token, 'subscription { resourceChanged { ref } }');
    expect(await stopped(run)).toBe(0);
    await eventually(5, () => expect(changes.over()).toBe(true));
  });

  test('SIGTERM to `npx sipgraph serve` ends the server, too', async () => {
    const npx = spawn('npx', ['sipgraph', 'serve'], {
      cwd: join(__dirname, '../..'),
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', DATABASE_URL: database.url },
    });
    let output = '';
    npx.stdout.on('data', (data: Buffer) => (output += data.toString()));
    await eventually(60, () => expect(output).toContain('is listening'));
    const url = /GraphQL +(http\S+)\/graphql/.exec(output)?.[1] ?? '';
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    npx.kill('SIGTERM');
    await eventually(15, async () => {
      await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
    });
  });

  test('SIGTERM while it waits for the database exits with 0', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).resetAndDestroy()).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const run = start({ DATABASE_URL: `mysql://me:hush@127.0.0.1:${String(port)}/db` });
    await run.printed(/the database cannot be reached/);
    expect(await stopped(run)).toBe(0);
    expect(run.output()).not.toContain('hush');
    server.close();
  });

  test('no log line contains a token or a secret, and an unexpected error is logged with the id that the caller gets', async () => {
    const run = start({ DATABASE_URL: database.url, ADMIN_SECRET: 'hush-admin', LOG_LEVEL: 'trace' });
    const url = await listening(run);
    const basic = (secret: string) => ({ authorization: `Basic ${Buffer.from(`admin:${secret}`).toString('base64')}` });
    const { data: token } = (await (
      await fetch(`${url}/api/v1beta1/token`, { headers: basic('hush-admin') })
    ).json()) as { data: string };
    await fetch(`${url}/api/v1beta1/token`, { headers: basic('hush-wrong') });
    await fetch(`${url}/api/v1beta1/gateways?token=${token}&page=1`);
    await fetch(`${url}/api/v1beta1/gateways?%74oken=${token}`);
    const document = 'mutation ($secret: String!) { createToken(username: "someone", secret: $secret) { token } }';
    const search = new URLSearchParams({ query: document, variables: '{"secret":"hush-variable"}' });
    await fetch(`${url}/graphql?${search.toString()}`, { headers: { ...basic('hush-basic'), 'x-a': 'b' } });
    for (const accept of ['application/json', 'text/event-stream']) {
      const body = JSON.stringify({ query: document, variables: { secret: 'hush-variable' } });
      const headers = { 'content-type': 'application/json', accept };
      await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).text();
    }
    const graphql = async (
      query: string,
    ): Promise<{ errors?: { message: string; extensions: { requestId?: string } }[] }> => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
      return (await answer.json()) as never;
    };
    await graphql('mutation { createPeer(input: { name: "x", username: "u", secret: "hush-peer" }) { ref } }');
    await runSql(database.url, 'DROP TABLE peers');
    const rest = await fetch(`${url}/api/v1beta1/peers?token=${token}`);
    const { errors } = await graphql(
      'mutation { createPeer(input: { name: "x", username: "v", secret: "hush-peer2" }) { ref } }',
    );
    expect([rest.status, await rest.json()]).toEqual([500, { status: '500', message: 'Internal server error' }]);
    expect(errors?.[0]?.message).toBe('Internal server error');
    const ids = [rest.headers.get('x-request-id') ?? '', errors?.[0]?.extensions.requestId ?? ''];
    expect(await stopped(run)).toBe(0);
    for (const id of ids)
      expect(run.output()).toMatch(new RegExp(`"level":"error".*"requestId":"${id}".*no such table`));
    expect(run.output()).not.toContain('hush');
    expect(run.output()).not.toContain(token);
    expect(run.output()).toContain('token=***&page=1');
  });
});
