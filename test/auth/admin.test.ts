import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type App, createApp } from '../../src/app/app';
import { banner } from '../../src/app/serve';
import { loadConfig } from '../../src/config/config';
import { fetchToken } from '../support/app';
import { runCommand } from '../support/command-line';
import { drivers } from '../support/databases/databases';
import { closeAtTheLatest } from '../support/runner/leftovers';
import { runSql } from '../support/databases/sql';
import type { TestDatabase } from '../support/databases/sqlite-database';

describe.each(drivers)('The admin, on $name', ({ createDatabase }) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createDatabase();
    closeAtTheLatest(database.drop);
  });

  /** Starts the server; returns its output, and a function that signs in. */
  async function started<T>(
    env: Readonly<Record<string, string>>,
    use: (url: string, printed: string) => Promise<T>,
  ): Promise<T> {
    const config = loadConfig({
      DATABASE_URL: database.url,
      PORT: '0',
      LOG_LEVEL: 'silent',
      SAMPLE_DATA: 'false',
      DRAIN: '0s',
      ...env,
    });
    const app: App = await createApp(config);
    try {
      const url = await app.listen();
      return await use(url, banner(config, url, app.admin).text.join('\n'));
    } finally {
      await app.close();
    }
  }

  const command = (...args: readonly string[]) => runCommand({ DATABASE_URL: database.url }, ...args);

  async function roles(): Promise<unknown> {
    const rows = await runSql(database.url, 'SELECT username, role FROM users');
    return Object.fromEntries(rows.map(([username, role]) => [String(username), role]));
  }

  test('is created with ADMIN_SECRET if there are users but no admin, and the banner says so', async () => {
    await command('user', 'add', 'olga', '--secret', 'secret-of-olga');
    await started({ ADMIN_SECRET: 'given-secret' }, async (url, printed) => {
      expect(printed).toMatch(/Sign in as +admin\n +with secret +the value of ADMIN_SECRET/);
      expect(await fetchToken(url, 'admin', 'given-secret')).toBeTruthy();
      expect(await fetchToken(url, 'olga', 'secret-of-olga')).toBeTruthy();
    });
    expect(await roles()).toEqual({ olga: 'operator', admin: 'admin' });
  });

  test('is created with a generated secret, which is printed, if there are users but no admin and no ADMIN_SECRET', async () => {
    await command('user', 'add', 'olga', '--secret', 'secret-of-olga');
    await started({}, async (url, printed) => {
      const secret = /with secret +(\S+)/.exec(printed)?.[1] ?? '';
      expect(await fetchToken(url, 'admin', secret)).toBeTruthy();
    });
  });

  test('is restored by ADMIN_SECRET if the user admin has another role; otherwise, the banner explains what to do', async () => {
    await command('user', 'add', 'admin', '--secret', 'of-an-operator');
    await started({}, async (url, printed) => {
      expect(printed).toContain('no user is an admin: set ADMIN_SECRET and restart');
      expect(await fetchToken(url, 'admin', 'of-an-operator')).toBeTruthy();
    });
    await started({ ADMIN_SECRET: 'given-secret' }, async (url, printed) => {
      expect(printed).toMatch(/Sign in as +admin/);
      expect(await fetchToken(url, 'admin', 'given-secret')).toBeTruthy();
      await expect(fetchToken(url, 'admin', 'of-an-operator')).rejects.toThrow('401');
    });
    expect(await roles()).toEqual({ admin: 'admin' });
  });

  test('keeps its secret when ADMIN_SECRET changes, and the banner says so', async () => {
    await started({ ADMIN_SECRET: 'first-secret' }, () => Promise.resolve());
    await started({ ADMIN_SECRET: 'first-secret' }, (_url, printed) => {
      expect(printed).not.toMatch(/ADMIN_SECRET|secret/);
      return Promise.resolve();
    });
    await started({ ADMIN_SECRET: 'other-secret' }, async (url, printed) => {
      expect(printed).toMatch(
        /ADMIN_SECRET was ignored, because the user admin has another secret.*sipgraph user secret admin/,
      );
      await expect(fetchToken(url, 'admin', 'other-secret')).rejects.toThrow('401');
    });
  });

  test('gets a new secret with `user secret admin`', async () => {
    await started({ ADMIN_SECRET: 'lost-secret' }, async (url) => {
      const { code, out } = await command('user', 'secret', 'admin');
      expect(code).toBe(0);
      expect(await fetchToken(url, 'admin', /The secret is (\S+)/.exec(out)?.[1] ?? '')).toBeTruthy();
      await expect(fetchToken(url, 'admin', 'lost-secret')).rejects.toThrow('401');
    });
  });

  test('cannot be deleted or demoted, by a command or a file, if it is the last one; other users can', async () => {
    const add = (name: string, role: string) => command('user', 'add', name, '--role', role, '--secret', 'a-secret-1');
    await add('olga', 'operator');
    await add('vic', 'viewer');
    // The rule does not apply if there is no admin.
    expect((await command('user', 'role', 'olga', 'viewer')).code).toBe(0);
    expect((await command('user', 'delete', 'vic')).code).toBe(0);
    await add('anna', 'admin');
    for (const args of [
      ['user', 'delete', 'anna'],
      ['user', 'role', 'anna', 'operator'],
    ])
      expect(await command(...args)).toMatchObject({
        code: 1,
        err: expect.stringContaining('The last admin cannot be deleted or given another role') as string,
      });
    const file = join(await mkdtemp(join(tmpdir(), 'sipgraph-admin-')), 'users.yml');
    const user = (name: string, role: string): string =>
      `- {kind: User, spec: {role: ${role}, credentials: {username: ${name}, secret: a-secret-1}}}\n`;
    await writeFile(file, user('anna', 'operator'));
    expect(await command('import', file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/The last admin .*\n1 error; nothing was imported/s) as string,
    });
    expect(await roles()).toEqual({ anna: 'admin', olga: 'viewer' });
    await writeFile(file, user('anna', 'operator') + user('olga', 'admin'));
    expect((await command('import', file)).code).toBe(0);
    expect(await roles()).toEqual({ anna: 'operator', olga: 'admin' });
  });
});
