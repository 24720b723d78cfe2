import { randomBytes } from 'node:crypto';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

import { createConnection } from 'mysql2/promise';
import type { DataSource } from 'typeorm';

import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/open';
import { migrations } from '../../src/database/migrations';
import { UnescapeUsers1763676500000 } from '../../src/database/migrations/1763676500000-unescape-users';
import { GatewayHosts1764500000040 } from '../../src/database/migrations/resources/1764500000040-gateway-hosts';
import { entitiesFor } from '../../tools/entities';
import { fetchToken, startApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { databases, type DatabaseKind } from '../support/databases/databases';
import { eventually } from '../support/eventually';
import { createAgent, createDid, createDomain, createGateway } from '../support/factories';
import { migrate } from '../support/databases/migrated';
import { runSql } from '../support/databases/sql';
import { socketClient } from '../support/subscriptions';
import { model } from '../support/model';
import { ERRORS, TRIGGER, refusal } from '../support/refusals';
import { query } from '../support/databases/servers';

const servers = databases.filter(({ name }) => name !== 'SQLite');
// Jest rejects an empty table. The global setup reports which databases are missing, and why.
const onEachOf = (kinds: readonly DatabaseKind[]) => (name: string, tests: (kind: DatabaseKind) => void) => {
  for (const kind of kinds) describe(name.replace('$name', kind.name), () => tests(kind));
};

async function withDatabase(kind: DatabaseKind, work: (url: string) => Promise<void>): Promise<void> {
  const { url, drop } = await kind.createDatabase();
  try {
    await work(url);
  } finally {
    await drop();
  }
}

describe.each(databases)('Migrations, on $name', (kind) => {
  const open = async (url: string): Promise<DataSource> => {
    const scheme = kind.name === 'MariaDB' ? 'mariadb:' : 'mysql:';
    const config = loadConfig({ DATABASE_URL: url.replace(/^mysql:/, scheme) }).database;
    return createDataSource(config, { entities: entitiesFor(model.kinds, config.dialect) }).initialize();
  };

  test('create the tables that the kinds declare, can be reverted, and run again', () =>
    withDatabase(kind, async (url) => {
      const dataSource = await open(url);
      try {
        await dataSource.runMigrations();
        const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
        expect(upQueries.map(({ query }) => query)).toEqual([]);
        while ((await dataSource.query<unknown[]>('SELECT * FROM migrations')).length > 0)
          await dataSource.undoLastMigration();
        await dataSource.runMigrations();
      } finally {
        await dataSource.destroy();
      }
    }));

  test('unescape the users in the aorLinks of existing numbers', () =>
    withDatabase(kind, async (url) => {
      const app = await startApp({ DATABASE_URL: url });
      const gatewayRef = await createGateway(app);
      const users = ['%6Fscar', 'a%20b', '1%25', '%FF', 'plain', '%2541', ''];
      for (const user of users) await createDid(app, { gatewayRef, aorLink: `sip:${user}${user && '@'}b.test;p=%41` });
      await app.close();
      const dataSource = await open(url);
      const stored = (): Promise<readonly { readonly user: string }[]> =>
        dataSource.query('SELECT aor_user AS user FROM numbers ORDER BY id');
      try {
        const undone = migrations.length - migrations.indexOf(UnescapeUsers1763676500000);
        for (let n = 0; n < undone; n++) await dataSource.undoLastMigration();
        expect((await stored()).map(({ user }) => user)).toEqual(users);
        await dataSource.runMigrations();
        expect((await stored()).map(({ user }) => user)).toEqual(['oscar', 'a b', '1%', '%FF', 'plain', '%41', '']);
      } finally {
        await dataSource.destroy();
      }
    }));

  test('compare the hosts of existing gateways, and leave two that are the same as they are', () =>
    withDatabase(kind, async (url) => {
      const app = await startApp({ DATABASE_URL: url });
      const hosts = ['[0::1]', '[::2]', 'dot.test.', '[::4:1]', 'plain.test'];
      for (const host of hosts) await createGateway(app, { host, port: 5070, username: 'u', secret: 's' });
      await app.close();
      const dataSource = await open(url);
      const stored = async (): Promise<readonly string[]> => {
        const rows = await dataSource.query<{ text: string }[]>('SELECT identity AS text FROM gateways ORDER BY id');
        return rows.map(({ text }) => text);
      };
      const identities = (...names: readonly string[]): readonly string[] => names.map((name) => `${name}|5070|u`);
      try {
        const undone = migrations.length - migrations.indexOf(GatewayHosts1764500000040);
        for (let n = 0; n < undone; n++) await dataSource.undoLastMigration();
        expect(await stored()).toEqual(identities(...hosts));
        await dataSource.query(
          "UPDATE gateways SET host = '[::0:2]', identity = '[::0:2]|5070|u' WHERE host = '[::4:1]'",
        );
        await dataSource.runMigrations();
        expect(await stored()).toEqual(identities('[::1]', '[::2]', 'dot.test', '[::0:2]', 'plain.test'));
      } finally {
        await dataSource.destroy();
      }
    }));

  test('MIGRATE=off on an empty database explains what to do', () =>
    withDatabase(kind, async (url) => {
      await expect(startApp({ DATABASE_URL: url, MIGRATE: 'off' })).rejects.toThrow('sipgraph migrate');
    }));

  test('a second start keeps all data, the admin and the tokens', () =>
    withDatabase(kind, async (url) => {
      const first = await startApp({ DATABASE_URL: url, SAMPLE_DATA: 'true' });
      const token = await first.token();
      await first.close();
      const second = await startApp({ DATABASE_URL: url, SAMPLE_DATA: 'true', ADMIN_SECRET: 'another one' });
      expect((await second.rest('GET', '/gateways', { token })).body.data).toHaveLength(3);
      await second.close();
    }));
});

onEachOf(servers)('A database server, $name', (kind) => {
  test('three replicas start at the same time, and create one admin', () =>
    withDatabase(kind, async (url) => {
      const start = () => startApp({ DATABASE_URL: url, SAMPLE_DATA: 'true' }, undefined, { migrates: true });
      const apps = await Promise.all([1, 2, 3].map(start));
      const token = (await apps[0]?.token()) ?? '';
      for (const app of apps) {
        expect((await app.rest('GET', '/gateways', { token })).body.data).toHaveLength(3);
        expect((await app.graphql('{ users { totalCount } }', {}, { token })).data).toEqual({
          users: { totalCount: 1 },
        });
      }
      await Promise.all(apps.map((app) => app.close()));
    }));

  test('stores text in utf8mb4, and compares it by code point, including trailing spaces', () =>
    withDatabase(kind, async (url) => {
      await (await startApp({ DATABASE_URL: url })).close();
      const rows = await runSql(
        url,
        `SELECT table_name, table_collation FROM information_schema.tables
         WHERE table_schema = DATABASE() AND table_name <> 'migrations'`,
      );
      expect(rows.length).toBeGreaterThan(8);
      for (const [, collation] of rows)
        expect(collation).toBe(kind.name === 'MySQL' ? 'utf8mb4_0900_bin' : 'utf8mb4_nopad_bin');
    }));

  test('that becomes unavailable causes 503 until it is back, without a restart', () =>
    withDatabase(kind, async (url) => {
      const proxy = await Proxy.to(url);
      const app = await startApp({ DATABASE_URL: proxy.url });
      try {
        const token = await app.token();
        await proxy.cut();
        for (let time = 0; time < 5; time++) {
          const rest = await app.rest('GET', '/gateways', { token });
          expect([rest.status, rest.body]).toEqual([503, { status: '503', message: 'Service unavailable' }]);
          expect((await app.rest('GET', '/location', { token })).body).toEqual({
            status: 503,
            message: 'Service unavailable',
          });
          const graphql = await app.graphql('{ gateways { totalCount } }', {}, { token });
          expect([graphql.status, graphql.errors?.[0]?.extensions['code']]).toEqual([503, 'UNAVAILABLE']);
        }
        const signIn = await app.graphql(
          'mutation { createToken(username: "admin", secret: "x") { token } }',
          {},
          { token: null },
        );
        expect([signIn.status, signIn.errors?.[0]?.extensions['code']]).toEqual([503, 'UNAVAILABLE']);
        expect((await fetch(`${app.url}/readyz`)).status).toBe(503);
        expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
        await proxy.mend();
        for (let time = 0; time < 20; time++) expect((await app.rest('GET', '/gateways', { token })).status).toBe(200);
        await eventually(5, async () => expect((await fetch(`${app.url}/readyz`)).status).toBe(200));
      } finally {
        await app.close();
        await proxy.cut();
      }
    }));

  const outages: Readonly<Record<string, (proxy: Proxy, url: string, user: string) => Promise<void>>> = {
    'is away': (proxy) => proxy.cut(),
    // As a node without a quorum does.
    'refuses all statements': async (_proxy, url, user) => {
      await query(url, `ALTER USER ${user} WITH MAX_QUERIES_PER_HOUR 1`);
      const sessions = await runSql(url, `SELECT id FROM information_schema.processlist WHERE user = '${user}'`);
      // Some have ended by themselves.
      for (const [id] of sessions) await query(url, `KILL ${String(id)}`).catch(() => undefined);
    },
  };

  test.each(Object.keys(outages))('that %s for 10 s closes WebSockets with 1013, and event streams', (outage) =>
    withDatabase(kind, async (url) => {
      const proxy = await Proxy.to(url);
      const user = `u${randomBytes(6).toString('hex')}`;
      await query(url, `CREATE USER ${user}`);
      await query(url, `GRANT ALL ON *.* TO ${user}`);
      const own = new URL(proxy.url);
      own.username = user;
      const app = await startApp({ DATABASE_URL: own.href });
      const token = await app.token();
      const subscription = { query: 'subscription { resourceChanged { event } }' };
      const client = socketClient(app.url, token);
      const closed = new Promise((resolve) =>
        client.on('closed', (event) => resolve((event as { code: number }).code)),
      );
      const heard = jest.fn();
      client.subscribe(subscription, { next: heard, error: () => undefined, complete: () => undefined });
      const stream = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: {
          accept: 'text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(subscription),
      });
      const ended = stream.text().catch(() => 'broken off');
      try {
        await eventually(15, async () => {
          await createGateway(app);
          expect(heard).toHaveBeenCalledWith({ data: { resourceChanged: { event: 'CREATED' } } });
        });
        await outages[outage]?.(proxy, url, user);
        expect(await closed).toBe(1013);
        expect(await ended).toBe('broken off');
      } finally {
        await app.close();
        await proxy.cut();
        await query(url, `DROP USER ${user}`);
      }
    }),
  );

  test('keeps at most 100 prepared statements for a connection, and so fewer than its limit for 151', () =>
    withDatabase(kind, async (url) => {
      const proxy = await Proxy.to(url);
      const app = await startApp({ DATABASE_URL: proxy.url });
      const fields = ['name', 'note', 'port', 'expires', 'username', 'enabled', 'draining'];
      try {
        for (let i = 0; i < 2 ** fields.length; i++) {
          const selected = ['ref', ...fields.filter((_, bit) => (i >> bit) % 2 === 1)];
          expect((await app.graphql(`{ gateways { nodes { ${selected.join(' ')} } } }`)).errors).toBeUndefined();
        }
        expect(proxy.mostPrepared()).toBeGreaterThan(50);
        expect(proxy.mostPrepared()).toBeLessThanOrEqual(100);
      } finally {
        await app.close();
        await proxy.cut();
      }
    }));

  test('that has lost the connections of shared writes without notice executes them separately', () =>
    withDatabase(kind, async (url) => {
      const proxy = await Proxy.to(url);
      const app = await startApp({ DATABASE_URL: proxy.url });
      const create = () => Promise.all(Array.from({ length: 20 }, () => createGateway(app)));
      try {
        await create();
        proxy.lose('autocommit = 0');
        await create();
        expect((await app.graphql('{ gateways { totalCount } }')).data).toEqual({ gateways: { totalCount: 40 } });
      } finally {
        await app.close();
        await proxy.cut();
      }
    }));

  test('whose errors may pass gives UNAVAILABLE and 503 with Retry-After, and reads still work', () =>
    withDatabase(kind, async (url) => {
      const app = await startApp({ DATABASE_URL: url });
      try {
        await query(url, TRIGGER);
        const refused = Object.keys(ERRORS).map(async (number) => [number, await refusal(app, number)] as const);
        expect((await app.rest('GET', '/gateways')).status).toBe(200);
        expect(Object.fromEntries(await Promise.all(refused))).toEqual(
          Object.fromEntries(Object.entries(ERRORS).map(([number, after]) => [number, ['UNAVAILABLE', 503, after]])),
        );
      } finally {
        await app.close();
      }
    }));

  test('that is not available yet is waited for at startup', () =>
    withDatabase(kind, async (url) => {
      const proxy = await Proxy.to(url);
      await proxy.cut();
      const starting = startApp({ DATABASE_URL: proxy.url }, undefined, { migrates: true });
      await proxy.wasTried();
      await proxy.mend();
      const app = await starting;
      expect((await app.rest('GET', '/gateways')).status).toBe(200);
      await app.close();
      await proxy.cut();
    }));
});

