import { startApp } from '../../support/app';
import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDomain, createPeer } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { Phone } from '../phone';
import { runCommand, startStack, type Stack } from '../stack';
import { freePort } from '../support';

const servers = databases.filter(({ name }) => name !== 'SQLite');

describe.each(servers)('Kamailio as registrar, on $name', (database) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack(database);
  });

  afterAll(() => stack.close());

  const names = async (): Promise<readonly string[]> =>
    (await stack.addresses()).map(({ addressOfRecord }) => addressOfRecord);

  test('starts without an error in its log, also if it checks no health', () => {
    const errors = stack.kamailio.log().match(/^.*(ERROR|CRITICAL):.*$/gm) ?? [];
    expect(errors).toEqual([]);
  });

  test('installs twice, and its user reads the views and nothing else', async () => {
    const { url, schema, run } = stack;
    await run('kamailio', 'install', '--schema', schema, '--user', schema);
    const own = new URL(url);
    const model = own.pathname.slice(1);
    [own.username, own.password, own.pathname] = [schema, 'kamailio-secret', `/${schema}`];
    expect(await runSql(own.href, 'SELECT COUNT(*) FROM domain')).toEqual([[2]]);
    for (const table of ['agents', 'peers', 'users', 'gateways', 'settings', 'location']) {
      await expect(runSql(own.href, `SELECT * FROM \`${model}\`.${table}`)).rejects.toThrow(/denied/);
    }
    await expect(runSql(own.href, 'DELETE FROM subscriber')).rejects.toThrow(/denied/);
    await expect(runSql(own.href, 'UPDATE domain SET domain = 1')).rejects.toThrow(/denied/);
  });

  test.each([
    [['--sip', '5060'], /^sip: "5060" is not host:port$/],
    [['--sip', '127.0.0.1:99999'], /^sip: "127\.0\.0\.1:99999" is not host:port$/],
    [['--rpc', '127.0.0.1'], /^rpc: "127\.0\.0\.1" is not host:port$/],
    [['--rpc', '127.0.0.1:5080', '--rpc-token', 'a"b'], /^rpc-token: must be [^"]*$/],
    [['--run', '/run/"x'], /^run: .* is not 1 to 80 characters without quotes and backslashes$/],
    [['--password', 'a/b'], /^password: must be [^/]*$/],
    [['--user', 'a"b@evil/'], /^user: .* is not 1 to 32 letters, digits or _$/],
    [['--schema', 'x"; y'], /^schema: .* is not 1 to 32 letters, digits or _$/],
    [['--sip', '0.0.0.0:5060'], /^sip: "0\.0\.0\.0:5060" is a wildcard: give the address at which/],
    [
      ['--advertise', 'sip.one.test'],
      /^advertise: "sip\.one\.test" is not an IP address, in brackets if it is IPv6: give/,
    ],
    [['--advertise', ''], /^advertise: "" is not an IP address/],
    [['--advertise', '203.0.113.256'], /^advertise: "203\.0\.113\.256" is not an IP address/],
    [['--advertise', '2001:db8::7'], /^advertise: "2001:db8::7" is not an IP address, in brackets if it is IPv6/],
    [['--advertise', '203.0.113.7:99999'], /^advertise: "203\.0\.113\.7:99999" is not an IP address/],
    [['--advertise', '203.0.113.7:x'], /^advertise: "203\.0\.113\.7:x" is not an IP address/],
    [['--advertise', '203.0.113.7"'], /^advertise: .* is not an IP address/],
    [['--advertise', '0.0.0.0'], /^advertise: "0\.0\.0\.0:5060" is a wildcard: give the address at which/],
    [
      ['--advertise', '[2001:db8::7]'],
      /^advertise: "\[2001:db8::7\]" is an IPv6 address, but "127\.0\.0\.1:5060" is not$/,
    ],
    [['--sip', '[::]:5060'], /^sip: "\[::\]:5060" is a wildcard: give the address at which/],
  ])('no configuration is printed for %j', async (options, message) => {
    await expect(stack.run('kamailio', 'config', '--password', 'p', ...options)).rejects.toThrow(message);
  });

  test('an empty token is none, and localhost is no socket', async () => {
    const { url } = stack;
    const printed = await runCommand(url.replace('127.0.0.1', 'localhost'), [
      ...['kamailio', 'config', '--password', 'p', '--rpc', '127.0.0.1:5080', '--rpc-token', ''],
    ]);
    expect(printed).toMatch(/X-Rpc-Token\) != "[\w-]{24}"/);
    expect(printed).toContain('DBURL "mysql://kamailio:p@127.0.0.1:');
  });

  test.each([
    ['[::1]:3306', '[::1]:3306'],
    ['[2001:db8::7]', '[2001:db8::7]:3306'],
    ['db.test:3307', 'db.test:3307'],
  ])('a configuration for %s needs no database that answers', async (server, printed) => {
    const options = ['kamailio', 'config', '--password', 'p', '--sip', '[::1]:5060'];
    expect(await runCommand(`mysql://u:q@${server}/sipgraph`, options)).toContain(
      `DBURL "mysql://kamailio:p@${printed}/kamailio"`,
    );
  });

  test('what is sipgraph’s own is not given to Kamailio', async () => {
    const own = new URL(stack.url);
    await expect(stack.run('kamailio', 'install', '--user', own.username)).rejects.toThrow(/^user: .* itself$/);
    await expect(stack.run('kamailio', 'install', '--schema', own.pathname.slice(1))).rejects.toThrow(
      /^schema: .* itself$/,
    );
  });

  test('SIP_SERVER=kamailio installs at start, and uninstalling leaves the model', async () => {
    const { url, run } = stack;
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
    const { app, register, addresses } = stack;
    await createAgent(app, { username: 'anna', secret: 'secret of anna', domains: ['one.test'] });
    const contact = 'sip:anna@127.0.0.1:5999;transport=udp';
    expect(await register('anna', 'one.test', 'secret of anna', { contact })).toBe(true);
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
    const contacts = [{ uri: 'sip:anna@127.0.0.1:5999', transport: 'udp', userAgent: 'Phone/1.0' }];
    expect(data).toEqual({ agents: { nodes: [{ username: 'anna', contacts }] } });
  });

  test('an agent of two domains registers in both', async () => {
    await createAgent(stack.app, { username: 'anton', secret: 's', domains: ['one.test', 'two.test'] });
    expect(await stack.register('anton', 'one.test', 's')).toBe(true);
    expect(await stack.register('anton', 'two.test', 's')).toBe(true);
    expect(await names()).toEqual(expect.arrayContaining(['sip:anton@one.test', 'sip:anton@two.test']));
  });

  test('a wrong secret, an empty one, and a name that there is not, are refused', async () => {
    expect(await stack.register('anna', 'one.test', 'wrong')).toBe(false);
    expect(await stack.register('anna', 'one.test', '')).toBe(false);
    expect(await stack.register('nobody', 'one.test', 'x')).toBe(false);
  });

  test('a peer registers at any domain, and by TCP', async () => {
    await createPeer(stack.app, { username: 'pbx', secret: 'secret of pbx' });
    expect(await stack.register('pbx', 'one.test', 'secret of pbx')).toBe(true);
    const contact = 'sip:pbx@127.0.0.1:5998;transport=tcp';
    expect(await stack.register('pbx', 'two.test', 'secret of pbx', { tcp: true, contact })).toBe(true);
    const { data } = await stack.app.graphql('{ peers { nodes { contacts { transport } } } }');
    expect(data).toEqual({ peers: { nodes: [{ contacts: [{ transport: 'udp' }, { transport: 'tcp' }] }] } });
  });

  test('a device with a private address that speaks from another one is behind a NAT', async () => {
    await createAgent(stack.app, { username: 'nat', secret: 's', domains: ['one.test'] });
    const port = await freePort();
    const contact = `sip:nat@10.0.0.9:${String(port)}`;
    expect(await stack.register('nat', 'one.test', 's', { contact })).toBe(true);
    const shown = (await stack.addresses()).find(({ addressOfRecord }) => addressOfRecord === 'sip:nat@one.test');
    expect(shown?.contactInfo).toMatch(/;nat=true;expires=600$/);
  });

  test('what keeps the way through a NAT open is sent to a device over UDP that is behind one, and to no other', async () => {
    await createAgent(stack.app, { username: 'far', secret: 's', domains: ['one.test'] });
    const [behind, open] = [await Phone.open(stack.sip), await Phone.open(stack.sip)];
    expect(await behind.registers('far', 'one.test', ['Contact: <sip:far@10.0.0.9:5060>'])).toMatch(/^SIP\/2\.0 200/);
    expect(await open.registers('far', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    for (let time = 0; time < 2; time++) expect(await behind.hears(/^\0{4}$/, 40)).toBeDefined();
    expect(await open.hears(/^\0/, 0)).toBeUndefined();
    for (const phone of [behind, open]) phone.close();
  }, 90_000);

  test('a changed secret, and a deleted agent, are refused at the next request', async () => {
    const { app, register } = stack;
    const ref = await createAgent(app, { username: 'ben', secret: 'first', domains: ['two.test'] });
    expect(await register('ben', 'two.test', 'first')).toBe(true);
    await app.rest('PUT', `/agents/${ref}`, { body: { kind: 'Agent', spec: { credentials: { secret: 'second' } } } });
    expect(await register('ben', 'two.test', 'first')).toBe(false);
    expect(await register('ben', 'two.test', 'second')).toBe(true);
    await app.rest('DELETE', `/agents/${ref}`);
    expect(await register('ben', 'two.test', 'second')).toBe(false);
  });

  test('a device that unregisters is gone', async () => {
    await createAgent(stack.app, { username: 'cleo', secret: 's', domains: ['one.test'] });
    expect(await stack.register('cleo', 'one.test', 's')).toBe(true);
    expect(await names()).toContain('sip:cleo@one.test');
    expect(await stack.register('cleo', 'one.test', 's', { seconds: 0 })).toBe(true);
    expect(await names()).not.toContain('sip:cleo@one.test');
  });

  test('a registration is refreshed, and ends when it is not', async () => {
    await createAgent(stack.app, { username: 'nora', secret: 's', domains: ['one.test'] });
    const register = (): Promise<boolean> => stack.register('nora', 'one.test', 's', { seconds: 5 });
    for (let time = 0; time < 2; time++) expect(await register()).toBe(true);
    expect(await names()).toContain('sip:nora@one.test');
    await eventually(8, async () => expect(await names()).not.toContain('sip:nora@one.test'));
  });

  test('a device whose row the restored backup does not have is shown again after its next REGISTER', async () => {
    await createAgent(stack.app, { username: 'rosa', secret: 's', domains: ['one.test'] });
    expect(await stack.register('rosa', 'one.test', 's')).toBe(true);
    await runSql(stack.url, "DELETE FROM location WHERE username = 'rosa'");
    expect(await names()).not.toContain('sip:rosa@one.test');
    for (let time = 0; time < 2; time++) expect(await stack.register('rosa', 'one.test', 's')).toBe(true);
    expect((await names()).filter((name) => name === 'sip:rosa@one.test')).toHaveLength(1);
  });

  test('a new domain is known within 5 s', async () => {
    await createDomain(stack.app, { domainUri: 'three.test' });
    await createAgent(stack.app, { username: 'dora', secret: 's', domains: ['three.test'] });
    await eventually(5, async () => expect(await stack.register('dora', 'three.test', 's')).toBe(true));
  });

  test('domains that change together are known within 5 s, too', async () => {
    const { app, register } = stack;
    const refs = await Promise.all(['ee1.test', 'ff1.test'].map((domainUri) => createDomain(app, { domainUri })));
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const names = ['ee2.test', 'ff2.test'];
    const remove = refs.map((ref, at) => `d${String(at)}: deleteDomain(ref: "${ref}")`).join(' ');
    const make = names.map(
      (name, at) => `c${String(at)}: createDomain(input: { name: "x", domainUri: "${name}" }) { ref }`,
    );
    await app.graphql(`mutation { ${remove} ${make.join(' ')} }`);
    await createAgent(app, { username: 'emma', secret: 's', domains: names });
    for (const name of names) await eventually(5, async () => expect(await register('emma', name, 's')).toBe(true));
  });

  test('no more devices register than an agent may have', async () => {
    await createAgent(stack.app, { username: 'max', secret: 's', domains: ['one.test'], maxContacts: 2 });
    const device = (host: string): Promise<boolean> =>
      stack.register('max', 'one.test', 's', { contact: `sip:max@${host}:5999` });
    for (const host of ['127.0.0.1', '127.0.0.2', '127.0.0.1']) expect(await device(host)).toBe(true);
    expect(await device('127.0.0.3')).toBe(false);
  });

  test('a name that has to be escaped registers', async () => {
    await createAgent(stack.app, { username: 'anna b', secret: 's', domains: ['one.test'] });
    expect(await stack.register('anna%20b', 'one.test', 's', { as: 'anna b' })).toBe(true);
    expect(await names()).toContain('sip:anna b@one.test');
  });

  test("a domain's access control list keeps addresses out, and lets some in", async () => {
    const { app, register } = stack;
    const ref = await createDomain(app, { domainUri: 'closed.test', accessControlList: { deny: ['127.0.0.0/8'] } });
    await createAgent(app, { username: 'ida', secret: 's', domains: ['closed.test'] });
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect(await register('ida', 'closed.test', 's')).toBe(false);
    await app.rest('PUT', `/domains/${ref}`, {
      body: { kind: 'Domain', spec: { context: { accessControlList: { deny: ['0.0.0.0/0'], allow: ['127.0.0.1'] } } } },
    });
    expect(await register('ida', 'closed.test', 's')).toBe(true);
  });

  test('an eviction reaches its memory: of one address, in both protocols, and of all', async () => {
    const { app, register, isBound } = stack;
    await createAgent(app, { username: 'jane', secret: 's', domains: ['one.test'] });
    expect(await register('jane', 'one.test', 's')).toBe(true);
    expect(await isBound('jane@one.test')).toBe(true);
    expect((await app.rest('DELETE', '/location/sip:jane@one.test')).status).toBe(200);
    expect(await isBound('jane@one.test')).toBe(false);
    expect((await app.rest('DELETE', '/location/sip:jane@one.test')).status).toBe(404);
    for (const aor of ['sip:jane@one.test', 'sip:%6Aane@ONE.test', 'sips:jane@one.test:5061', 'jane@one.test']) {
      expect(await register('jane', 'one.test', 's')).toBe(true);
      const { data } = await app.graphql('mutation ($aor: String!) { evictContact(addressOfRecord: $aor) }', { aor });
      expect([aor, data, await isBound('jane@one.test')]).toEqual([aor, { evictContact: 1 }, false]);
    }
    expect(await names()).not.toContain('sip:jane@one.test');

    expect(await register('jane', 'one.test', 's')).toBe(true);
    expect((await names()).length).toBeGreaterThan(1);
    expect((await app.rest('DELETE', '/location')).status).toBe(200);
    expect([await names(), await isBound('jane@one.test'), await isBound('anna@one.test')]).toEqual([[], false, false]);
  });

  test('an eviction is in the history, with who evicted how many devices', async () => {
    const { app } = stack;
    const { data } = await app.graphql<{ history: { nodes: { count: number }[] } }>(
      '{ history(where: { kind: Binding }) { nodes { event ref way count resource { ref } who { username } } } }',
    );
    const entry = { event: 'DELETED', resource: null, who: { username: 'admin' } };
    expect(data.history.nodes.slice(1, 3)).toEqual([
      { ...entry, ref: 'sip:jane@one.test', way: 'GRAPHQL', count: 1 },
      { ...entry, ref: 'sip:jane@one.test', way: 'GRAPHQL', count: 1 },
    ]);
    expect(data.history.nodes[0]).toMatchObject({ ...entry, ref: '*', way: 'REST' });
    expect(data.history.nodes[0]?.count).toBeGreaterThan(1);
  });
});
