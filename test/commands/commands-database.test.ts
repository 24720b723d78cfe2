import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { databases } from '../support/databases/databases';
import { closeAtTheLatest } from '../support/runner/leftovers';
import { runSql } from '../support/databases/sql';

const LEGACY = join(__dirname, '../legacy');
const READING: readonly (readonly string[])[] = [
  ['user', 'list'],
  ['user', 'secret', 'admin'],
  ['user', 'role', 'admin', 'viewer'],
  ['user', 'delete', 'admin'],
  ['import', '--dry-run', LEGACY],
  ['export', 'backup'],
  ['explain', '+17066041490'],
  ['list', 'gateways'],
  ['import-numbers', '--dry-run', join(LEGACY, 'numbers.yml')],
  ['import-csv', 'numbers', '--dry-run', join(LEGACY, 'numbers.yml')],
];
const WRITING: readonly (readonly string[])[] = [
  ['user', 'add', 'boss'],
  ['import', LEGACY],
  ['import-numbers', join(LEGACY, 'numbers.yml')],
];

/** A directory in which `backup` exists only if an export wrote it. */
async function directoryWithBackup(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sipgraph-commands-'));
  await mkdir(join(directory, 'backup'));
  return directory;
}

const inside = (directory: string, args: readonly string[]): readonly string[] =>
  args.map((arg) => (arg === 'backup' ? join(directory, 'backup') : arg));

describe('A database that does not exist', () => {
  test.each([
    ...READING.map((args) => ({ args, env: {} })),
    ...WRITING.map((args) => ({ args, env: { MIGRATE: 'off' } })),
  ])('is not created by $args with $env', async ({ args, env }) => {
    const directory = await directoryWithBackup();
    const file = join(directory, 'none', 'typo.db');
    const { code, out, err } = await runCommand({ DATABASE_URL: `sqlite:${file}`, ...env }, ...inside(directory, args));
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(`${file} does not exist: check DATABASE_URL, or run \`sipgraph migrate\` to create it\n`);
    expect(existsSync(join(directory, 'none'))).toBe(false);
    expect(await readdir(join(directory, 'backup'))).toEqual([]);
  });

  test('on an unreachable server is reported at once, without the password', async () => {
    const { code, err } = await runCommand({ DATABASE_URL: 'mysql://me:hush@127.0.0.1:1/nothing' }, 'user', 'list');
    expect([code, err]).toEqual([1, '127.0.0.1:1/nothing cannot be reached (ECONNREFUSED): check DATABASE_URL\n']);
  });

  test('is not created by a server with MIGRATE=off', async () => {
    const file = join(await directoryWithBackup(), 'typo.db');
    await expect(startApp({ DATABASE_URL: `sqlite:${file}`, MIGRATE: 'off' })).rejects.toThrow(
      `${file} does not exist`,
    );
    expect(existsSync(file)).toBe(false);
  });

  test('is not created if its file has other contents, which do not change', async () => {
    const file = join(await directoryWithBackup(), 'letter.db');
    await writeFile(file, 'Dear Sir or Madam, '.repeat(100));
    const { code, err } = await runCommand({ DATABASE_URL: `sqlite:${file}` }, 'user', 'list');
    expect([code, err]).toEqual([1, `${file}: file is not a database\n`]);
    expect(await readFile(file, 'utf8')).toMatch(/^Dear Sir/);
  });
});

describe.each(databases)('A database without the tables of this version, on $name', ({ createDatabase }) => {
  test.each([
    ...READING.map((args) => ({ args, env: {} })),
    ...WRITING.map((args) => ({ args, env: { MIGRATE: 'off' } })),
  ])('is not migrated by $args with $env', async ({ args, env }) => {
    const database = await createDatabase();
    closeAtTheLatest(database.drop);
    const sqlite = database.url.startsWith('sqlite:');
    // A table of another application.
    await runSql(database.url, 'CREATE TABLE migrations (name VARCHAR(255))');
    await runSql(database.url, 'CREATE TABLE precious (id INTEGER)');
    const tables = () =>
      runSql(
        database.url,
        sqlite
          ? 'SELECT name FROM sqlite_master ORDER BY name'
          : 'SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
      );
    const before = await tables();
    const directory = await directoryWithBackup();
    const { code, out, err } = await runCommand({ DATABASE_URL: database.url, ...env }, ...inside(directory, args));
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/ has no sipgraph tables: check DATABASE_URL, or run `sipgraph migrate` to create them\n$/);
    expect(await tables()).toEqual(before);
    if (sqlite) expect(await runSql(database.url, 'PRAGMA journal_mode')).toEqual([['delete']]);
    expect(await readdir(join(directory, 'backup'))).toEqual([]);
  });

  test('is migrated by `migrate`, even with MIGRATE=off', async () => {
    const database = await createDatabase();
    closeAtTheLatest(database.drop);
    expect((await runCommand({ DATABASE_URL: database.url, MIGRATE: 'off' }, 'migrate')).code).toBe(0);
    await runSql(database.url, "DELETE FROM migrations WHERE name LIKE 'CreateChanges%'");
    expect((await runCommand({ DATABASE_URL: database.url }, 'user', 'list')).err).toContain(
      'is missing 1 migration(s) of this version: make a backup and run `sipgraph migrate`',
    );
    await runSql(
      database.url,
      "INSERT INTO migrations (timestamp, name) VALUES (1763676400000, 'CreateChanges1763676400000')",
    );
    expect(await runCommand({ DATABASE_URL: database.url }, 'migrate', '--json')).toMatchObject({
      code: 0,
      out: '{"migrations":0}\n',
    });
  });
});
