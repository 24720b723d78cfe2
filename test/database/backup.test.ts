import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startApp, type TestApp } from '../support/app';
import { sipgraph } from '../support/cli';
import { databases, drivers } from '../support/databases/databases';
import { createSqliteDatabase } from '../support/databases/sqlite-database';
import { createGateway, createNumber } from '../support/factories';
import { fill } from '../support/many';
import { describeWith } from '../support/runner/programs';
import { runSql } from '../support/databases/sql';

const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'sipgraph-backup-'));

/** Creates gateways until it is stopped. `tried` and `done` are the refs that were sent and acknowledged. */
function writers(app: TestApp, count: number) {
  const [tried, done]: [string[], string[]] = [[], []];
  let isStopped = false;
  const running = Array.from({ length: count }, async (_, writer) => {
    for (let n = 0; !isStopped; n++) {
      const ref = `w${String(writer)}-${String(n)}`;
      tried.push(ref);
      await createGateway(app, { ref });
      done.push(ref);
    }
  });
  return {
    tried,
    done,
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** Backs up while others write, and checks the restored database against what was acknowledged. */
async function restoredUnderLoad(from: string, to: string, backUpAndRestore: () => Promise<void>): Promise<void> {
  const app = await startApp({ DATABASE_URL: from });
  for (let n = 0; n < 50; n++) await createGateway(app, { ref: `before-${String(n)}` });
  const load = writers(app, 4);
  while (load.done.length < 40) await new Promise((resolve) => setTimeout(resolve, 20));
  const before = [...load.done];
  await backUpAndRestore();
  const token = await app.token();
  await load.stop();
  await app.close();

  const restored = await startApp({ DATABASE_URL: to });
  const refs = (await runSql(to, 'SELECT ref FROM gateways')).map(([ref]) => String(ref));
  expect(refs).toEqual(expect.arrayContaining(before));
  expect([...refs].filter((ref) => ref.startsWith('w')).every((ref) => load.tried.includes(ref))).toBe(true);
  expect(refs.filter((ref) => ref.startsWith('before-'))).toHaveLength(50);
  // Each write is complete: the resource and its change.
  const refsIn = (table: string) => runSql(to, `SELECT DISTINCT ref FROM ${table} WHERE kind = 'Gateway'`);
  const changed = await refsIn('changes');
  const waiting = to.startsWith('sqlite:') ? [] : await refsIn('unnumbered_entries');
  expect([...new Set([...changed, ...waiting].map(([ref]) => String(ref)))].sort()).toEqual([...refs].sort());
  expect((await restored.rest('GET', '/gateways', { token })).status).toBe(200);
  await createGateway(restored, { ref: 'after' });
  await restored.close();
}

for (const { name, createDatabase } of databases) {
  if (name === 'SQLite')
    describe('sipgraph backup on SQLite', () => {
      test('a backup under load restores everything that was acknowledged before it, and nothing by half', async () => {
        const [from, directory] = [await createDatabase(), await folder()];
        const file = join(directory, 'backup.db');
        await restoredUnderLoad(from.url, `sqlite:${file}`, async () => {
          const { code, out, err } = await sipgraph(['backup', file], { DATABASE_URL: from.url });
          expect([code, err]).toEqual([0, '']);
          expect(out).toMatch(/^Wrote \S+backup\.db \(\d+ bytes\)\.\n$/);
          expect((await stat(file)).mode & 0o777).toBe(0o600);
          expect(await readdir(directory)).toEqual(['backup.db']);
        });
        await from.drop();
      });

      test('an existing file is never replaced, and a database that does not exist is reported', async () => {
        const [database, directory] = [await createDatabase(), await folder()];
        const file = join(directory, 'kept.db');
        await writeFile(file, 'precious');
        const env = { DATABASE_URL: database.url };
        expect(await sipgraph(['backup', file], env)).toMatchObject({
          code: 1,
          err: expect.stringMatching('not exist'),
        });
        await (await startApp(env)).close();
        expect(await sipgraph(['backup', file], env)).toMatchObject({ code: 1, err: expect.stringMatching('exists') });
        expect(await readFile(file, 'utf8')).toBe('precious');
        expect(await readdir(directory)).toEqual(['kept.db']);
        await database.drop();
      });

      test('for a database server, it names the commands of the server and fails, because it has written nothing', async () => {
        const DATABASE_URL = "mysql://o'brien:hush@db.test:3307/sip%20graph";
        const { code, err } = await sipgraph(['backup', '/var/backup/a b.sql'], { DATABASE_URL });
        expect(code).toBe(1);
        const login = "--host=db.test --port=3307 --user='o'\\''brien' --password";
        expect(err).toContain(`mariadb-dump --single-transaction ${login} 'sip graph' > '/var/backup/a b.sql'`);
        expect(err).toContain('mysqldump --no-tablespaces');
        expect(err).toContain('mariabackup --backup');
        expect(err).not.toContain('hush');
      });
    });

  if (name === 'MariaDB')
    describeWith(['mariadb', 'mariadb-dump'], 'sipgraph backup on MariaDB', () => {
      test('the printed command restores everything that was acknowledged before it, and nothing by half', async () => {
        const [from, to, directory] = [await createDatabase(), await createDatabase(), await folder()];
        const file = join(directory, 'backup.sql');
        const { err } = await sipgraph(['backup', file], { DATABASE_URL: from.url });
        const command = /^MariaDB: +(.*)$/m.exec(err)?.[1] ?? '';
        const { hostname, port, username, pathname } = new URL(to.url);
        await restoredUnderLoad(from.url, to.url, async () => {
          // The user of the tests has no password.
          await promisify(execFile)('bash', ['-ec', command.replace(' --password ', ' ')]);
          expect((await stat(file)).mode & 0o777).toBe(0o600);
          const restore = `mariadb -h ${hostname} -P ${port} -u ${username} ${pathname.slice(1)} < '${file}'`;
          await promisify(execFile)('bash', ['-ec', restore]);
        });
        await Promise.all([from.drop(), to.drop()]);
      });
    });
}

describe.each(drivers)('sipgraph export on $name', ({ createDatabase }) => {
  test('has one state of the database, which can be imported, while others write', async () => {
    const [from, to, directory] = [await createDatabase(), await createSqliteDatabase(), await folder()];
    const app = await startApp({ DATABASE_URL: from.url });
    // They are exported between gateways and numbers.
    await fill(from.url, 'peers', 'ref, name, username, secret, created_on, modified_on', 1500, (n) => {
      const ref = `p${String(n)}`;
      return [ref, ref, ref, 'a-long-secret', 1, 1];
    });
    let isStopped = false;
    const running = Array.from({ length: 4 }, async () => {
      while (!isStopped) await createNumber(app);
    });
    const exported = await sipgraph(['export', join(directory, 'files')], { DATABASE_URL: from.url }).finally(() => {
      isStopped = true;
    });
    await Promise.all(running);
    expect([exported.code, exported.err]).toEqual([0, '']);
    const imported = await sipgraph(['import', join(directory, 'files')], { DATABASE_URL: to.url });
    expect([imported.code, imported.err]).toEqual([0, '']);
    await app.close();
    await Promise.all([from.drop(), to.drop()]);
  });
});
