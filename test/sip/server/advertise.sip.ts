import { readFileSync } from 'node:fs';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createGateway } from '../../support/factories';
import { answeredCall, routes, uriIn } from '../call';
import { Certificates } from '../certificates';
import { TlsProvider } from '../gateways/tls-provider';
import { createTrunk } from '../gateways/trunk';
import { headersOf, id, Phone, type Asking } from '../phone';
import { openPhones, registeredPhone } from '../phones/open-phones';
import { Provider } from '../provider';
import { startStack, type Stack } from '../stack';
import { freePort } from '../support';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const PUBLIC = '203.0.113.7:6060';
const ROUTE = `<sip:${PUBLIC};lr=on>`;
const CREDENTIALS = { username: 'anna', secret: 's' };
const PROVIDER = '127.0.9.1';

/** Phones and the provider send to the address at which Kamailio listens, as the NAT does with what it receives. */
describe('A Kamailio with the public address of a NAT', () => {
  const certificates = new Certificates();
  let stack: Stack;
  let tls: string;
  let providersPort: number;
  let agentRefs: ReadonlyMap<string, string>;
  const closing: { close: () => unknown }[] = [];
  const open = openPhones(() => stack);

  beforeAll(async () => {
    const own = certificates.sign('own', 'IP:127.0.0.1');
    tls = `127.0.0.1:${String(await freePort())}`;
    const files = ['--tls', tls, '--tls-cert', own.cert, '--tls-key', own.key, '--tls-ca', certificates.authority()];
    stack = await startStack(database, { config: ['--advertise', PUBLIC, '--health-interval', '5', ...files] });
    const probe = await Phone.open(stack.sip, PROVIDER);
    providersPort = probe.port;
    probe.close();
    const created = await createTrunk(stack.app, {
      gateway: { host: PROVIDER, port: providersPort, username: 'trunk', secret: 'secret', sendRegister: false },
      aorLink: 'sip:bert@one.test',
      agents: [
        ['anna', 'one.test'],
        ['bert', 'one.test'],
        ['olga', 'out.test'],
      ],
    });
    ({ agentRefs } = created);
  });

  afterEach(() => {
    for (const each of closing.splice(0)) each.close();
  });

  afterAll(async () => {
    await stack.close();
    certificates.remove();
  });

  const provider = (): Promise<Phone> => open(PROVIDER, providersPort);
  const bert = (): Promise<Phone> => registeredPhone(open, 'bert', 'one.test', '127.0.9.3');
  const topVia = (request: string | undefined): string => headersOf(request, 'Via')[0] ?? '';
  const VIA = new RegExp(`^Via: SIP/2\\.0/UDP ${PUBLIC.replaceAll('.', '\\.')};.*rport`);
  const RECORD_ROUTE = [`Record-Route: ${ROUTE}`];

  /** Ends a call from one side, and expects that the other one hears of it. */
  async function ends(asking: Asking, from: Phone, to: Phone): Promise<string> {
    const done = from.asks({ ...asking, method: 'BYE', cseq: 9 });
    const bye = (await to.hears(/^BYE /, 3)) ?? '';
    to.answers(bye, '200 OK', 'x');
    expect(await done).toMatch(/^SIP\/2\.0 200/);
    return bye;
  }

  const sides = ['fromCaller', 'fromCallee'] as const;

  test.each(sides)('names it to phones that call each other, which follow it: %s', async (side) => {
    const [caller, callee] = [await open('127.0.9.2'), await bert()];
    const who = { phone: caller, from: 'anna@one.test', credentials: CREDENTIALS };
    const call = await answeredCall(who, callee, 'bert@one.test');
    expect(topVia(call.invite)).toMatch(VIA);
    expect(headersOf(call.invite, 'Record-Route')).toEqual(RECORD_ROUTE);
    expect(call.fromCaller.headers).toEqual([`Route: ${ROUTE}`]);
    const [from, to] = side === 'fromCaller' ? [caller, callee] : [callee, caller];
    expect(topVia(await ends(call[side], from, to))).toMatch(VIA);
  });

  test.each(sides)('follows a phone of the private network that names the private address: %s', async (side) => {
    const [caller, callee] = [await open('127.0.9.2'), await bert()];
    const who = { phone: caller, from: 'anna@one.test', credentials: CREDENTIALS };
    const call = await answeredCall(who, callee, 'bert@one.test');
    const [from, to] = side === 'fromCaller' ? [caller, callee] : [callee, caller];
    await ends({ ...call[side], headers: [`Route: <sip:${stack.sip};lr>`] }, from, to);
  });

  test('is itself at both addresses, and nowhere else', async () => {
    const caller = await open('127.0.9.2');
    const asks = async (method: string, uri: string): Promise<string | undefined> => {
      const asking = { method, uri, from: 'anna@one.test', to: '+4930100@one.test', callId: id() };
      const headers = [`Contact: <${caller.contact('anna')}>`, `Route: ${ROUTE}`];
      return method === 'OPTIONS' ? caller.asks(asking) : caller.proves({ ...asking, headers }, CREDENTIALS);
    };
    const callee = await bert();
    for (const host of [PUBLIC, stack.sip]) {
      expect(await asks('OPTIONS', `sip:${host}`)).toMatch(/^SIP\/2\.0 200/);
      const rings = asks('INVITE', `sip:+4930100@${host}`);
      callee.answers((await callee.hears(/^INVITE /)) ?? '', '486 Busy Here', 'x');
      expect(await rings).toMatch(/^SIP\/2\.0 486/);
    }
    expect(await asks('INVITE', 'sip:+4930100@203.0.113.8:6060')).toMatch(/^SIP\/2\.0 403/);
    const { data } = await stack.app.graphql<{ contacts: { nodes: readonly { node: string }[] } }>(
      '{ contacts { nodes { node } } }',
    );
    expect(data.contacts.nodes).toEqual([{ node: stack.sip }]);
  });

  test('is the Contact of a caller who is hidden, and the Record-Route of a callee who leaves it out', async () => {
    const [caller, callee] = [await open('127.0.9.2'), await bert()];
    const asking = {
      uri: 'sip:bert@one.test',
      from: 'anna@one.test',
      to: 'bert@one.test',
      callId: id(),
      fromTag: id(),
    };
    const headers = [`Contact: <${caller.contact('anna')}>`, 'Privacy: id'];
    const answer = caller.proves({ ...asking, method: 'INVITE', headers }, CREDENTIALS);
    const invite = (await callee.hears(/^INVITE /)) ?? '';
    expect(uriIn(invite)).toBe(`sip:anonymous@${PUBLIC}`);
    const without = invite.replace(/^Record-Route:.*\r\n/m, '');
    callee.answers(without, '200 OK', 'x', [`Contact: <${callee.contact('bert')}>`]);
    const ok = await answer;
    expect(headersOf(ok, 'Record-Route')).toEqual([`Record-Route: <sip:${PUBLIC};lr>`]);
    caller.says({ ...asking, method: 'ACK', uri: uriIn(ok), toTag: 'x', cseq: 2, headers: routes(ok) });
    await callee.hears(/^ACK /);
    const [heardFrom, heardTo] = ['From', 'To'].map(
      (name) => /sip:([^>;]*)/.exec(headersOf(invite, name)[0] ?? '')?.[1] ?? '',
    );
    const ending = { ...asking, uri: uriIn(invite), from: heardTo ?? '', to: heardFrom ?? '', fromTag: 'x' };
    await ends({ ...ending, method: 'BYE', toTag: asking.fromTag, headers: routes(invite) }, callee, caller);
  });

  test('is the Via of the ACK and the BYE for a phone that answers second', async () => {
    const [caller, first, second] = [await open('127.0.9.2'), await bert(), await open('127.0.9.6')];
    expect(await second.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const invitation = { method: 'INVITE', uri: 'sip:bert@one.test', from: 'anna@one.test', to: 'bert@one.test' };
    const headers = [`Contact: <${caller.contact('anna')}>`];
    const answer = caller.proves({ ...invitation, headers }, CREDENTIALS);
    const phones = [first, second];
    const invites = await Promise.all(phones.map((phone) => phone.hears(/^INVITE /)));
    for (const [at, phone] of phones.entries())
      phone.answers(invites[at] ?? '', '200 OK', `b${String(at)}`, [`Contact: <${phone.contact('bert')}>`]);
    const other = (headersOf(await answer, 'To')[0] ?? '').includes(';tag=b0') ? second : first;
    expect(topVia(await other.hears(/^ACK /, 3))).toContain(` ${PUBLIC};`);
    expect(topVia(await other.hears(/^BYE /, 3))).toContain(` ${PUBLIC};`);
  });

  test.each([...sides, 'the server'] as const)('is named to the provider of a call, which %s ends', async (side) => {
    const [caller, trunk] = [await open('127.0.9.5'), await provider()];
    const who = { phone: caller, from: 'olga@out.test', credentials: { username: 'olga', secret: 's' } };
    const call = await answeredCall(who, trunk, '+4930555@out.test');
    expect(topVia(call.invite)).toMatch(VIA);
    expect(headersOf(call.invite, 'Record-Route')).toEqual(RECORD_ROUTE);
    if (side !== 'the server') {
      const [from, to] = side === 'fromCaller' ? [caller, trunk] : [trunk, caller];
      expect(topVia(await ends(call[side], from, to))).toMatch(VIA);
      return;
    }
    await stack.app.graphql('mutation ($ref: String!) { deleteAgent(ref: $ref) }', { ref: agentRefs.get('olga') });
    for (const phone of [trunk, caller]) {
      const bye = (await phone.hears(/^BYE /)) ?? '';
      expect(topVia(bye)).toMatch(VIA);
      phone.answers(bye, '200 OK', 'x');
    }
    expect(await trunk.hears(/^BYE /, 3)).toBeUndefined();
  });

  test.each(sides)('is called by the provider, and either ends the call: %s', async (side) => {
    const [trunk, callee] = [await provider(), await bert()];
    const who = { phone: trunk, from: `+4911@${PROVIDER}` };
    const call = await answeredCall(who, callee, `+4930100@${PUBLIC}`);
    expect(headersOf(call.invite, 'Record-Route')).toEqual(RECORD_ROUTE);
    expect(call.fromCaller.headers).toEqual([`Route: ${ROUTE}`]);
    const [from, to] = side === 'fromCaller' ? [trunk, callee] : [callee, trunk];
    expect(topVia(await ends(call[side], from, to))).toMatch(VIA);
  });

  test('registers it with a provider, which calls it there', async () => {
    const registrar = await open('127.0.9.20');
    const gatewayRef = await createGateway(stack.app, {
      ...{ host: '127.0.9.20', port: registrar.port, transport: 'UDP' },
      ...{ username: 'customer', secret: 'secret' },
    });
    const mutation = `mutation ($ref: String!) { createNumber(input: { gatewayRef: $ref, telUrl: "tel:+4930200", aorLink: "sip:bert@one.test" }) { ref } }`;
    await stack.app.graphql(mutation, { ref: gatewayRef });
    const first = (await registrar.hears(/^REGISTER /, 15)) ?? '';
    expect(topVia(first)).toMatch(VIA);
    expect(uriIn(first)).toBe(`sip:${gatewayRef}@${PUBLIC}`);
    registrar.answers(first, '401 Unauthorized', 'x', ['WWW-Authenticate: Digest realm="p", nonce="n"']);
    const second = (await registrar.hears(/^REGISTER [^]*nonce="n"/, 15)) ?? '';
    registrar.answers(second, '200 OK', 'x', [`${headersOf(second, 'Contact')[0] ?? ''};expires=600`]);
    await eventually(8, async () => expect(await registration(gatewayRef)).toBe('REGISTERED'));
    const callee = await bert();
    const who = { phone: registrar, from: '+4911@127.0.9.20' };
    const call = await answeredCall(who, callee, '+4930200@127.0.9.20', { uri: uriIn(second) });
    await ends(call.fromCallee, callee, registrar);
  });

  const registration = async (ref: string): Promise<string | undefined> => {
    const { data } = await stack.app.graphql<{ gateway: { registration: { state: string } | null } }>(
      'query ($ref: String!) { gateway(ref: $ref) { registration { state } } }',
      { ref },
    );
    return data.gateway.registration?.state;
  };

  test('is named in checks of gateways', async () => {
    const checked = await Provider.open('127.0.99.1', '200 OK');
    closing.push(checked);
    const ref = await createGateway(stack.app, { host: checked.host, port: checked.port, transport: 'UDP' });
    await eventually(30, async () => {
      const { data } = await stack.app.graphql<{ gateway: { health: { state: string } } }>(
        'query ($ref: String!) { gateway(ref: $ref) { health { state } } }',
        { ref },
      );
      expect(data.gateway.health.state).toBe('UP');
    });
    const options = checked.requests.find((each) => each.startsWith('OPTIONS '));
    expect(topVia(options)).toMatch(VIA);
    expect(headersOf(options, 'From')).toEqual([expect.stringContaining(`<sip:${PUBLIC}>`)]);
  });

  test('has the port of --tls for phones and gateways with TLS', async () => {
    const secure = `203.0.113.7:${tls.split(':')[1] ?? ''}`;
    const phone = await Phone.openTls(tls, { ca: readFileSync(certificates.authority()) });
    closing.push(phone);
    expect(await phone.registers('anna', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const callee = await bert();
    for (const side of sides) {
      const who = { phone, from: 'anna@one.test', credentials: CREDENTIALS };
      const call = await answeredCall(who, callee, 'bert@one.test');
      const recorded = headersOf(call.invite, 'Record-Route').join();
      expect(recorded).toContain(`<sip:${PUBLIC};`);
      expect(recorded).toContain(`<sip:${secure};transport=tls;`);
      expect(recorded).not.toContain('127.0.0.1');
      const [from, to] = side === 'fromCaller' ? [phone, callee] : [callee, phone];
      await ends(call[side], from, to);
    }
    const trunk = await TlsProvider.open(certificates.sign('provider', 'IP:127.0.99.2'), '127.0.99.2');
    closing.push(trunk);
    const ref = await createGateway(stack.app, {
      ...{ host: '127.0.99.2', port: trunk.port, transport: 'TLS', username: 'customer', secret: 'secret' },
    });
    await eventually(60, async () => expect(await registration(ref)).toBe('REGISTERED'));
    const register = trunk.requests.find((each) => each.startsWith('REGISTER '));
    expect(uriIn(register)).toBe(`sip:${ref}@${secure};transport=tls`);
    expect(topVia(register)).toContain(`SIP/2.0/TLS ${secure};`);
  });
});

test('Calls in progress go on when a public address is added', async () => {
  const stack = await startStack(database);
  const [caller, callee] = [await Phone.open(stack.sip, '127.0.9.2'), await Phone.open(stack.sip, '127.0.9.3')];
  try {
    for (const username of ['anna', 'bert'])
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
    await eventually(10, async () => expect(await callee.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/));
    const who = { phone: caller, from: 'anna@one.test', credentials: CREDENTIALS };
    const calls = [await answeredCall(who, callee, 'bert@one.test'), await answeredCall(who, callee, 'bert@one.test')];
    await stack.configure('--advertise', PUBLIC);
    await stack.stopKamailio();
    await stack.startKamailio();
    for (const [at, { invite, fromCaller, fromCallee }] of calls.entries()) {
      expect(headersOf(invite, 'Record-Route').join()).toContain(stack.sip);
      const [asking, from, to] = at === 0 ? [fromCaller, caller, callee] : [fromCallee, callee, caller];
      from.says({ ...asking, method: 'BYE', cseq: 9 });
      expect(await to.hears(/^BYE /, 3)).toContain(`SIP/2.0/UDP ${PUBLIC};`);
    }
  } finally {
    caller.close();
    callee.close();
    await stack.close();
  }
});

test('IPv6 is advertised as it is written, with the port of --sip', async () => {
  const stack = await startStack(database, { host: '[::1]', config: ['--advertise', '[2001:DB8:0::7]'] });
  const [caller, callee] = [await Phone.open(stack.sip, '::1'), await Phone.open(stack.sip, '::1')];
  try {
    for (const username of ['anna', 'bert'])
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
    await eventually(10, async () => expect(await callee.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/));
    const place = `[2001:DB8:0::7]:${stack.sip.split(':').at(-1) ?? ''}`;
    const who = { phone: caller, from: 'anna@one.test', credentials: CREDENTIALS };
    const { invite, fromCaller, fromCallee } = await answeredCall(who, callee, 'bert@one.test');
    expect(headersOf(invite, 'Via')[0]).toContain(`SIP/2.0/UDP ${place};`);
    expect(headersOf(invite, 'Record-Route')).toEqual([`Record-Route: <sip:${place};lr=on>`]);
    expect(fromCaller.headers).toEqual([`Route: <sip:${place};lr=on>`]);
    callee.says({ ...fromCallee, cseq: 9 });
    expect(await caller.hears(/^BYE /, 3)).toBeDefined();
  } finally {
    caller.close();
    callee.close();
    await stack.close();
  }
});
