import { createConnection } from 'mysql2/promise';

import { openSqlite } from '../../src/database/sqlite/better-sqlite3';
import type { TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createDomain, createGateway } from '../support/factories';
import { metric, statementsByOutcome } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const LATE = 'The request took longer than 1 s; request less, or try again later';
const NAME = 'query ($ref: String!) { gateway(ref: $ref) { name } }';
const RENAME = `mutation ($ref: String!) {
  one: updateGateway(ref: $ref, input: { name: "Late 1" }) { ref }
  two: updateGateway(ref: $ref, input: { name: "Late 2" }) { ref }
}`;

// Without samples, which read domains, too.
const QUIET = { SAMPLES: 'off' };

/** The number of SELECT statements with a text that run in a database of MySQL or MariaDB. */
async function running(url: string, text: string): Promise<number> {
  const [row] = await runSql(
    url,
    `SELECT COUNT(*) FROM information_schema.processlist
     WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE 'SELECT%${text}%'`,
  );
  return Number(row?.[0]);
}

/** Locks something while `work` runs. On SQLite, all writes wait. */
async function whileHeld<T>(url: string, lock: string, work: () => Promise<T>): Promise<T> {
  if (url.startsWith('sqlite:')) {
    const connection = openSqlite(url.slice('sqlite:'.length));
    connection.exec('BEGIN IMMEDIATE');
    return work().finally(() => connection.close());
  }
  const connection = await createConnection(url);
  await connection.query('SET autocommit = 0');
  await connection.query(lock);
  return work().finally(() => connection.end());
}

/** Resolves when no such statement runs, sooner than the limits of reads and locks would end it. */
async function isQuiet(url: string, text: string): Promise<void> {
  const begun = performance.now();
  await eventually(15, async () => expect(await running(url, text)).toBe(0), 50);
  expect(performance.now() - begun).toBeLessThan(3000);
}

onEachDatabase(
  'At the time limit of a request',
  (subject, database) => {
    const nameOf = async (app: TestApp, ref: string): Promise<unknown> =>
      (await app.graphql<{ gateway: { name: string } }>(NAME, { ref })).data.gateway.name;

    test('a write that waits for a lock ends, and changes nothing later', async () => {
      const { app, url } = subject();
      const refs = [await createGateway(app, { name: 'Old' }), await createGateway(app, { name: 'Old' })];
      const [one = '', two = ''] = refs;
      const rows = `SELECT * FROM gateways WHERE ref IN ('${refs.join("', '")}') FOR UPDATE`;
      await whileHeld(url, rows, async () => {
        const body = {
          kind: 'Gateway',
          metadata: { name: 'Late', ref: two },
          spec: { host: `${two}.test`, transport: 'udp' },
        };
        const put = (): ReturnType<TestApp['rest']> => app.rest('PUT', `/gateways/${two}`, { body });
        // On a busy machine, the time can be over before a statement waits.
        await eventually(30, async () => {
          // Several together, which share a transaction.
          const [graphql, ...rest] = await Promise.all([app.graphql(RENAME, { ref: one }), put(), put(), put()]);
          expect([graphql.status, graphql.errors?.[0]?.message]).toEqual([503, LATE]);
          expect(rest.map(({ status }) => status)).toEqual([503, 503, 503]);
          if (database !== 'SQLite') await isQuiet(url, 'FROM gateways');
          // On SQLite, transactions wait before their first statement.
          const { cancelled } = await statementsByOutcome(app.url, await app.token());
          expect(Number(cancelled) > 0).toBe(database !== 'SQLite');
        });
      });
      // On SQLite, this one waits for those that began before.
      const other = await createGateway(app);
      await app.graphql('mutation ($ref: String!) { deleteGateway(ref: $ref) }', { ref: other });
      expect(await Promise.all(refs.map((ref) => nameOf(app, ref)))).toEqual(['Old', 'Old']);
    });

    test('a change of a user or a webhook that waits for a lock ends, and changes nothing later', async () => {
      const { app, url } = subject();
      // Two requests: hashing a secret may take much of the time limit.
      const { data: made } = await app.graphql<{ user: { ref: string } }>(
        'mutation { user: createUser(input: { username: "waiting", secret: "a secret of theirs", role: VIEWER }) { ref } }',
      );
      const { data } = await app.graphql<{ hook: { webhook: { ref: string } } }>(
        `mutation {
          hook: createWebhook(url: "https://hook.example/", events: [RESOURCE_CHANGED], note: "old") {
            webhook { ref }
          }
        }`,
      );
      const { user, hook } = { ...made, ...data };
      await whileHeld(url, 'SELECT * FROM users, webhooks FOR UPDATE', async () => {
        const changes = [
          app.graphql(`mutation { setUserRole(ref: "${user.ref}", role: OPERATOR) { ref } }`),
          app.graphql(`mutation { updateWebhook(ref: "${hook.webhook.ref}", note: "late") { ref } }`),
        ];
        for (const { errors } of await Promise.all(changes)) expect(errors?.[0]?.message).toBe(LATE);
        if (database !== 'SQLite') await isQuiet(url, 'FOR UPDATE');
      });
      // On SQLite, this one waits for those that began before.
      await createGateway(app);
      const after = await app.graphql('{ users { nodes { username role } } webhooks { note } }');
      expect(after.data).toMatchObject({
        users: { nodes: expect.arrayContaining([{ username: 'waiting', role: 'VIEWER' }]) },
        webhooks: [{ note: 'old' }],
      });
    });

    test('its reads end in the database', async () => {
      if (database === 'SQLite') return; // reads do not wait there
      const { app, url } = subject();
      const ref = await createDomain(app);
      const before = await statementsByOutcome(app.url, await app.token());
      await whileHeld(url, 'LOCK TABLES domains WRITE', async () => {
        const { errors } = await app.graphql('query ($ref: String!) { domain(ref: $ref) { name } }', { ref });
        expect(errors?.[0]?.message).toBe(LATE);
        await isQuiet(url, 'FROM domains');
      });
      const after = await statementsByOutcome(app.url, await app.token());
      expect(after['cancelled']).toBe(Number(before['cancelled']) + 1);
      expect(after['failed']).toBe(before['failed']);
      expect((await app.graphql(`{ domain(ref: "${ref}") { ref } }`)).data).toEqual({ domain: { ref } });
    });
  },
  { REQUEST_TIMEOUT: '1', ...QUIET },
);

