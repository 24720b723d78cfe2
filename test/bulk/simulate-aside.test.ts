import { readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { loadConfig } from '../../src/config/config';
import { openDatabase } from '../../src/database/open';
import { openSqlite } from '../../src/database/sqlite/better-sqlite3';
import { createLogger } from '../../src/log';
import { startApp, type TestApp } from '../support/app';
import { databases } from '../support/databases/databases';
import { createGateway } from '../support/factories';
import { runSql } from '../support/databases/sql';
import { createSqliteDatabase, type TestDatabase } from '../support/databases/sqlite-database';

// Milliseconds that a process waits for the writer before it gives a copy up.
const PATIENCE = 2000;

let database: TestDatabase;
let file: string;
let app: TestApp;

async function simulate(count: number): Promise<unknown> {
  const gatewayRef = await createGateway(app);
  const changes = Array.from({ length: count }, (_, n) => ({
    create: { number: { gatewayRef, telUrl: `tel:+4470${String(1000 + n)}`, aorLink: 'sip:ann@sip.local' } },
  }));
  const { data, errors } = await app.graphql<{ simulate: { calls: { examined: number } } }>(
    'mutation ($changes: [ChangeInput!]!) { simulate(changes: $changes) { calls { examined } } }',
    { changes },
  );
  return errors ?? data.simulate.calls.examined;
}

const numbers = async (): Promise<unknown> => (await app.graphql('{ numbers { totalCount } }')).data;

describe('A simulation on SQLite', () => {
  beforeEach(async () => {
    database = await createSqliteDatabase();
    file = database.url.replace('sqlite:', '');
    app = await startApp({ DATABASE_URL: database.url });
  });

  afterEach(async () => {
    await app.close();
    await database.drop();
  });

  test('lets others write, and changes nothing', async () => {
    const written: string[] = [];
    let writing = true;
    const simulating = simulate(1000).finally(() => (writing = false));
    const goesOn = (): boolean => writing;
    while (goesOn()) written.push(await createGateway(app));
    expect(await simulating).toBe(1000);
    expect(written.length).toBeGreaterThan(5);
    expect(await numbers()).toEqual({ numbers: { totalCount: 0 } });
  });

  test('leaves no copy, and removes those of processes that were killed', async () => {
    const [old, young] = [`${file}.aside-00`, `${file}.aside-01-wal`];
    for (const path of [old, young]) await writeFile(path, 'a part of a copy');
    await utimes(old, 0, 0);
    expect(await simulate(1)).toBe(1);
    const left = (await readdir(dirname(file))).filter((name) => name.includes('.aside-'));
    expect(left.map((name) => join(dirname(file), name))).toEqual([young]);
  });

  test('waits for the writer like a change if the file cannot be copied', async () => {
    const other = openSqlite(file);
    const gatewayRef = await createGateway(app);
    other.exec('BEGIN IMMEDIATE');
    const change = `{ update: { ref: "${gatewayRef}", gateway: { draining: true } } }`;
    const simulating = app.graphql(`mutation { simulate(changes: [${change}]) { changes { outcome } } }`);
    await new Promise((resolve) => setTimeout(resolve, PATIENCE + 500));
    other.exec('ROLLBACK');
    other.close();
    expect(await simulating).toMatchObject({ data: { simulate: { changes: [{ outcome: 'UPDATED' }] } } });
  });
});

for (const { name, createDatabase } of databases.filter((each) => each.name !== 'SQLite'))
  test(`A simulation on ${name} holds no lock once it has read what its changes do, and then reads one state without them`, async () => {
    const { url, drop } = await createDatabase();
    const config = loadConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' });
    const opened = await openDatabase(config.database, {
      log: createLogger(config),
    });
    try {
      await opened.dataSource.runMigrations();
      await runSql(url, "INSERT INTO settings (name, value) VALUES ('a', 'as it was')");
      const read: unknown[] = [];
      const rehearsing = opened.transaction(
        async (transaction) => {
          const values = async (): Promise<unknown> =>
            read.push(await transaction.rows("SELECT value FROM settings WHERE name = 'a'", []));
          await transaction.undone(async () => {
            await transaction.run("UPDATE settings SET value = 'as simulated' WHERE name = 'a'", []);
            await values();
          });
          await values();
          await runSql(url, "UPDATE settings SET value = 'by somebody else' WHERE name = 'a'");
          await values();
          throw new Error('rolled back');
        },
        { isRehearsal: true, seesCommits: true },
      );
      await expect(rehearsing).rejects.toThrow('rolled back');
      expect(read).toEqual([[['as simulated']], [['as it was']], [['as it was']]]);
      expect(await opened.rows("SELECT value FROM settings WHERE name = 'a'", [])).toEqual([['by somebody else']]);
    } finally {
      await opened.close();
      await drop();
    }
  });
