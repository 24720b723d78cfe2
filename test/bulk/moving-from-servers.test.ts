import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

import { startApp, type TestApp } from '../support/app';
import { runCommand, type Ran } from '../support/command-line';
import { createSqliteDatabase, type TestDatabase } from '../support/databases/databases';
import { fakeMysql, REFUSAL, rowsOf, type Behaviour, type FakeMysql } from '../support/databases/fake-mysql';
import { eventually } from '../support/eventually';
import { createDomain } from '../support/factories';

const TABLES = rowsOf(['name', 'part'], [['domain', 'id']]);
const PAGE = rowsOf(
  ['id', 'domain'],
  Array.from({ length: 1000 }, () => ['1', 'a.test']),
);

/** Responds with the tables of Kamailio, and then as `next` does. */
const afterTables =
  (next: Behaviour): Behaviour =>
  (sql, socket) => {
    if (sql.includes('information_schema')) socket.write(TABLES);
    else next(sql, socket);
  };

/** Sends a row that is as long as a packet, again and again. */
const endless: Behaviour = (_, socket) => {
  const part = Buffer.alloc(0xffffff + 4, 'z').fill(0xff, 0, 3);
  let number = 1;
  const send = (): void => {
    for (let isEmpty = true; isEmpty && !socket.destroyed;) {
      const next = Buffer.from(part);
      next[3] = number++ & 0xff;
      isEmpty = socket.write(next);
    }
  };
  socket.on('drain', send);
  send();
};

describe('An import from a server that does not behave', () => {
  let server: FakeMysql;
  let own: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    server = await fakeMysql();
    own = await createSqliteDatabase();
    app = await startApp({ DATABASE_URL: own.url });
  });

  afterAll(async () => {
    await server.close();
    await app.close();
    await own.drop();
  });

  const run = (): Promise<Ran> => runCommand({ DATABASE_URL: own.url }, 'import-from', 'kamailio', server.url);

  test.each<[string, Behaviour, RegExp]>([
    ['ends the connection', (_, socket) => socket.destroy(), /cannot be read \(PROTOCOL_CONNECTION_LOST\)/],
    [
      'has tables of another system',
      (_, socket) => socket.write(rowsOf(['name', 'part'], [['x', 'id']])),
      /^source: has no table of kamailio/,
    ],
    ['sends without an end', endless, /^source: the database sends more than 256 MiB for a statement/],
    [
      'sends the same page again and again',
      afterTables((_, socket) => socket.write(PAGE)),
      /^source: "domain" has rows after its last one/,
    ],
  ])(
    'that %s fails, and leaves no connection',
    async (_, behaviour, message) => {
      server.behave = behaviour;
      expect(await run()).toMatchObject({ out: '', code: 1, err: expect.stringMatching(message) });
      await eventually(5, () => expect(server.open).toBe(0));
    },
    60_000,
  );

  test('is read once, and needs no server after that', async () => {
    const asked: string[] = [];
    server.behave = (sql, socket) => {
      asked.push(sql);
      if (sql.includes('information_schema')) socket.write(TABLES);
      else if (sql.includes('COUNT')) socket.write(rowsOf(['count', 'length'], [['1', '1']]));
      else socket.write(rowsOf(['id', 'domain'], [['1', 'once.test']]));
    };
    expect(await run()).toMatchObject({ code: 0, out: expect.stringMatching(/^Domain +1 /m) });
    expect(asked).toEqual([...new Set(asked)]);
    expect(asked.filter((sql) => sql.includes('`domain`'))).toHaveLength(1);
  });

  test('that is silent keeps nobody from changing resources', async () => {
    const asked = new Promise<Socket>((resolve) => {
      server.behave = afterTables((_, socket) => resolve(socket));
    });
    const running = run();
    const socket = await asked;
    await createDomain(app);
    socket.destroy();
    expect(await running).toMatchObject({ code: 1 });
  });

  test('that refuses the connection and keeps it open fails, and leaves no connection', async () => {
    const { greeting } = server;
    server.greeting = REFUSAL;
    expect(await run()).toMatchObject({ out: '', code: 1, err: expect.stringMatching(/\(ER_CON_COUNT_ERROR\)/) });
    await eventually(5, () => expect(server.open).toBe(0));
    server.greeting = greeting;
  });
});

test('What a PostgreSQL server sends as the code of an error is not printed', async () => {
  const text = `SFATAL\0C${'not a code '.repeat(99)}\0M\0\0`;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length + 4);
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => socket.write(Buffer.concat([Buffer.from('E'), length, Buffer.from(text)])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { url: own, drop } = await createSqliteDatabase();
  const ran = await runCommand(
    { DATABASE_URL: own },
    'import-from',
    'routr2',
    `postgresql://reader:x@127.0.0.1:${String(port)}/routr`,
  );
  expect(ran).toMatchObject({ code: 1, err: 'source: the database cannot be read (no code)\n' });
  server.close();
  await drop();
});
