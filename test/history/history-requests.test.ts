import { fetchToken, type TestApp } from '../support/app';
import { createDid, createGateway } from '../support/factories';
import { metric, COUNTING } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

interface Part {
  readonly kind: string;
  readonly event: string;
  readonly count: number;
  readonly ref: string;
  readonly shared: readonly { readonly field: string; readonly before: string | null; readonly after: string | null }[];
  readonly resource: { readonly ref: string } | null;
}

interface Request {
  readonly request: string | null;
  readonly entry: string;
  readonly address: string | null;
  readonly isRevert: boolean;
  readonly isWhole: boolean;
  readonly parts: readonly Part[];
}

interface Page {
  readonly nodes: readonly Request[];
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

const QUERY = `query ($first: Int, $after: String, $where: HistoryWhere) {
  historyRequests(first: $first, after: $after, where: $where) {
    nodes {
      request entry at way address isRevert isWhole who { username }
      parts { kind event count ref times shared { field before after isSecret } resource { ref } }
    }
    hasNextPage endCursor
  }
}`;

/** Sends a document that must succeed. */
async function send(app: TestApp, document: string, variables: object): Promise<void> {
  expect((await app.graphql(document, { ...variables })).errors).toBeUndefined();
}

async function pageOf(app: TestApp, variables: object, token?: string): Promise<Page> {
  const { data, errors } = await app.graphql<{ historyRequests: Page }>(QUERY, { ...variables }, { token });
  if (errors) throw new Error(JSON.stringify(errors));
  return data.historyRequests;
}

onEachDatabase('The history by request', (subject) => {
  /** What the newest request did. */
  const newest = async (where: object = {}, token?: string): Promise<Request | undefined> =>
    (await pageOf(subject().app, { first: 1, where }, token)).nodes[0];

  test('says what all entries of a request have in common', async () => {
    const { app } = subject();
    const [from, to] = [await createGateway(app), await createGateway(app)];
    const refs: string[] = [];
    for (const aorLink of ['sip:a@b.test', 'sip:a@b.test', 'sip:c@b.test'])
      refs.push(await createDid(app, { gatewayRef: from, aorLink }));
    const document = `mutation ($refs: [String!], $input: UpdateDIDInput!) {
      updateManyDIDs(refs: $refs, set: $input, expectedCount: 3) { request }
    }`;
    await send(app, document, { refs, input: { gatewayRef: to } });
    const moved = await newest();
    expect(moved).toMatchObject({
      way: 'GRAPHQL',
      who: { username: 'admin' },
      address: '127.0.0.1',
      isRevert: false,
      isWhole: true,
      parts: [{ kind: 'DID', event: 'UPDATED', count: 3, shared: [{ field: 'gatewayRef', before: from, after: to }] }],
    });
    await send(app, document, { refs, input: { aorLink: 'sip:d@b.test' } });
    // The values before differ.
    expect((await newest())?.parts[0]?.shared).toEqual([
      { field: 'aorLink', before: null, after: 'sip:d@b.test', isSecret: false },
    ]);
    await send(app, 'mutation ($id: String!) { revertRequest(id: $id) { ref } }', { id: moved?.request });
    expect(await newest()).toMatchObject({ isRevert: true, parts: [{ count: 3, shared: [{ after: from }] }] });
  });

  test('says what all entries of a long request have in common', async () => {
    const { app } = subject();
    const [from, to] = [await createGateway(app), await createGateway(app)];
    const rows = Array.from({ length: 150 }, (_, n) => `tel:+49${7000 + n},sip:a@b.test,${from}`);
    await send(app, 'mutation ($csv: String!) { importNumbers(kind: DID, csv: $csv) { imported } }', {
      csv: ['telUrl,aorLink,gwRef', ...rows].join('\n'),
    });
    expect(await newest()).toMatchObject({ parts: [{ kind: 'DID', event: 'CREATED', count: 150, shared: [] }] });
    const where = { telUrl: { startsWith: 'tel:+497' } };
    const update = `mutation ($where: DIDWhere, $set: UpdateDIDInput!, $count: Int = 150) {
      updateManyDIDs(where: $where, set: $set, expectedCount: $count) { changed }
    }`;
    const geoInfo = { city: 'a "gatewayRef":"x", b', country: 'India', countryISOCode: 'IN' };
    await send(app, update, { where, set: { gatewayRef: to, geoInfo } });
    expect(await newest()).toMatchObject({
      parts: [
        {
          count: 150,
          shared: expect.arrayContaining([{ field: 'gatewayRef', before: from, after: to, isSecret: false }]),
        },
      ],
    });
    // One of them differs before, and then one after.
    await send(app, update, { where: { telUrl: { eq: 'tel:+497149' } }, set: { gatewayRef: from }, count: 1 });
    const third = await createGateway(app);
    await send(app, update, { where, set: { gatewayRef: third } });
    expect((await newest())?.parts).toMatchObject([{ count: 150, shared: [{ before: null, after: third }] }]);
    await send(
      app,
      `mutation ($where: DIDWhere, $a: UpdateDIDInput!, $b: UpdateDIDInput!) {
        a: updateManyDIDs(where: $where, set: $a, expectedCount: 149) { changed }
        b: updateManyDIDs(where: { telUrl: { eq: "tel:+497149" } }, set: $b, expectedCount: 1) { changed }
      }`,
      {
        where: { telUrl: { startsWith: 'tel:+497', ne: 'tel:+497149' } },
        a: { gatewayRef: to },
        b: { gatewayRef: from },
      },
    );
    expect((await newest())?.parts).toMatchObject([{ count: 150, shared: [] }]);
  });

  test('has a part for each kind and event, with the resource of the only entry', async () => {
    const { app } = subject();
    await app.graphql(`mutation {
      gateway: createGateway(input: { ref: "parts", name: "a", host: "parts.test", transport: UDP }) { ref }
      did: createDID(input: { telUrl: "tel:+4922", aorLink: "sip:a@b.test", gatewayRef: "parts" }) { ref }
      updateGateway(ref: "parts", input: { name: "b" }) { ref }
    }`);
    const { parts = [] } = (await newest({ ref: 'parts' })) ?? {};
    expect(parts.map(({ kind, event, count }) => `${event} ${count} ${kind}`).toSorted()).toEqual([
      'CREATED 1 DID',
      'CREATED 1 Gateway',
      'UPDATED 1 Gateway',
    ]);
    expect(parts.find(({ event }) => event === 'UPDATED')).toMatchObject({
      ref: 'parts',
      resource: { ref: 'parts' },
      shared: [{ field: 'name', before: 'a', after: 'b' }],
    });
  });

  test('shows nobody what the history does not show', async () => {
    const { app } = subject();
    await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
      input: { username: 'looks', secret: 'a good secret', role: 'VIEWER' },
    });
    const token = await fetchToken(app.url, 'looks', 'a good secret');
    const ref = await createGateway(app);
    expect(await newest({ ref }, token)).toMatchObject({ address: null, parts: [{ ref }] });
    const { nodes } = await pageOf(app, {}, token);
    expect(nodes.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'User'))).toEqual([]);
    expect((await newest({ kinds: ['User'], event: 'CREATED' }))?.parts).toMatchObject([{ kind: 'User' }]);
    const refused = await app.graphql(QUERY, { where: { kinds: ['Gateway', 'User'] } }, { token });
    expect(refused.errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
  });

  test.each([
    ['first', { first: 101 }],
    ['first', { first: 0 }],
    ['after', { after: 'elsewhere' }],
  ])('refuses an invalid %s', async (field, variables) => {
    const { errors } = await subject().app.graphql(QUERY, variables);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [field] });
  });
});

