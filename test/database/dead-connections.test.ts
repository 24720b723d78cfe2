import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { startApp } from '../support/app';
import { drivers } from '../support/databases/databases';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { closeAtTheLatest } from '../support/runner/leftovers';
import { runSql } from '../support/databases/sql';

const EACH = 8;
const COUNT = '{ gateways { totalCount } }';
const FILTERED = '{ gateways(filter: "@.metadata.name =~ /.*e.*/") { totalCount } }';
const NOTHING = (): boolean => false;
const isOfKill = (packet: Buffer): boolean => packet.includes('information_schema.processlist');
// The position of the command in a packet of a client, and two commands of MySQL's protocol.
const COMMAND = 4;
const PREPARE = 0x16;
const EXECUTE = 0x17;

/** A way to a database server that can hide from its clients that the server has closed their connections. */
interface Way {
  readonly url: string;
  /** Hides all that is sent on a connection, beginning with the first packet of which this is true. */
  hidesFrom: (packet: Buffer) => boolean;
  /** Kills the connections in the server. Their clients notice only when they send something. */
  readonly killUnnoticed: () => Promise<void>;
  /** Counts the connections with hidden packets whose sockets the clients keep. */
  readonly kept: () => number;
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
      if (way.hidesFrom(data)) silent.add(client);
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
    hidesFrom: NOTHING,
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
    kept: () => {
      const open = [...silent].filter(({ closed }) => !closed);
      // A client that has only ended its side receives this; one that has closed its socket answers with a reset.
      for (const client of open) if (client.readableEnded) client.write('.');
      return open.length;
    },
  };
  return way;
}

describe.each(drivers)('On $name', ({ name, createDatabase }) => {
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

  test('requests are 503 while the server refuses the password, and succeed when it is the right one again', async () => {
    if (name === 'SQLite') return; // there is no server
    const { url, drop } = await createDatabase();
    const own = new URL(url);
    [own.username, own.password] = [`u${own.pathname.slice(-12)}`, 'right'];
    const user = `'${own.username}'@'%'`;
    await runSql(url, `CREATE USER ${user} IDENTIFIED BY 'right'`);
    await runSql(url, `GRANT ALL ON ${own.pathname.slice(1)}.* TO ${user}`);
    const app = await startApp({ DATABASE_URL: own.href });
    const token = await app.token();
    await runSql(url, `ALTER USER ${user} IDENTIFIED BY 'another'`);
    for (const [id] of await runSql(
      url,
      `SELECT id FROM information_schema.processlist WHERE user = '${own.username}'`,
    ))
      await runSql(url, `KILL ${String(id)}`).catch(() => undefined);
    const [{ errors }, { status, headers }] = await Promise.all([
      app.graphql(COUNT, {}, { token }),
      app.rest('GET', '/gateways', { token }),
    ]);
    expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
    expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(503);
    await runSql(url, `ALTER USER ${user} IDENTIFIED BY 'right'`);
    await eventually(15, async () => expect((await app.graphql(COUNT, {}, { token })).errors).toBeUndefined());
    await app.close();
    await runSql(url, `DROP USER ${user}`);
    await drop();
  });

  test.each<[when: string, silentFrom: Way['hidesFrom'], laterFrom?: Way['hidesFrom']]>([
    ['from the start', (packet) => packet.includes('SET SESSION')],
    ['when it prepares a statement', (packet) => packet[COMMAND] === PREPARE],
    ['when it runs a prepared statement', (packet) => packet[COMMAND] === EXECUTE],
    ['when it runs a statement and when it is to end the session', (packet) => packet[COMMAND] === EXECUTE, isOfKill],
  ])(
    'connections on which the server is silent %s are closed, and requests succeed when it responds again',
    async (_when, silentFrom, laterFrom = NOTHING) => {
      if (name === 'SQLite') return; // there is no server
      const { url, drop } = await createDatabase();
      const way = await wayTo(url);
      const app = await startApp({ DATABASE_URL: way.url });
      await app.token();
      await way.killUnnoticed();
      way.hidesFrom = silentFrom;
      const { errors } = await app.graphql(COUNT);
      expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(['UNAVAILABLE']);
      way.hidesFrom = laterFrom;
      await eventually(15, async () =>
        expect((await app.graphql(COUNT)).data).toEqual({ gateways: { totalCount: 0 } }),
      );
      await createGateway(app);
      await eventually(15, async () =>
        expect(await runSql(url, 'SELECT COUNT(*) FROM unnumbered_entries')).toEqual([[0]]),
      );
      await eventually(15, () => expect(way.kept()).toBe(0));
      await app.close();
      await drop();
    },
  );
});
