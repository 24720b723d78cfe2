import { setTimeout } from 'node:timers/promises';

import { loadConfig } from '../../src/config/config';
import { failureOf } from '../../src/database/errors';
import { openDatabase } from '../../src/database/open';
import type { Transaction } from '../../src/database/sql';
import { eventually } from '../support/eventually';
import { build, killAll } from '../support/process';
import { runSql } from '../support/databases/sql';
import { clusters } from './clusters';
import { startWriters, type Writers } from './ledger';
import type { Cluster } from './node';
import { startSites, type Site } from './site';
import { subscribe, type Subscriber } from './subscriber';
import { expectEqual, expectLedger } from './outcome';

const CREATE_GATEWAY = 'mutation { made: createGateway(input: { name: "G", host: "g.test", transport: UDP }) { ref } }';

describe.each(clusters)('Three processes on three nodes, on $name', ({ start }) => {
  let cluster: Cluster;
  let sites: readonly [Site, Site, Site];
  let gateway: string;
  let cursor: string;
  let writers: Writers;
  let subscribers: readonly Subscriber[];

  beforeAll(async () => {
    build();
    cluster = await start();
  });

  afterAll(async () => {
    killAll();
    await cluster.stop();
  });

  const seconds = (count: number): Promise<void> => setTimeout(count * 1000);

  /** Fails unless each of these sites writes. */
  async function expectWrites(...numbers: readonly number[]): Promise<void> {
    const before = [...writers.acknowledged];
    for (const n of numbers)
      await eventually(60, () => expect(writers.acknowledged[n]).toBeGreaterThan((before[n] ?? 0) + 5));
  }

  const siteAt = (n: number): Site => sites[n % 3] ?? sites[0];

  /** The rows of a statement on each node. */
  const everywhere = (text: string): Promise<readonly (readonly (readonly unknown[])[])[]> =>
    Promise.all(sites.map(({ database }) => runSql(database, text)));

  test('start at the same time on an empty database', async () => {
    sites = await startSites(cluster);
    const [first] = sites;
    const { data } = await first.graphql(CREATE_GATEWAY);
    gateway = (data?.['made'] as { readonly ref: string }).ref;
    cursor = String((await first.graphql('{ changeCursor }')).data?.['changeCursor']);
    for (const rows of await everywhere('SELECT username, role FROM users')) expect(rows).toEqual([['admin', 'admin']]);
  });

  test('of 50 simultaneous creates of one number, one succeeds and the others are conflicts', async () => {
    const input = { telUrl: 'tel:+17066041487', aorLink: 'sip:1001@sip.local', gatewayRef: gateway };
    const creates = Array.from({ length: 50 }, (_, n) =>
      siteAt(n).graphql('mutation ($input: CreateNumberInput!) { createNumber(input: $input) { ref } }', { input }),
    );
    const codes = (await Promise.all(creates)).map(({ code = 'CREATED' }) => code).sort();
    expect(codes).toEqual([...Array.from({ length: 49 }, () => 'CONFLICT'), 'CREATED']);
  });

  test('of 30 simultaneous creates of ranges that overlap, one succeeds and the others are conflicts', async () => {
    const create = async (n: number): Promise<string> => {
      const [telUrl, lastTelUrl] = [`tel:+49301000${String(10 + n)}`, `tel:+49301000${String(60 + n)}`];
      const input = { telUrl, lastTelUrl, aorLink: 'sip:1001@sip.local', gatewayRef: gateway };
      const mutation = 'mutation ($input: CreateDIDInput!) { createDID(input: $input) { ref } }';
      const { code = 'CREATED' } = await siteAt(n).graphql(mutation, { input });
      // A node that is slow to see the commit of another one gives up, and has created nothing.
      return code === 'UNAVAILABLE' ? create(n) : code;
    };
    const codes = (await Promise.all(Array.from({ length: 30 }, (_, n) => create(n)))).sort();
    expect(codes).toEqual([...Array.from({ length: 29 }, () => 'CONFLICT'), 'CREATED']);
    for (const rows of await everywhere('SELECT COUNT(*) FROM number_ranges')) expect(rows).toEqual([[1]]);
  });

  test('a range and a number of another gateway inside are never both created, if two nodes create them at the same time', async () => {
    const { data } = await sites[0].graphql(CREATE_GATEWAY.replace('g.test', 'other.test'));
    const other = (data?.['made'] as { readonly ref: string }).ref;
    const mutation = 'mutation ($input: CreateDIDInput!) { createDID(input: $input) { ref } }';
    const create = async (n: number, input: object): Promise<string> => {
      const { code = 'CREATED' } = await siteAt(n).graphql(mutation, {
        input: { aorLink: 'sip:1001@sip.local', ...input },
      });
      return code === 'UNAVAILABLE' ? create(n, input) : code;
    };
    const outcomes = [];
    for (let round = 0; round < 40; round++) {
      const start = `tel:+49302${String(100 + round)}`;
      const codes = await Promise.all([
        create(round, { gatewayRef: gateway, telUrl: `${start}000`, lastTelUrl: `${start}999` }),
        create(round + 1, { gatewayRef: other, telUrl: `${start}500` }),
      ]);
      outcomes.push(codes.sort().join(' '));
    }
    expect(outcomes).toEqual(outcomes.map(() => 'CONFLICT CREATED'));
  });

  test('find what another one has just created, and subscribe after it', async () => {
    for (let n = 0; n < 15; n++) {
      const [one, two] = [siteAt(n), siteAt(n + 1)];
      const made = `mutation { made: createGateway(input: { name: "G", host: "g${String(n)}.test", transport: UDP }) { ref } }`;
      const { data } = await one.graphql(made);
      const { ref } = data?.['made'] as { readonly ref: string };
      const renamed = await two.graphql(`mutation { updateGateway(ref: "${ref}", input: { name: "H" }) { name } }`);
      expect(renamed).toEqual({ data: { updateGateway: { name: 'H' } } });
      const deleted = await one.graphql(`mutation { deleteGateway(ref: "${ref}") }`);
      expect(deleted.code).toBeUndefined();
    }
  });

  test('agree on agents that all of them change at the same time', async () => {
    const create = `mutation ($name: String!) {
      made: createAgent(input: { name: $name, username: $name, secret: "s", domains: ["one.test"] }) { ref }
    }`;
    await siteAt(0).graphql('mutation { createDomain(input: { name: "D", domainUri: "one.test" }) { ref } }');
    const refs: string[] = [];
    for (const name of Array.from({ length: 24 }, (_, n) => `a${String(n)}`)) {
      const { data } = await siteAt(0).graphql(create, { name });
      refs.push((data?.['made'] as { readonly ref: string }).ref);
    }
    const update =
      'mutation ($ref: String!, $name: String!) { updateAgent(ref: $ref, input: { name: $name }) { name } }';
    for (let round = 0; round < 40; round++) {
      // Those of a site share a transaction.
      const changes = sites.flatMap((site, at) =>
        refs.map((ref) => site.graphql(update, { ref, name: `${String(at)} ${String(round)}` })),
      );
      expect((await Promise.all(changes)).map(({ code }) => code)).toEqual(changes.map(() => undefined));
      await eventually(
        10,
        async () => {
          const [first, ...others] = await everywhere('SELECT ref, name FROM agents ORDER BY id');
          for (const other of others) expect(other).toEqual(first);
        },
        20,
      );
    }
  });

  test('commit all of a transaction or nothing, if another node changes the same row while a statement is prepared', async () => {
    const [one, two] = sites;
    await runSql(one.database, 'CREATE TABLE contested (id int PRIMARY KEY, value int NOT NULL)');
    await runSql(one.database, 'INSERT INTO contested VALUES (1, 0)');
    await runSql(one.database, 'CREATE TABLE parts (n int NOT NULL, part int NOT NULL, PRIMARY KEY (n, part))');
    const { database: config } = loadConfig({ DATABASE_URL: one.database });
    const database = await openDatabase(config, { log: { warn: () => undefined } });
    const write = async (transaction: Transaction, n: number): Promise<void> => {
      await transaction.run('UPDATE contested SET value = value + 1 WHERE id = 1', []);
      await transaction.run('INSERT INTO parts VALUES (?, 1)', [n]);
      // New, and so long that the other node often writes meanwhile.
      await transaction.rows(`SELECT ${String(n)} FROM contested WHERE id IN (${'2, '.repeat(3000)}?)`, [n]);
      await transaction.run('INSERT INTO parts VALUES (?, 2)', [n]);
    };
    /** Runs a shared transaction, which has no other attempt. Returns whether it was committed. */
    const share = async (n: number): Promise<boolean> => {
      try {
        await database.sharedTransaction((transaction) => write(transaction, n), { requests: 1 });
        return true;
      } catch (error) {
        if (failureOf(error).type !== 'retryable') throw error;
        return false;
      }
    };
    let isOver = false;
    const disturb = async (): Promise<void> => {
      while (!isOver) {
        // It may itself fail because of a conflict.
        await runSql(two.database, 'UPDATE contested SET value = value + 1 WHERE id = 1').catch(() => undefined);
        await setTimeout(Math.random() * 20);
      }
    };
    const disturbing = disturb();
    const committed: number[] = [];
    try {
      for (let n = 0; n < 200; n++) {
        const isCommitted = await (n % 2 === 0
          ? share(n)
          : database.maintenance.attempt((transaction) => write(transaction, n)));
        if (isCommitted) committed.push(n);
      }
    } finally {
      isOver = true;
      await disturbing;
      await database.close();
    }
    expect(committed.length).toBeGreaterThan(0);
    expect(committed.length).toBeLessThan(200);
    const stored = await runSql(
      one.database,
      'SELECT n, COUNT(*) FROM parts GROUP BY n HAVING COUNT(*) = 2 ORDER BY n',
    );
    expect(stored.map(([n]) => n)).toEqual(committed);
    expect(await runSql(one.database, 'SELECT COUNT(*) FROM parts')).toEqual([[2 * committed.length]]);
    await runSql(one.database, 'DROP TABLE contested, parts');
  });

  test('prepare statements of one transaction that are sent at the same time', async () => {
    const { database: config } = loadConfig({ DATABASE_URL: sites[0].database });
    const database = await openDatabase(config, { log: { warn: () => undefined } });
    try {
      const read = (transaction: Transaction) =>
        Promise.all([1, 2, 3].map((n) => transaction.rows(`SELECT ${String(n)} + 7000`, [])));
      expect((await database.sharedTransaction(read, { requests: 1 })).flat(2).map(Number)).toEqual([7001, 7002, 7003]);
    } finally {
      await database.close();
    }
  });

  test('keep an admin when two admins are demoted at the same time', async () => {
    const [one, two] = sites;
    const users = (await runSql(one.database, 'SELECT ref FROM users')).map(([ref]) => String(ref));
    const input = { username: 'second', secret: 'a secret of theirs', role: 'ADMIN' };
    const { data } = await one.graphql(
      'mutation ($input: CreateUserInput!) { made: createUser(input: $input) { ref } }',
      {
        input,
      },
    );
    const [first, second] = [users[0] ?? '', (data?.['made'] as { readonly ref: string }).ref];
    for (let round = 0; round < 60; round++) {
      const demote = (site: Site, ref: string) =>
        site.graphql(`mutation { setUserRole(ref: "${ref}", role: VIEWER) { ref } }`);
      // The first admin signed in, so the tokens of all sites are of that user.
      await Promise.all([demote(one, second), demote(two, first)]);
      const admins = await runSql(one.database, "SELECT ref FROM users WHERE role = 'admin'");
      expect(admins).toHaveLength(1);
      await runSql(one.database, "UPDATE users SET role = 'admin'");
      await eventually(5, async () => {
        for (const rows of await everywhere("SELECT ref FROM users WHERE role = 'admin'")) expect(rows).toHaveLength(2);
      });
    }
  });

  test('write while nodes are killed, frozen and cut off, and while a process is killed', async () => {
    subscribers = sites.map((site) => subscribe(site, cursor));
    writers = startWriters(sites, gateway);
    const [one, two, three] = cluster.nodes;
    await expectWrites(0, 1, 2);

    await three.kill();
    await seconds(3);
    await expectWrites(0, 1);
    await three.start();
    await expectWrites(2);

    two.freeze();
    await seconds(7);
    await expectWrites(0, 2);
    await two.thaw();
    await expectWrites(1);

    one.cut();
    await seconds(7);
    await expectWrites(1, 2);
    await one.mend();
    await expectWrites(0);

    sites[1].kill();
    await seconds(1);
    await expectWrites(0, 2);
    await sites[1].start();
    await expectWrites(1);
    await writers.stop();
    const errors = writers.wrong.length > 0 ? sites.flatMap((site) => site.errors()) : [];
    expect([...writers.wrong, ...errors]).toEqual([]);
  }, 1_000_000);

  test('all nodes have what was acknowledged, once, and subscribers heard each change once and in order', async () => {
    const databases = sites.map(({ database }) => database);
    await expectLedger({ databases, entries: writers.entries, subscribers, cursor });
    for (const subscriber of subscribers) await subscriber.stop();

    killAll();
    await expectEqual(databases);
  });
});
