import { eventually } from '../support/eventually';
import { ownMariaDb, replicate, replicating, type OwnServer } from '../support/databases/own-server';
import { build, killAll } from '../support/process';
import { startCallers, type Callers } from './callers';
import { startWriters, type Writers } from './ledger';
import { expectEqual, expectLedger } from './outcome';
import { createSite, DATABASE, type Site } from './site';
import { subscribe, type Subscriber } from './subscriber';

const CREATE_GATEWAY = 'mutation { made: createGateway(input: { name: "G", host: "g.test", transport: UDP }) { ref } }';
// Reads are prepared; the checks of a replica are not.
const READS = "SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'Com_stmt_execute'";

describe('Two processes on a primary with two replicas', () => {
  let primary: OwnServer;
  let replicas: readonly [OwnServer, OwnServer];
  let sites: readonly [Site, Site];
  let cursor: string;
  let writers: Writers;
  let callers: Callers;
  let subscribers: readonly Subscriber[];

  beforeAll(async () => {
    const [first, one, two] = await Promise.all([
      ownMariaDb(...replicating('MariaDB', 1)),
      ownMariaDb(...replicating('MariaDB', 2), '--read-only=ON'),
      ownMariaDb(...replicating('MariaDB', 3), '--read-only=ON'),
    ]);
    [primary, replicas] = [first, [one, two]];
    for (const replica of replicas) await replicate(replica, primary);
    build();
    const { url } = await primary.createDatabase();
    const hosts = replicas.map(({ port }) => `127.0.0.1:${String(port)}`).join(',');
    const settings = { DATABASE_READ_URL: `mysql://root@${hosts}/${DATABASE}` };
    sites = [createSite(url, settings), createSite(url, settings)];
    await Promise.all(sites.map((site) => site.start()));
    await areUsed();
    const { data } = await sites[0].graphql(CREATE_GATEWAY);
    const gateway = (data?.['made'] as { readonly ref: string }).ref;
    cursor = String((await sites[0].graphql('{ changeCursor }')).data?.['changeCursor']);
    subscribers = sites.map((site) => subscribe(site, cursor));
    callers = await startCallers(sites, gateway);
    writers = startWriters(sites, gateway);
  });

  afterAll(async () => {
    killAll();
    await Promise.all([primary, ...replicas].map((server) => server.remove()));
  });

  const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1000));

  /** Waits until all processes use all replicas. */
  async function areUsed(): Promise<void> {
    for (const site of sites)
      await eventually(20, async () => {
        const ready = (await (await fetch(`${site.url()}/readyz`)).json()) as {
          readonly replicas: readonly { readonly lag: unknown }[];
        };
        expect(ready.replicas.map(({ lag }) => typeof lag)).toEqual(['number', 'number']);
      });
  }

  /** Fails unless these sites write, and each caller reads what it wrote. */
  async function expectWork(...at: readonly number[]): Promise<void> {
    const [written, read] = [[...writers.acknowledged], [...callers.answered]];
    for (const n of at)
      await eventually(20, () => expect(writers.acknowledged[n]).toBeGreaterThan((written[n] ?? 0) + 5));
    for (const [n, before] of read.entries())
      await eventually(20, () => expect(callers.answered[n]).toBeGreaterThan(before + 5));
    expect(callers.wrong).toEqual([]);
  }

  test('read from both replicas, and callers see what they wrote', async () => {
    const reads = () => Promise.all(replicas.map(async (replica) => Number(await replica.run(READS))));
    const before = await reads();
    await eventually(20, async () => {
      for (const [n, count] of (await reads()).entries()) expect(count).toBeGreaterThan((before[n] ?? 0) + 50);
    });
    await expectWork(0, 1);
  });

  test('callers see what they wrote while a replica lags', async () => {
    const [replica] = replicas;
    await replica.run('STOP SLAVE SQL_THREAD');
    // A replica is used until it is ten seconds behind.
    await seconds(5);
    await expectWork(0, 1);
    await replica.run('START SLAVE SQL_THREAD');
    await expectWork(0, 1);
  });

  test('callers see what they wrote while a replica is frozen', async () => {
    const [, replica] = replicas;
    replica.freeze();
    await seconds(4);
    await expectWork(0, 1);
    replica.goOn();
    await areUsed();
    await expectWork(0, 1);
  });

  test('callers see what they wrote while a replica is killed and starts again', async () => {
    const [replica] = replicas;
    await replica.kill();
    await seconds(2);
    await expectWork(0, 1);
    await replica.start();
    await areUsed();
    await expectWork(0, 1);
  });

  test('callers see what they wrote while a process is killed and starts again', async () => {
    sites[1].kill();
    await seconds(1);
    await expectWork(0);
    await sites[1].start();
    await areUsed();
    await expectWork(0, 1);
  });

  test('all servers have what was acknowledged, once, and subscribers heard each change once and in order', async () => {
    await Promise.all([writers.stop(), callers.stop()]);
    expect([...writers.wrong, ...callers.wrong]).toEqual([]);
    const databases = [primary, ...replicas].map(({ url }) => `${url}${DATABASE}`);
    const entries = new Map([...writers.entries, ...callers.entries]);
    await expectLedger({ databases, entries, subscribers, cursor });
    for (const subscriber of subscribers) await subscriber.stop();
    killAll();
    await expectEqual(databases);
  });
});
