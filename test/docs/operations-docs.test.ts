import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { fetchToken, startApp, type TestApp } from '../support/app';
import { writeNpx } from '../support/cli';
import { drivers } from '../support/databases/databases';
import { createGateway } from '../support/factories';
import { describeWith } from '../support/runner/programs';

const ROOT = resolve(__dirname, '../..');

/** The shell blocks under a heading of docs/operating/operations.md. */
async function blocks(heading: string): Promise<readonly string[]> {
  const page = await readFile(join(ROOT, 'docs/operating/operations.md'), 'utf8');
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/```sh\n([^`]*)```/g)].map(([, block = '']) => block);
}

/** Runs a block in a directory that looks like a checkout with its own `data/`. */
async function shell(
  directory: string,
  block: string | undefined,
  env: Readonly<Record<string, string>> = {},
  changed: (block: string) => string = (same) => same,
): Promise<string> {
  if (block === undefined) throw new Error('docs/operating/operations.md has no such block');
  const { stdout } = await promisify(execFile)('sh', ['-ec', changed(block)], {
    cwd: directory,
    env: {
      PATH: [join(directory, 'bin'), process.env['PATH']].join(delimiter),
      LOG_LEVEL: 'silent',
      ...env,
    },
  });
  return stdout;
}

async function checkout(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sipgraph-operations-'));
  await mkdir(join(directory, 'data'));
  await writeNpx(directory);
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

const startIn = (directory: string, env: Readonly<Record<string, string>> = {}): Promise<TestApp> =>
  startApp({ DATABASE_URL: `sqlite:${join(directory, 'data/sipgraph.db')}`, ...env });

async function names(app: TestApp): Promise<readonly string[]> {
  const { data } = await app.graphql<{ gateways: { nodes: readonly { ref: string }[] } }>(
    '{ gateways { nodes { ref } } }',
  );
  return data.gateways.nodes.map(({ ref }) => ref);
}

describe('docs/operating/operations.md', () => {
  test('Lost admin secret: while the server runs, the printed secret signs in and older tokens are revoked', async () => {
    const directory = await checkout();
    const app = await startIn(directory);
    const before = await app.token();
    const [block] = await blocks('Lost admin secret');
    const secret = /The secret is (\S+)/.exec(await shell(directory, block))?.[1] ?? '';
    expect(await fetchToken(app.url, 'admin', secret)).toBeTruthy();
    expect((await app.rest('GET', '/gateways', { token: before })).status).toBe(401);
    await app.close();
  });

  test('Remove the sample data: it is removed, and a later start does not load it', async () => {
    const directory = await checkout();
    const first = await startIn(directory, { SAMPLE_DATA: 'true' });
    expect(await names(first)).toHaveLength(3);
    await first.close();
    const [block] = await blocks('Remove the sample data');
    await shell(directory, block, {}, (text) => {
      expect(text).toContain('\nSAMPLE_DATA=false npm start\n');
      return text.replace('SAMPLE_DATA=false npm start', '');
    });
    expect(existsSync(join(directory, 'data/sipgraph.db'))).toBe(false);
    for (const SAMPLE_DATA of ['false', 'true']) {
      const app = await startIn(directory, { SAMPLE_DATA });
      expect(await names(app)).toEqual([]);
      await app.close();
    }
  });

  describeWith(['curl'], 'Tokens for scripts', () => {
    const local = (app: TestApp) => (text: string) => text.replaceAll('localhost:4567', new URL(app.url).host);

    test('a script with an API token reads', async () => {
      const directory = await checkout();
      const app = await startIn(directory);
      await createGateway(app, { ref: 'gw-token' });
      const [script] = await blocks('Tokens for scripts');
      expect(await shell(directory, script, {}, local(app))).toContain('"gw-token"');
      await app.close();
    });

    test('a script with its own user signs in and reads', async () => {
      const directory = await checkout();
      const app = await startIn(directory);
      await createGateway(app, { ref: 'gw-script' });
      const [, add, script] = await blocks('Tokens for scripts');
      const env = { SCRIPT_SECRET: 'the-secret-of-the-script' };
      await shell(directory, add, env);
      expect(await shell(directory, script, env, local(app))).toContain('"gw-script"');
      await app.close();
    });
  });

  const viaSqlite3 = 'sqlite3 data/sipgraph.db ".backup backup.db"';
  const backedUp = async (backup: (directory: string) => Promise<unknown>): Promise<void> => {
    const directory = await checkout();
    const app = await startIn(directory);
    await createGateway(app, { ref: 'gw-kept' });
    await backup(directory);
    await createGateway(app, { ref: 'gw-later' });
    const token = await app.token();
    await app.close();
    const [, restore] = await blocks('Backup and restore');
    await shell(directory, restore);
    const restored = await startIn(directory);
    expect(await names(restored)).toEqual(['gw-kept']);
    expect((await restored.rest('GET', '/gateways', { token })).status).toBe(200);
    await restored.close();
  };

  test('Backup and restore on SQLite: a copy made while the server runs restores that state, including tokens', () =>
    backedUp(async (directory) => shell(directory, (await blocks('Backup and restore'))[0])));

  describeWith(['sqlite3'], 'Backup and restore with the program sqlite3', () => {
    test('gives the same result', () =>
      backedUp(async (directory) => {
        expect(await readFile(join(ROOT, 'docs/operating/operations.md'), 'utf8')).toContain(viaSqlite3);
        await promisify(execFile)('sh', ['-ec', viaSqlite3], { cwd: directory });
      }));
  });

  for (const { name, createDatabase } of drivers) {
    if (name !== 'MariaDB') continue;
    describeWith(['mariadb', 'mariadb-dump'], 'Backup and restore on MariaDB', () => {
      test('a dump made while the server runs is restored into an empty database', async () => {
        const [from, to] = [await createDatabase(), await createDatabase()];
        const app = await startApp({ DATABASE_URL: from.url });
        await createGateway(app, { ref: 'gw-kept' });
        const token = await app.token();
        const [, , block] = await blocks('Backup and restore');
        const { hostname, port, username } = new URL(from.url);
        const database = (url: string): string => new URL(url).pathname.slice(1);
        await shell(await checkout(), block, {}, (text) =>
          text
            .replaceAll('--host=127.0.0.1 --user=sipgraph --password', `-h ${hostname} -P ${port} -u ${username}`)
            .replace(' sipgraph >', ` ${database(from.url)} >`)
            .replace(' sipgraph_restored <', ` ${database(to.url)} <`),
        );
        await app.close();
        const restored = await startApp({ DATABASE_URL: to.url });
        expect(await names(restored)).toEqual(['gw-kept']);
        expect((await restored.rest('GET', '/gateways', { token })).status).toBe(200);
        await restored.close();
        await Promise.all([from.drop(), to.drop()]);
      });
    });
  }

  test('Upgrade: with MIGRATE=off the server refuses to start until `migrate` has run', async () => {
    const directory = await checkout();
    await expect(startIn(directory, { MIGRATE: 'off' })).rejects.toThrow('sipgraph migrate');
    const [block] = await blocks('Upgrade');
    await shell(directory, block);
    const app = await startIn(directory, { MIGRATE: 'off' });
    expect(await names(app)).toEqual([]);
    await app.close();
  });
});