/** The requests of the entries, in order: a few large ones, with small ones in between. */
const REQUESTS: readonly string[] = [
  ...Array.from({ length: 300 }, (_, n) => (n % 3 === 0 ? 'slow' : n % 7 === 0 ? '' : `small${n % 50}`)),
  ...Array.from({ length: 20_000 }, () => 'import'),
  ...Array.from({ length: 600 }, (_, n) => (n === 300 ? 'between' : 'other')),
  ...Array.from({ length: 10 }, (_, n) => `last${n}`),
];
const START = 1_000_000;

onEachDatabase(
  'The history by request of twenty thousand entries',
  (subject) => {
    beforeAll(async () => {
      const columns = 'id, at, kind, ref, did, who, way, request, details';
      const places = `(${columns.replace(/\w+/g, '?')})`;
      for (let start = 0; start < REQUESTS.length; start += 1000) {
        const rows = REQUESTS.slice(start, start + 1000).map((request, index) => {
          const n = start + index;
          const on = ['DID', `r${n}`, n % 1000 === 0 ? 'UPDATED' : 'CREATED', 'admin', 'IMPORT'];
          return [START + n, START + n, ...on, request === '' ? null : request, '{}'];
        });
        const text = `INSERT INTO changes (${columns}) VALUES ${rows.map(() => places).join(', ')}`;
        await runSql(subject().url, text, rows.flat());
      }
    });

    /** The newest entries of the requests, newest first. */
    const expected = REQUESTS.map((request, n) => ({ request: request === '' ? null : request, entry: `${START + n}` }))
      .reverse()
      .filter(({ request }, n, all) => request === null || all.findIndex((each) => each.request === request) === n);

    test.each([3, 30, 100])('has each request once in pages of %i', async (first) => {
      const found: Request[] = [];
      let after: string | null = null;
      let more = true;
      while (more) {
        const page: Page = await pageOf(subject().app, { first, after, where: { kind: 'DID' } });
        expect(page.nodes.length).toBeLessThanOrEqual(first);
        found.push(...page.nodes);
        expect(found.length).toBeLessThanOrEqual(expected.length);
        after = page.endCursor;
        more = page.hasNextPage;
      }
      expect(found.map(({ request, entry }) => ({ request, entry }))).toEqual(expected);
    });

    test('counts the entries of a long request by event', async () => {
      const { nodes } = await pageOf(subject().app, { first: 1, where: { request: 'import' } });
      expect(nodes[0]).toMatchObject({
        isWhole: true,
        parts: expect.arrayContaining([
          expect.objectContaining({ event: 'UPDATED', count: 20, shared: [] }),
          expect.objectContaining({ event: 'CREATED', count: 19_980, shared: [] }),
        ]),
      });
    });

    test('finds the requests with an entry on a resource', async () => {
      const { nodes } = await pageOf(subject().app, { where: { ref: 'r10000' } });
      expect(nodes).toMatchObject([{ request: 'import', entry: `${START + 10_000}` }]);
    });

    test('takes few statements, however many entries a request has', async () => {
      const { app } = subject();
      const token = await app.token();
      const sent = (): Promise<number> => metric(app.url, token, 'sipgraph_sql_statements_total');
      const before = await sent();
      const { nodes } = await pageOf(app, { first: 30 });
      expect(nodes.map(({ request }) => request)).toEqual(expect.arrayContaining(['last9', 'other', 'import', 'slow']));
      expect((await sent()) - before).toBeLessThan(24);
    });
  },
  COUNTING,
);
