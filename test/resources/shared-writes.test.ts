import { setTimeout as delay } from 'node:timers/promises';

import { createConnection } from 'mysql2/promise';

import { fetchToken, type TestApp } from '../support/app';
import { databases } from '../support/databases/databases';
import { eventually } from '../support/eventually';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../support/factories';
import { COUNTING, metric } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { build, killAll, listening, start } from '../support/process';
import { runSql } from '../support/databases/sql';

interface Reply {
  readonly status: number;
  readonly text: string;
}

const AOR_LINK = 'sip:a@b.test';

onEachDatabase(
  'Concurrent writes',
  (subject, database) => {
    const did = (telUrl: string, gwRef: string, ref?: string): object => ({
      kind: 'DID',
      metadata: { gwRef, ...(ref !== undefined && { ref }) },
      spec: { location: { telUrl, aorLink: AOR_LINK } },
    });

    const send = async (method: string, path: string, body?: object): Promise<Reply> => {
      const { status, text } = await subject().app.rest(method, path, { body });
      return { status, text };
    };

    /** The SQL statements that `work` takes. */
    async function statementsOf(work: () => Promise<unknown>): Promise<number> {
      const { app } = subject();
      const sent = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const before = await sent();
      await work();
      // The request for the metrics takes one statement, too: the user of its token.
      return (await sent()) - before - 1;
    }

    test('of one DID fail with the error that they have alone, except the first', async () => {
      const gateway = await createGateway(subject().app);
      const create = (): Promise<Reply> => send('POST', '/dids', did('tel:+18001', gateway));
      const replies = await Promise.all(Array.from({ length: 50 }, create));
      const alone = await create();
      expect(alone.status).toBe(409);
      const failed = replies.filter(({ status }) => status !== 201);
      expect(failed).toHaveLength(49);
      for (const reply of failed) expect(reply).toEqual(alone);
      expect(await runSql(subject().url, "SELECT COUNT(*) FROM numbers WHERE tel_url = 'tel:+18001'")).toEqual([[1]]);
    });

    test('have the results that they have alone, and those that succeed are stored', async () => {
      const { app, url } = subject();
      /** Prepares writes of every kind of result; `mark` is in each name and ref. */
      async function writes(mark: string): Promise<readonly (() => Promise<Reply>)[]> {
        const uri = `${mark}.test`;
        await createDomain(app, { domainUri: uri });
        await createGateway(app, { ref: `${mark}gw` });
        await createGateway(app, { ref: `${mark}free` });
        await createGateway(app, { ref: `${mark}used`, host: `${mark}.used.test` });
        await createDid(app, { ref: `${mark}dd`, gatewayRef: `${mark}used`, telUrl: `tel:+1${mark}0` });
        await createPeer(app, { ref: `${mark}p1`, username: `${mark}p1` });
        await createPeer(app, { ref: `${mark}p2`, username: `${mark}p2` });
        await createAgent(app, { ref: `${mark}a1`, username: `${mark}a1`, domains: [uri] });
        await createAgent(app, { ref: `${mark}a2`, username: `${mark}a2`, domains: [uri] });
        const graphql = async (mutation: string): Promise<Reply> => {
          const { status, data, errors } = await app.graphql(`mutation { ${mutation} }`);
          return {
            status,
            text: JSON.stringify(errors?.map(({ message, extensions }) => [message, extensions]) ?? data),
          };
        };
        const agent = (username: string, domain: string): object => ({
          kind: 'Agent',
          metadata: { name: 'x' },
          spec: { credentials: { username, secret: 's' }, domains: [domain] },
        });
        const good = [1, 2, 3, 4, 5, 6].map(
          (n) => () => send('POST', '/dids', did(`tel:+1${mark}${String(n)}`, `${mark}gw`, `${mark}n${String(n)}`)),
        );
        return [
          ...good.slice(0, 3),
          () => send('POST', '/dids', did(`tel:+1${mark}7`, `${mark}none`)),
          () => send('POST', '/dids', did(`tel:+1${mark}0`, `${mark}gw`)),
          () => send('POST', '/dids', did(`tel:+1${mark}8`, `${mark}gw`, `${mark}dd`)),
          () => send('POST', '/dids', { ...did('tel:+1', ''), spec: {} }),
          () => graphql(`updatePeer(ref: "${mark}p1", input: { username: "${mark}p2" }) { username }`),
          () => graphql(`updatePeer(ref: "${mark}p1", input: { name: "${mark}" }) { name username }`),
          () => graphql(`updatePeer(ref: "${mark}none", input: { name: "x" }) { name }`),
          () => graphql(`updateAgent(ref: "${mark}a1", input: { name: "lost", username: "${mark}a2" }) { name }`),
          () =>
            graphql(
              `updateAgent(ref: "${mark}a2", input: { privacy: PRIVATE }) { username privacy domains { domainUri } }`,
            ),
          () => graphql(`updateAgent(ref: "${mark}a2", input: { domains: ["${mark}.none"] }) { name }`),
          () =>
            graphql(`updateDID(ref: "${mark}dd", input: { aorLink: "sip:c@d.test" }) { aorLink gateway { ref host } }`),
          () => send('PUT', `/dids/${mark}dd`, did(`tel:+1${mark}9`, `${mark}used`)),
          () => send('DELETE', `/gateways/${mark}free`),
          () => send('DELETE', `/gateways/${mark}used`),
          () => send('DELETE', `/gateways/${mark}none`),
          () => send('POST', '/agents', agent(`${mark}new`, uri)).then(({ status }) => ({ status, text: '' })),
          () => send('POST', '/agents', agent(`${mark}a2`, uri)),
          () => send('POST', '/agents', agent(`${mark}new`, `${mark}.none`)),
          ...good.slice(3),
        ];
      }
      const outcomes = (replies: readonly Reply[], mark: string): unknown =>
        replies.map(({ status, text }) => `${String(status)} ${text.replaceAll(mark, '*')}`);

      const alone: Reply[] = [];
      for (const write of await writes('871')) alone.push(await write());
      for (const mark of ['872', '873', '874']) {
        const together = await writes(mark);
        expect(outcomes(await Promise.all(together.map((write) => write())), mark)).toEqual(outcomes(alone, '871'));
      }
      const stored = (mark: string): Promise<unknown> =>
        runSql(
          url,
          `SELECT SUBSTR(ref, 4) FROM numbers WHERE ref LIKE '${mark}%' UNION ALL
         SELECT CONCAT(SUBSTR(a.username, 4), a.name, a.privacy) FROM agents a WHERE a.username LIKE '${mark}%' AND a.privacy IS NOT NULL
         UNION ALL SELECT CONCAT('agents ', COUNT(*)) FROM agents WHERE username LIKE '${mark}%'
         UNION ALL SELECT CONCAT('lists ', COUNT(*)) FROM agent_domains WHERE username LIKE '${mark}%'
         UNION ALL SELECT CONCAT('lost ', COUNT(*)) FROM agents WHERE name = 'lost'
         UNION ALL SELECT CONCAT('gateways ', COUNT(*)) FROM gateways WHERE ref LIKE '${mark}%' ORDER BY 1`,
        );
      const expected = (await stored('871')) as unknown[][];
      expect(expected.flat()).toEqual(
        expect.arrayContaining(['agents 3', 'gateways 2', 'lists 3', 'lost 0', 'n1', 'n6']),
      );
      for (const mark of ['872', '873', '874']) {
        const names = (rows: unknown): string => JSON.stringify(rows).replace(/Agent \d+/g, 'Agent');
        expect(names(await stored(mark))).toEqual(names(expected));
      }
    });

    test.each(['creates', 'updates'])('take less than half of the statements that %s take alone', async (type) => {
      const { app } = subject();
      const gateway = await createGateway(app);
      const refs = await Promise.all(Array.from({ length: 61 }, () => createPeer(app)));
      const write = async (n: number): Promise<string> => {
        if (type === 'creates')
          return String((await send('POST', '/dids', did(`tel:+1810${String(n)}`, gateway))).status);
        const { data } = await app.graphql<{ updatePeer: { name: string } | null }>(
          `mutation { updatePeer(ref: "${String(refs[n])}", input: { name: "Peer ${String(n)}" }) { name } }`,
        );
        return data.updatePeer?.name ?? '';
      };
      const alone = await statementsOf(() => write(0));
      let results: readonly string[] = [];
      const together = await statementsOf(async () => {
        results = await Promise.all(Array.from({ length: 60 }, (_, n) => write(n + 1)));
      });
      expect(results).toEqual(results.map((_, n) => (type === 'creates' ? '201' : `Peer ${String(n + 1)}`)));
      expect(together).toBeLessThan((60 * alone) / 2);
    });

    test('return what they refer to without a statement of its own', async () => {
      const { app } = subject();
      const ref = await createGateway(app);
      const create = (telUrl: string, selection: string): Promise<unknown> =>
        app.graphql(
          `mutation { createDID(input: { gatewayRef: "${ref}", telUrl: "${telUrl}", aorLink: "${AOR_LINK}" }) { ${selection} } }`,
        );
      const plain = await statementsOf(() => create('tel:+18251', 'telUrl'));
      let linked: unknown;
      const withLink = await statementsOf(async () => {
        linked = await create('tel:+18252', 'telUrl gateway { ref }');
      });
      expect(linked).toMatchObject({ data: { createDID: { telUrl: 'tel:+18252', gateway: { ref } } } });
      expect(withLink).toBe(plain);
    });

    test('that all fail take no more statements than they take alone, and do not fail others', async () => {
      const gateway = await createGateway(subject().app);
      const taken = did('tel:+1820', gateway);
      await send('POST', '/dids', taken);
      const alone = await statementsOf(() => send('POST', '/dids', taken));
      let replies: readonly Reply[] = [];
      const together = await statementsOf(async () => {
        replies = await Promise.all(
          Array.from({ length: 60 }, (_, n) =>
            send('POST', '/dids', n % 6 ? taken : did(`tel:+1820${String(n)}`, gateway)),
          ),
        );
      });
      expect(replies.map(({ status }) => status)).toEqual(replies.map((_, n) => (n % 6 ? 409 : 201)));
      expect(together).toBeLessThan(60 * alone);
    });

    test('that depend on one another behave as if one came after the other', async () => {
      for (let round = 0; round < 10; round++) {
        const ref = `dep${String(round)}`;
        const replies = await Promise.all([
          send('POST', '/dids', did(`tel:+183${String(round)}`, ref)),
          send('POST', '/gateways', {
            kind: 'Gateway',
            metadata: { name: 'x', ref },
            spec: { host: `${ref}.test`, transport: 'udp' },
          }),
          send('DELETE', `/gateways/${ref}`),
        ]);
        const [first, , last] = replies.map(({ status }) => status);
        const [row] = await runSql(
          subject().url,
          `SELECT (SELECT COUNT(*) FROM gateways WHERE ref = '${ref}'), (SELECT COUNT(*) FROM numbers WHERE tel_url = 'tel:+183${String(round)}')`,
        );
        // The DID needs the gateway, which can be deleted only without the DID.
        expect([first, last, row?.map(Number)]).toEqual([first, last, [last === 200 ? 0 : 1, first === 201 ? 1 : 0]]);
        expect(replies[1].status).toBe(201);
        expect([first, last]).not.toEqual([201, 200]);
      }
    });

    test('are answered as a read answers them', async () => {
      const { app } = subject();
      const domain = { name: 'x', domainUri: 'answers.test' };
      const gatewayRef = await createGateway(app);
      const number = { gatewayRef, aorLink: 'sip:x@answers.test;transport=tcp', geoInfo: { city: 'Raleigh' } };
      const COMMON = '__typename id ref kind apiVersion createdOn modifiedOn';
      const cases: readonly [kind: string, input: object, fields: string][] = [
        [
          'Gateway',
          {
            name: 'x',
            host: 'H.answers.test',
            transport: 'TLS',
            username: 'u',
            secret: 's',
            sendRegister: true,
            registries: ['r1.test', 'r2.test'],
          },
          'name host port transport username secretSet expires sendRegister registries',
        ],
        [
          'Gateway',
          { name: 'x', host: 'h2.answers.test', transport: 'UDP', username: null, sendRegister: false },
          'name host port transport username secretSet sendRegister registries',
        ],
        ['Domain', domain, 'name domainUri egressPolicy { rule numberRef }'],
        [
          'Domain',
          { ...domain, domainUri: 'a2.test', accessControlList: { allow: ['10.0.0.0/8'], deny: ['0.0.0.0/1'] } },
          'accessControlList { allow deny } egressPolicy { rule }',
        ],
        [
          'Agent',
          {
            name: 'x',
            username: 'answers',
            secret: 's',
            domains: ['answers.test'],
            privacy: 'PRIVATE',
            maxContacts: 3,
          },
          'name username secretSet privacy maxContacts',
        ],
        [
          'Agent',
          { name: 'x', username: 'answers2', secret: 's', domains: ['answers.test'] },
          'name privacy domains { ref domainUri }',
        ],
        [
          'Peer',
          { name: 'x', username: 'answers', secret: 's', device: 'd' },
          'name username secretSet device contactAddr',
        ],
        [
          'DID',
          { ...number, telUrl: 'tel:+1840' },
          'gatewayRef telUrl aorLink geoInfo { city country countryISOCode }',
        ],
        [
          'DID',
          { ...number, telUrl: 'tel:+1841', geoInfo: null },
          'geoInfo { city } gateway { ref host name } target { ... on Agent { name } } contacts { uri }',
        ],
        [
          'Number',
          { ...number, telUrl: 'tel:+1842' },
          'gatewayRef telUrl gateway { ref numbers { totalCount nodes { telUrl } } }',
        ],
      ];
      const replies = await Promise.all(cases.slice(0, 4).map((each) => answersOf(app, ...each)));
      replies.push(...(await Promise.all(cases.slice(4).map((each) => answersOf(app, ...each)))));
      for (const { created, updated, read } of replies) {
        expect(created).toEqual(read);
        expect(updated).toEqual(read);
      }

      async function answersOf(
        { graphql }: TestApp,
        kind: string,
        input: object,
        fields: string,
      ): Promise<Record<'created' | 'updated' | 'read', unknown>> {
        const selection = `{ ${COMMON} ${fields} }`;
        const made = await graphql<{ node: { ref: string } }>(
          `mutation ($input: Create${kind}Input!) { node: create${kind}(input: $input) ${selection} }`,
          { input },
        );
        expect(made.errors).toBeUndefined();
        const { ref } = made.data.node;
        // Changes nothing, so that the times remain.
        const changed = await graphql<{ node: unknown }>(
          `mutation ($ref: String!) { node: update${kind}(ref: $ref, input: {}) ${selection} }`,
          { ref },
        );
        const name = kind === 'DID' ? 'did' : kind.toLowerCase();
        const found = await graphql<{ node: unknown }>(
          `query ($ref: String!) { node: ${name}(ref: $ref) ${selection} }`,
          {
            ref,
          },
        );
        return { created: made.data.node, updated: changed.data.node, read: found.data.node };
      }
    });

    if (database !== 'SQLite') {
      test('do not wait for one of them that waits for a lock', async () => {
        const { app, url } = subject();
        const [locked, free] = await Promise.all([createGateway(app), createGateway(app)]);
        const connection = await createConnection(url);
        await connection.query('START TRANSACTION');
        await connection.query('UPDATE gateways SET ref = ref WHERE ref = ?', [locked]);
        const blocked = send('POST', '/dids', did('tel:+1850', locked));
        const others = Array.from({ length: 20 }, (_, n) => send('POST', '/dids', did(`tel:+1850${String(n)}`, free)));
        const replies = await Promise.all(others);
        expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
        await connection.query('COMMIT');
        await connection.end();
        expect((await blocked).status).toBe(201);
      });

      test('that create what another transaction is deleting answer with the new resource', async () => {
        const { app, url } = subject();
        const domain = { ref: 'renewed', domainUri: 'renewed.test' };
        await createDomain(app, domain);
        const numberRefs = [await createNumber(app)];
        const agent = { ref: 'renewed', username: 'renewed', secret: 's', domains: [domain.domainUri] };
        const route = { ref: 'renewed', domainRef: domain.ref, prefix: '+1', numberRefs };
        const renewed = await Promise.all([
          renew('Agent', 'agents', agent, 'name domains { ref }'),
          renew('Route', 'routes', route, 'name numbers { ref }'),
        ]);
        expect(renewed).toEqual([
          { name: 'new', domains: [{ ref: domain.ref }] },
          { name: 'new', numbers: numberRefs.map((ref) => ({ ref })) },
        ]);

        /** What a create returns that waits for the end of a resource with the same ref. */
        async function renew(kind: string, table: string, given: object, fields: string): Promise<unknown> {
          const create = (name: string) =>
            app.graphql<{ made: unknown }>(
              `mutation ($input: Create${kind}Input!) { made: create${kind}(input: $input) { ${fields} } }`,
              { input: { ...given, name } },
            );
          await create('old');
          const connection = await createConnection(url);
          await connection.query('START TRANSACTION');
          await connection.query(`DELETE FROM ${table} WHERE ref = 'renewed'`);
          const made = create('new');
          await delay(500);
          await connection.query('COMMIT');
          await connection.end();
          return (await made).data.made;
        }
      });
    }
  },
  COUNTING,
);

