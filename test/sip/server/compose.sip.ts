import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { load } from 'js-yaml';

import { fetchToken } from '../../support/app';
import { eventually } from '../../support/eventually';
import { ownMariaDb, type OwnServer } from '../../support/databases/own-server';
import { build } from '../../support/process';
import { freePort } from '../support';

const ROOT = join(__dirname, '../../..');
const COMPOSE = join(ROOT, 'deploy', 'compose');
const run = promisify(execFile);

interface Service {
  readonly environment: Readonly<Record<string, string>>;
}

describe('deploy/compose.yml', () => {
  let mariaDb: OwnServer;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    build();
    mariaDb = await ownMariaDb();
  });

  afterAll(async () => {
    for (const { pid } of children) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    await mariaDb.remove();
  });

  test('its commands, run on this machine, take a phone from nothing to a registration', async () => {
    const home = await mkdtemp(join(tmpdir(), 'sipgraph-compose-'));
    await mkdir(join(home, 'bin'));
    await writeFile(
      join(home, 'bin/sipgraph'),
      `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'dist/cli.js')}' "$@"\n`,
      { mode: 0o755 },
    );
    // Other ports and directories than those of the containers, which may be in use.
    const port = async (): Promise<string> => String(await freePort());
    const [database, sip, rpc, http, phone] = [
      new URL((await mariaDb.createDatabase()).url).port,
      ...[await port(), await port(), await port(), await port()],
    ];
    const own = (text: string): string =>
      text
        .replaceAll(':3306', `:${database}`)
        .replaceAll(':5080', `:${rpc ?? ''}`)
        .replaceAll('/run/kamailio', home)
        .replaceAll('/config', home);

    const { stdout } = await run(join(COMPOSE, 'secrets.sh'));
    const secrets = new Map([...stdout.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
    expect([...secrets.values()].filter((value) => /^[0-9a-f]{48}$/.test(value))).toHaveLength(6);
    secrets.set('SIP_ADDRESS', `127.0.0.1:${sip ?? ''}`);
    secrets.set('SIP_ADVERTISE', '203.0.113.7');
    const { services } = load(await readFile(join(ROOT, 'deploy/compose.yml'), 'utf8')) as {
      services: Readonly<Record<'setup' | 'sipgraph', Service>>;
    };
    const environmentOf = (name: 'setup' | 'sipgraph'): Readonly<Record<string, string>> =>
      Object.fromEntries(
        Object.entries(services[name].environment).map(([key, value]) => [
          key,
          own(value.replace(/\$\{(\w+):[?-][^}]*\}/g, (_, variable: string) => secrets.get(variable) ?? '')),
        ]),
      );
    const PATH = [join(home, 'bin'), process.env['PATH']].join(delimiter);
    const start = (program: string, args: readonly string[], env: Readonly<Record<string, string>>): void => {
      children.push(spawn(program, args, { env: { PATH, ...env }, stdio: 'ignore', detached: true, cwd: home }));
    };

    const root = { MARIADB_ROOT_PASSWORD: '', MYSQL_HOST: '127.0.0.1', MYSQL_TCP_PORT: database };
    await run(join(COMPOSE, 'database.sh'), { env: { PATH, ...Object.fromEntries(secrets), ...root } });
    const setup = own(await readFile(join(COMPOSE, 'setup.sh'), 'utf8'));
    // Twice, because it runs at each start.
    for (let n = 0; n < 2; n++) await run('sh', ['-c', setup], { env: { PATH, ...environmentOf('setup') } });
    expect(await readFile(join(home, 'kamailio.cfg'), 'utf8')).toContain(`advertise "203.0.113.7":${sip ?? ''}\n`);
    const [, command = '[]'] =
      /^CMD (\[.*\])$/m.exec(own(await readFile(join(COMPOSE, 'kamailio.Dockerfile'), 'utf8'))) ?? [];
    const [kamailio = '', ...args] = JSON.parse(command) as string[];
    start(kamailio, args, {});
    const env = { ...environmentOf('sipgraph'), PORT: http ?? '' };
    start('sipgraph', ['serve'], env);

    const healthy = async (): Promise<void> => {
      await run(process.execPath, [join(ROOT, 'deploy/healthcheck.js')], { env });
    };
    await eventually(30, healthy);
    await run('sipgraph', ['import', join(ROOT, 'docs/kamailio/office.yml')], { env: { PATH, ...env } });
    // A new domain takes up to 5 s.
    await eventually(20, async () => {
      const keys = [...['-key', 'domain', 'sip.local'], ...['-key', 'contact', 'sip:1001@127.0.0.1:5999']];
      const scenario = [...['-sf', 'test/sip/scenarios/register.xml'], ...['-s', '1001', '-au', '1001', '-ap', '1234']];
      const place = ['-i', '127.0.0.1', '-p', phone ?? '', '-m', '1', '-timeout', '5', '-nostdin'];
      const arguments_ = [`127.0.0.1:${sip ?? ''}`, ...scenario, ...keys, '-key', 'seconds', '600', ...place];
      await run('sipp', arguments_, { cwd: ROOT });
    });
    const url = `http://127.0.0.1:${http ?? ''}`;
    const token = await fetchToken(url, 'admin', secrets.get('ADMIN_SECRET') ?? '');
    await eventually(20, async () => {
      const location = await fetch(`${url}/api/v1beta1/location?token=${token}`);
      expect(await location.json()).toMatchObject({ data: [{ addressOfRecord: 'sip:1001@sip.local' }] });
      expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ ready: true, sipServer: 'up' });
    });
    const server = children.at(-1);
    if (!server) throw new Error('The server has not been started');
    server.kill('SIGTERM');
    await once(server, 'exit');
    children.pop();
    await expect(healthy()).rejects.toThrow('Command failed');
  });
});
