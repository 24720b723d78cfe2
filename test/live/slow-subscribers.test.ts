import { once } from 'node:events';
import { request, ServerResponse, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { createConnection } from 'mysql2/promise';
import WebSocket from 'ws';

import { startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { COUNTING, metric } from '../support/metrics';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';
import { createSqliteDatabase } from '../support/databases/sqlite-database';
import { transports } from '../support/subscriptions';

const CHANGES = 6000;
// About 8 kB for each change: far more than the network buffers for a subscriber that does not read.
const QUERY = `subscription { resourceChanged { ${Array.from({ length: 29 }, (_, n) => `r${n}: ref`).join(' ')} ref } }`;

describe('A subscriber that does not read', () => {
  let app: TestApp;
  let url: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ url, drop } = await createSqliteDatabase());
    app = await startApp({ DATABASE_URL: url });
  });

  afterAll(async () => {
    await app.close();
    await drop();
  });

  const subscribers = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_subscribers');

  /** Opens a WebSocket, subscribes, and stops reading; returns a function that resumes reading. */
  async function sleepOnSocket(): Promise<() => Promise<unknown>> {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    const send = (message: object): void => socket.send(JSON.stringify(message));
    send({ type: 'connection_init', payload: { token: await app.token() } });
    await once(socket, 'message');
    send({ type: 'subscribe', id: '1', payload: { query: QUERY } });
    await eventually(5, async () => expect(await subscribers()).toBe(2));
    socket.pause();
    return () => {
      socket.resume();
      return once(socket, 'close');
    };
  }

  /** The same for an event stream. */
  async function sleepOnStream(): Promise<() => Promise<unknown>> {
    const headers = {
      authorization: `Bearer ${await app.token()}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    };
    const asked = request(`${app.url}/graphql`, { method: 'POST', headers });
    asked.end(JSON.stringify({ query: QUERY }));
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    response.pause();
    await eventually(5, async () => expect(await subscribers()).toBe(3));
    return async () => {
      const told: Buffer[] = [];
      response.on('data', (data: Buffer) => told.push(data)).resume();
      // An error ends the stream, too.
      await new Promise((resolve) => response.once('close', resolve));
      // A client that receives `complete` would not reconnect.
      expect(Buffer.concat(told).toString()).not.toContain('complete');
      expect(response.complete).toBe(false);
    };
  }

  test('is disconnected, while the others receive all changes', async () => {
    const [first] = transports;
    const other = await first.subscribe(app.url, await app.token(), 'subscription { resourceChanged { cursor } }');
    const wake = [await sleepOnSocket(), await sleepOnStream()];

    // Written as by another process.
    const ref = 'r'.repeat(255);
    const [[last] = []] = await runSql(url, 'SELECT last FROM change_head');
    const begin = Number(last) + 1;
    for (let from = begin; from < begin + CHANGES; from += 500) {
      const rows = Array.from({ length: 500 }, (_, n) => `(${from + n}, ${Date.now()}, 'DID', '${ref}', 'UPDATED')`);
      await runSql(url, `INSERT INTO changes (id, at, kind, ref, did) VALUES ${rows.join(', ')}`);
    }
    await runSql(url, `UPDATE change_head SET last = last + ${CHANGES}`);

    await eventually(40, async () => expect(await subscribers()).toBe(1), 1000);
    await Promise.all(wake.map((again) => again()));
    const cursors = new Set<unknown>();
    for (let n = 0; n < CHANGES; n++) {
      cursors.add((await other.next()).data?.['resourceChanged']);
    }
    expect(cursors.size).toBe(CHANGES);
    await other.close();
  });
});

test('A response that ended, and that the client does not read, gets no more comments', async () => {
  const app = await startApp({ RATE_LIMIT: 'off' });
  const { setInterval: every } = globalThis;
  // Comments keep proxies from closing an idle stream. They come every 12 s.
  const clock = jest
    .spyOn(globalThis, 'setInterval')
    .mockImplementation((work, milliseconds) => every(work, milliseconds === 12_000 ? 50 : milliseconds));
  const ends = jest.spyOn(ServerResponse.prototype, 'end');
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1').pause();
  const body = JSON.stringify({ query: '{ __type(name: "Gateway") { fields { name description } } }' });
  const head = [
    ...['POST /graphql HTTP/1.1', 'Host: sipgraph.test', `Authorization: Bearer ${await app.token()}`],
    ...['Accept: text/event-stream', 'Content-Type: application/json', `Content-Length: ${String(body.length)}`],
  ];
  let last: ServerResponse | undefined;
  // Until the network buffers are full.
  do {
    ends.mockClear();
    socket.write([...head, '', body].join('\r\n'));
    await eventually(5, () => expect(ends).toHaveBeenCalled(), 1);
    last = ends.mock.contexts[0] as ServerResponse; // of which `end` is a method
    await new Promise((resolve) => setTimeout(resolve, 3));
  } while (last.writableFinished);
  // Two comments would end the process.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([last.writableEnded, last.writableFinished]).toEqual([true, false]);
  clock.mockRestore();
  ends.mockRestore();
  socket.destroy();
  await app.close();
});

onEachDriver(
  'An event stream',
  (subject) => {
    test('whose client leaves while its token is checked is not checked any more', async () => {
      const { app, url } = subject();
      const token = await app.token();
      const statements = (): Promise<number> => metric(app.url, token, 'sipgraph_sql_statements_total');
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
      await once(socket, 'connect');
      const release = await lockUsers(url);
      const lines = ['GET /graphql?query=%7B__typename%7D HTTP/1.1', 'Host: a', 'Accept: text/event-stream'];
      socket.write([...lines, `Authorization: Bearer ${token}`, '', ''].join('\r\n'));
      await delay(300);
      socket.resetAndDestroy();
      await delay(100);
      await release();
      const before = await statements();
      // Tokens of open streams are checked every 2 s.
      await delay(5000);
      // The token of this request.
      expect(await statements()).toBe(before + 1);
    });
  },
  COUNTING,
);

/** Has checks of tokens wait until the result is called. Reads of SQLite do not wait. */
async function lockUsers(url: string): Promise<() => Promise<void>> {
  if (url.startsWith('sqlite:')) return () => Promise.resolve();
  const connection = await createConnection(url);
  await connection.query('LOCK TABLES users WRITE');
  return () => connection.end();
}
