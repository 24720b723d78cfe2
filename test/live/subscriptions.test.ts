import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { getIntrospectionQuery } from 'graphql';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

import { fetchToken, startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createAgent, createDid, createDomain, createGateway, createPeer, createUser } from '../support/factories';
import { metric } from '../support/metrics';
import { onEachDriver, onSqlite } from '../support/databases/on-each-database';
import { insertChanges, runSql } from '../support/databases/sql';
import { createSqliteDatabase } from '../support/databases/sqlite-database';
import { transports, transportsOn, type Subscription } from '../support/subscriptions';

/** The error over an event stream, and the close reason of a WebSocket. */
const CHANGED = /The role of the user has changed/;
const ENDED = /UNAUTHENTICATED|The token is no longer valid/;

onEachDriver('Subscriptions', (subject, database) => {
  describe.each(transportsOn(database))('over $name', ({ subscribe }) => {
    const open: Subscription[] = [];
    const listen = async (query: string, variables?: object): Promise<Subscription> => {
      const { app } = subject();
      const subscription = await subscribe(app.url, await app.token(), query, variables);
      open.push(subscription);
      return subscription;
    };

    afterEach(async () => {
      for (const subscription of open.splice(0)) await subscription.close();
    });

    test('resourceChanged delivers creates, updates and deletes over both protocols, with the resource and its links', async () => {
      const { app } = subject();
      const changes = await listen(
        'subscription { resourceChanged { event kind ref at id resource { ref ... on DID { telUrl gateway { name } } ... on Gateway { name } } } }',
      );
      const gatewayRef = await createGateway(app, { name: 'First' });
      const time = expect.stringMatching(/^20.*Z$/) as string;
      expect(await changes.next()).toEqual({
        data: {
          resourceChanged: {
            event: 'CREATED',
            kind: 'Gateway',
            ref: gatewayRef,
            at: time,
            id: expect.any(String) as string,
            resource: { ref: gatewayRef, name: 'First' },
          },
        },
      });
      await app.rest('PUT', `/gateways/${gatewayRef}`, { body: { kind: 'Gateway', metadata: { name: 'Second' } } });
      expect(await changes.next()).toMatchObject({
        data: { resourceChanged: { event: 'UPDATED', ref: gatewayRef, resource: { name: 'Second' } } },
      });
      const didRef = await createDid(app, { gatewayRef, telUrl: 'tel:+4930111' });
      expect(await changes.next()).toMatchObject({
        data: {
          resourceChanged: { kind: 'DID', resource: { telUrl: 'tel:+4930111', gateway: { name: 'Second' } } },
        },
      });
      await app.rest('DELETE', `/dids/${didRef}`);
      expect(await changes.next()).toMatchObject({
        data: { resourceChanged: { event: 'DELETED', kind: 'DID', ref: didRef, resource: null } },
      });
      await app.graphql(`mutation { deleteGateway(ref: "${gatewayRef}") }`);
      expect(await changes.next()).toMatchObject({ data: { resourceChanged: { event: 'DELETED', kind: 'Gateway' } } });
      expect(changes.heard).toEqual([]);
    });

    test('resourceChanged can be limited to kinds and refs', async () => {
      const { app } = subject();
      const ref = await createGateway(app);
      const changes = await listen(
        'subscription($kinds: [ResourceKind!], $refs: [String!]) { resourceChanged(kinds: $kinds, refs: $refs) { event ref } }',
        { kinds: ['Gateway'], refs: [ref] },
      );
      await createDomain(app);
      await createGateway(app);
      await app.graphql(`mutation { updateGateway(ref: "${ref}", input: { name: "Renamed" }) { ref } }`);
      expect(await changes.next()).toEqual({ data: { resourceChanged: { event: 'UPDATED', ref } } });
      expect(changes.heard).toEqual([]);
    });

    test('missed changes come first, in order and once, and then new ones', async () => {
      const { app } = subject();
      const { data } = await app.graphql<{ changeCursor: string }>('{ changeCursor }');
      const made: string[] = [];
      for (let n = 0; n < 5; n++) made.push(await createGateway(app));
      const query = 'subscription($since: String) { resourceChanged(since: $since) { cursor ref } }';
      const changes = await listen(query, { since: data.changeCursor });
      for (let n = 0; n < 5; n++) made.push(await createGateway(app));
      const told: { cursor: string; ref: string }[] = [];
      while (told.length < made.length) {
        const { data: heard } = await changes.next();
        told.push((heard as { resourceChanged: { cursor: string; ref: string } }).resourceChanged);
      }
      expect(told.map(({ ref }) => ref)).toEqual(made);
      const later = await listen(query, { since: told[6]?.cursor });
      for (const ref of made.slice(7)) expect(await later.next()).toMatchObject({ data: { resourceChanged: { ref } } });
      expect([changes.heard, later.heard]).toEqual([[], []]);
    });

    test('a replayed change has the current state of the resource', async () => {
      const { app } = subject();
      const { data } = await app.graphql<{ changeCursor: string }>('{ changeCursor }');
      const query =
        'subscription($since: String) { resourceChanged(since: $since) { event resource { ... on Gateway { name } } } }';
      const changes = await listen(query);
      const ref = await createGateway(app, { name: 'Before' });
      const told = (name: string): object => ({ data: { resourceChanged: { event: 'CREATED', resource: { name } } } });
      expect(await changes.next()).toEqual(told('Before'));
      await app.graphql(`mutation { updateGateway(ref: "${ref}", input: { name: "After" }) { ref } }`);
      // Subscribers within the same second may share a cached resource.
      await setTimeout(1100);
      const again = await listen(query, { since: data.changeCursor });
      expect(await again.next()).toEqual(told('After'));
    });

    test('if changes are deleted while a subscriber is behind, it gets an error instead of a gap', async () => {
      const { app, url } = subject();
      const { data } = await app.graphql<{ changeCursor: string }>('{ changeCursor }');
      const [[last] = []] = await runSql(url, 'SELECT last FROM change_head');
      const many = 1200;
      for (let from = Number(last) + 1; from <= Number(last) + many; from += 400) {
        const rows = Array.from({ length: 400 }, (_, n) => `(${from + n}, ${Date.now()}, 'DID', 'gone', 'UPDATED')`);
        await runSql(url, `INSERT INTO changes (id, at, kind, ref, did) VALUES ${rows.join(', ')}`);
      }
      await runSql(url, `UPDATE change_head SET last = last + ${many}`);
      const query = 'subscription($since: String) { resourceChanged(since: $since, refs: ["gone"]) { cursor } }';
      const changes = await listen(query, { since: data.changeCursor });
      // The first page may have been read or not, and the next page may be deleted or not.
      await runSql(url, `UPDATE change_head SET trimmed = ${Number(last) + many - 1}`);
      await runSql(url, `DELETE FROM changes WHERE id < ${Number(last) + many}`);
      const told: unknown[] = [];
      let errors: unknown;
      while (told.length < many && !errors) {
        const next = await changes.next();
        if (next.errors) errors = next.errors;
        else told.push(next.data);
      }
      if (told.length < many) expect(errors).toMatchObject([{ extensions: { code: 'CURSOR_GONE' } }]);
      expect(changes.heard).toEqual([]);
    });

    test('a variable named since that is not the argument since differs for each subscriber', async () => {
      const { app } = subject();
      const query = 'subscription($since: Boolean!) { resourceChanged { kind ref @include(if: $since) } }';
      const [one, other] = [await listen(query, { since: true }), await listen(query, { since: false })];
      const ref = await createGateway(app);
      expect(await one.next()).toEqual({ data: { resourceChanged: { kind: 'Gateway', ref } } });
      expect(await other.next()).toEqual({ data: { resourceChanged: { kind: 'Gateway' } } });
    });

    test.each([
      ['a field', '{ resourceChanged @skip(if: $no) { ref } }'],
      ['a fragment', '{ ... @include(if: $no) { resourceChanged { ref } } }'],
    ])('%s that may be left out is no subscription', async (_, selection) => {
      const changes = await listen(`subscription($no: Boolean!) ${selection}`, { no: true });
      const { errors } = await changes.next();
      // graphql-ws puts all errors into the message of one.
      expect(JSON.stringify(errors)).toMatch(/@(skip|include) is not allowed on the root field of a subscription/);
      expect(JSON.stringify(errors)).toContain('GRAPHQL_VALIDATION_FAILED');
    });

    test('a change that was rolled back is not delivered', async () => {
      const { app } = subject();
      const changes = await listen('subscription { resourceChanged { kind } }');
      await expect(createGateway(app, { host: 'x'.repeat(300) })).rejects.toThrow('BAD_USER_INPUT');
      await app.rest('POST', '/gateways', { body: [{ kind: 'Gateway', spec: {} }, { kind: 'Gateway' }] });
      await createDomain(app);
      expect(await changes.next()).toEqual({ data: { resourceChanged: { kind: 'Domain' } } });
    });

    test.each([
      ['a number', '12', 'BAD_USER_INPUT', 400],
      ["a list's cursor", 'cm93OjQ', 'BAD_USER_INPUT', 400],
      ['a future one', Buffer.from('change:999999999').toString('base64url'), 'CURSOR_GONE', 410],
    ])('a cursor that is %s is an error', async (_, since, code, status) => {
      const changes = await listen('subscription($since: String) { resourceChanged(since: $since) { ref } }', {
        since,
      });
      const { errors } = await changes.next();
      expect(errors?.[0]).toMatchObject({
        message: expect.stringMatching(/^since: /) as string,
        extensions: { code, status, fields: ['since'] },
      });
    });

    test.each([
      ['that is not GraphQL', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
      [
        'with several operations, none of which is selected',
        'subscription A { resourceChanged { ref } } query B { viewer { ref } }',
        'BAD_USER_INPUT',
      ],
      ['that does not match the schema', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      [
        'that selects secrets',
        'subscription { resourceChanged { resource { ... on Agent { secret } } } }',
        'GRAPHQL_VALIDATION_FAILED',
      ],
    ])('a document %s is an error', async (_, query, code) => {
      const changes = await listen(query);
      const told = await changes.next();
      expect(JSON.stringify(told)).toContain(code);
    });

    test.each([
      'mutation { createPeer(input: { name: "x", username: "u", secret: 987654 }) { ref } }',
      'mutation { createPeer(input: { name: "x", username: "u", "987654" }) { ref } }',
    ])('the complaint of %s does not repeat it', async (query) => {
      const told = JSON.stringify(await (await listen(query)).next());
      expect(told).toMatch(/GRAPHQL_(PARSE|VALIDATION)_FAILED/);
      expect(told).not.toContain('987654');
    });

    test('queries and mutations can be sent, too', async () => {
      const { app } = subject();
      const query = await listen('{ viewer { username } }');
      expect(await query.next()).toEqual({ data: { viewer: { username: 'admin' } } });
      const ref = await createAgent(app);
      const mutation = await listen(`mutation { deleteAgent(ref: "${ref}") }`);
      expect(await mutation.next()).toMatchObject({ data: { deleteAgent: expect.any(String) as string } });
    });

    test('a cursor of another replica that is ahead delivers nothing twice', async () => {
      const { app, url } = subject();
      const other = await startApp({ DATABASE_URL: url });
      await listen('subscription { resourceChanged { ref } }');
      await createGateway(other);
      const { data } = await other.graphql<{ changeCursor: string }>('{ changeCursor }');
      const changes = await listen('subscription($since: String) { resourceChanged(since: $since) { ref } }', {
        since: data.changeCursor,
      });
      const ref = await createGateway(app);
      expect(await changes.next()).toEqual({ data: { resourceChanged: { ref } } });
      await other.close();
    });

    test('a subscriber that disconnects is removed', async () => {
      const { app } = subject();
      const subscribers = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_subscribers');
      await listen('subscription { resourceChanged { ref } }');
      await listen('subscription { contactsChanged { event } }');
      expect(await subscribers()).toBe(2);
      for (const subscription of open.splice(0)) await subscription.close();
      await eventually(5, async () => expect(await subscribers()).toBe(0));
    });

    test('an invalid token is rejected', async () => {
      const { app } = subject();
      for (const [token, reason] of [
        [undefined, /401: Unauthorized|Send a token in connection_init/],
        ['made-up', /401: Unauthorized|The token is not valid/],
      ] as const) {
        const changes = await subscribe(app.url, token, 'subscription { resourceChanged { ref } }');
        open.push(changes);
        expect(JSON.stringify(await changes.next())).toMatch(reason);
      }
    });

    test.each<readonly [string, (user: string, token: string) => string, RegExp]>([
      ['is deleted', (user) => `deleteUser(ref: "${user}")`, ENDED],
      ['gets another secret', (user) => `setUserSecret(ref: "${user}", secret: "another secret") { ref }`, ENDED],
      ['is signed out', (user) => `endAllSessions(userRef: "${user}")`, ENDED],
      ['gets a lower role', (user) => `setUserRole(ref: "${user}", role: VIEWER) { ref }`, CHANGED],
      ['gets a higher role', (user) => `setUserRole(ref: "${user}", role: ADMIN) { ref }`, CHANGED],
    ])('a subscription ends within five seconds when its user %s', async (_, end, reason) => {
      const { app } = subject();
      const { ref, token } = await createUser(app, 'OPERATOR');
      const changes = await subscribe(app.url, token, 'subscription { resourceChanged { ref } }');
      open.push(changes);
      await app.graphql(`mutation { ${end(ref, token)} }`);
      expect(JSON.stringify(await changes.next(5))).toMatch(reason);
      await createPeer(app);
      expect(changes.heard).toEqual([]);
    });

    test.each<readonly [string, (user: string, token: string) => string, RegExp]>([
      ['it is deleted', (_, token) => `deleteApiToken(ref: "${token}")`, ENDED],
      ['its user gets a lower role', (user) => `setUserRole(ref: "${user}", role: VIEWER) { ref }`, CHANGED],
    ])('a subscription with an API token ends within five seconds when %s', async (_, end, reason) => {
      const { app } = subject();
      const { ref, token } = await createUser(app, 'OPERATOR');
      const { data } = await app.graphql<{ createApiToken: { token: string; apiToken: { ref: string } } }>(
        'mutation { createApiToken(name: "feed", role: OPERATOR) { token apiToken { ref } } }',
        {},
        { token },
      );
      const { token: apiToken, apiToken: made } = data.createApiToken;
      const changes = await subscribe(app.url, apiToken, 'subscription { resourceChanged { ref } }');
      open.push(changes);
      await app.graphql(`mutation { ${end(ref, made.ref)} }`);
      expect(JSON.stringify(await changes.next(5))).toMatch(reason);
    });
  });
});

onEachDriver(
  'A subscription from an old cursor',
  (subject) => {
    test('costs an object for each ten changes since then, and waits while its user is over budget', async () => {
      const { app, url } = subject();
      const { data } = await app.graphql<{ changeCursor: string }>('{ changeCursor }');
      await insertChanges(url, [
        ...Array<string>(59_999).fill("'DID', 'other', 'UPDATED'"),
        "'DID', 'wanted', 'UPDATED'",
      ]);
      const { token } = await createUser(app, 'VIEWER');
      const query = 'subscription($since: String) { resourceChanged(refs: ["wanted"], since: $since) { ref } }';
      const [{ subscribe }] = transports;
      const since = data.changeCursor;
      const paid = await subscribe(app.url, token, query, { since });
      expect(await paid.next()).toEqual({ data: { resourceChanged: { ref: 'wanted' } } });
      const waiting = await subscribe(app.url, token, query, { since });
      const left = await subscribe(app.url, token, query, { since });
      const told = waiting.next(60);
      expect(await Promise.race([told, setTimeout(2000, 'waits')])).toBe('waits');
      await left.close();
      expect(await told).toEqual({ data: { resourceChanged: { ref: 'wanted' } } });
      await waiting.close();
      await paid.close();
    });
  },
  { RATE_LIMIT_WORK: '10000' },
);

test('A subscription sent as a plain request is rejected', async () => {
  const app = await startApp();
  // Repeated, because known documents take another path.
  for (let time = 0; time < 5; time++) {
    const { status, errors } = await app.graphql('subscription { resourceChanged { ref } }');
    expect(status).toBe(400);
    expect(errors?.[0]).toMatchObject({
      message: 'A subscription requires a WebSocket or an event stream (Accept: text/event-stream)',
      extensions: { code: 'BAD_USER_INPUT', status: 400 },
    });
  }
  await app.close();
});

onSqlite('A server that is restarted', () => {
  test.each(transports)('gets back its subscribers over $name', async ({ subscribe }) => {
    const { url, drop } = await createSqliteDatabase();
    const first = await startApp({ DATABASE_URL: url });
    const changes = await subscribe(first.url, await first.token(), 'subscription { resourceChanged { ref } }', {}, 20);
    await first.close();
    const again = await startApp({ DATABASE_URL: url, PORT: new URL(first.url).port });
    const subscribers = async (): Promise<number> => metric(again.url, await again.token(), 'sipgraph_subscribers');
    await eventually(20, async () => expect(await subscribers()).toBe(1));
    const ref = await createGateway(again);
    expect(await changes.next()).toEqual({ data: { resourceChanged: { ref } } });
    await changes.close();
    await again.close();
    await drop();
  });
});

onSqlite('A token that expires', () => {
  test.each(transports)('ends its subscriptions over $name', async ({ subscribe }) => {
    const app = await startApp({ TOKEN_TTL: '10s' });
    const changes = await subscribe(app.url, await app.token(), 'subscription { resourceChanged { ref } }');
    const ref = await createGateway(app);
    expect(await changes.next()).toEqual({ data: { resourceChanged: { ref } } });
    expect(JSON.stringify(await changes.next(20))).toMatch(ENDED);
    await changes.close();
    await app.close();
  });
});

test('A client that takes event streams and JSON gets JSON for a query, and events for a subscription', async () => {
  const app = await startApp();
  const ask = async (query: string): Promise<Response> =>
    fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json, text/event-stream',
        authorization: `Bearer ${await app.token()}`,
      },
      body: JSON.stringify({ query }),
    });
  const query = await ask('{ viewer { username } }');
  expect(query.headers.get('content-type')).toMatch(/json/);
  expect(await query.json()).toEqual({ data: { viewer: { username: 'admin' } } });
  const events = await ask('subscription { resourceChanged { ref } }');
  expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await events.body?.cancel();
  await app.close();
});

