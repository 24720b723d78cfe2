import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startApp } from '../support/app';
import { CLI, cliEnvironment } from '../support/cli';
import { runCommand } from '../support/command-line';
import { eventually } from '../support/eventually';
import { closeAtTheLatest } from '../support/runner/leftovers';
import { build } from '../support/process';
import { runSql } from '../support/databases/sql';
import { createSqliteDatabase, type TestDatabase } from '../support/databases/sqlite-database';

// commands.test.ts tests the contents of the files on each database.
describe('An export, on SQLite', () => {
  let database: TestDatabase;
  let directory: string;
  let backup: string;

  beforeEach(async () => {
    database = await createSqliteDatabase();
    closeAtTheLatest(database.drop);
    await (await startApp({ DATABASE_URL: database.url, SAMPLE_DATA: 'true' })).close();
    directory = await mkdtemp(join(tmpdir(), 'sipgraph-export-'));
    backup = join(directory, 'backup');
  });

  const exported = (to = backup, ...options: readonly string[]) =>
    runCommand({ DATABASE_URL: database.url }, 'export', to, ...options);

  async function contents(): Promise<Readonly<Record<string, string>>> {
    const names = (await readdir(backup)).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(backup, name), 'utf8')));
    return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
  }

  /** Inserts the square of a number of peers. */
  const insertPeers = (root: number) =>
    runSql(
      database.url,
      `INSERT INTO peers (ref, name, username, secret, created_on, modified_on)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${String(root)})
       SELECT 'many' || a.i || '-' || b.i, 'Many', 'many' || a.i || '-' || b.i, 'x', 1, 1 FROM n a, n b`,
    );

  /** Runs a command that takes seconds, because there are many peers, and stops it once it has begun to write a second file. */
  async function stopped(signal: NodeJS.Signals, ...command: readonly string[]): Promise<readonly unknown[]> {
    await insertPeers(200);
    build();
    const child = spawn(process.execPath, [...CLI, ...command], {
      env: { ...cliEnvironment({ DATABASE_URL: database.url }) },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await eventually(60, async () => expect(await readdir(directory)).toHaveLength(2));
    child.kill(signal);
    return ended;
  }

  test('replaces an earlier one completely, and leaves no other files behind', async () => {
    await exported();
    const before = await contents();
    await runSql(database.url, "UPDATE peers SET name = 'Renamed' WHERE ref = 'pr4d5c63'");
    await runSql(database.url, "DELETE FROM peers WHERE ref = 'pre20b17'");
    expect((await exported()).code).toBe(0);
    const after = await contents();
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(after['peers.yml']).toContain('Renamed');
    expect(after['peers.yml']).not.toContain('pre20b17');
    expect(after['agents.yml']).toBe(before['agents.yml']);
    expect(await readdir(directory)).toEqual(['backup']);
    expect((await lstat(backup)).mode & 0o777).toBe(0o700);
    for (const name of Object.keys(after)) expect((await lstat(join(backup, name))).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['a file of another name', 'notes.txt', 'mine'],
    ['a file of the same name that no export wrote', 'agents.yml', '- kind: Agent\n'],
    ['a hidden file', '.env', 'SECRET=1'],
  ])('rejects a directory that contains %s, and does not change it', async (_what, name, text) => {
    await exported();
    await writeFile(join(backup, name), text);
    const before = await contents();
    const { code, err } = await exported();
    expect([code, err]).toEqual([
      1,
      `${backup} contains ${name}, which is not from an export: use a new directory, or empty this one\n`,
    ]);
    expect(await contents()).toEqual(before);
    expect(await readdir(directory)).toEqual(['backup']);
  });

  test('onto a full disk says what cannot be written, and leaves nothing behind', async () => {
    await insertPeers(20);
    build();
    // A file of more than 33 kB cannot be written, which leaves room for the shared memory of SQLite.
    const run = (...command: readonly string[]) =>
      promisify(execFile)('sh', ['-c', 'ulimit -f 66; exec "$0" "$@"', process.execPath, ...CLI, ...command], {
        env: { ...cliEnvironment({ DATABASE_URL: database.url }) },
      });
    const file = join(directory, 'peers.jsonl');
    const full = (path: string) => ({ code: 1, stderr: `${path} cannot be written: file too large\n` });
    await expect(run('export', backup)).rejects.toMatchObject(full(backup));
    await expect(run('export-csv', 'peers', file, '--jsonl')).rejects.toMatchObject(full(file));
    expect(await readdir(directory)).toEqual([]);
  });

  test('rejects a directory that contains a directory or a link, even with the name of an exported file', async () => {
    await mkdir(join(backup, 'agents.yml'), { recursive: true });
    expect((await exported()).err).toContain('contains agents.yml, which is not from an export');
    const other = join(directory, 'other');
    await mkdir(other);
    await symlink('/etc/hostname', join(other, 'peers.yml'));
    expect((await exported(other)).err).toContain('contains peers.yml, which is not from an export');
  });

  test('rejects a file, and a broken symbolic link', async () => {
    await writeFile(backup, 'a file');
    expect(await exported()).toMatchObject({ code: 1, err: `${backup} is not a directory\n` });
    const link = join(directory, 'link');
    await symlink(join(directory, 'gone'), link);
    expect(await exported(link)).toMatchObject({ code: 1, err: `${link} is a broken symbolic link\n` });
  });

  test('to a symbolic link replaces its target, and keeps the link', async () => {
    await exported();
    const link = join(directory, 'latest');
    await symlink('backup', link);
    await runSql(database.url, "UPDATE peers SET name = 'Renamed' WHERE ref = 'pr4d5c63'");
    expect((await exported(link)).code).toBe(0);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await contents())['peers.yml']).toContain('Renamed');
    expect((await readdir(directory)).sort()).toEqual(['backup', 'latest']);
  });

  test('of a database without resources replaces a backup with resources only with --allow-empty', async () => {
    await exported();
    const before = await contents();
    const empty = await createSqliteDatabase();
    closeAtTheLatest(empty.drop);
    await runCommand({ DATABASE_URL: empty.url }, 'migrate');
    const { code, err } = await runCommand({ DATABASE_URL: empty.url }, 'export', backup);
    expect([code, err]).toEqual([
      1,
      `The database has no resources, but the backup in ${backup} does. The backup was not replaced: check DATABASE_URL, or use --allow-empty\n`,
    ]);
    expect(await contents()).toEqual(before);
    expect(await readdir(directory)).toEqual(['backup']);
    expect((await runCommand({ DATABASE_URL: empty.url }, 'export', backup, '--allow-empty')).code).toBe(0);
    expect((await contents())['agents.yml']).toMatch(/\n\[\]\n$/);
    // The backup is empty now.
    expect((await runCommand({ DATABASE_URL: empty.url }, 'export', backup)).code).toBe(0);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'stopped by %s leaves the earlier one unchanged',
    async (signal) => {
      await exported();
      const before = await contents();
      const ended = await stopped(signal, 'export', backup);
      expect(ended).toEqual(signal === 'SIGKILL' ? [null, signal] : [1, null]);
      expect(await contents()).toEqual(before);
      if (signal !== 'SIGKILL') expect(await readdir(directory)).toEqual(['backup']);
    },
  );

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'of rows that is stopped by %s leaves the earlier file unchanged, and the next one replaces it',
    async (signal) => {
      const file = join(directory, 'peers.csv');
      const rows = () => runCommand({ DATABASE_URL: database.url }, 'export-csv', 'peers', file);
      expect((await rows()).code).toBe(0);
      const before = await readFile(file, 'utf8');
      const ended = await stopped(signal, 'export-csv', 'peers', file);
      expect(ended).toEqual(signal === 'SIGKILL' ? [null, signal] : [143, null]);
      expect(await readFile(file, 'utf8')).toBe(before);
      if (signal !== 'SIGKILL') expect(await readdir(directory)).toEqual(['peers.csv']);
      expect((await rows()).code).toBe(0);
      expect((await readFile(file, 'utf8')).split('\n').length).toBeGreaterThan(40_000);
      expect((await lstat(file)).mode & 0o777).toBe(0o600);
    },
  );
});
