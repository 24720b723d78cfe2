import { inspect } from 'node:util';

import { createClient, signIn, SipgraphError, type Client } from '../../clients/typescript/src/index';
import { fetchToken, startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { metric } from '../support/metrics';
import { onEachDriver, onSqlite } from '../support/databases/on-each-database';
import { createSqliteDatabase } from '../support/databases/sqlite-database';

const clientOf = ({ url, adminSecret }: TestApp): Client =>
  createClient(`${url}/graphql`, { token: signIn(`${url}/graphql`, 'admin', adminSecret) });

/** The error that a promise is rejected with. */
async function errorOf(promise: Promise<unknown>): Promise<SipgraphError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SipgraphError)) throw new Error(`That is no SipgraphError: ${inspect(error)}`);
  return error;
}

/** Waits until the server has this many subscribers. */
const subscribers = (app: TestApp, count: number): Promise<void> =>
  eventually(15, async () => expect(await metric(app.url, await app.token(), 'sipgraph_subscribers')).toBe(count), 20);

onEachDriver(
  'The client',
  (subject) => {
    let client: Client;

    beforeAll(() => {
      client = clientOf(subject().app);
    });

    test('lists by where, filter and orderBy, and pages through the result', async () => {
      const page = {
        where: { gateway: { host: { startsWith: 'sip.' } } },
        orderBy: [{ field: 'TEL_URL', direction: 'ASC' }],
        first: 1,
      } as const;
      const { dids } = await client.dids(page);
      expect(dids.nodes.map(({ telUrl }) => telUrl)).toEqual(['tel:+17066041487']);
      const next = await client.dids({ ...page, after: dids.pageInfo.endCursor });
      expect(next.dids.nodes.map(({ telUrl }) => telUrl)).toEqual(['tel:+17066041490']);
      const { peers } = await client.peers({ filter: "@.spec.device=='FreeSWITCH'" });
      expect(peers.nodes.map(({ username }) => username)).toEqual(['confs']);
    });

    test('reads numberHealth with its arguments, and runs a custom document', async () => {
      const { numberHealth } = await client.numberHealth({ states: ['NOT_REGISTERED'], first: 5 });
      expect(numberHealth.nodes.map(({ state }) => state)).toContain('NOT_REGISTERED');
      expect(await client.request('query ($ref: String!) { peer(ref: $ref) { name } }', { ref: 'pr4d5c63' })).toEqual({
        peer: { name: 'Asterisk PBX' },
      });
    });

    test('delivers each event of a subscription once, after a cursor', async () => {
      const { app } = subject();
      const { changeCursor } = await client.changeCursor();
      const refs = [await createGateway(app), await createGateway(app)];
      const seen: string[] = [];
      let cursor = '';
      for await (const { resourceChanged } of client.resourceChanged({ since: changeCursor, kinds: ['Gateway'] })) {
        cursor ||= resourceChanged.cursor;
        if (seen.push(resourceChanged.ref) === 2) break;
      }
      expect(seen).toEqual(refs);
      for await (const { resourceChanged } of client.resourceChanged({ since: cursor })) {
        expect(resourceChanged).toMatchObject({ ref: refs[1], event: 'CREATED', resource: { __typename: 'Gateway' } });
        break;
      }
      await subscribers(app, 0);
    });

    test('ends a subscription when its signal is aborted', async () => {
      const stop = new AbortController();
      const events = client.contactsChanged({}, { signal: stop.signal })[Symbol.asyncIterator]();
      const next = events.next();
      await subscribers(subject().app, 1);
      stop.abort(new Error('enough'));
      await expect(next).rejects.toThrow('enough');
      await subscribers(subject().app, 0);
    });
  },
  { SAMPLE_DATA: 'true' },
);