test('an event stream for an unknown operation name gets the same error as over HTTP', async () => {
  const app = await startApp();
  const ask = async (operationName: string, accept: string): Promise<string> => {
    const answer = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await app.token()}`, accept },
      body: JSON.stringify({ query: 'query A { viewer { ref } } query B { viewer { role } }', operationName }),
    });
    return answer.text();
  };
  for (const accept of ['text/event-stream', 'application/json']) {
    expect(await ask('A', accept)).toContain('"viewer":{"ref"');
    for (const operationName of ['C', ''])
      expect(await ask(operationName, accept)).toContain('"code":"BAD_USER_INPUT"');
  }
  await app.close();
});

onSqlite('A connection that is not a valid WebSocket', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.close());

  /** Sends bytes; returns what is received until the connection is closed. */
  async function exchange(text: string): Promise<string> {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (data: Buffer) => (answer += data.toString()));
    socket.on('error', () => undefined);
    socket.write(text);
    await new Promise((resolve) => socket.once('close', resolve));
    return answer;
  }

  const upgrade = (path: string, rest = ''): string =>
    [
      ...[`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: graphql-transport-ws', '', rest],
    ].join('\r\n');

  test.each([
    ['at another path', upgrade('/elsewhere'), /^HTTP\/1\.1 404 /],
    ['at a path that is not a URL', upgrade('//'), /^HTTP\/1\.1 404 /],
    ['without a key', upgrade('/graphql').replace(/Sec-WebSocket-Key.*\r\n/, ''), /^HTTP\/1\.1 400 /],
    ['with malformed frames', upgrade('/graphql', '\xff\xff\xff\xff\xff\xff'), /^HTTP\/1\.1 101 /],
  ])('%s, is turned away, and others are served on', async (_, text, answer) => {
    expect(await exchange(text)).toMatch(answer);
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  });

  test('with a message over BODY_LIMIT, gets an error and is closed', async () => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    socket.on('error', () => undefined);
    await once(socket, 'open');
    socket.send('x'.repeat(300_000));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1009);
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  });

  test('that sends operations and does not read, is not read from', async () => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    socket.on('error', () => undefined);
    await once(socket, 'open');
    // Without a token, it would be closed after 16 KiB.
    socket.send(JSON.stringify({ type: 'connection_init', payload: { token: await app.token() } }));
    await once(socket, 'message');
    socket.pause();
    const payload = { query: getIntrospectionQuery(), extensions: { text: 'x'.repeat(200_000) } };
    for (let n = 0; n < 400; n++) socket.send(JSON.stringify({ id: String(n), type: 'subscribe', payload }));
    await setTimeout(5000);
    // The socket buffers of both sides hold some megabytes.
    expect(socket.bufferedAmount).toBeGreaterThan(20_000_000);
    socket.terminate();
  });

  test('that sends nothing for three seconds, is closed', async () => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(4408);
  });
});

