import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { loadConfig } from '../../src/config/config';
import { createGateway } from '../support/factories';
import { startApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { drivers } from '../support/databases/databases';
import { eventually } from '../support/eventually';
import { onEachDriver } from '../support/databases/on-each-database';
import { hasMySql, ownMySql, replicating } from '../support/databases/own-server';
import { query, startServer } from '../support/databases/servers';
import { runSql } from '../support/databases/sql';

async function readiness(app: { readonly url: string }): Promise<readonly [number, unknown]> {
  const response = await fetch(`${app.url}/readyz`);
  return [response.status, await response.json()];
}

const READY = [200, { ready: true, database: 'up', migrations: 'done' }];

onEachDriver('Readiness', (subject) => {
  test('reads a table: a database without it is not ready', async () => {
    const { app, url } = subject();
    expect(await readiness(app)).toEqual(READY);
    await runSql(url, 'ALTER TABLE change_head RENAME TO hidden');
    await eventually(5, async () =>
      expect(await readiness(app)).toEqual([503, { ready: false, database: 'down', migrations: 'done' }]),
    );
    await runSql(url, 'ALTER TABLE hidden RENAME TO change_head');
    await eventually(5, async () => expect(await readiness(app)).toEqual(READY));
  });

  test('is 503 during the drain of a shutdown, which serves requests and then ends', async () => {
    const app = await startApp({ DATABASE_URL: subject().url, DRAIN: '4s' });
    const token = await app.token();
    const started = performance.now();
    const closed = app.close();
    await eventually(3, async () =>
      expect(await readiness(app)).toEqual([503, { ready: false, database: 'up', migrations: 'done', draining: true }]),
    );
    const { status, headers } = await app.rest('GET', '/gateways', { token });
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    await closed;
    expect(performance.now() - started).toBeGreaterThan(3900);
    await expect(fetch(`${app.url}/readyz`)).rejects.toThrow();
  });

  test('a shutdown does not wait for connections on which nothing was sent', async () => {
    const app = await startApp({ DATABASE_URL: subject().url });
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    const ended = once(socket, 'close');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    // The server has accepted it.
    await readiness(app);
    const started = performance.now();
    await app.close();
    expect(performance.now() - started).toBeLessThan(5000);
    await ended;
  });
});

for (const { name } of drivers.filter((each) => each.name !== 'SQLite')) {
  test(`A read-only server is not ready, unless READ_ONLY is set, on ${name}`, async () => {
    const server = await startServer(name === 'MariaDB' ? 'mariadb' : 'mysql');
    try {
      await query(server.url, 'CREATE DATABASE sipgraph CHARACTER SET utf8mb4 COLLATE utf8mb4_bin');
      const env = { DATABASE_URL: `${server.url}sipgraph` };
      const [app, reader] = [await startApp(env), await startApp({ ...env, READ_ONLY: 'true' })];
      expect(await readiness(app)).toEqual(READY);
      await query(server.url, 'SET GLOBAL read_only = 1');
      const body = { database: 'read-only', migrations: 'done' };
      await eventually(5, async () => expect(await readiness(app)).toEqual([503, { ready: false, ...body }]));
      await eventually(5, async () => expect(await readiness(reader)).toEqual([200, { ready: true, ...body }]));
      await query(server.url, 'SET GLOBAL read_only = 0');
      await eventually(5, async () => expect(await readiness(app)).toEqual(READY));
      await app.close();
      await reader.close();
    } finally {
      await server.stop();
    }
  });
}

if (hasMySql)
  test('A MySQL server whose group replication does not run is not ready, because its writes would be lost', async () => {
    const server = await ownMySql(
      ...replicating('MySQL', 1),
      '--plugin-load-add=group_replication.so',
      '--loose-group-replication-group-name=6b6b6b6b-0000-11f0-8000-000000000003',
      '--loose-group-replication-start-on-boot=OFF',
    );
    const { url } = await server.createDatabase();
    const app = await startApp({ DATABASE_URL: url });
    const body = { ready: false, database: 'read-only', migrations: 'done' };
    expect(await readiness(app)).toEqual([503, body]);
    await app.close();
    // With several hosts, it is not used.
    const several = `mysql://root@127.0.0.1:${String(server.port)},127.0.0.1:1/sipgraph`;
    expect(await runCommand({ DATABASE_URL: several }, 'migrate')).toMatchObject({
      code: 1,
      // MySQL 8.0 and MySQL 9 list such a member differently.
      err: expect.stringMatching(/not a member of its group|in the state OFFLINE/) as string,
    });
    await server.remove();
  });

test('A SIP server whose response has more than 16 KiB counts as down', async () => {
  let padding = '';
  const sipServer = createServer((_request, response) =>
    response.end(`{"jsonrpc":"2.0","result":"kamailio","id":1}${padding}`),
  ).listen(0, '127.0.0.1');
  await once(sipServer, 'listening');
  const { port } = sipServer.address() as AddressInfo; // because it listens on a port
  const app = await startApp({ SIP_RPC_URL: `http://127.0.0.1:${String(port)}/RPC` });
  expect(await readiness(app)).toMatchObject([200, { sipServer: 'up' }]);
  padding = ' '.repeat(16 * 1024);
  await eventually(5, async () => expect(await readiness(app)).toMatchObject([200, { sipServer: 'down' }]));
  await app.close();
  sipServer.close();
});

test.each(['<html>', 'null', '5', '[{"outcome":'])(
  'The test of a gateway is UNAVAILABLE if the SIP server responds with %s',
  async (body) => {
    const sipServer = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
    await once(sipServer, 'listening');
    const { port } = sipServer.address() as AddressInfo; // because it listens on a port
    const app = await startApp({ SIP_RPC_URL: `http://127.0.0.1:${String(port)}/RPC` });
    const { errors } = await app.graphql('mutation ($ref: String!) { testGateway(ref: $ref) { outcome } }', {
      ref: await createGateway(app),
    });
    expect(errors).toMatchObject([
      {
        message: 'The SIP server has sent a response that sipgraph cannot read; try again later',
        extensions: { code: 'UNAVAILABLE' },
      },
    ]);
    await app.close();
    sipServer.close();
  },
);

test('DRAIN is a time in seconds or milliseconds, by default longer in a container', () => {
  expect(loadConfig({ DRAIN: '1.5s' }).drain).toBe(1500);
  expect(loadConfig({ DRAIN: '0s' }).drain).toBe(0);
  expect(loadConfig({ container: 'podman' }).drain).toBe(5000);
  expect(loadConfig({ KUBERNETES_SERVICE_HOST: '10.0.0.1' }).drain).toBe(5000);
  for (const DRAIN of ['5', '5m', '-1s', '301s', '1e3s'])
    expect(() => loadConfig({ DRAIN })).toThrow(
      `DRAIN: "${DRAIN}" is not a time such as 5s, 0.2s or 200ms (at most 300s)`,
    );
});

test('DATABASE_POOL is at least 3, because a migration uses three connections', () => {
  const load = (DATABASE_POOL: string) => loadConfig({ DATABASE_URL: 'mysql://u@a/x', DATABASE_POOL });
  expect(load('3').database).toMatchObject({ poolSize: 3 });
  expect(() => load('2')).toThrow('DATABASE_POOL: "2" is not a whole number from 3 to 1000');
});