describe.each(databases)('A killed process, on $name', ({ createDatabase }) => {
  let url: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    build();
    ({ url, drop } = await createDatabase());
  }, 120_000);

  afterAll(async () => {
    killAll();
    await drop();
  });

  test('has stored every write that it had answered, and no half of another one', async () => {
    const ADMIN_SECRET = 'the secret of the killed process';
    const run = start({
      DATABASE_URL: url,
      ADMIN_SECRET,
      SAMPLE_DATA: 'false',
      PLAYGROUND: 'false',
      RATE_LIMIT: 'off',
    });
    const at = await listening(run);
    const token = await fetchToken(at, 'admin', ADMIN_SECRET);
    const post = async (path: string, body: object): Promise<string> => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${at}/api/v1beta1${path}?token=${token}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return ((await response.json()) as { data: string }).data;
    };
    const gwRef = await post('/gateways', {
      kind: 'Gateway',
      metadata: { name: 'x' },
      spec: { host: 'a.test', transport: 'udp' },
    });
    await post('/domains', { kind: 'Domain', metadata: { name: 'x' }, spec: { context: { domainUri: 'a.test' } } });
    const answered: string[] = [];
    let count = 0;
    const writer = async (): Promise<void> => {
      for (;;) {
        const n = String(++count);
        const ref = await (count % 2
          ? post('/dids', {
              kind: 'DID',
              metadata: { gwRef },
              spec: { location: { telUrl: `tel:+1${n}`, aorLink: AOR_LINK } },
            })
          : post('/agents', {
              kind: 'Agent',
              metadata: { name: 'x' },
              spec: { credentials: { username: `u${n}`, secret: 's' }, domains: ['a.test'] },
            }));
        answered.push(ref);
      }
    };
    const writers = Array.from({ length: 16 }, () => writer().catch(() => undefined));
    await eventually(60, () => {
      if (answered.length < 300) throw new Error(`only ${String(answered.length)} were answered`);
    });
    run.child.kill('SIGKILL');
    await Promise.all(writers);
    const stored = (await runSql(url, 'SELECT ref FROM numbers UNION ALL SELECT ref FROM agents')).map(([ref]) => ref);
    expect(answered.filter((ref) => !stored.includes(ref))).toEqual([]);
    const halves = await runSql(
      url,
      'SELECT COUNT(*) FROM agents WHERE id NOT IN (SELECT agent_id FROM agent_domains)',
    );
    expect(halves.map((row) => row.map(Number))).toEqual([[0]]);
  }, 120_000);
});
