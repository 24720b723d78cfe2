import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openSqlite } from '../../src/database/sqlite/better-sqlite3';
import { fetchToken, startApp, type TestApp } from '../support/app';
import { sipgraph } from '../support/cli';
import { runCommand } from '../support/command-line';
import { eventually } from '../support/eventually';
import { newMetrics } from '../support/metrics';
import { createSqliteDatabase, type TestDatabase } from '../support/databases/sqlite-database';

const MUTATION = 'mutation ($input: CreateGatewayInput!) { createGateway(input: $input) { ref } }';
const DOCUMENT = { kind: 'Gateway', metadata: { name: 'R' }, spec: { host: 'rest.test', transport: 'udp' } };
// Milliseconds. A statement that blocked the event loop would block it for 5 s, and a write gives up after 10 s.
const BLOCKED = 4000;
const GIVEN_UP = 10_000;

let database: TestDatabase;
let file: string;

beforeEach(async () => {
  database = await createSqliteDatabase();
  file = database.url.replace('sqlite:', '');
});

afterEach(() => database.drop());

async function served<T>(work: (app: TestApp) => Promise<T>, env: Record<string, string> = {}): Promise<T> {
  const app = await startApp({ DATABASE_URL: database.url, ...env });
  await app.token();
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** Runs `work` while another connection to the file has executed `statements`. `unlock` ends that early. */
async function locked<T>(statements: string, work: (unlock: () => void) => Promise<T>): Promise<T> {
  const other = openSqlite(file);
  other.exec(statements);
  try {
    return await work(() => void other.exec('ROLLBACK'));
  } finally {
    other.close();
  }
}

async function create(app: TestApp, name: string, token?: string): Promise<unknown> {
  const input = { name, host: `${name}.test`, transport: 'UDP' };
  const { data, errors = [] } = await app.graphql(MUTATION, { input }, { token });
  return errors[0]?.extensions['code'] ?? data;
}

/** Sends reads one after the other, and returns the milliseconds that they took. */
async function reads(app: TestApp): Promise<number> {
  const started = performance.now();
  for (let count = 0; count < 20; count++) expect((await app.rest('GET', '/gateways')).status).toBe(200);
  return performance.now() - started;
}

test('A write waits until another process releases its lock, and reads are served meanwhile', async () => {
  await served((app) =>
    locked('BEGIN IMMEDIATE', async (unlock) => {
      let isOver = false;
      const writes = Promise.all([create(app, 'a'), create(app, 'b')]).finally(() => (isOver = true));
      expect(await reads(app)).toBeLessThan(BLOCKED);
      expect(isOver).toBe(false);
      unlock();
      expect(await writes).toEqual([
        { createGateway: { ref: expect.any(String) } },
        { createGateway: { ref: expect.any(String) } },
      ]);
      expect((await app.graphql('{ gateways { totalCount } }')).data).toEqual({ gateways: { totalCount: 2 } });
    }),
  );
});

test('A sign-in does not wait for all the longer writes that came before it', async () => {
  await served((app) =>
    locked('BEGIN IMMEDIATE', async (unlock) => {
      const token = await app.token();
      const over: string[] = [];
      const create = 'mutation { createApiToken(name: "a", role: VIEWER) { token } }';
      const longer = Array.from({ length: 20 }, () => app.graphql(create).then(() => over.push('longer')));
      const sample = async (name: string): Promise<number> => {
        const line = (await newMetrics(app.url, token)).split('\n').find((each) => each.startsWith(name));
        return Number(line?.slice(name.length));
      };
      const waiting = (writes: number): Promise<void> =>
        eventually(
          5,
          async () => expect(await sample('sipgraph_database_waiting{pool="write"}')).toBeGreaterThanOrEqual(writes),
          20,
        );
      await waiting(19);
      const signIn = fetchToken(app.url, 'admin', app.adminSecret).then(() => over.push('sign-in'));
      await waiting(20);
      unlock();
      await Promise.all([...longer, signIn]);
      expect(over.indexOf('sign-in')).toBeLessThan(5);
    }),
  );
});

test('After 10 s, a write fails with 503 and Retry-After in both protocols, and later ones succeed', async () => {
  await served((app) =>
    locked('BEGIN IMMEDIATE', async (unlock) => {
      const started = performance.now();
      const codes = Promise.all(['a', 'b', 'c'].map((name) => create(app, name)));
      const { status, headers, text } = await app.rest('POST', '/gateways', { body: DOCUMENT });
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
      expect(text).not.toContain(file);
      expect(await codes).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
      const waited = performance.now() - started;
      expect(waited).toBeGreaterThan(GIVEN_UP * 0.9);
      expect(waited).toBeLessThan(GIVEN_UP * 1.9);
      unlock();
      expect((await app.rest('POST', '/gateways', { body: DOCUMENT })).status).toBe(201);
      expect((await app.graphql('{ gateways { totalCount } }')).data).toEqual({ gateways: { totalCount: 1 } });
    }),
  );
});

test('However many writes of two users wait for the lock, reads are served after a second', async () => {
  await served(async (app) => {
    const input = { username: 'second', secret: 'the secret of a second user', role: 'ADMIN' };
    await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', { input });
    const tokens = [await app.token(), await fetchToken(app.url, input.username, input.secret)];
    await locked('BEGIN IMMEDIATE', async (unlock) => {
      const started = performance.now();
      const creates = Array.from({ length: 200 }, (_, n) => create(app, `g${String(n)}`, tokens[n % 2]));
      await eventually(5, async () => expect((await app.rest('GET', '/gateways')).status).toBe(200));
      expect(performance.now() - started).toBeLessThan(BLOCKED);
      expect(await reads(app)).toBeLessThan(BLOCKED);
      unlock();
      const refused = (await Promise.all(creates)).filter((result) => result === 'UNAVAILABLE').length;
      expect(refused).toBeGreaterThanOrEqual(100);
      expect(refused).toBeLessThan(200);
    });
  });
});

test('Without a write-ahead log, a commit waits for readers of other processes, and so do reads', async () => {
  await runCommand({ DATABASE_URL: database.url }, 'migrate');
  openSqlite(file).exec('PRAGMA journal_mode = DELETE').close();
  await served(
    (app) =>
      locked('BEGIN; SELECT * FROM gateways', async (unlock) => {
        const started = performance.now();
        let isOver = false;
        const write = create(app, 'a').finally(() => (isOver = true));
        const read = app.rest('GET', '/gateways');
        await fetch(`${app.url}/healthz`);
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(performance.now() - started).toBeLessThan(BLOCKED);
        expect(isOver).toBe(false);
        unlock();
        expect(await write).toEqual({ createGateway: { ref: expect.any(String) } });
        expect((await read).status).toBe(200);
      }),
    { MIGRATE: 'off' },
  );
});

test('An import of the command line waits for the lock, and fails after 10 s', async () => {
  const env = { DATABASE_URL: database.url };
  await runCommand(env, 'import', join(__dirname, '../legacy/gateways.yml'));
  const csv = join(file, '..', 'numbers.csv');
  await writeFile(csv, 'telUrl,aorLink,gwRef\ntel:+4930100,sip:a@b.test,gw50a1a4ca\n');
  const importing = () => runCommand(env, 'import-numbers', csv);
  await locked('BEGIN IMMEDIATE', async (unlock) => {
    expect(await importing()).toMatchObject({
      code: 1,
      err: expect.stringContaining('The database is locked by another process; try again later\n'),
    });
    const second = importing();
    await new Promise((resolve) => setTimeout(resolve, 300));
    unlock();
    expect(await second).toMatchObject({ code: 0, out: expect.stringContaining('1 row: 1 created') });
  });
});

test('A migration waits for the lock', async () => {
  openSqlite(file).exec('PRAGMA journal_mode = WAL').close();
  await locked('BEGIN IMMEDIATE', async (unlock) => {
    const migrating = sipgraph(['migrate'], { DATABASE_URL: database.url });
    await new Promise((resolve) => setTimeout(resolve, 4000));
    unlock();
    expect(await migrating).toMatchObject({ code: 0 });
  });
});
