import { loadConfig } from '../../src/config/config';
import { addressText } from '../../src/config/database-url';
import { startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import {
  hasMySql,
  ownMariaDb,
  ownMySql,
  replicate,
  replicating,
  type OwnServer,
} from '../support/databases/own-server';
import { describeWith } from '../support/runner/programs';

const LIST = '{ gateways { totalCount } }';

/** The value of DATABASE_URL for these servers. */
function urlOf(servers: readonly OwnServer[]): string {
  return `mysql://root@${servers.map(nameOf).join(',')}/sipgraph`;
}

function nameOf({ port }: OwnServer): string {
  return `127.0.0.1:${String(port)}`;
}

interface Ready {
  readonly ready: boolean;
  readonly databaseHost: { readonly host: string; readonly lag: number } | null;
}

async function readiness(app: TestApp): Promise<Ready> {
  return (await (await fetch(`${app.url}/readyz`)).json()) as Ready;
}

/** Waits until a server is used. */
async function using(app: TestApp, server: OwnServer): Promise<void> {
  await eventually(30, async () => expect((await readiness(app)).databaseHost?.host).toBe(nameOf(server)), 100);
}

/** A server, and one that replicates it. Both can be written to unless `settings` of the second say otherwise. */
async function pair(
  own: typeof ownMariaDb,
  name: OwnServer['name'],
  ...settings: readonly string[]
): Promise<readonly [OwnServer, OwnServer]> {
  const [primary, replica] = await Promise.all([
    own(...replicating(name, 1)),
    own(...replicating(name, 2), ...settings),
  ]);
  await replicate(replica, primary);
  await primary.createDatabase();
  return [primary, replica];
}

describeWith(['mariadbd'], 'Several database hosts', () => {
  let first: OwnServer;
  let second: OwnServer;
  let app: TestApp;

  beforeAll(async () => {
    [first, second] = await pair(ownMariaDb, 'MariaDB', '--read-only=ON');
    app = await startApp({ DATABASE_URL: urlOf([second, first]) });
  });

  afterAll(async () => {
    await app.close();
    await Promise.all([first, second].map((server) => server.remove()));
  });

  /** Promotes a server, as an operator or a tool does after the primary has failed. */
  test('the first that can be written to is used, and /readyz and /metrics say which one', async () => {
    expect(await readiness(app)).toMatchObject({
      ready: true,
      databaseHost: { host: nameOf(first), lag: 0 },
    });
    const metrics = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${await app.token()}` } });
    const text = await metrics.text();
    expect(text).toContain(`sipgraph_database_host{host="${nameOf(first)}"} 1`);
    expect(text).toMatch(/^sipgraph_database_lag_seconds 0$/m);
  });

  test('while no host can be used, requests wait for two seconds and get 503, and /readyz is 503', async () => {
    await app.token();
    await first.kill();
    // The other one responds, but does not accept writes.
    const expected = { databaseHost: null, database: 'read-only' };
    await eventually(5, async () => expect(await readiness(app)).toMatchObject(expected), 50);
    const begun = Date.now();
    const { status, headers } = await app.rest('GET', '/gateways');
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(Date.now() - begun).toBeGreaterThan(1500);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(503);
    await first.start();
    await using(app, first);
    expect((await app.graphql(LIST)).errors).toBeUndefined();
  });

  test('when the one in use is killed and another one is promoted, requests that wait are answered by that one', async () => {
    await createGateway(app);
    await eventually(5, async () => expect(await second.run('SELECT COUNT(*) FROM sipgraph.gateways')).toBe(1));
    await second.run('STOP SLAVE');
    await first.kill();
    const [read, write] = [app.graphql(LIST), createGateway(app)];
    await second.run('SET GLOBAL read_only = OFF');
    expect((await read).data).toEqual({ gateways: { totalCount: expect.any(Number) as number } });
    expect(await write).toMatch(/^\w+$/);
    expect((await app.graphql(LIST)).data).toEqual({ gateways: { totalCount: 2 } });
    await using(app, second);
  });

  test('a former primary that lacks changes is not used again', async () => {
    // The URL prefers the second server, so another process prefers the first one.
    const other = await startApp({
      DATABASE_URL: urlOf([second, first]),
      DATABASE_PREFERRED_HOST: nameOf(first),
    });
    await using(other, second);
    await first.start();
    await new Promise((resolve) => setTimeout(resolve, 17_000));
    await using(other, second);
    expect((await other.graphql(LIST, {}, { token: await app.token() })).data).toEqual({ gateways: { totalCount: 2 } });
    await other.close();
  });
});

describeWith(['mariadbd'], 'Several database hosts that replicate each other', () => {
  test('when the preferred one stops responding, the next is used within 5 s, and later the preferred one again', async () => {
    const [first, second] = await pair(ownMariaDb, 'MariaDB');
    await replicate(first, second);
    const app = await startApp({ DATABASE_URL: urlOf([first, second]) });
    await createGateway(app);
    await eventually(5, async () => expect(await second.run('SELECT COUNT(*) FROM sipgraph.users')).toBe(1));

    first.freeze();
    const begun = Date.now();
    const during = await app.graphql(LIST);
    const waited = Date.now() - begun;
    expect([200, 503]).toContain(during.status);
    expect(waited).toBeLessThan(5000);
    await using(app, second);
    expect(Date.now() - begun).toBeLessThan(5000);
    expect(await createGateway(app)).toMatch(/^\w+$/);

    first.goOn();
    // It is always a second behind, as others keep writing.
    await first.run('STOP SLAVE');
    await first.run('CHANGE MASTER TO MASTER_DELAY = 1');
    await first.run('START SLAVE');
    let change = 1e9;
    const insert = () =>
      `INSERT INTO sipgraph.changes (id, at, kind, ref, did) VALUES (${String(++change)}, 0, '', '', '')`;
    const writing = setInterval(() => void second.run(insert()).catch(() => undefined), 200);
    // No request fails while the process moves.
    await eventually(60, async () => {
      const { data } = await app.graphql(LIST);
      if (JSON.stringify(data) !== '{"gateways":{"totalCount":2}}') throw new Error('A request failed');
      expect((await readiness(app)).databaseHost?.host).toBe(nameOf(first));
    });
    clearInterval(writing);
    expect(Date.now() - begun).toBeGreaterThan(10_000);
    expect(await createGateway(app)).toMatch(/^\w+$/);
    await app.close();
    await Promise.all([first, second].map((server) => server.remove()));
  });
});

async function changesPrimary(): Promise<void> {
  const [first, second] = await pair(ownMySql, 'MySQL', '--super-read-only=ON');
  const app = await startApp({ DATABASE_URL: urlOf([first, second]) });
  await createGateway(app);
  await eventually(5, async () => expect(await second.run('SELECT COUNT(*) FROM sipgraph.gateways')).toBe(1));
  await second.run('STOP REPLICA');
  await first.run('SET GLOBAL super_read_only = ON');
  const [read, write] = [app.graphql(LIST), createGateway(app)];
  await second.run('SET GLOBAL super_read_only = OFF');
  await second.run('SET GLOBAL read_only = OFF');
  expect((await read).errors).toBeUndefined();
  expect(await write).toMatch(/^\w+$/);
  await using(app, second);
  expect((await app.graphql(LIST)).data).toEqual({ gateways: { totalCount: 2 } });
  await app.close();
  await Promise.all([first, second].map((server) => server.remove()));
}

// The global setup says whether there is MySQL.
if (hasMySql) test('On MySQL, requests wait for a planned change of the primary', changesPrimary);

test.each([
  ['mysql://u:hush@a,b:3307,[::1]/x', ['a:3306', 'b:3307', '[::1]:3306']],
  ['mariadb://u:hush@db.test/x', ['db.test:3306']],
])('DATABASE_URL=%s names these hosts', (url, hosts) => {
  const { database } = loadConfig({ DATABASE_URL: url });
  expect(database.dialect === 'mysql' && database.hosts.map(addressText)).toEqual(hosts);
});

test.each([
  ['mysql://u:hush@a,,b/x', 'is neither'],
  ['mysql://u:hush@a,b:x/x', 'is neither'],
  ['mysql://u:hush@a,b', 'is neither'],
  ['mysql://u:hush@/x', 'is neither'],
  ['mysql://u:hush@a,b:3307,a:3306/x', 'names a:3306 twice'],
  [`mysql://u:hush@${Array.from({ length: 17 }, (_, n) => `h${String(n)}`).join(',')}/x`, 'names more than 16 hosts'],
  ['mysql://u:hush@a.test,127.0.0.1/x?ssl=verify', 'requires a host name instead of an IP address'],
])('DATABASE_URL=%s is a configuration error', (url, message) => {
  const load = () => loadConfig({ DATABASE_URL: url });
  expect(load).toThrow(message);
  expect(load).not.toThrow('hush');
});

test('DATABASE_PREFERRED_HOST is a host of DATABASE_URL, and comes first', () => {
  const load = (preferred: string) =>
    loadConfig({ DATABASE_URL: 'mysql://u@a,b:3307,c/x', DATABASE_PREFERRED_HOST: preferred }).database;
  const hosts = (preferred: string) => {
    const database = load(preferred);
    return database.dialect === 'mysql' && database.hosts.map(addressText);
  };
  expect(hosts('c')).toEqual(['c:3306', 'a:3306', 'b:3307']);
  expect(hosts('b:3307')).toEqual(['b:3307', 'a:3306', 'c:3306']);
  expect(() => load('b')).toThrow('DATABASE_PREFERRED_HOST: "b:3306" is not a host of DATABASE_URL');
  expect(() => load('x y')).toThrow('DATABASE_PREFERRED_HOST: "x y" is neither host nor host:port');
});
