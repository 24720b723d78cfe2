import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { fetchToken } from '../../support/app';
import { eventually } from '../../support/eventually';
import { build } from '../../support/process';
import type { Server } from '../../support/databases/servers';
import { runSql } from '../../support/databases/sql';
import { freePort } from '../support';

const ROOT = join(__dirname, '../../..');
const servers = JSON.parse(process.env['SIPGRAPH_TEST_SERVERS'] ?? '[]') as readonly Server[]; // the global setup wrote it
const server = servers.find(({ name }) => name === 'MariaDB');
if (!server) throw new Error('MariaDB has to run');

describe('docs/kamailio.md', () => {
  beforeAll(() => {
    build();
  });

  afterAll(async () => {
    for (const statement of [
      ...['DROP DATABASE IF EXISTS sipgraph', 'DROP DATABASE IF EXISTS kamailio'],
      ...['DROP USER IF EXISTS sipgraph@127.0.0.1', 'DROP USER IF EXISTS kamailio@127.0.0.1'],
    ]) {
      await runSql(server.url, statement);
    }
  });

  test('goes from nothing to a registered phone and a call to a DID in ten commands, and to TLS in five more', async () => {
    const page = await readFile(join(ROOT, 'docs', 'kamailio.md'), 'utf8');
    const commands = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, command = '']) => command.trim());
    expect(commands).toHaveLength(15);

    // Other ports and files than those of the page, which may be in use.
    const home = await mkdtemp(join(tmpdir(), 'sipgraph-docs-'));
    const port = async (): Promise<string> => String(await freePort());
    const [api, sip, tls] = [await port(), await port(), await port()];
    const places: readonly (readonly [string, string])[] = [
      [':3306', `:${new URL(server.url).port}`],
      [':5060', `:${sip}`],
      [':5061', `:${tls}`],
      ['--tls-cert', `--tls 127.0.0.1:${tls} --tls-cert`],
      ['tls.pem', join(home, 'tls.pem')],
      ['tls.key', join(home, 'tls.key')],
      [':5080', `:${await port()}`],
      ['5999', await port()],
      ['5998', await port()],
      ['kamailio.cfg', join(home, 'kamailio.cfg')],
      ['--run .', `--run ${relative(ROOT, home)}`],
      ['-Y .', `-Y ${home}`],
    ];
    const script = commands.map((command, n) => {
      const own = places.reduce((text, [usual, here]) => text.replaceAll(usual, here), command);
      return `${own}\necho "command ${String(n + 1)} went well"`;
    });
    // A user would also wait until both servers are up.
    const isUp = (at: string): string =>
      `timeout 60 bash -c 'until (exec 3<>/dev/tcp/127.0.0.1/${at}) 2>/dev/null; do sleep 0.2; done'`;
    script.splice(13, 0, isUp(tls));
    script.splice(7, 0, isUp(sip), isUp(api));
    const bash = spawn('bash', ['-euo', 'pipefail', '-c', script.join('\n')], {
      cwd: ROOT,
      // In a separate process group, so that background processes end with it.
      detached: true,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        PORT: api,
        SAMPLE_DATA: 'false',
        MYSQL_HOST: '127.0.0.1',
        MYSQL_TCP_PORT: new URL(server.url).port,
      },
    });
    let output = '';
    for (const stream of [bash.stdout, bash.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
    try {
      const [code] = (await once(bash, 'exit')) as [number | null];
      if (code !== 0) throw new Error(output.slice(-5000));
      expect(output).toContain('command 15 went well');
      const url = `http://127.0.0.1:${api}`;
      await eventually(20, async () => {
        const token = await fetchToken(url, 'admin', 'admin-secret');
        const answer = await fetch(`${url}/api/v1beta1/location?token=${token}`);
        expect(await answer.json()).toMatchObject({ data: [{ addressOfRecord: 'sip:1001@sip.local' }] });
      });
    } finally {
      try {
        if (bash.pid !== undefined) process.kill(-bash.pid, 'SIGKILL');
      } catch {
        // A command failed and left nothing running. Its error is reported below.
      }
    }
    // Most commands start npx, which takes long on a busy machine.
  }, 400_000);
});
