import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDomain, createGateway, createNumber, createRoute } from '../../support/factories';
import { answeredCall, type AnsweredCall } from '../call';
import { Certificates, type Certified } from '../certificates';
import { headersOf, id, lineOf, onMessages, Phone } from '../phone';
import { startStack, type Stack } from '../stack';
import { freePort } from '../support';
import { TlsProvider } from './tls-provider';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const CREDENTIALS = { username: 'anna', secret: 's' };

describe('SIP over TLS', () => {
  const certificates = new Certificates();
  let stack: Stack;
  let tls: string;
  let own: Certified;
  const phones: Phone[] = [];
  const providers: TlsProvider[] = [];

  beforeAll(async () => {
    own = certificates.sign('own', 'IP:127.0.0.1');
    tls = `127.0.0.1:${String(await freePort())}`;
    const files = ['--tls-cert', own.cert, '--tls-key', own.key, '--tls-ca', certificates.authority()];
    stack = await startStack(database, {
      config: ['--tls', tls, ...files, '--agent-calls', '0', '--flood', '0', '--health-interval', '5'],
      memory: 128,
    });
    for (const username of ['anna', 'bert'])
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
    const probe = await Phone.open(stack.sip);
    await eventually(10, async () => expect(await probe.registers('anna', 'one.test')).toMatch(/^SIP\/2\.0 200/));
    await probe.registers('anna', 'one.test', ['Contact: *', 'Expires: 0']);
    probe.close();
  });

  afterEach(async () => {
    for (const phone of phones.splice(0)) phone.close();
    for (const provider of providers.splice(0)) provider.close();
    for (const user of ['anna', 'bert']) await stack.rpc('ul.rm', ['location', `${user}@one.test`]);
  });

  afterAll(async () => {
    await stack.close();
    certificates.remove();
  });

  async function secure(localPort?: number, localAddress = '127.0.0.1'): Promise<Phone> {
    const at = { localAddress, ...(localPort !== undefined && { localPort }) };
    const phone = await Phone.openTls(tls, { ca: readFileSync(certificates.authority()), ...at });
    phones.push(phone);
    return phone;
  }

  async function plain(): Promise<Phone> {
    const phone = await Phone.open(stack.sip);
    phones.push(phone);
    return phone;
  }

  async function registered(phone: Phone, user: string): Promise<Phone> {
    expect(await phone.registers(user, 'one.test')).toMatch(/^SIP\/2\.0 200/);
    return phone;
  }

  test.each([
    ['TLS', 'TLS', () => secure(), () => secure()],
    ['TLS', 'UDP', () => secure(), plain],
    ['UDP', 'TLS', plain, () => secure()],
  ])('A phone with %s calls one with %s, and either ends the call', async (_from, _to, from, to) => {
    const anna = await registered(await from(), 'anna');
    const bert = await registered(await to(), 'bert');
    for (const ends of ['fromCaller', 'fromCallee'] as const) {
      const call = await answeredCall(
        { phone: anna, from: 'anna@one.test', credentials: CREDENTIALS },
        bert,
        'bert@one.test',
      );
      const [asking, ending, other] =
        ends === 'fromCaller' ? [call.fromCaller, anna, bert] : [call.fromCallee, bert, anna];
      ending.says({ ...asking, method: 'BYE', cseq: 5 });
      expect(await other.hears(/^BYE /, 4)).toBeDefined();
    }
  });

  test('A SIPS URI is called only with TLS', async () => {
    const [anna, unsafe] = [await registered(await secure(), 'anna'), await plain()];
    const bert = await registered(await plain(), 'bert');
    const invitation = { method: 'INVITE', uri: 'sips:bert@one.test', from: 'anna@one.test', to: 'bert@one.test' };
    const invite = async (phone: Phone): Promise<string | undefined> => {
      const headers = [`Contact: <${phone.contact('anna')}>`];
      return phone.proves({ ...invitation, callId: id(), headers }, CREDENTIALS);
    };
    expect(await invite(unsafe)).toMatch(/^SIP\/2\.0 403 SIPS Requires TLS/);
    expect(await invite(anna)).toMatch(/^SIP\/2\.0 480 /);
    expect(await bert.hears(/^INVITE/, 0.5)).toBeUndefined();
    await stack.rpc('ul.rm', ['location', 'bert@one.test']);
    const safe = await secure();
    const contact = safe.contact('bert').replace('sip:', 'sips:');
    expect(await safe.registers('bert', 'one.test', [`Contact: <${contact}>`])).toMatch(/^SIP\/2\.0 200/);
    const caller = { phone: anna, from: 'anna@one.test', credentials: CREDENTIALS };
    const call = await answeredCall(caller, safe, 'bert@one.test', { uri: 'sips:bert@one.test', contact });
    expect(headersOf(call.invite, 'Record-Route').join()).toMatch(/^Record-Route: <sips:/);
    anna.says({ ...call.fromCaller, method: 'BYE', cseq: 5 });
    expect(await safe.hears(/^BYE sips:/, 4)).toBeDefined();
  });

  test('A SIPS URI leaves through a gateway without TLS only to an emergency number, as explainCall says', async () => {
    const provider = await Phone.open(stack.sip, '127.0.1.31');
    phones.push(provider);
    provider.handle((message) => {
      if (message.startsWith('INVITE')) provider.answers(message, '486 Busy Here', 'p');
    });
    const gatewayRef = await createGateway(stack.app, { host: provider.host, port: provider.port, transport: 'UDP' });
    const numberRefs = [await createNumber(stack.app, { gatewayRef })];
    const { data } = await stack.app.graphql<{ domains: { nodes: { ref: string }[] } }>(
      '{ domains(where: { domainUri: { eq: "one.test" } }) { nodes { ref } } }',
    );
    const domainRef = data.domains.nodes[0]?.ref;
    await createRoute(stack.app, { domainRef, prefix: '112', emergency: true, numberRefs });
    await createRoute(stack.app, { domainRef, prefix: '+49', numberRefs });
    const [safe, unsafe] = [await secure(), await plain()];
    for (const [phone, scheme, number, status] of [
      [safe, 'sips', '112', '486 Busy Here'],
      [unsafe, 'sips', '112', '486 Busy Here'],
      [safe, 'sips', '+4930', '480 SIPS Requires TLS'],
      [safe, 'sip', '+4930', '486 Busy Here'],
    ] as const) {
      const uri = `${scheme}:${number}@one.test`;
      const asking = { method: 'INVITE', uri, from: 'anna@one.test', to: `${number}@one.test`, callId: id() };
      const headers = [`Contact: <${phone.contact('anna')}>`];
      expect(await phone.proves({ ...asking, headers }, CREDENTIALS)).toContain(`SIP/2.0 ${status}`);
      const told = await stack.app.graphql<{ explainCall: { status: number | null; reason: string | null } }>(
        'query ($to: String!) { explainCall(from: "anna@one.test", to: $to) { status reason } }',
        { to: uri },
      );
      const { explainCall } = told.data;
      const said =
        explainCall.status === null ? '486 Busy Here' : `${String(explainCall.status)} ${explainCall.reason ?? ''}`;
      expect(said).toBe(status);
    }
  });

  test('A connection without TLS from the address of a phone receives none of its calls', async () => {
    const bert = await registered(await secure(await freePort()), 'bert');
    const anna = await registered(await plain(), 'anna');
    // Kamailio finds connections by the address of the other end, so this one takes the place of the phone's.
    const [host = '', port = ''] = stack.sip.split(':');
    const intruder = connect({ host, port: Number(port), localAddress: '127.0.0.1', localPort: bert.port });
    const stolen: string[] = [];
    onMessages(intruder, (message) => stolen.push(message));
    const via = `Via: SIP/2.0/TCP 127.0.0.1:${String(bert.port)};branch=z9hG4bK${id()}`;
    const rest = ['From: <sip:a@b>;tag=a', `To: <sip:${stack.sip}>`, `Call-ID: ${id()}`, 'CSeq: 1 OPTIONS'];
    const request = [`OPTIONS sip:${stack.sip} SIP/2.0`, via, 'Max-Forwards: 70', ...rest, 'Content-Length: 0', '', ''];
    intruder.write(request.join('\r\n'));
    await eventually(4, () => {
      expect(stolen).toEqual([expect.stringMatching(/^SIP\/2\.0 200/)]);
      return Promise.resolve();
    });
    const call = await answeredCall(
      { phone: anna, from: 'anna@one.test', credentials: CREDENTIALS },
      bert,
      'bert@one.test',
    );
    expect(call.invite).toMatch(/^INVITE /);
    intruder.destroy();
    expect(stolen).toHaveLength(1);
  });

  test('A connection with TLS from the address of a phone with TCP receives none of its calls', async () => {
    const [host = '', port = ''] = stack.sip.split(':');
    const socket = connect({ host, port: Number(port), localAddress: '127.0.0.1', localPort: await freePort() });
    await once(socket, 'connect');
    const bert = new Phone(lineOf(socket));
    phones.push(bert);
    await registered(bert, 'bert');
    const anna = await registered(await secure(), 'anna');
    const intruder = await secure(bert.port);
    const stolen: string[] = [];
    intruder.handle((message) => stolen.push(message));
    intruder.says({ method: 'OPTIONS', uri: `sip:${stack.sip}`, from: 'a@b', to: 'a@b' });
    await eventually(4, () => {
      expect(stolen).toEqual([expect.stringMatching(/^SIP\/2\.0 200/)]);
      return Promise.resolve();
    });
    const caller = { phone: anna, from: 'anna@one.test', credentials: CREDENTIALS };
    for (const isThere of [true, false]) {
      if (!isThere) intruder.close();
      const call = await answeredCall(caller, bert, 'bert@one.test');
      anna.says({ ...call.fromCaller, method: 'BYE', cseq: 5 });
      expect(await bert.hears(/^BYE /, 4)).toBeDefined();
    }
    expect(stolen).toHaveLength(1);
  });

  test('A reload of certificates drops none of 100 calls, and is refused if the key does not fit', async () => {
    const [anna, bert] = [await registered(await secure(), 'anna'), await registered(await secure(), 'bert')];
    const caller = { phone: anna, from: 'anna@one.test', credentials: CREDENTIALS };
    const call = (): Promise<AnsweredCall> => answeredCall(caller, bert, 'bert@one.test');
    const calls: AnsweredCall[] = [];
    for (let count = 0; count < 100; count++) calls.push(await call());
    const reload = (): Promise<string> => stack.reload();
    const serial = async (): Promise<string> => {
      const [host = '', port = ''] = tls.split(':');
      const socket = connectTls({ host, port: Number(port), ca: readFileSync(certificates.authority()) });
      await once(socket, 'secureConnect');
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      return serialNumber;
    };
    const former = await serial();
    copyFileSync(certificates.sign('next', 'IP:127.0.0.1').cert, own.cert);
    await expect(reload()).rejects.toThrow('cannot use the new certificates and keeps those before');
    expect(await serial()).toBe(former);
    copyFileSync(certificates.at('next.key'), own.key);
    expect(await reload()).toBe('Kamailio uses the certificates in its files for new connections.\n');
    expect(await serial()).not.toBe(former);
    calls.push(await call());
    for (const { fromCaller } of calls) {
      const answer = anna.asks({ ...fromCaller, method: 'BYE', cseq: 5 });
      bert.answers((await bert.hears(/^BYE /, 4)) ?? '', '200 OK', 't');
      expect(await answer).toMatch(/^SIP\/2\.0 200/);
    }
  });

  test('A registration over TLS shows its transport', async () => {
    await registered(await secure(), 'anna');
    expect(await stack.addresses()).toEqual([
      { addressOfRecord: 'sip:anna@one.test', contactInfo: expect.stringContaining(';transport=tls;') as string },
    ]);
  });

  describe('A gateway with TLS', () => {
    let count = 0;

    /** A provider with a gateway, and a domain whose calls leave through it. Returns its registration, too. */
    async function gateway(host: string, certified: Certified, more: object = {}) {
      const provider = await TlsProvider.open(certified, host === 'localhost' ? '127.0.0.1' : host);
      providers.push(provider);
      const domain = `tls${String(++count)}.test`;
      const gatewayRef = await createGateway(stack.app, {
        host,
        port: provider.port,
        transport: 'TLS',
        username: 'customer',
        secret: 'trunk-secret',
        ...more,
      });
      const numberRef = await createNumber(stack.app, {
        gatewayRef,
        telUrl: `tel:+49301${String(count)}`,
        aorLink: 'sip:bert@one.test',
      });
      await createDomain(stack.app, { domainUri: domain, egressPolicy: { rule: '^[+]49[0-9]+$', numberRef } });
      await createAgent(stack.app, { username: 'carl', secret: 's', domains: [domain] });
      return { provider, gatewayRef, domain, number: `+49301${String(count)}` };
    }

    async function stateOf(gatewayRef: string): Promise<string | undefined> {
      const { data } = await stack.app.graphql<{ gateway: { registration: { state: string } | null } }>(
        `{ gateway(ref: "${gatewayRef}") { registration { state } } }`,
      );
      return data.gateway.registration?.state;
    }

    async function becomes(gatewayRef: string, state: 'UP' | 'DOWN'): Promise<void> {
      await eventually(60, async () => {
        const { data } = await stack.app.graphql(`{ gateway(ref: "${gatewayRef}") { health { state } } }`);
        expect(data).toEqual({ gateway: { health: { state } } });
      });
    }

    /** Calls +49123 as carl of a domain; returns the final response. */
    async function dial(domain: string): Promise<string | undefined> {
      const carl = await secure();
      const asking = { method: 'INVITE', uri: `sip:+49123@${domain}`, from: `carl@${domain}`, callId: id() };
      const headers = [`Contact: <${carl.contact('carl')}>`];
      return carl.proves({ ...asking, to: `+49123@${domain}`, headers }, { username: 'carl', secret: 's' });
    }

    const MANY = `DNS:first.test,DNS:*.example.test,URI:sip:second.test,DNS:LocalHost,IP:127.0.7.1`;

    test.each([['localhost'], ['127.0.7.1']])(
      'is registered and called if its certificate names its host %s',
      async (host) => {
        const { provider, gatewayRef, domain, number } = await gateway(host, certificates.sign(`good-${host}`, MANY));
        await eventually(60, async () => expect(await stateOf(gatewayRef)).toBe('REGISTERED'));
        expect(provider.heard).toEqual([
          expect.stringMatching(/^REGISTER [^ ]+ SIP/),
          expect.stringMatching(/^REGISTER .* with a digest$/),
        ]);
        expect(provider.serverNames).toEqual([host === 'localhost' ? 'localhost' : false]);
        provider.heard.length = 0;
        expect(await dial(domain)).toMatch(/^SIP\/2\.0 200/);
        expect(provider.heard.filter((line) => line.startsWith('INVITE'))).toEqual([
          expect.stringMatching(/^INVITE sip:[^ ]+ SIP\/2.0$/),
          expect.stringMatching(/^INVITE .* with a digest$/),
        ]);
        await becomes(gatewayRef, 'UP');
        const bert = await registered(await secure(), 'bert');
        const contact = `Contact: <sip:provider@${host}:${String(provider.port)};transport=tls>`;
        const inviting = { method: 'INVITE', uri: `sip:${number}@${tls}`, from: '+4999@provider.test' };
        provider.phone?.says({ ...inviting, to: `${number}@${tls}`, headers: [contact] });
        expect(await bert.hears(/^INVITE /, 4)).toBeDefined();
        provider.hangUp();
        await eventually(60, async () => expect(await dial(domain)).toMatch(/^SIP\/2\.0 200/));
        expect(provider.serverNames).toHaveLength(2);
      },
    );

    describe('calls', () => {
      let provider: TlsProvider;
      let bert: Phone;
      let outgoing: Phone;
      let call: AnsweredCall;
      let callWith: (options: Parameters<typeof answeredCall>[3]) => Promise<AnsweredCall>;
      let proxy: string;

      beforeEach(async () => {
        const host = '127.0.7.5';
        const trunk = await gateway(host, certificates.sign('calling', `IP:${host}`));
        provider = trunk.provider;
        await eventually(60, async () => expect(await stateOf(trunk.gatewayRef)).toBe('REGISTERED'));
        bert = await registered(await secure(), 'bert');
        outgoing = await secure(undefined, host);
        const place = `${host}:${String(provider.port)}`;
        const caller = { phone: outgoing, from: '+4999@provider.test' };
        callWith = (options) => answeredCall(caller, bert, `${trunk.number}@${tls}`, options);
        call = await callWith({ callerContact: `sip:provider@${place};transport=tls` });
        proxy = `<sip:${place};transport=tls;lr>`;
      });

      const byes = (): readonly string[] => provider.heard.filter((line) => line.startsWith('BYE'));

      test('on a connection that stays open, unlike one of nobody', async () => {
        const [host = '', port = ''] = tls.split(':');
        const idle = connectTls({ host, port: Number(port), ca: readFileSync(certificates.authority()) }).resume();
        await once(idle, 'close', { signal: AbortSignal.timeout(50_000) });
        const ended = bert.asks(call.fromCallee);
        outgoing.answers((await outgoing.hears(/^BYE /, 4)) ?? '', '200 OK', 'a');
        expect(await ended).toMatch(/^SIP\/2\.0 200/);
        expect(byes()).toEqual([]);
      });

      test('and gets the BYE of a phone on another connection if that one is closed', async () => {
        outgoing.close();
        expect(await bert.asks(call.fromCallee)).toMatch(/^SIP\/2\.0 200/);
        expect(byes()).toHaveLength(1);
      });

      test('and gets that BYE also through its proxy', async () => {
        const behind = 'sip:provider@127.0.7.6:5061;transport=tls';
        const proxied = await callWith({ callerContact: behind, recorded: [`Record-Route: ${proxy}`] });
        outgoing.close();
        expect(await bert.asks(proxied.fromCallee)).toMatch(/^SIP\/2\.0 200/);
        expect(byes()).toEqual([expect.stringContaining(behind)]);
      });

      test('and gets a BYE of Kamailio', async () => {
        const list = stack.kamailio.control('dlg.list');
        const start = list.lastIndexOf('h_entry', list.indexOf(call.fromCallee.callId ?? ''));
        const [, entry = '', number = ''] = /h_entry: (\d+)\s+h_id: (\d+)/.exec(list.slice(start)) ?? [];
        stack.kamailio.control('dlg.end_dlg', entry, number);
        expect(await bert.hears(/^BYE /, 4)).toBeDefined();
        await eventually(4, () => {
          expect(byes()).toHaveLength(1);
          return Promise.resolve();
        });
      });
    });

    test.each([
      ['another name', '127.0.7.2', 'IP:127.0.7.9,DNS:other.test', 'known'],
      ['a wildcard', 'localhost', 'DNS:*,DNS:*.localhost,DNS:notlocalhost,DNS:localhost.test', 'known'],
      ['an unknown authority', '127.0.7.3', 'IP:127.0.7.3', 'unknown'],
    ])('with a certificate of %s gets no REGISTER, no call and no digest', async (name, host, names, by) => {
      const signed = certificates.sign(`bad-${name.replaceAll(' ', '-')}`, names, { by });
      const { provider, gatewayRef, domain } = await gateway(host, signed);
      await eventually(60, async () => expect(await stateOf(gatewayRef)).toBe('UNREACHABLE'));
      await eventually(10, async () => expect(await dial(domain)).toMatch(/^SIP\/2\.0 503 /));
      await becomes(gatewayRef, 'DOWN');
      expect(provider.heard).toEqual([]);
      const warning = `no connection to the gateway host ${host} with TLS`;
      await eventually(15, () => {
        expect(stack.kamailio.log().includes(warning)).toBe(true);
        return Promise.resolve();
      });
    });
  });
});
