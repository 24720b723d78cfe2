import { mkdtemp, readdir } from 'node:fs/promises';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand } from '../support/command-line';
import { createSqliteDatabase, type TestDatabase } from '../support/databases/sqlite-database';

describe('The command line', () => {
  let database: TestDatabase;
  const run = (...args: readonly string[]) => runCommand({ DATABASE_URL: database.url }, ...args);

  beforeAll(async () => {
    database = await createSqliteDatabase();
    await run('migrate');
  });

  afterAll(() => database.drop());

  test('runs as a user id without a name, as in a container', async () => {
    const unnamed = jest.spyOn(os, 'userInfo').mockImplementation(() => {
      throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT');
    });
    try {
      const { code } = await run('user', 'add', 'container', '--role', 'viewer', '--secret', 'a good secret');
      expect([code, unnamed.mock.calls.length > 0]).toEqual([0, true]);
    } finally {
      unnamed.mockRestore();
    }
    expect((await run('history', '--kind', 'User')).out).toContain(`user id ${String(process.getuid?.())}`);
    await run('user', 'delete', 'container');
  });

  test.each([
    ['no command', []],
    ['an unknown command', ['frobnicate']],
    ['an unknown option', ['user', 'list', '--loud']],
    ['a missing argument', ['user', 'add']],
    ['a role that there is not', ['user', 'role', 'x', 'king']],
    ['a kind that there is not', ['list', 'phones']],
    ['a limit of nothing', ['list', 'gateways', '--limit', '0']],
    ['a state that there is not', ['trunks', '--state', 'FINE']],
  ])('exits with 2 for %s', async (_what, args) => {
    expect((await run(...args)).code).toBe(2);
  });

  test('exits with 0 for help and version, and the help of every command has the exit codes and --json', async () => {
    expect((await run('--version')).code).toBe(0);
    for (const args of [['user', 'add'], ['export'], ['serve'], ['kamailio', 'config'], ['key', 'rotate']]) {
      const { code, out } = await run(...args, '--help');
      expect(code).toBe(0);
      expect(out).toContain('Exit codes:');
      expect(out).toContain('--json');
    }
  });

  test('with --json prints one document, or the error as one on standard error', async () => {
    const added = await run('user', 'add', 'json', '--json');
    expect(JSON.parse(added.out)).toMatchObject({
      username: 'json',
      role: 'operator',
      secret: expect.any(String) as string,
    });
    expect(JSON.parse((await run('user', 'list', '--json')).out)).toMatchObject({ users: [{ username: 'json' }] });
    const again = await run('user', 'add', 'json', '--json');
    expect([again.code, again.out]).toEqual([1, '']);
    expect(JSON.parse(again.err)).toMatchObject({ error: { code: 'CONFLICT' } });
    const wrong = await run('user', 'add', '--json');
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.err)).toMatchObject({ error: { code: 'USAGE' } });
  });

  test('does not print a secret that was not stored', async () => {
    await run('user', 'add', 'twice');
    const { code, out, err } = await run('user', 'add', 'twice');
    expect([code, out, err]).toEqual([1, '', 'A user named "twice" already exists\n']);
    expect(await run('user', 'secret', 'nobody')).toMatchObject({ code: 1, out: '' });
  });

  test('reports a missing CSV file in one line, and writes no report', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sipgraph-csv-'));
    const file = join(directory, 'none.csv');
    const { code, out, err } = await run('import-numbers', file);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/none\.csv: no such file or directory\n$/);
    expect(await readdir(directory)).toEqual([]);
  });
});