describe('An error of the client', () => {
  const SECRET = 'not-the-secret-of-anybody';
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.close());

  test.each<[string, (client: Client) => Promise<unknown>, object]>([
    [
      'of a wrong secret',
      (client) => client.createToken({ username: 'admin', secret: SECRET }),
      { code: 'UNAUTHENTICATED', status: 401 },
    ],
    [
      'of an invalid resource',
      (client) =>
        client.createAgent({ input: { name: 'x', username: 'x', secret: SECRET, domains: ['no such.test'] } }),
      { code: 'BAD_USER_INPUT' },
    ],
    [
      'of a custom document',
      (client) => client.request('query ($secret: Int) { viewer { nothing(x: $secret) } }', { secret: SECRET }),
      { code: 'GRAPHQL_VALIDATION_FAILED' },
    ],
    [
      'of a subscription',
      (client) =>
        client
          .resourceChanged({ since: 'nonsense', refs: [SECRET] })
          [Symbol.asyncIterator]()
          .next(),
      { code: 'BAD_USER_INPUT', fields: ['since'] },
    ],
  ])('%s contains neither variables nor the token', async (_what, act, expected) => {
    const token = await app.token();
    const error = await errorOf(act(createClient(`${app.url}/graphql`, { token })));
    expect(error).toMatchObject(expected);
    const shown = [error.message, String(error.stack), inspect(error, { depth: null }), JSON.stringify(error)].join(
      '\n',
    );
    expect(shown).not.toContain(SECRET);
    expect(shown).not.toContain(token);
  });

  test('reports that the server is unreachable, and that a response is not GraphQL', async () => {
    const down = await errorOf(createClient('http://127.0.0.1:9/graphql', { token: SECRET }).viewer());
    expect(down).toMatchObject({ code: 'NETWORK_ERROR', message: expect.stringContaining('cannot be reached') });
    const elsewhere = createClient(`${app.url}/healthz`, { token: SECRET });
    expect(await errorOf(elsewhere.viewer())).toMatchObject({ code: 'BAD_RESPONSE' });
    const page = createClient(`${app.url}/docs/`, {
      fetch: (url) => fetch(url instanceof Request ? url.url : url, { headers: { accept: 'text/html' } }),
    });
    expect(await errorOf(page.viewer())).toMatchObject({ code: 'BAD_RESPONSE' });
  });

  test('of a wrong secret is thrown without a retry', async () => {
    let requests = 0;
    const counting: typeof fetch = (...request) => {
      requests++;
      return fetch(...request);
    };
    const token = signIn(`${app.url}/graphql`, 'admin', SECRET, { fetch: counting });
    const error = await errorOf(createClient(`${app.url}/graphql`, { token, fetch: counting }).viewer());
    expect(error.code).toBe('UNAUTHENTICATED');
    expect(requests).toBe(1);
  });
});

onSqlite('A client whose token expires', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ TOKEN_TTL: '3s' });
  });

  afterAll(() => app.close());

  test('signs in again for its requests', async () => {
    let signedIn = 0;
    const source = signIn(`${app.url}/graphql`, 'admin', app.adminSecret);
    const client = createClient(`${app.url}/graphql`, {
      token: () => {
        signedIn++;
        return source();
      },
    });
    await client.viewer();
    await new Promise((resolve) => setTimeout(resolve, 4500));
    const answers = await Promise.all([client.viewer(), client.viewer(), client.viewer()]);
    expect(answers.map(({ viewer }) => viewer.username)).toEqual(['admin', 'admin', 'admin']);
    expect(signedIn).toBe(2);
  });

  test('resumes its subscription, and misses nothing', async () => {
    const client = clientOf(app);
    const events = client.resourceChanged({ kinds: ['Gateway'] })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => {
      const { value } = await events.next();
      return (value as { resourceChanged: { ref: string } }).resourceChanged.ref;
    };
    const first = next();
    await eventually(5, async () => {
      const token = await fetchToken(app.url, 'admin', app.adminSecret);
      expect(await metric(app.url, token, 'sipgraph_subscribers')).toBe(1);
    });
    const admin = clientOf(app);
    const create = async (name: string): Promise<string> =>
      (await admin.createGateway({ input: { name, host: `${name}.test`, transport: 'UDP' } })).createGateway.ref;
    const before = await create('before');
    expect(await first).toBe(before);
    // Longer than the lifetime of the token and the interval at which the server checks it.
    await new Promise((resolve) => setTimeout(resolve, 7000));
    const after = [await create('after1'), await create('after2')];
    expect([await next(), await next()]).toEqual(after);
    await events.return?.();
  });

  test('ends its subscription with UNAUTHENTICATED if it has only one token', async () => {
    const token = await signIn(`${app.url}/graphql`, 'admin', app.adminSecret)();
    const events = createClient(`${app.url}/graphql`, { token }).resourceChanged()[Symbol.asyncIterator]();
    expect((await errorOf(events.next())).code).toBe('UNAUTHENTICATED');
  });
});

test('A subscription of the client resumes after a restart of the server, and misses nothing', async () => {
  const { url, drop } = await createSqliteDatabase();
  const first = await startApp({ DATABASE_URL: url });
  const events = clientOf(first)
    .resourceChanged({ kinds: ['Gateway'] })
    [Symbol.asyncIterator]();
  const heard = events.next();
  await subscribers(first, 1);
  await first.close();
  // A change while the client is disconnected.
  const meanwhile = await startApp({ DATABASE_URL: url });
  const ref = await createGateway(meanwhile);
  await meanwhile.close();
  const again = await startApp({ DATABASE_URL: url, PORT: new URL(first.url).port });
  expect(await heard).toMatchObject({ value: { resourceChanged: { ref, event: 'CREATED' } } });
  await events.return?.();
  await again.close();
  await drop();
});
