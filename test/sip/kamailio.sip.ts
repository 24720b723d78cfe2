import { createProgram } from '../../src/commands/program';
import { startApp, type TestApp } from '../support/app';
import { databases } from '../support/databases';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../support/factories';
import { runSql } from '../support/sql';
import { eventually, fixture, freePort, sipp, startKamailio, type Kamailio } from './support';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

describe('A Kamailio that reads the model', () => {
  const schema = `kamailio_${String(process.pid)}`;
  const target = ['--schema', schema, '--user', schema];
  let url: string;
  let drop: () => Promise<void>;
  let app: TestApp;
  let sip: string;
  let provider: string;
  let rpc: string;
  let configuration: string;
  const kamailios: Kamailio[] = [];

  async function run(...args: readonly string[]): Promise<string> {
    const out: string[] = [];
    const spy = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => out.push(String(chunk)) > 0);
    try {
      const program = createProgram({ DATABASE_URL: url, LOG_LEVEL: 'silent' }).exitOverride();
      await program.parseAsync([...args], { from: 'user' });
      return out.join('');
    } finally {
      spy.mockRestore();
    }
  }

  const register = (
    user: string,
    domain: string,
    secret: string,
    options: { seconds?: number; tcp?: boolean; contact?: string } = {},
  ): Promise<boolean> => {
    const { seconds = 600, tcp = false, contact = `sip:${user}@127.0.0.1:5999` } = options;
    return sipp('register', sip, { user, secret, tcp, keys: { domain, contact, seconds: String(seconds) } });
  };

  async function addresses(): Promise<readonly { addressOfRecord: string; contactInfo: string }[]> {
    return (await app.rest<{ addressOfRecord: string; contactInfo: string }[]>('GET', '/location')).body.data;
  }

  beforeAll(async () => {
    ({ url, drop } = await database.createDatabase());
    [sip, provider, rpc] = (await Promise.all([1, 2, 3].map(async () => `127.0.0.1:${String(await freePort())}`))) as [
      string,
      string,
      string,
    ];
    app = await startApp({ DATABASE_URL: url, SIP_RPC_URL: `http://${rpc}/RPC`, SIP_RPC_TOKEN: 'rpc-token' });
    await createDomain(app, { domainUri: 'one.test' });
    await createDomain(app, { domainUri: 'two.test' });
    await run('kamailio', 'install', '--password', 'kamailio-secret', ...target);
    const options = [
      '--password',
      'kamailio-secret',
      '--sip',
      sip,
      '--rpc',
      rpc,
      '--rpc-token',
      'rpc-token',
      '--run',
      '@RUN@',
    ];
    configuration = await run('kamailio', 'config', ...options, ...target);
    kamailios.push(await startKamailio(configuration, sip));
    kamailios.push(await startKamailio(await fixture('provider.cfg'), provider));
  }, 60_000);

  afterAll(async () => {
    for (const kamailio of kamailios) await kamailio.stop();
    await run('kamailio', 'uninstall', ...target);
    await app.close();
    await drop();
  });

  test('installs twice, and its user reads the views and nothing else', async () => {
    await run('kamailio', 'install', ...target);
    const own = new URL(url);
    const model = own.pathname.slice(1);
    [own.username, own.password, own.pathname] = [schema, 'kamailio-secret', `/${schema}`];
    expect(await runSql(own.href, 'SELECT COUNT(*) FROM domain')).toEqual([[2]]);
    for (const table of ['agents', 'users', 'gateways', 'location']) {
      await expect(runSql(own.href, `SELECT * FROM \`${model}\`.${table}`)).rejects.toThrow(/denied/);
    }
    await expect(runSql(own.href, 'DELETE FROM subscriber')).rejects.toThrow(/denied/);
  });

  test('SIP_SERVER=kamailio installs at start, and uninstalling leaves the model', async () => {
    const other = await startApp({ DATABASE_URL: url, SIP_SERVER: 'kamailio', KAMAILIO_PASSWORD: 'another secret' });
    await other.close();
    const own = new URL(url);
    [own.username, own.password, own.pathname] = ['kamailio', encodeURIComponent('another secret'), '/kamailio'];
    expect(await runSql(own.href, 'SELECT COUNT(*) FROM domain')).toEqual([[2]]);
    await run('kamailio', 'uninstall');
    await expect(runSql(own.href, 'SELECT 1')).rejects.toThrow(/denied/);
    expect(await runSql(url, 'SELECT COUNT(*) FROM domains')).toEqual([[2]]);
    await expect(startApp({ DATABASE_URL: url, SIP_SERVER: 'kamailio' })).rejects.toThrow('KAMAILIO_PASSWORD');
  });

  test('an agent registers at once, in each of its domains and no other, and is shown', async () => {
    await createAgent(app, { username: 'anna', secret: 'secret of anna', domains: ['one.test'] });
    expect(
      await register('anna', 'one.test', 'secret of anna', { contact: 'sip:anna@127.0.0.1:5999;transport=udp' }),
    ).toBe(true);
    expect(await addresses()).toEqual([
      {
        addressOfRecord: 'sip:anna@one.test',
        contactInfo: expect.stringMatching(
          /^sip:anna@127\.0\.0\.1:5999;transport=udp;nat=(true|false);expires=600$/,
        ) as string,
      },
    ]);
    expect(await register('anna', 'two.test', 'secret of anna')).toBe(false);
    const { data } = await app.graphql(
      '{ agents(where: { registered: true }) { nodes { username contacts { uri transport userAgent } } } }',
    );
    expect(data).toEqual({
      agents: {
        nodes: [
          {
            username: 'anna',
            contacts: [{ uri: 'sip:anna@127.0.0.1:5999', transport: 'udp', userAgent: 'Phone/1.0' }],
          },
        ],
      },
    });
  });

  test('a wrong secret, and a name that there is not, are refused', async () => {
    expect(await register('anna', 'one.test', 'wrong')).toBe(false);
    expect(await register('nobody', 'one.test', 'x')).toBe(false);
  });

  test('a peer registers at any domain, and by TCP', async () => {
    await createPeer(app, { username: 'pbx', secret: 'secret of pbx' });
    expect(await register('pbx', 'one.test', 'secret of pbx')).toBe(true);
    expect(
      await register('pbx', 'two.test', 'secret of pbx', {
        tcp: true,
        contact: 'sip:pbx@127.0.0.1:5998;transport=tcp',
      }),
    ).toBe(true);
    const { data } = await app.graphql('{ peers { nodes { contacts { transport } } } }');
    expect(data).toEqual({ peers: { nodes: [{ contacts: [{ transport: 'udp' }, { transport: 'tcp' }] }] } });
  });

  test('a changed secret, and a deleted agent, are refused at the next request', async () => {
    const ref = await createAgent(app, { username: 'ben', secret: 'first', domains: ['two.test'] });
    expect(await register('ben', 'two.test', 'first')).toBe(true);
    await app.rest('PUT', `/agents/${ref}`, { body: { kind: 'Agent', spec: { credentials: { secret: 'second' } } } });
    expect(await register('ben', 'two.test', 'first')).toBe(false);
    expect(await register('ben', 'two.test', 'second')).toBe(true);
    await app.rest('DELETE', `/agents/${ref}`);
    expect(await register('ben', 'two.test', 'second')).toBe(false);
  });

  test('a device that unregisters is gone', async () => {
    await createAgent(app, { username: 'cleo', secret: 's', domains: ['one.test'] });
    expect(await register('cleo', 'one.test', 's')).toBe(true);
    expect((await addresses()).map(({ addressOfRecord }) => addressOfRecord)).toContain('sip:cleo@one.test');
    expect(await register('cleo', 'one.test', 's', { seconds: 0 })).toBe(true);
    expect((await addresses()).map(({ addressOfRecord }) => addressOfRecord)).not.toContain('sip:cleo@one.test');
  });

  test('a new domain is known within 5 s', async () => {
    await createDomain(app, { domainUri: 'three.test' });
    await createAgent(app, { username: 'dora', secret: 's', domains: ['three.test'] });
    await eventually(6, async () => expect(await register('dora', 'three.test', 's')).toBe(true));
  });

  test('a gateway registers at its provider, and its numbers are called through it alone', async () => {
    const [host = '', port = ''] = provider.split(':');
    const gatewayRef = await createGateway(app, {
      host,
      port: Number(port),
      transport: 'UDP',
      username: 'trunk',
      secret: 'trunk-secret',
    });
    await eventually(40, async () => {
      const { body } = await app.rest<unknown[]>('GET', '/registry');
      expect(body.data).toEqual([
        expect.objectContaining({ username: 'trunk', ip: '127.0.0.1', expires: 60, gwRef: gatewayRef }),
      ]);
    });
    const phone = await freePort();
    await createAgent(app, { username: 'emil', secret: 's', domains: ['one.test'] });
    expect(await register('emil', 'one.test', 's', { contact: `sip:emil@127.0.0.1:${String(phone)}` })).toBe(true);
    await createDid(app, { gatewayRef, telUrl: 'tel:+1-706-604-1487', aorLink: 'sip:emil@one.test' });

    const keys = { to: '+17066041487', target: `sip:${gatewayRef}@${sip}` };
    const [answered, called] = await Promise.all([
      sipp('answer', sip, { port: phone }),
      new Promise((resolve) => setTimeout(resolve, 500)).then(() => sipp('call', sip, { keys })),
    ]);
    expect([answered, called]).toEqual([true, true]);
    // From another address than the provider's, and for a number that the gateway has not.
    expect(await sipp('call', sip, { keys, from: '127.0.0.2' })).toBe(false);
    expect(await sipp('call', sip, { keys: { ...keys, to: '+17066041488' } })).toBe(false);
  }, 120_000);

  test('a gateway that its provider refuses has no row in /registry, and the graph says why', async () => {
    const [host = '', port = ''] = provider.split(':');
    const ref = await createGateway(app, {
      host,
      port: Number(port),
      transport: 'UDP',
      username: 'other',
      secret: 'wrong',
    });
    await eventually(40, async () => {
      const { data } = await app.graphql(
        `{ gateway(ref: "${ref}") { registration { state lastResponse nextAttemptAt registeredOn } } }`,
      );
      expect(data).toEqual({
        gateway: {
          registration: {
            ...{ state: 'REFUSED', lastResponse: expect.stringMatching(/^40[13] /) as string, registeredOn: null },
            nextAttemptAt: expect.stringMatching(/Z$/) as string,
          },
        },
      });
    });
    const { body } = await app.rest<{ gwRef: string }[]>('GET', '/registry');
    expect(body.data.map(({ gwRef }) => gwRef)).not.toContain(ref);
  }, 60_000);

  /** A phone answers a call that another one makes; both have to go as written. */
  async function calls(
    port: number,
    caller: readonly [user: string, domain: string, secret: string],
    called: string,
  ): Promise<boolean> {
    const [user, domain, secret] = caller;
    const [answered, dialled] = await Promise.all([
      sipp('answer', sip, { port }),
      new Promise((resolve) => setTimeout(resolve, 500)).then(() =>
        sipp('dial', sip, { user, secret, keys: { domain, target: called } }),
      ),
    ]);
    return answered && dialled;
  }

  test('agents call each other, with their secrets', async () => {
    const phone = await freePort();
    for (const username of ['fred', 'gina']) await createAgent(app, { username, secret: 's', domains: ['one.test'] });
    expect(await register('gina', 'one.test', 's', { contact: `sip:gina@127.0.0.1:${String(phone)}` })).toBe(true);
    expect(await calls(phone, ['fred', 'one.test', 's'], 'sip:gina@one.test')).toBe(true);
    expect(
      await sipp('dial', sip, {
        user: 'fred',
        secret: 'wrong',
        keys: { domain: 'one.test', target: 'sip:gina@one.test' },
      }),
    ).toBe(false);
  }, 60_000);

  test('agents send texts to each other', async () => {
    const phone = await freePort();
    for (const username of ['lena', 'mike']) await createAgent(app, { username, secret: 's', domains: ['one.test'] });
    expect(await register('mike', 'one.test', 's', { contact: `sip:mike@127.0.0.1:${String(phone)}` })).toBe(true);
    const keys = { domain: 'one.test', target: 'sip:mike@one.test' };
    const [received, sent] = await Promise.all([
      sipp('receive', sip, { port: phone }),
      new Promise((resolve) => setTimeout(resolve, 500)).then(() =>
        sipp('message', sip, { user: 'lena', secret: 's', keys }),
      ),
    ]);
    expect([received, sent]).toEqual([true, true]);
  }, 60_000);

  test('a registration is refreshed, and ends when it is not', async () => {
    await createAgent(app, { username: 'nora', secret: 's', domains: ['one.test'] });
    const isShown = async (): Promise<boolean> =>
      (await addresses()).some((each) => each.addressOfRecord === 'sip:nora@one.test');
    for (let time = 0; time < 2; time++) expect(await register('nora', 'one.test', 's', { seconds: 5 })).toBe(true);
    expect(await isShown()).toBe(true);
    await eventually(8, async () => expect(await isShown()).toBe(false));
  }, 30_000);

  test("a domain's egress policy sends calls out through its number's gateway", async () => {
    const provided = await freePort();
    const gatewayRef = await createGateway(app, { host: '127.0.0.1', port: provided, transport: 'UDP' });
    const numberRef = await createNumber(app, { gatewayRef, telUrl: 'tel:+4930123456' });
    await createDomain(app, { domainUri: 'out.test', egressPolicy: { rule: '^[+]?[0-9]+$', numberRef } });
    await createAgent(app, { username: 'hans', secret: 's', domains: ['out.test'] });
    await eventually(6, async () => expect(await register('hans', 'out.test', 's')).toBe(true));
    expect(await calls(provided, ['hans', 'out.test', 's'], 'sip:+33123456789@out.test')).toBe(true);
    expect(
      await sipp('dial', sip, {
        user: 'hans',
        secret: 's',
        keys: { domain: 'out.test', target: 'sip:nobody@out.test' },
      }),
    ).toBe(false);
  }, 60_000);

  test("a domain's access control list keeps addresses out, and lets some in", async () => {
    const ref = await createDomain(app, { domainUri: 'closed.test', accessControlList: { deny: ['127.0.0.0/8'] } });
    await createAgent(app, { username: 'ida', secret: 's', domains: ['closed.test'] });
    await new Promise((resolve) => setTimeout(resolve, 5500));
    expect(await register('ida', 'closed.test', 's')).toBe(false);
    await app.rest('PUT', `/domains/${ref}`, {
      body: { kind: 'Domain', spec: { context: { accessControlList: { deny: ['0.0.0.0/0'], allow: ['127.0.0.1'] } } } },
    });
    expect(await register('ida', 'closed.test', 's')).toBe(true);
  }, 60_000);

  const server = async (): Promise<unknown> => (await app.graphql('{ sipServer { reachable version uptime } }')).data;
  const readiness = async (): Promise<unknown> => (await fetch(`${app.url}/readyz`)).json();
  const isBound = async (aor: string): Promise<boolean> => {
    const answer = await fetch(`http://${rpc}/RPC`, {
      method: 'POST',
      headers: { 'x-rpc-token': 'rpc-token' },
      body: JSON.stringify({ jsonrpc: '2.0', method: 'ul.lookup', params: ['location', aor], id: 1 }),
    });
    return 'result' in ((await answer.json()) as object);
  };

  test('the server is told of, and asked with its token alone', async () => {
    expect(await server()).toEqual({
      sipServer: {
        reachable: true,
        version: expect.stringContaining('kamailio') as string,
        uptime: expect.any(Number) as number,
      },
    });
    expect(await readiness()).toMatchObject({ ready: true, sipServer: 'up' });
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'core.version', id: 1 });
    expect((await fetch(`http://${rpc}/RPC`, { method: 'POST', body })).status).toBe(403);
    const dump = JSON.stringify({ jsonrpc: '2.0', method: 'uac.reg_dump', id: 1 });
    expect(
      (await fetch(`http://${rpc}/RPC`, { method: 'POST', body: dump, headers: { 'x-rpc-token': 'rpc-token' } }))
        .status,
    ).toBe(403);
  });

  test('an eviction reaches its memory', async () => {
    await createAgent(app, { username: 'jane', secret: 's', domains: ['one.test'] });
    expect(await register('jane', 'one.test', 's')).toBe(true);
    expect(await isBound('jane@one.test')).toBe(true);
    expect((await app.rest('DELETE', '/location/sip:jane@one.test')).status).toBe(200);
    expect(await isBound('jane@one.test')).toBe(false);
    expect(await register('jane', 'one.test', 's')).toBe(true);
    const { data } = await app.graphql('mutation { evictContact(addressOfRecord: "sip:jane@one.test") }');
    expect([data, await isBound('jane@one.test')]).toEqual([{ evictContact: 1 }, false]);
    expect((await addresses()).map(({ addressOfRecord }) => addressOfRecord)).not.toContain('sip:jane@one.test');
  });

  test('while it is away, the API answers as before, and it finds its bindings again', async () => {
    await createAgent(app, { username: 'karl', secret: 's', domains: ['one.test'] });
    expect(await register('karl', 'one.test', 's')).toBe(true);
    const before = await addresses();
    await kamailios.shift()?.stop();
    expect(await server()).toEqual({ sipServer: { reachable: false, version: null, uptime: null } });
    expect(await readiness()).toMatchObject({ ready: true, sipServer: 'down' });
    expect(await addresses()).toEqual(before);
    kamailios.unshift(await startKamailio(configuration, sip));
    expect(await isBound('karl@one.test')).toBe(true);
  }, 60_000);
});