onEachOf(servers.filter(({ name }) => name === 'MariaDB'))('A server that isolates snapshots, $name', (kind) => {
  test('accepts concurrent writes', () =>
    withDatabase(kind, async (url) => {
      const [[, before] = []] = await runSql(url, "SHOW GLOBAL VARIABLES LIKE 'innodb_snapshot_isolation'");
      if (typeof before !== 'string') return; // an older version
      await runSql(url, 'SET GLOBAL innodb_snapshot_isolation = ON');
      try {
        const app = await startApp({ DATABASE_URL: url });
        await createDomain(app, { domainUri: 'busy.test' });
        await Promise.all(Array.from({ length: 60 }, () => createAgent(app, { domains: ['busy.test'] })));
        await app.close();
      } finally {
        await runSql(url, `SET GLOBAL innodb_snapshot_isolation = ${before}`);
      }
    }));
});

/** A proxy to a server that can cut its connections. */
class Proxy {
  private readonly sockets = new Set<Socket>();
  private readonly sent = new Map<Socket, string>();
  private server: Server | undefined;
  private refusals: Server | undefined;
  private tried: () => void = () => undefined;

  private constructor(
    private readonly target: URL,
    private port: number,
  ) {}

  static async to(url: string): Promise<Proxy> {
    const proxy = new Proxy(new URL(url), 0);
    await proxy.mend();
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  async mend(): Promise<void> {
    await closed(this.refusals);
    this.server = await this.listen((socket) => {
      const onward = connect(Number(this.target.port), this.target.hostname);
      for (const end of [socket, onward]) {
        this.sockets.add(end);
        end
          .on('error', () => undefined)
          .on('close', () => {
            socket.destroy();
            onward.destroy();
          });
      }
      socket.on('data', (data: Buffer) =>
        this.sent.set(socket, `${this.sent.get(socket) ?? ''}${data.toString('latin1')}`),
      );
      socket.pipe(onward).pipe(socket);
    });
  }

  /** How many statements are prepared on the connection with the most. */
  mostPrepared(): number {
    return Math.max(...[...this.sent.values()].map(preparedIn));
  }

  /** Loses the connections on which a text was sent, as soon as something else is sent. */
  lose(text: string): void {
    for (const [socket, sent] of this.sent)
      if (sent.includes(text))
        socket
          .unpipe()
          .once('data', () => socket.destroy())
          .resume();
  }

  /** Resets all current and new connections. */
  async cut(): Promise<void> {
    const end = closed(this.server);
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
    await end;
    if (this.refusals?.listening) await closed(this.refusals);
    this.refusals = await this.listen((socket) => {
      socket.on('error', () => undefined).resetAndDestroy();
      this.tried();
    });
    this.refusals.unref();
  }

  wasTried(): Promise<void> {
    return new Promise((resolve) => {
      this.tried = resolve;
    });
  }

  private listen(handle: (socket: Socket) => void): Promise<Server> {
    return new Promise((resolve) => {
      const server = createServer(handle).listen(this.port, '127.0.0.1', () => {
        this.port = (server.address() as AddressInfo).port; // of a TCP server
        resolve(server);
      });
    });
  }
}

/** Counts the statements that a client has prepared and not closed. A command is the fifth byte of a packet with the number 0. */
function preparedIn(sent: string): number {
  const bytes = Buffer.from(sent, 'latin1');
  let count = 0;
  for (let at = 0; at + 4 < bytes.length; at += 4 + bytes.readUIntLE(at, 3)) {
    if (bytes[at + 3] !== 0) continue;
    if (bytes[at + 4] === 0x16) count++;
    if (bytes[at + 4] === 0x19) count--;
  }
  return count;
}

function closed(server: Server | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (server)
      server.close(() => {
        resolve();
      });
    else resolve();
  });
}

