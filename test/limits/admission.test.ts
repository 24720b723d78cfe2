import { connect } from 'node:net';
import { once } from 'node:events';

import { fetchToken, startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { fillDids } from '../support/many';
import { metric } from '../support/metrics';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';
import { socketClient, transportsOn } from '../support/subscriptions';

// Matching all patterns takes longer than the time limit of a heavy read, 8 s.
const DIDS = 30_000;
const SLOW_FILTER = Array.from('#$%&~=;:,0123456789', (end) => `@.spec.location.aorLink =~ /.*a.*[!${end}]/`).join(
  ' || ',
);
const SLOW = `{ dids(filter: "${SLOW_FILTER}") { totalCount } }`;
// Up to 10,000 objects.
const LARGE = '{ gateways(first: 98) { nodes { dids(first: 99) { nodes { ref } } } } }';
const VIEWER = '{ viewer { username } }';
const SECRET = 'a long secret';
const REFUSED = {
  message: expect.stringMatching(/^The server is overloaded; try again in [123] s$/) as string,
  extensions: { code: 'UNAVAILABLE', status: 503, retryAfter: expect.any(Number) as number },
};
const LATE = 'The request took longer than 1 s; request less, or try again later';

async function viewer(app: TestApp, username: string): Promise<string> {
  await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
    input: { username, secret: SECRET, role: 'OPERATOR' },
  });
  return fetchToken(app.url, username, SECRET);
}

/** Sends an operation whose client does not wait for the response; returns a function that disconnects the client. */
async function begin({ url }: TestApp, token: string, query: string, probe: string): Promise<() => void> {
  const controller = new AbortController();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = JSON.stringify({ query });
  fetch(`${url}/graphql`, { method: 'POST', headers, body, signal: controller.signal }).catch(() => undefined);
  await eventually(15, async () => expect(await metric(url, token, probe)).toBeGreaterThan(0), 20);
  return () => controller.abort();
}

async function isOver({ url }: TestApp, token: string): Promise<void> {
  const names = ['sipgraph_requests_in_progress', 'sipgraph_large_objects_in_progress', 'sipgraph_requests_waiting'];
  await eventually(15, async () => {
    expect(await Promise.all(names.map((name) => metric(url, token, name)))).toEqual([0, 0, 0]);
  });
}

