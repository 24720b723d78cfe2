import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createDomain, createGateway } from '../../support/factories';
import { Phone } from '../phone';
import { startStack, type Stack } from '../stack';

const servers = databases.filter(({ name }) => name !== 'SQLite');

describe.each(servers)('Denied addresses, on $name', (database) => {
  test.each([
    ['[::1]', '::1'],
    ['127.0.0.1', '127.0.0.1'],
  ])('at %s', async (host, from) => {
    const lists: readonly (readonly [string, string[], string[], boolean, boolean])[] = [
      // deny, allow; whether ::1 and 127.0.0.1 are allowed
      ['every6', ['::/0'], [], false, true],
      ['every4', ['0.0.0.0/0'], [], true, false],
      ['both', ['::/0', '0.0.0.0/0'], [], false, false],
      ['one6', ['::1'], [], false, true],
      ['other6', ['::2', '2001:db8::/32', 'fe80::/10', '::/127'], ['::1/128'], true, true],
      ['last-bit', ['::/127'], [], false, true],
      ['no-last-bit', ['::2/127'], [], true, true],
      ['halves', ['0:0:0:0:8000::/65', '8000::/1'], [], true, true],
      ['lower-half', ['::/65'], [], false, true],
      ['let-in', ['::/0', '0.0.0.0/0'], ['::/64', '127.0.0.0/8'], true, true],
      ['mapped', ['::ffff:127.0.0.0/104'], [], true, false],
      ['mapped-all', ['::ffff:0:0/96'], [], true, false],
      ['masked', ['127.0.0.0/255.0.0.0'], [], true, false],
      ['none', [], [], true, true],
    ];
    const stack = await startStack(database, { host });
    const phone = await Phone.open(stack.sip, from);
    try {
      for (const [name, deny, allow] of lists) {
        await createDomain(stack.app, { domainUri: `${name}.test`, accessControlList: { deny, allow } });
      }
      const asks = (name: string): Promise<string | undefined> =>
        phone.asks({ method: 'REGISTER', uri: `sip:${name}.test`, from: `x@${name}.test` });
      await eventually(8, async () => expect(await asks('none')).toContain('realm="none.test"'));
      const outcomes = [];
      for (const [name] of lists) outcomes.push([name, ((await asks(name)) ?? '').split(' ')[1]]);
      expect(outcomes).toEqual(
        lists.map(([name, , , may6, may4]) => [name, (from === '::1' ? may6 : may4) ? '401' : '403']),
      );
    } finally {
      phone.close();
      await stack.close();
    }
  });

  test('a list that is added, changed or removed is in effect within seconds', async () => {
    const stack = await startStack(database);
    const phone = await Phone.open(stack.sip, '127.0.1.20');
    try {
      const ref = await createDomain(stack.app, { domainUri: 'changing.test' });
      await createAgent(stack.app, { username: 'anna', secret: 's', domains: ['changing.test'] });
      const becomes = async (status: string): Promise<void> =>
        eventually(8, async () =>
          expect(await phone.registers('anna', 'changing.test')).toMatch(new RegExp(`^SIP/2\\.0 ${status}`)),
        );
      const set = (list: string): Promise<unknown> =>
        stack.app.graphql(`mutation { updateDomain(ref: "${ref}", input: { accessControlList: ${list} }) { ref } }`);
      await becomes('200');
      await set('{ deny: ["127.0.1.0/24"], allow: [] }');
      await becomes('403');
      await set('{ deny: ["127.0.1.0/24"], allow: ["127.0.1.20"] }');
      await becomes('200');
      await set('{ deny: ["127.0.1.20"], allow: [] }');
      await becomes('403');
      await set('null');
      await becomes('200');
    } finally {
      phone.close();
      await stack.close();
    }
  });
});

// A DNS server that never responds, only for Kamailio. Requires root and a kernel with mount namespaces.
const canHaveOwnMounts = spawnSync('unshare', ['-m', 'true']).status === 0 && process.getuid?.() === 0;

// Otherwise, the DNS of the machine is used, which does not know these hosts either.
describe('While DNS does not answer', () => {
  const [database] = servers;
  const dns = createSocket('udp4');
  let stack: Stack;
  let asked = 0;

  beforeAll(async () => {
    if (!database) throw new Error('MariaDB has to run');
    dns.bind(canHaveOwnMounts ? 53 : 0, '127.0.9.53').on('message', () => asked++);
    await once(dns, 'listening');
    const file = join(await mkdtemp(join(tmpdir(), 'sipgraph-dns-')), 'resolv.conf');
    await writeFile(file, 'nameserver 127.0.9.53\n');
    const mount = `mount --bind ${file} /etc/resolv.conf && exec "$0" "$@"`;
    stack = await startStack(database, { within: ['unshare', '-m', 'sh', '-c', mount], config: ['--workers', '1'] });
  });

  afterAll(async () => {
    await stack.close();
    dns.close();
  });

  test('Kamailio answers everybody at once, with one worker', async () => {
    const gatewayRef = await createGateway(stack.app, { host: 'slow.provider.test', transport: 'UDP' });
    for (const digits of ['4930111', '4930112']) {
      await createDid(stack.app, { gatewayRef, telUrl: `tel:+${digits}`, aorLink: 'sip:mona@one.test' });
    }
    await createAgent(stack.app, { username: 'mona', secret: 's', domains: ['one.test'] });
    const phone = await Phone.open(stack.sip, '127.0.1.1');
    const stranger = await Phone.open(stack.sip, '127.0.1.7');
    try {
      await eventually(15, () => {
        expect(asked).toBeGreaterThanOrEqual(canHaveOwnMounts ? 1 : 0);
        return Promise.resolve();
      });
      const begun = Date.now();
      for (const digits of ['4930111', '4930112', '4930111']) {
        const headers = [`Contact: <${stranger.contact('x')}>`];
        const called = { method: 'INVITE', uri: `sip:+${digits}@${stack.sip}`, from: 'x@slow.provider.test', headers };
        expect(await stranger.asks(called)).toMatch(/^SIP\/2\.0 407/);
      }
      expect(await phone.registers('mona', 'one.test', ['Contact: <sip:mona@slow.phone.test>'])).toMatch(
        /^SIP\/2\.0 200/,
      );
      void phone.proves(
        { method: 'MESSAGE', uri: 'sip:mona@one.test', from: 'mona@one.test' },
        { username: 'mona', secret: 's' },
      );
      expect(await phone.hears(/^MESSAGE/)).toBeDefined();
      expect(Date.now() - begun).toBeLessThan(4000);
    } finally {
      phone.close();
      stranger.close();
    }
  });
});
