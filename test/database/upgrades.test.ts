import { join } from 'node:path';

import { startApp, type TestApp } from '../support/app';
import { drivers } from '../support/databases/databases';
import { createGateway } from '../support/factories';
import { buildPrevious, whyNotPrevious } from '../support/databases/previous-version';
import { killAll, listening, start, type Run } from '../support/process';
import { createSqliteDatabase } from '../support/databases/sqlite-database';
import { transportsOn } from '../support/subscriptions';

const ADMIN_SECRET = 'the-admin-secret-of-the-tests';

// CI has no git where it tests SQLite alone, so SQLite is always tested here.
const all = [
  { name: 'SQLite', createDatabase: createSqliteDatabase },
  ...drivers.filter(({ name }) => name !== 'SQLite'),
];
const reason = whyNotPrevious();
if (reason !== undefined) process.stderr.write(`Not tested: upgrades from the previous version: ${reason}\n`);
// eslint-disable-next-line no-restricted-properties -- the line above says why
const describeUpgrades = reason === undefined ? describe.each(all) : describe.skip.each(all);

describeUpgrades('An upgrade from the previous version, on $name', ({ name, createDatabase }) => {
  let directory: string;
  let database: Awaited<ReturnType<typeof createDatabase>>;

  beforeAll(async () => {
    directory = buildPrevious();
    database = await createDatabase();
  });

  afterAll(async () => {
    killAll();
    await database.drop();
  });

  /** Starts the previous version. */
  async function startPrevious(): Promise<{ readonly run: Run; readonly url: string }> {
    const settings = {
      DATABASE_URL: database.url,
      ADMIN_SECRET,
      SAMPLE_DATA: 'false',
      LOG_LEVEL: 'warn',
      NODE_PATH: join(directory, 'dist/node_modules'), // where TypeORM finds better-sqlite3
    };
    const run = start(settings, undefined, directory);
    return { run, url: await listening(run) };
  }

  /** The test's functions for another server on the same database. */
  const rest = async (url: string, token: string, method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${url}/api/v1beta1${path}${path.includes('?') ? '&' : '?'}token=${token}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { ...((await answer.json()) as object), status: answer.status };
  };

  const gateway = (ref: string, host: string) => ({
    apiVersion: 'v1beta1',
    kind: 'Gateway',
    metadata: { name: ref, ref },
    spec: { host, transport: 'udp' },
  });

  test('both versions run side by side: each reads what the other writes, and accepts its tokens', async () => {
    const { run, url } = await startPrevious();
    const basic = `Basic ${Buffer.from(`admin:${ADMIN_SECRET}`).toString('base64')}`;
    const signedIn = await fetch(`${url}/api/v1beta1/token`, { headers: { authorization: basic } });
    const { data: token } = (await signedIn.json()) as { data: string };
    await rest(url, token, 'POST', '/gateways', gateway('gw-before', 'before.test'));

    // This version migrates the database while the previous one runs.
    const app = await startApp({ DATABASE_URL: database.url, ADMIN_SECRET });
    const own = await app.token();
    const [{ subscribe }] = transportsOn(name) as [ReturnType<typeof transportsOn>[number]];
    const query = 'subscription { resourceChanged { ref } }';
    const [here, there] = [await subscribe(app.url, own, query), await subscribe(url, own, query)];

    expect(await rest(app.url, token, 'GET', '/gateways/gw-before')).toMatchObject({ status: 200 });
    expect(await rest(url, own, 'POST', '/gateways', gateway('gw-old', 'old.test'))).toMatchObject({ status: 201 });
    await createGateway(app, { ref: 'gw-new' });
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'mutation { updateGateway(ref: "gw-new", input: { name: "changed" }) { ref } }' }),
    });
    expect(JSON.stringify(await rest(app.url, token, 'GET', '/gateways/gw-new'))).toContain('"name":"changed"');
    expect(await rest(app.url, own, 'DELETE', '/gateways/gw-old')).toMatchObject({ status: 200 });
    expect(await rest(url, own, 'GET', '/gateways/gw-old')).toMatchObject({ status: 404 });
    await rest(url, token, 'DELETE', '/gateways/gw-before');

    // Each subscriber hears every change, once and in the same order. Changes of different versions that wait for their
    // numbers at the same time can be numbered in another order than they were made.
    const heard: string[][] = [];
    for (const subscription of [here, there]) {
      const refs: string[] = [];
      for (let n = 0; n < 5; n++) {
        const { data } = await subscription.next(15);
        refs.push((data?.['resourceChanged'] as { readonly ref: string }).ref);
      }
      heard.push(refs);
      expect(subscription.heard).toEqual([]);
      await subscription.close();
    }
    expect(heard[0]?.toSorted()).toEqual(['gw-before', 'gw-new', 'gw-new', 'gw-old', 'gw-old']);
    expect(heard[1]).toEqual(heard[0]);
    run.child.kill('SIGTERM');
    expect(await run.ended()).toBe(0);
    expect(run.output()).not.toMatch(/"level":"(warn|error)"/);
    await app.close();
  });

  test('the previous version starts on the tables of this version, for a way back', async () => {
    const app: TestApp = await startApp({ DATABASE_URL: database.url, ADMIN_SECRET });
    const token = await app.token();
    await app.close();
    const { run, url } = await startPrevious();
    expect(await rest(url, token, 'GET', '/gateways/gw-new')).toMatchObject({ status: 200 });
    expect(await rest(url, token, 'POST', '/gateways', gateway('gw-back', 'back.test'))).toMatchObject({ status: 201 });
    run.child.kill('SIGTERM');
    expect(await run.ended()).toBe(0);
  });
});
