import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { startApp } from './support/app';
import { databases } from './support/databases';
import { eventually } from './support/eventually';
import { createGateway } from './support/factories';
import { closeAtTheLatest } from './support/leftovers';
import { runSql } from './support/sql';

const EACH = 8;
const COUNT = '{ gateways { totalCount } }';
const FILTERED = '{ gateways(filter: "@.metadata.name =~ /.*e.*/") { totalCount } }';

/** A way to a database server that can hide from its clients that the server has closed their connections. */
interface Way {
  readonly url: string;
  /** Hides all that is sent on new connections after they were made. */
  isSilent: boolean;
  /** Kills the connections in the server. Their clients notice only when they send something. */
  readonly killUnnoticed: () => Promise<void>;
}

async function wayTo(database: string): Promise<Way> {
  const { hostname, port } = new URL(database);
  const clients = new Map<Socket, Socket>();
  const dead = new Set<Socket>();
  const silent = new Set<Socket>();
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect(Number(port), hostname);
    clients.set(client, server);
    client.on('data', (data) => {
      if (dead.has(client)) {
        client.resetAndDestroy();
        return;
      }
      // The first statement of a connection is a setting.
      if (way.isSilent && data.includes('SET SESSION')) silent.add(client);
      if (!silent.has(client)) server.write(data);
    });
    server.on('data', (data) => dead.has(client) || client.write(data));
    server.on('close', () => dead.has(client) || client.destroy());
    client.on('close', () => {
      clients.delete(client);
      server.destroy();
    });
    for (const socket of [client, server]) socket.on('error', () => undefined);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  closeAtTheLatest(() => {
    for (const client of clients.keys()) client.destroy();
    proxy.close();
    return Promise.resolve();
  });
  const url = new URL(database);
  url.port = String((proxy.address() as AddressInfo).port);
  const way: Way = {
    url: url.href,
    isSilent: false,
    killUnnoticed: async () => {
      const closed = [...clients].map(([client, server]) => {
        dead.add(client);
        return server.closed ? Promise.resolve([]) : once(server, 'close');
      });
      const ids = await runSql(
        database,
        'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
      );
      // A connection may end by itself meanwhile.
      for (const [id] of ids) await runSql(database, `KILL ${String(id)}`).catch(() => undefined);
      await Promise.all(closed);
    },
  };
  return way;
}

describe.each(databases)('On $name', ({ name, createDatabase }) => {
  test('requests succeed when the server has closed all idle connections, and each write happens once', async () => {
    if (name === 'SQLite') return; // there is no server
    const { url, drop } = await createDatabase();
    const way = await wayTo(url);
    const app = await startApp({ DATABASE_URL: way.url });
    const { graphql, rest } = app;
    let hosts = 0;
    const create = () => {
      const spec = { host: `rest-${String(hosts++)}.test`, transport: 'udp' };
      return rest('POST', '/gateways', { body: { kind: 'Gateway', metadata: { name: 'REST' }, spec } });
    };
    const several = <T>(work: () => Promise<T>): Promise<readonly T[]> =>
      Promise.all(Array.from({ length: EACH }, work));
    for (let round = 1; round <= 4; round++) {
      const reads = [() => graphql(COUNT), () => graphql(FILTERED), () => rest('GET', '/gateways')];
      const [found, created] = await Promise.all([
        several(() => Promise.all(reads.map((read) => read()))),
        several(create),
        several(() => createGateway(app)),
      ]);
      expect(found.flat().map(({ status }) => status)).toEqual(Array.from({ length: 3 * EACH }, () => 200));
      expect(created.map(({ status }) => status)).toEqual(Array.from({ length: EACH }, () => 201));
      expect(await runSql(url, 'SELECT COUNT(*) FROM gateways')).toEqual([[2 * EACH * round]]);
      await way.killUnnoticed();
    }
    await app.close();
    await drop();
  });

  test('connections on which the server is silent from the start end, and requests succeed when it responds again', async () => {
    if (name === 'SQLite') return; // there is no server
    const { url, drop } = await createDatabase();
    const way = await wayTo(url);
    const app = await startApp({ DATABASE_URL: way.url });
    await app.token();
    await way.killUnnoticed();
    way.isSilent = true;
    const { errors } = await app.graphql(COUNT);
    expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(['UNAVAILABLE']);
    way.isSilent = false;
    await eventually(15, async () => expect((await app.graphql(COUNT)).data).toEqual({ gateways: { totalCount: 0 } }));
    await createGateway(app);
    await eventually(15, async () =>
      expect(await runSql(url, 'SELECT COUNT(*) FROM unnumbered_entries')).toEqual([[0]]),
    );
    await app.close();
    await drop();
  });
});