onEachDriver(
  'While the only place of a user is taken',
  (subject, database) => {
    let [busy, other] = ['', ''];
    let leave: () => void;

    beforeAll(async () => {
      const { app, url } = subject();
      await fillDids(url, DIDS);
      [busy, other] = [await viewer(app, 'busy'), await viewer(app, 'other')];
    });

    beforeEach(async () => {
      leave = await begin(subject().app, busy, SLOW, 'sipgraph_heavy_reads_in_progress');
    });

    afterEach(async () => {
      leave();
      await isOver(subject().app, other);
    });

    test('another request gets 503 with Retry-After in both protocols, and others are served', async () => {
      const { app } = subject();
      const refused = await app.graphql(VIEWER, {}, { token: busy });
      expect([refused.status, refused.errors]).toEqual([503, [REFUSED]]);
      expect(Number(refused.headers.get('retry-after'))).toBe(refused.errors?.[0]?.extensions['retryAfter']);
      const reply = await app.rest('GET', '/gateways/gw', { token: busy });
      expect([reply.status, reply.body]).toEqual([503, { status: '503', message: 'Service unavailable' }]);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      const body = { kind: 'Domain', metadata: { name: 'x' }, spec: { context: { domainUri: 'x.test' } } };
      expect((await app.rest('POST', '/domains', { body, token: busy })).status).toBe(503);
      expect(await metric(app.url, busy, 'sipgraph_requests_refused_total')).toBeGreaterThanOrEqual(3);
      expect((await app.graphql(VIEWER, {}, { token: other })).data).toEqual({ viewer: { username: 'other' } });
      expect((await app.rest('GET', '/gateways/gw', { token: other })).status).toBe(200);
    });

    test('operations over WebSockets and event streams are refused with the same error', async () => {
      const { app } = subject();
      const headers = {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${busy}`,
      };
      const stream = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query: VIEWER }),
      });
      expect([stream.status, ((await stream.json()) as { errors: unknown }).errors]).toEqual([503, [REFUSED]]);
      leave();
      await isOver(app, other);
      const [client, late] = [socketClient(app.url, busy), socketClient(app.url, busy)];
      const ask = async (asked = client): Promise<unknown> => {
        for await (const result of asked.iterate({ query: VIEWER })) return result;
        return undefined;
      };
      // Keeps the connection open between the operations.
      const subscription = client.iterate({ query: 'subscription { resourceChanged { ref } }' });
      const ended = subscription.next();
      expect(await ask()).toMatchObject({ data: { viewer: { username: 'busy' } } });
      leave = await begin(app, busy, SLOW, 'sipgraph_heavy_reads_in_progress');
      await expect(ask()).rejects.toMatchObject([REFUSED]);
      // A new connection is told to come back later.
      await expect(ask(late)).rejects.toMatchObject({ code: 1013, reason: REFUSED.message });
      await Promise.all([client.dispose(), late.dispose(), ended]);
    });

    test('signing in, health checks and metrics need no place', async () => {
      const { app } = subject();
      expect(await fetchToken(app.url, 'busy', SECRET)).not.toBe('');
      const { errors } = await app.graphql(
        'mutation ($username: String!, $secret: String!) { createToken(username: $username, secret: $secret) { token } }',
        { username: 'busy', secret: SECRET },
        { token: null },
      );
      expect(errors).toBeUndefined();
      for (const path of ['/healthz', '/readyz']) expect((await fetch(`${app.url}${path}`)).status).toBe(200);
      const headers = { authorization: `Bearer ${busy}` };
      expect((await fetch(`${app.url}/metrics`, { headers })).status).toBe(200);
    });

    test('the place is free again, and the read is cancelled, when the client disconnects', async () => {
      const { app, url } = subject();
      leave();
      await isOver(app, other);
      await isCancelled(app, url, other);
      expect((await app.graphql(VIEWER, {}, { token: busy })).data).toEqual({ viewer: { username: 'busy' } });
    });

    test('subscriptions of the user go on', async () => {
      const { app } = subject();
      leave();
      await isOver(app, other);
      for (const { subscribe } of transportsOn(database)) {
        const subscription = await subscribe(
          app.url,
          busy,
          'subscription { resourceChanged { ref resource { ref } } }',
        );
        leave = await begin(app, busy, SLOW, 'sipgraph_heavy_reads_in_progress');
        const { body } = await app.rest<string>('POST', '/domains', {
          body: { kind: 'Domain', metadata: { name: 'y' }, spec: { context: { domainUri: `y${Math.random()}.test` } } },
        });
        expect((await subscription.next()).data).toMatchObject({ resourceChanged: { resource: { ref: body.data } } });
        leave();
        await subscription.close();
        await isOver(app, other);
      }
    });
  },
  { MAX_REQUESTS: '2' },
);

onEachDriver(
  'A large request',
  (subject) => {
    test('needs a place among large requests, and small requests do not wait for it', async () => {
      const { app, url } = subject();
      await fillDids(url, DIDS);
      const token = await viewer(app, 'large');
      const slowAndLarge = `{ ${SLOW.slice(1, -1)} ${LARGE.slice(1, -1)} }`;
      const leave = await begin(app, token, slowAndLarge, 'sipgraph_large_objects_in_progress');
      for (let time = 0; time < 4; time++) {
        // The last ones are compiled.
        const { status, errors } = await app.graphql(LARGE, {}, { token });
        expect([status, errors]).toEqual([503, [REFUSED]]);
      }
      const list = await app.rest('GET', '/gateways?itemsPerPage=2000', { token });
      expect([list.status, list.body.message]).toEqual([503, 'Service unavailable']);
      expect((await app.rest('GET', '/gateways?itemsPerPage=900', { token })).status).toBe(200);
      expect((await app.graphql(VIEWER, {}, { token })).status).toBe(200);
      leave();
      await isOver(app, token);
      expect((await app.graphql(LARGE, {}, { token })).status).toBe(200);
      expect((await app.rest('GET', '/gateways?itemsPerPage=2000', { token })).status).toBe(200);
    });
  },
  { MAX_OBJECTS: '1000', MAX_ITEMS_PER_PAGE: '2000' },
);

onEachDriver(
  'REQUEST_TIMEOUT',
  (subject, database) => {
    let token: string;

    beforeAll(async () => {
      const { app, url } = subject();
      await fillDids(url, DIDS);
      token = await viewer(app, 'slow');
    });

    test('ends a request with 503 in both protocols, and cancels its statements', async () => {
      const { app, url } = subject();
      const filter = encodeURIComponent(SLOW_FILTER);
      const [graphql, rest] = await Promise.all([
        app.graphql(SLOW, {}, { token }),
        app.rest('GET', `/dids?filter=${filter}`, { token }),
      ]);
      expect([graphql.status, graphql.headers.get('retry-after'), graphql.errors?.[0]?.message]).toEqual([
        503,
        '5',
        LATE,
      ]);
      expect(graphql.errors?.[0]?.extensions).toEqual({ code: 'UNAVAILABLE', status: 503, retryAfter: 5 });
      expect([rest.status, rest.headers.get('retry-after')]).toEqual([503, '5']);
      expect(rest.body).toEqual({ status: '503', message: 'Service unavailable' });
      await isCancelled(app, url, token);
      await isOver(app, token);
      expect(await metric(app.url, token, 'sipgraph_requests_late_total')).toBeGreaterThanOrEqual(2);
      expect((await app.graphql(VIEWER, {}, { token })).status).toBe(200);
    });

    test.each(transportsOn(database))('ends an operation over $name', async ({ subscribe }) => {
      const { app, url } = subject();
      const operation = await subscribe(app.url, token, SLOW);
      expect((await operation.next()).errors?.[0]?.message).toBe(LATE);
      await isCancelled(app, url, token);
      await isOver(app, token);
    });
  },
  { REQUEST_TIMEOUT: '1' },
);

test('a client that sends its body slowly takes no place', async () => {
  const app = await startApp({ MAX_REQUESTS: '2' });
  const token = await app.token();
  const lines = ['Host: x', `Authorization: Bearer ${token}`, 'Content-Type: application/json', 'Content-Length: 100'];
  const sockets = ['POST /graphql', `POST /api/v1beta1/dids?token=${token}`].map((target) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(`${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{`);
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (let time = 0; time < 5; time++) expect((await app.graphql(VIEWER)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await isOver(app, token);
});

/**
 * Waits until no heavy read runs, neither in the process nor on the server, sooner than its own time limit would end
 * it.
 */
async function isCancelled({ url }: TestApp, database: string, token: string): Promise<void> {
  const begun = performance.now();
  await eventually(
    15,
    async () => {
      expect(await metric(url, token, 'sipgraph_heavy_reads_in_progress')).toBe(0);
      if (database.startsWith('sqlite:')) return;
      const [row] = await runSql(
        database,
        `SELECT COUNT(*) FROM information_schema.processlist
       WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE '%aor_link%'`,
      );
      expect(Number(row?.[0])).toBe(0);
    },
    50,
  );
  expect(performance.now() - begun).toBeLessThan(6000);
}
