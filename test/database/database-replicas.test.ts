import { createClient } from '../../clients/typescript/src/index';
import { loadConfig } from '../../src/config/config';
import { startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { fillDids } from '../support/many';
import { newMetrics } from '../support/metrics';
import {
  hasMySql,
  ownMariaDb,
  ownMySql,
  replicate,
  replicating,
  type OwnServer,
} from '../support/databases/own-server';
import { programPath } from '../support/runner/programs';
import { transports } from '../support/subscriptions';

const LIST = '{ gateways { totalCount } }';
// Matching all patterns takes longer than the time limit of a heavy read, 8 s.
const DIDS = 30_000;
const SLOW_FILTER = Array.from('#$%&~=;:,0123456789', (end) => `@.spec.location.aorLink =~ /.*a.*[!${end}]/`).join(
  ' || ',
);
const SLOW = `{ dids(filter: "${SLOW_FILTER}") { totalCount } }`;
const RUNNING =
  "SELECT COUNT(*) FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND info LIKE '%aor_link%'";

const PRODUCTS = [
  ...(programPath('mariadbd') === undefined ? [] : [{ name: 'MariaDB', own: ownMariaDb } as const]),
  ...(hasMySql ? [{ name: 'MySQL', own: ownMySql } as const] : []),
];

test('DATABASE_READ_URL needs a server in DATABASE_URL, and is a URL of servers', () => {
  expect(() => loadConfig({ DATABASE_READ_URL: 'mysql://u:hush@a/x' })).toThrow('needs MySQL or MariaDB');
  const load = () => loadConfig({ DATABASE_URL: 'mysql://u@a/x', DATABASE_READ_URL: 'sqlite:hush.db' });
  expect(load).toThrow('DATABASE_READ_URL: is not mysql://');
  expect(load).not.toThrow('hush');
});

for (const { name, own } of PRODUCTS) {
  describe(`Reads from a replica, on ${name}`, () => {
    let primary: OwnServer;
    let replica: OwnServer;
    let apps: readonly [TestApp, TestApp];
    const pauseReplica = () => replica.run(name === 'MySQL' ? 'STOP REPLICA SQL_THREAD' : 'STOP SLAVE SQL_THREAD');
    const resumeReplica = () => replica.run(name === 'MySQL' ? 'START REPLICA SQL_THREAD' : 'START SLAVE SQL_THREAD');

    beforeAll(async () => {
      [primary, replica] = await Promise.all([
        own(...replicating(name, 1)),
        own(...replicating(name, 2), '--read-only=ON'),
      ]);
      await replicate(replica, primary);
      const { url } = await primary.createDatabase();
      const env = { DATABASE_URL: url, DATABASE_READ_URL: `${replica.url}sipgraph` };
      apps = [await startApp(env), await startApp(env)];
      await usable(true);
    });

    afterAll(async () => {
      for (const app of apps) await app.close();
      await Promise.all([primary, replica].map((server) => server.remove()));
    });

    async function usable(is: boolean): Promise<void> {
      for (const app of apps)
        await eventually(20, async () => {
          const { replicas } = (await (await fetch(`${app.url}/readyz`)).json()) as { replicas: { lag: unknown }[] };
          expect(typeof replicas[0]?.lag === 'number').toBe(is);
        });
    }

    /** A reader who has written nothing. */
    async function readerToken(username: string): Promise<string> {
      const [app] = apps;
      const input = { username, secret: 'the secret of a reader', role: 'VIEWER' };
      await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', { input });
      const { data } = await app.graphql<{ createToken: { token: string } }>(
        'mutation ($u: String!, $s: String!) { createToken(username: $u, secret: $s) { token } }',
        { u: username, s: input.secret },
        { token: null },
      );
      return data.createToken.token;
    }

    const countOf = async (app: TestApp, token?: string): Promise<unknown> =>
      (await app.graphql<{ gateways: { totalCount: number } }>(LIST, {}, { token })).data.gateways.totalCount;

    test('queries of callers who wrote nothing use the replica; those who wrote see their writes, in every process', async () => {
      const [app, other] = apps;
      const token = await readerToken('reader');
      await pauseReplica();
      await createGateway(app);
      const admin = await app.token();
      expect(await countOf(app)).toBe(1);
      expect(await countOf(other, admin)).toBe(1);
      expect((await other.rest('GET', '/gateways', { token: admin })).body.data).toHaveLength(1);
      expect(await countOf(app, token)).toBe(0);
      expect((await other.rest('GET', '/gateways', { token })).body.data).toEqual([]);
      await resumeReplica();
      await eventually(5, async () => expect(await countOf(app, token)).toBe(1));
    });

    test('/metrics has the connections to the replica', async () => {
      const text = await newMetrics(apps[0].url, await apps[0].token());
      const pool = `{pool="replica 127.0.0.1:${String(replica.port)}"}`;
      expect(text).toContain(`sipgraph_database_connections_max${pool} 10`);
      expect(text).toContain(`sipgraph_database_waiting${pool} 0`);
    });

    test('a caller always reads what it wrote, through any process', async () => {
      const token = await apps[0].token();
      const before = Number(await countOf(apps[0], token));
      for (let n = 1; n <= 20; n++) {
        await createGateway(apps[n % 2] ?? apps[0]);
        const counts = await Promise.all(apps.map((app) => countOf(app, token)));
        expect(counts).toEqual([before + n, before + n]);
      }
    });

    test('a caller reads what it wrote, also if that took as long as a request may', async () => {
      const [app, other] = apps;
      await usable(true);
      await pauseReplica();
      const before = Number(await countOf(app));
      await createGateway(app);
      // As if the write had begun that long ago.
      await primary.run('UPDATE sipgraph.replica_marks SET marked_on = marked_on - 35000 WHERE name <> ""');
      expect(await countOf(other, await app.token())).toBe(before + 1);
      await resumeReplica();
      await usable(true);
    });

    test('a caller that sends back the position of a write sees it, whoever wrote it, in every process', async () => {
      const [app, other] = apps;
      const token = await readerToken('told');
      await usable(true);
      await pauseReplica();
      const before = Number(await countOf(app));
      const input = { name: 'after', host: 'after.test', transport: 'UDP' };
      const mutation = 'mutation ($input: CreateGatewayInput!) { createGateway(input: $input) { ref } }';
      const written = await app.graphql(mutation, { input });
      const document = { kind: 'Gateway', metadata: { name: 'R' }, spec: { host: 'after2.test', transport: 'udp' } };
      const rest = await other.rest('POST', '/gateways', { body: document });
      const positions = [written, rest].map(({ headers }) => headers.get('sipgraph-after') ?? '');
      for (const position of positions) expect(position).toMatch(/^\d{13}$/);
      const count = async (at: TestApp, position?: string): Promise<readonly unknown[]> => {
        const headers = position === undefined ? {} : { 'sipgraph-after': position };
        const { data, headers: answered } = await at.graphql<{ gateways: { totalCount: number } }>(
          LIST,
          {},
          { token, headers },
        );
        expect(answered.get('sipgraph-after')).toBeNull();
        const list = await at.rest<unknown[]>('GET', '/gateways?itemsPerPage=100', { token, headers });
        return [data.gateways.totalCount, list.body.data.length];
      };
      for (const at of apps)
        for (const position of [undefined, '', '1']) expect(await count(at, position)).toEqual([before, before]);
      for (const at of apps)
        for (const position of [...positions, 'x', '9'.repeat(20)])
          expect(await count(at, position)).toEqual([before + 2, before + 2]);
      await resumeReplica();
    });

    test('the TypeScript client sends back the position of its last write', async () => {
      const [app] = apps;
      const sent: (string | null)[] = [];
      const client = createClient(`${app.url}/graphql`, {
        token: await app.token(),
        fetch: (url, options) => {
          sent.push(new Headers(options?.headers).get('sipgraph-after'));
          return fetch(url, options);
        },
      });
      await client.gateways();
      await client.createDomain({ input: { name: 'd', domainUri: 'after.test' } });
      await client.gateways();
      expect(sent).toEqual([null, null, expect.stringMatching(/^\d{13}$/)]);
    });

    test('a position in the changes is not newer than what its caller reads afterwards', async () => {
      const token = await readerToken('follower');
      await pauseReplica();
      await createGateway(apps[0]);
      await apps[1].graphql('{ changeCursor }', {}, { token });
      expect(await countOf(apps[1], token)).toBe(await countOf(apps[0]));
      await resumeReplica();
    });

    test('the history, and what a resource was, include changes that the replica does not have', async () => {
      const [app, other] = apps;
      const token = await readerToken('historian');
      await usable(true);
      await pauseReplica();
      const ref = await createGateway(app, { name: 'one' });
      const asOf = new Date().toISOString();
      await new Promise((resolve) => setTimeout(resolve, 5));
      await app.graphql(`mutation { updateGateway(ref: "${ref}", input: { name: "two" }) { ref } }`);
      const query = `{
        history(where: { ref: "${ref}" }) { nodes { event } }
        gateway(ref: "${ref}", asOf: "${asOf}") { name }
      }`;
      const nodes = [{ event: 'UPDATED' }, { event: 'CREATED' }];
      expect((await other.graphql(query, {}, { token })).data).toEqual({
        history: { nodes },
        gateway: { name: 'one' },
      });
      await resumeReplica();
    });

    test('a cursor that is ahead of a replica fails with an error that passes when the replica has caught up', async () => {
      await primary.run('CREATE USER reader');
      await primary.run('GRANT ALL ON sipgraph.* TO reader');
      await eventually(5, async () =>
        expect(Number(await replica.run("SELECT COUNT(*) FROM mysql.user WHERE user = 'reader'"))).toBe(1),
      );
      const url = `mysql://reader@127.0.0.1:${String(replica.port)}/sipgraph`;
      const reader = await startApp({ DATABASE_URL: url, READ_ONLY: 'true', MIGRATE: 'off' });
      const token = await apps[0].token();
      const follow = async (since: string) => {
        const query = 'subscription ($since: String) { resourceChanged(since: $since) { ref } }';
        const [{ subscribe }] = transports;
        const subscription = await subscribe(reader.url, token, query, { since });
        return { ...subscription, first: await subscription.next() };
      };
      await usable(true);
      await pauseReplica();
      await createGateway(apps[0]);
      const { data } = await apps[0].graphql<{ changeCursor: string }>('{ changeCursor }');
      const ahead = await follow(data.changeCursor);
      expect(ahead.first).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE', retryAfter: 5 } }] });
      await ahead.close();
      await resumeReplica();
      const ref = await createGateway(apps[0]);
      await eventually(10, async () => {
        const later = await follow(data.changeCursor);
        await later.close();
        expect(later.first).toMatchObject({ data: { resourceChanged: { ref } } });
      });
      await reader.close();
    });

    test('a replica that is far behind, or does not respond, is not used', async () => {
      const token = await readerToken('late');
      await usable(true);
      replica.freeze();
      const count = await countOf(apps[0], token);
      expect(count).toBe(await countOf(apps[0]));
      await usable(false);
      replica.goOn();
      await usable(true);
      await pauseReplica();
      await usable(false);
      await createGateway(apps[0]);
      expect(await countOf(apps[0], token)).toBe(Number(count) + 1);
      const text = await newMetrics(apps[0].url, await apps[0].token());
      expect(text).toMatch(
        new RegExp(`^sipgraph_replica_lag_seconds\\{host="127.0.0.1:${String(replica.port)}"\\} NaN$`, 'im'),
      );
      await resumeReplica();
      await usable(true);
    });

    test('a slow read on a replica is cancelled when its client leaves, and does not go on on the primary', async () => {
      const token = await readerToken('hasty');
      await fillDids(`${primary.url}sipgraph`, DIDS);
      await eventually(30, async () =>
        expect(Number(await replica.run('SELECT COUNT(*) FROM sipgraph.numbers'))).toBe(DIDS),
      );
      await usable(true);
      const controller = new AbortController();
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const options = { method: 'POST', headers, body: JSON.stringify({ query: SLOW }), signal: controller.signal };
      const answer = fetch(`${apps[0].url}/graphql`, options).catch((error: unknown) => error);
      await eventually(15, async () => expect(Number(await replica.run(RUNNING))).toBeGreaterThan(0), 20);
      controller.abort();
      const begun = performance.now();
      await eventually(15, async () => expect(Number(await replica.run(RUNNING))).toBe(0), 20);
      expect(performance.now() - begun).toBeLessThan(6000);
      expect(Number(await primary.run(RUNNING))).toBe(0);
      expect(await answer).toMatchObject({ name: 'AbortError' });
    });
  });
}