onEachOf(servers)('A resource that another transaction keeps locked, on $name', (kind) => {
  // On SQLite: sqlite-locks.test.ts.
  test('is not changed, and the error says that a longer change keeps it', () =>
    withDatabase(kind, async (url) => {
      const app = await startApp({ DATABASE_URL: url });
      const ref = await createGateway(app);
      const other = await createConnection(url);
      try {
        await other.beginTransaction();
        await other.query('SELECT id FROM gateways WHERE ref = ? LOCK IN SHARE MODE', [ref]);
        const { errors } = await app.graphql(
          'mutation ($ref: String!) { updateGateway(ref: $ref, input: { draining: true }) { ref } }',
          { ref },
        );
        expect(errors).toMatchObject([
          {
            message:
              'The database cannot change what a longer change, such as an import, keeps locked; try again later',
            extensions: { code: 'UNAVAILABLE', retryAfter: 5 },
          },
        ]);
      } finally {
        await other.end();
        await app.close();
      }
    }));
});

const LACKING = 'The database refuses a privilege to the user in DATABASE_URL; the operator must grant it';

onEachOf(servers)('A database user that may only read, on $name', ({ createDatabase }) => {
  let [own, reader, user] = ['', '', ''];
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const database = await createDatabase();
    [own, drop] = [database.url, database.drop];
    await migrate(own);
    user = `r${randomBytes(6).toString('hex')}`;
    await runSql(own, `CREATE USER ${user}@'%' IDENTIFIED BY 'p'`);
    await runSql(own, `GRANT SELECT ON ${new URL(own).pathname.slice(1)}.* TO ${user}@'%'`);
    const url = new URL(own);
    [url.username, url.password] = [user, 'p'];
    reader = url.href;
  });

  afterAll(async () => {
    await runSql(own, `DROP USER ${user}@'%'`);
    await drop();
  });

  test.each([
    ['user add', 'INSERT|UPDATE', ['user', 'add', 'anna', '--role', 'viewer', '--secret', 'a-long-secret']],
    ['kamailio install', 'SELECT', ['kamailio', 'install', '--password', 'kamailio-secret']],
  ])('is told by `%s` that it lacks %s, and not to try again', async (_command, privilege, command) => {
    const { code, err } = await runCommand({ DATABASE_URL: reader, MIGRATE: 'off' }, ...command);
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`^${LACKING}: (?:${privilege})( on \\w+)?\n$`));
  });

  test('leads over the API to an error without names of the database and without a time to wait, and to an error in the log', async () => {
    await runCommand({ DATABASE_URL: own }, 'user', 'add', 'admin', '--role', 'admin', '--secret', 'a-long-secret');
    const lines: string[] = [];
    const app = await startApp(
      {
        DATABASE_URL: reader,
        MIGRATE: 'off',
        LOG_LEVEL: 'error',
        ADMIN_SECRET: 'a-long-secret',
        JWT_SECRET: 'j'.repeat(40),
      },
      { write: (line) => lines.push(line) },
    );
    try {
      const { errors } = await app.graphql(
        'mutation { createDomain(input: { name: "d", domainUri: "d.test" }) { ref } }',
      );
      const spec = { context: { domainUri: 'd.test' } };
      const { status, headers, text } = await app.rest('POST', '/domains', {
        body: { apiVersion: 'v1beta1', kind: 'Domain', metadata: { name: 'd' }, spec },
      });
      expect(errors).toMatchObject([{ message: LACKING }]);
      expect(errors?.[0]?.extensions).toEqual({ code: 'UNAVAILABLE', status: 503 });
      expect([status, headers.get('retry-after')]).toEqual([503, null]);
      expect(text).not.toMatch(/denied|domains|sipgraph|INSERT/);
      const logged = lines.map((line) => JSON.parse(line) as { level: string; msg: string });
      expect(logged.filter(({ msg }) => msg === LACKING).map(({ level }) => level)).toContain('error');
    } finally {
      await app.close();
    }
  });

  test('still lets users sign in, also while a key is stored whose tokens have expired', async () => {
    const env = { DATABASE_URL: own, ADMIN_SECRET: 'a-long-secret' };
    await (await startApp(env)).close();
    for (const command of ['rotate', 'rotate']) await runCommand(env, 'key', command);
    await runSql(own, 'UPDATE signing_keys SET retired_on = 1 WHERE retired_on IS NOT NULL');
    const app = await startApp({ ...env, DATABASE_URL: reader, MIGRATE: 'off' });
    try {
      const token = await fetchToken(app.url, 'admin', 'a-long-secret');
      expect((await app.rest('GET', '/system/info', { token })).status).toBe(200);
    } finally {
      await app.close();
    }
    expect(await runSql(own, 'SELECT COUNT(*) FROM signing_keys')).toEqual([[2]]);
  });
});
