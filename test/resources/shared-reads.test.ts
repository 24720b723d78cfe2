import { startApp, fetchToken, type TestApp } from '../support/app';
import { createAgent, createDid, createDomain, createGateway } from '../support/factories';
import { COUNTING, metric } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

// Each of a write and a read. Set FRESHNESS_PAIRS=10000 for a longer run.
const PAIRS = Number(process.env['FRESHNESS_PAIRS'] ?? 800);
const WRITERS = 25;
const PAGE = 'nodes { domainUri }';
const PAGE_OF_AGENTS = 'nodes { ref }';
const BY_HOST = 'query ($host: String!) { gateways(where: { host: { eq: $host } }) { nodes { ref name host } } }';
const GET = 'query ($ref: String!) { gateway(ref: $ref) { ref name host } }';

onEachDatabase(
  'Reads that share statements',
  (subject, database) => {
    const hostOf = async (app: TestApp, ref: string): Promise<unknown> => {
      const { data } = await app.graphql<{ gateway: { host: string } | null }>(GET, { ref });
      return data.gateway?.host;
    };
    const hostOfFiltered = async (app: TestApp, host: string): Promise<unknown> => {
      const { data } = await app.graphql<{ gateways: { nodes: { host: string }[] } }>(BY_HOST, { host });
      return data.gateways.nodes[0]?.host;
    };

    test(`see every write that was answered before, between connections and replicas under load: ${String(PAIRS)} pairs`, async () => {
      const { app, url } = subject();
      const replica = await startApp({ DATABASE_URL: url, ADMIN_SECRET: app.adminSecret });
      await replica.token();
      const refs = await Promise.all(Array.from({ length: WRITERS }, () => createGateway(app)));
      const stale: string[] = [];
      let pairs = 0;
      let ended = false;
      // Other reads of the same rows, so that statements of earlier turns are always under way.
      const load = Array.from({ length: 4 }, async (_, index) => {
        while (!ended) await hostOf(index % 2 ? app : replica, refs[index] ?? '');
      });
      await Promise.all(
        refs.map(async (ref, writer) => {
          for (let n = 0; n < PAIRS / WRITERS / 4; n++) {
            const host = `h${String(writer)}-${String(n)}.test`;
            const { errors } = await app.graphql(
              'mutation ($ref: String!, $input: UpdateGatewayInput!) { updateGateway(ref: $ref, input: $input) { ref } }',
              { ref, input: { host } },
            );
            if (errors !== undefined) stale.push(`${host}: not written`);
            // By reference and by value, which share statements in different ways.
            const seen = [app, replica].flatMap((each) => [hostOf(each, ref), hostOfFiltered(each, host)]);
            for (const read of await Promise.all(seen)) {
              if (read !== host) stale.push(`${host}: ${String(read)}`);
              pairs++;
            }
          }
        }),
      );
      ended = true;
      await Promise.all(load);
      await replica.close();
      expect(stale).toEqual([]);
      expect(pairs).toBe(PAIRS);
    }, 600_000);

    test('give each of many concurrent requests its own resource, and 404 for those that do not exist', async () => {
      const { app } = subject();
      const refs = await Promise.all(Array.from({ length: 70 }, () => createGateway(app)));
      const asked = refs.flatMap((ref, n) => (n % 7 ? [ref] : [ref, `none${String(n)}`, ref]));
      const before = await metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const replies = await Promise.all(
        asked.map((ref) => app.rest<{ metadata: { ref: string } }>('GET', `/gateways/${ref}`)),
      );
      const after = await metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      expect(replies.map(({ status, body }) => (status === 200 ? body.data.metadata.ref : status))).toEqual(
        asked.map((ref) => (ref.startsWith('none') ? 404 : ref)),
      );
      // Without sharing, each request takes two statements: its user and its gateway.
      expect(after - before - 1).toBeLessThan(asked.length);
    });

    test('within one request are sent once if they are identical', async () => {
      const { app } = subject();
      await createDomain(app, { domainUri: 'twice.test' });
      const same = Array.from({ length: 5 }, (_, n) => `d${String(n)}: domains(first: 3) { nodes { domainUri } }`);
      const before = await metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const { data } = await app.graphql<Record<string, unknown>>(`{ ${same.join(' ')} }`);
      const after = await metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      expect(Object.values(data)).toHaveLength(5);
      for (const list of Object.values(data)) expect(list).toEqual({ nodes: [{ domainUri: 'twice.test' }] });
      // The users of the two requests, and the list.
      expect(after - before).toBe(3);
    });

    describe('that differ in their values only', () => {
      const agents = Array.from('abcdefghijklm');
      const lists: Readonly<Record<string, (agent: string) => string>> = {
        'pages of a filter': (agent) =>
          `domains(where: { domainUri: { startsWith: "${agent}" } }, first: 3) { ${PAGE} }`,
        'last pages of a filter': (agent) =>
          `domains(where: { domainUri: { startsWith: "${agent}" } }, last: 3) { ${PAGE} }`,
        'sorted pages': (agent) =>
          `domains(where: { domainUri: { startsWith: "${agent}" } }, orderBy: { field: DOMAIN_URI, direction: DESC }) { ${PAGE} }`,
        'list links': (agent) => `agent(ref: "${agent}") { domains { domainUri } }`,
        'links in pages': (agent) =>
          `agent(ref: "${agent}") { domains { agents(first: 2) { totalCount ${PAGE_OF_AGENTS} } } }`,
      };

      beforeAll(async () => {
        const { app } = subject();
        for (const agent of agents) {
          const uris = ['5', '1', '4', '3', '2'].map((n) => `${agent}${n}.alike.test`);
          for (const domainUri of uris) await createDomain(app, { domainUri });
          await createAgent(app, { ref: agent, username: agent, domains: uris.toReversed() });
        }
      }, 120_000);

      test.each(Object.entries(lists))('have the same results as alone: %s', async (_name, list) => {
        const { app } = subject();
        const alone = [];
        for (const agent of agents) {
          const { data } = await app.graphql<Record<string, unknown>>(`{ list: ${list(agent)} }`);
          alone.push(data['list']);
        }
        const together = await app.graphql<Record<string, unknown>>(
          `{ ${agents.map((agent) => `${agent}: ${list(agent)}`).join(' ')} }`,
        );
        expect(together.errors).toBeUndefined();
        expect(Object.values(together.data)).toEqual(alone);
        expect(new Set(alone.map((each) => JSON.stringify(each))).size).toBe(agents.length);
      });

      test('share one statement for up to 16 of them, where a statement is a network request', async () => {
        const { app } = subject();
        const document = `{ ${agents.map((agent) => `${agent}: domains(where: { domainUri: { eq: "${agent}1.alike.test" } }) { ${PAGE} }`).join(' ')} }`;
        await app.graphql(document);
        const before = await metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
        const { data } = await app.graphql<Record<string, { nodes: unknown[] }>>(document);
        const after = await metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
        for (const agent of agents) expect(data[agent]?.nodes).toEqual([{ domainUri: `${agent}1.alike.test` }]);
        const users = 2;
        expect(after - before - users).toBe(database === 'SQLite' ? agents.length : 1);
      });
    });

    test('share one statement for the pages of a link of all parents, also of other lists', async () => {
      const { app } = subject();
      const gateways = await Promise.all(Array.from({ length: 13 }, () => createGateway(app)));
      const dids = new Map<string, string>();
      for (const gatewayRef of gateways) {
        dids.set(gatewayRef, await createDid(app, { gatewayRef }));
        await createDid(app, { gatewayRef });
      }
      const page = '{ nodes { ref dids(first: 1) { nodes { ref } pageInfo { hasNextPage } } } }';
      const document = `{ ${gateways.map((ref, n) => `g${String(n)}: gateways(where: { ref: { eq: "${ref}" } }) ${page}`).join(' ')} }`;
      await app.graphql(document);
      const before = await metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const { data } = await app.graphql<Record<string, { nodes: { ref: string; dids: unknown }[] }>>(document);
      const after = await metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const pageOf = (ref: string) => ({ nodes: [{ ref: dids.get(ref) }], pageInfo: { hasNextPage: true } });
      expect(Object.values(data)).toEqual(gateways.map((ref) => ({ nodes: [{ ref, dids: pageOf(ref) }] })));
      const [users, pages, links] = [2, database === 'SQLite' ? gateways.length : 1, 1];
      expect(after - before).toBe(users + pages + links);
    });

    test('refuse a deleted user in the next request, while others use the same statement', async () => {
      const { app } = subject();
      for (let n = 0; n < 5; n++) {
        const username = `gone${String(n)}`;
        const { data } = await app.graphql<{ createUser: { ref: string } }>(
          'mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }',
          { input: { username, secret: 'a long secret', role: 'VIEWER' } },
        );
        const token = await fetchToken(app.url, username, 'a long secret');
        expect((await app.rest('GET', '/gateways', { token })).status).toBe(200);
        await app.graphql('mutation ($ref: String!) { deleteUser(ref: $ref) }', { ref: data.createUser.ref });
        const replies = await Promise.all(
          Array.from({ length: 20 }, (_, index) => app.rest('GET', '/gateways', index % 2 ? { token } : {})),
        );
        expect(replies.map(({ status }) => status)).toEqual(replies.map((_, index) => (index % 2 ? 401 : 200)));
      }
    });

    // The last test: it removes a table.
    test('fail each of the requests that shared a failed statement', async () => {
      const { app, url } = subject();
      const ref = await createGateway(app);
      await runSql(url, 'ALTER TABLE gateways RENAME TO gateways_away');
      const lost = await Promise.all(Array.from({ length: 20 }, () => app.graphql(GET, { ref })));
      for (const { errors } of lost) {
        expect(errors).toEqual([
          expect.objectContaining({
            message: 'Internal server error',
            path: ['gateway'],
          }),
        ]);
      }
      await runSql(url, 'ALTER TABLE gateways_away RENAME TO gateways');
      expect(await hostOf(app, ref)).toBeDefined();
    });
  },
  COUNTING,
);