onEachDatabase(
  'A statement that requests share',
  (subject, database) => {
    test('is cancelled when all of them are over, and not before', async () => {
      if (database === 'SQLite') return; // reads do not wait there
      const { app, url } = subject();
      const token = await app.token();
      const refs = [await createDomain(app), await createDomain(app)];
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const read = (ref = '', fields = 'ref') => {
        const client = new AbortController();
        const body = JSON.stringify({ query: `{ domain(ref: "${ref}") { ${fields} } }` });
        const data = fetch(`${app.url}/graphql`, { method: 'POST', headers, body, signal: client.signal })
          .then((response) => response.json())
          .catch(() => undefined);
        return { data, leave: () => client.abort() };
      };
      const inProgress = async (count: number): Promise<void> =>
        eventually(
          15,
          async () => expect(await metric(app.url, token, 'sipgraph_requests_in_progress')).toBe(count),
          20,
        );
      const statements = async (count: number, columns = ''): Promise<void> =>
        eventually(15, async () => expect(await running(url, `${columns}FROM domains`)).toBe(count), 20);

      /** Begins two requests that share a statement, and a third one with a statement of its own. */
      async function begin(): Promise<ReturnType<typeof read>[]> {
        for (let attempt = 0; attempt < 20; attempt++) {
          const together = [read(refs[0]), read(refs[0])];
          await inProgress(2);
          const all = [...together, read(refs[1], 'domainUri')];
          await statements(1, 'domain_uri %');
          if ((await running(url, 'FROM domains')) === 2) return all;
          for (const { leave } of all) leave();
          await isQuiet(url, 'FROM domains');
        }
        throw new Error('The requests did not share a statement');
      }

      const found = await whileHeld(url, 'LOCK TABLES domains WRITE', async () => {
        for (const { leave } of await begin()) leave();
        await isQuiet(url, 'FROM domains');
        const [one, ...others] = await begin();
        for (const { leave } of others) leave();
        // The statement of the third request ends.
        await statements(0, 'domain_uri %');
        await statements(1);
        return one;
      });
      expect(await found?.data).toEqual({ data: { domain: { ref: refs[0] } } });
    });
  },
  QUIET,
);