test('A graphql-ws client whose token expires is closed with 4403 before any other message, and resumes from its cursor with a new token', async () => {
  const app = await startApp({ TOKEN_TTL: '6s' });
  const frames: string[] = [];
  const closes: unknown[] = [];
  const client = createClient({
    url: `${app.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 5,
    connectionParams: async () => ({ authorization: `Bearer ${await fetchToken(app.url, 'admin', app.adminSecret)}` }),
    on: {
      message: ({ type, ...rest }) => {
        frames.push('payload' in rest ? `${type} ${JSON.stringify(rest.payload)}` : type);
      },
      closed: (event) => closes.push(event),
    },
  });
  const variables: { since?: string } = {};
  const heard: unknown[] = [];
  let ended: unknown;
  client.subscribe<{ resourceChanged: { ref: string; cursor: string } }>(
    { query: 'subscription ($since: String) { resourceChanged(since: $since) { ref cursor } }', variables },
    {
      next: ({ data }) => {
        heard.push(data?.resourceChanged.ref);
        if (data) variables.since = data.resourceChanged.cursor;
      },
      error: (error) => (ended = error),
      complete: () => (ended = 'complete'),
    },
  );
  let made = 0;
  const create = async (): Promise<string> => {
    const { data } = await app.graphql<{ createGateway: { ref: string } }>(
      `mutation { createGateway(input: { name: "G", host: "h${String(++made)}.test", transport: UDP }) { ref } }`,
      {},
      { token: await fetchToken(app.url, 'admin', app.adminSecret) },
    );
    return data.createGateway.ref;
  };
  await eventually(5, () => expect(frames).toContain('connection_ack'), 20);
  const before = await createdOnceHeard();
  await eventually(15, () => expect(closes).toHaveLength(1), 20);
  expect(closes[0]).toMatchObject({ code: 4403, reason: 'The token is no longer valid' });
  expect(frames.filter((frame) => /^(error|complete)|UNAUTHENTICATED/.test(frame))).toEqual([]);
  // While it is disconnected, and after it has reconnected.
  const refs = [await create(), await create()];
  await eventually(10, () => expect(heard.slice(-2)).toEqual(refs), 20);
  expect(heard.filter((ref) => ref === before)).toHaveLength(1);
  expect(ended).toBeUndefined();
  await client.dispose();
  await app.close();

  /** Changes made before the server has accepted the subscription are not delivered. */
  async function createdOnceHeard(): Promise<string> {
    let ref = '';
    await eventually(
      15,
      async () => {
        const last = ref;
        if (!heard.includes(last)) ref = await create();
        expect(heard).toContain(last);
      },
      500,
    );
    return ref;
  }
});

test('An operator who becomes a viewer is disconnected with 4403, and then reads no addresses', async () => {
  const app = await startApp();
  const { ref, token } = await createUser(app, 'OPERATOR');
  const closes: unknown[] = [];
  const client = createClient({
    url: `${app.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 5,
    connectionParams: { token },
    on: { closed: (event) => closes.push(event) },
  });
  const heard: unknown[] = [];
  client.subscribe(
    {
      query:
        'subscription { resourceChanged { resource { ... on Peer { history(first: 1) { nodes { address } } } } } }',
    },
    { next: (result) => heard.push(result.data), error: () => undefined, complete: () => undefined },
  );
  const address = async (): Promise<unknown> => {
    const before = heard.length;
    await eventually(15, async () => {
      await createPeer(app);
      expect(heard.length).toBeGreaterThan(before);
    });
    return heard.at(-1);
  };
  const shown = (text: string | null) => ({
    resourceChanged: { resource: { history: { nodes: [{ address: text }] } } },
  });
  expect(await address()).toEqual(shown('127.0.0.1'));
  await app.graphql(`mutation { setUserRole(ref: "${ref}", role: VIEWER) { ref } }`);
  await eventually(5, () => expect(closes).toHaveLength(1), 20);
  expect(closes[0]).toMatchObject({ code: 4403, reason: 'The role of the user has changed' });
  expect(await address()).toEqual(shown(null));
  await client.dispose();
  await app.close();
});

test('A WebSocket on which an operation began with another role is closed, even if the role is back', async () => {
  const app = await startApp();
  const { ref, token } = await createUser(app, 'VIEWER');
  const setRole = async (role: string): Promise<void> => {
    await app.graphql(`mutation { setUserRole(ref: "${ref}", role: ${role}) { ref } }`);
  };
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { token } }));
  await once(socket, 'message');
  const closed = once(socket, 'close');
  await setRole('OPERATOR');
  const query = 'subscription { resourceChanged { ref } }';
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
  // The subscription begins.
  await setTimeout(300);
  await setRole('VIEWER');
  expect((await closed).map(String)).toEqual(['4403', 'The role of the user has changed']);
  await app.close();
});
