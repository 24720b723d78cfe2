import { once } from 'node:events';
import { connect } from 'node:net';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../../support/factories';
import { Phone, digest, headersOf, id, type Asking } from '../phone';
import { openPhones } from './open-phones';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const CREDENTIALS = { username: 'carl', secret: 's' };

describe('Phones and trunks', () => {
  let stack: Stack;
  const open = openPhones(() => stack);
  let provider: Phone;

  /**
   * Creates agents of out.test, whose calls to numbers leave through a provider at 127.0.5.1, and an agent of one.test
   * with a DID.
   */
  beforeAll(async () => {
    stack = await startStack(database);
    provider = await Phone.open(stack.sip, '127.0.5.1');
    const gatewayRef = await createGateway(stack.app, {
      host: '127.0.5.1',
      port: provider.port,
      transport: 'UDP',
      sendRegister: false,
      username: 'customer',
      secret: 'trunk-secret',
    });
    const numberRef = await createNumber(stack.app, {
      gatewayRef,
      telUrl: 'tel:+4930100',
      aorLink: 'sip:carl@out.test',
    });
    await createDid(stack.app, { gatewayRef, telUrl: 'tel:+49-30-200', aorLink: 'sip:bert@one.test' });
    await createDomain(stack.app, { domainUri: 'out.test', egressPolicy: { rule: '^[+]?[0-9]+$', numberRef } });
    await createAgent(stack.app, { username: 'carl', secret: 's', domains: ['out.test'] });
    await createAgent(stack.app, { username: 'bert', secret: 's', domains: ['one.test'] });
    // Kamailio knows a new domain after at most 5 s.
    const probe = await Phone.open(stack.sip, '127.0.5.9');
    await eventually(10, async () => expect(await probe.registers('carl', 'out.test')).toMatch(/^SIP\/2\.0 200/));
    probe.close();
  });

  afterEach(() => {
    provider.forget();
  });

  afterAll(async () => {
    provider.close();
    await stack.close();
  });

  async function registered(user: string, domain: string, host: string): Promise<Phone> {
    const phone = await open(host);
    expect(await phone.registers(user, domain)).toMatch(/^SIP\/2\.0 200/);
    return phone;
  }

  /** Carl calls a URI. Returns the INVITE that the phone receives. */
  async function carlCalls(uri: string, who: Phone): Promise<string> {
    const carl = await open('127.0.5.2');
    const contact = `Contact: <${carl.contact('carl')}>`;
    const asking = { method: 'INVITE', uri, from: 'carl@out.test', fromTag: id(), headers: [contact] };
    void carl.proves(asking, CREDENTIALS);
    const heard = (await who.hears(/^INVITE /, 4)) ?? '';
    if (heard !== '') who.answers(heard, '486 Busy Here', 'x');
    return heard;
  }

  const first = (message: string | undefined): string => (message ?? '').split('\r\n', 1)[0] ?? '';

  test.each([
    'sip:+33-1.42(03)@out.test',
    'tel:+33-1-4203',
    'tel:+3314203;phone-context=example.com',
    'sip:%2B33-14203@out.test',
  ])('a call to %s leaves through the gateway', async (uri) => {
    expect(first(await carlCalls(uri, provider))).toContain(`INVITE sip:+3314203@127.0.5.1:${String(provider.port)};`);
  });

  test.each(['sip:+4930200@out.test', 'sip:+49-30-200@out.test', 'tel:+4930200', 'sip:004930200@out.test'])(
    'a call to an own number, as %s, stays inside',
    async (uri) => {
      const bert = await registered('bert', 'one.test', '127.0.5.3');
      expect(first(await carlCalls(uri, bert))).toBe(`INVITE ${bert.contact('bert')} SIP/2.0`);
      expect(await provider.hears(/^INVITE /, 0.5)).toBeUndefined();
    },
  );

  test('who is not there at an own number is not called outside', async () => {
    const gatewayRef = await createGateway(stack.app, { host: '127.0.5.4', transport: 'UDP' });
    await createDid(stack.app, { gatewayRef, telUrl: 'tel:+4930300', aorLink: 'sip:+3314203@out.test' });
    const carl = await open('127.0.5.2');
    const contact = `Contact: <${carl.contact('carl')}>`;
    const asking = { method: 'INVITE', uri: 'sip:+4930300@out.test', from: 'carl@out.test', headers: [contact] };
    expect(await carl.proves(asking, CREDENTIALS)).toMatch(/^SIP\/2\.0 404 /);
    expect(await provider.hears(/^INVITE /, 0.5)).toBeUndefined();
  });

  test.each(['+4930200', '004930200', '+49-30-200', '4930200'])('a provider calls %s', async (number) => {
    const bert = await registered('bert', 'one.test', '127.0.5.5');
    const asking = { method: 'INVITE', uri: `sip:${number}@${stack.sip}`, from: 'x@127.0.5.1', fromTag: id() };
    provider.says({ ...asking, headers: [`Contact: <${provider.contact('x')}>`] });
    const invite = (await bert.hears(/^INVITE /, 4)) ?? '';
    expect(first(invite)).toBe(`INVITE ${bert.contact('bert')} SIP/2.0`);
    bert.answers(invite, '486 Busy Here', 'b');
  });

  test('a peer without a binding is called at its contactAddr, by address or by name, and never here', async () => {
    const pbx = await open('127.0.0.1');
    const places = { byname: `localhost:${String(pbx.port)}`, byaddress: `127.0.0.1:${String(pbx.port)}` };
    for (const [username, contactAddr] of Object.entries({ ...places, loop: stack.sip, domain: 'one.test' })) {
      await createPeer(stack.app, { username, secret: 's', contactAddr });
    }
    // Names are resolved in the background.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    for (const [username, contactAddr] of Object.entries(places)) {
      expect(first(await carlCalls(`sip:${username}@out.test`, pbx))).toBe(
        `INVITE sip:${username}@${contactAddr} SIP/2.0`,
      );
    }
    const carl = await open('127.0.5.2');
    for (const username of ['loop', 'domain']) {
      const asking = { method: 'INVITE', uri: `sip:${username}@out.test`, from: 'carl@out.test', callId: id() };
      const headers = [`Contact: <${carl.contact('carl')}>`];
      expect(await carl.proves({ ...asking, headers }, CREDENTIALS)).toMatch(/^SIP\/2\.0 480 /);
    }
  });

  test("a provider's challenge is answered with the next CSeq, which the rest of the call goes on from", async () => {
    const carl = await open('127.0.5.2');
    const callId = id();
    const asking: Asking = {
      method: 'INVITE',
      uri: 'sip:+33199@out.test',
      from: 'carl@out.test',
      fromTag: 'c',
      callId,
      cseq: 20,
      headers: [`Contact: <${carl.contact('carl')}>`],
    };
    const answer = carl.proves(asking, CREDENTIALS);
    const invite = (await provider.hears(/^INVITE /, 4)) ?? '';
    expect(headersOf(invite, 'CSeq')).toEqual(['CSeq: 21 INVITE']);
    provider.answers(invite, '407 Proxy Authentication Required', 'p', [
      'Proxy-Authenticate: Digest realm="provider", nonce="n"',
    ]);
    expect(headersOf(await provider.hears(/^ACK /), 'CSeq')).toEqual(['CSeq: 21 ACK']);
    const again = (await provider.hears(/^INVITE /)) ?? '';
    expect(headersOf(again, 'CSeq')).toEqual(['CSeq: 22 INVITE']);
    const expected = digest('SIP/2.0 407\r\nrealm="provider", nonce="n"', 'INVITE', first(again).split(' ')[1] ?? '', {
      username: 'customer',
      secret: 'trunk-secret',
      isOld: true,
    });
    expect(headersOf(again, 'Proxy-Authorization').join()).toContain(/response="[^"]*"/.exec(expected)?.[0]);
    provider.answers(again, '200 OK', 'p2', [`Contact: <${provider.contact('x')}>`]);
    const ok = (await answer) ?? '';
    expect(headersOf(ok, 'CSeq')).toEqual(['CSeq: 21 INVITE']);
    const routes = headersOf(ok, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
    const within = { ...asking, uri: provider.contact('x'), to: '+33199@out.test', toTag: 'p2', headers: routes };
    carl.says({ ...within, method: 'ACK', cseq: 21 });
    expect(headersOf(await provider.hears(/^ACK /), 'CSeq')).toEqual(['CSeq: 22 ACK']);
    carl.says({ ...within, cseq: 22, headers: [...routes, ...(asking.headers ?? [])] });
    const renewed = (await provider.hears(/^INVITE /)) ?? '';
    expect(headersOf(renewed, 'CSeq')).toEqual(['CSeq: 23 INVITE']);
    provider.answers(renewed, '200 OK', 'p2', [`Contact: <${provider.contact('x')}>`]);
    expect(headersOf(await carl.hears(/^SIP\/2\.0 200/), 'CSeq')).toEqual(['CSeq: 22 INVITE']);
    carl.says({ ...within, method: 'ACK', cseq: 22 });
    expect(headersOf(await provider.hears(/^ACK /), 'CSeq')).toEqual(['CSeq: 23 ACK']);
    // The gateway's digest is sent only to the provider, never to a user's own address.
    const own = { ...within, uri: carl.contact('carl'), method: 'INFO', cseq: 23, headers: routes };
    expect(await carl.asks(own)).toMatch(/^SIP\/2\.0 403/);
    expect(await carl.hears(/^INFO /, 0.5)).toBeUndefined();
    expect(await provider.hears(/^INFO /, 0.1)).toBeUndefined();
    carl.says({ ...within, method: 'BYE', cseq: 23 });
    const challenged = (await provider.hears(/^BYE /)) ?? '';
    expect(headersOf(challenged, 'CSeq')).toEqual(['CSeq: 24 BYE']);
    provider.answers(challenged, '407 Proxy Authentication Required', 'p2', [
      'Proxy-Authenticate: Digest realm="provider", nonce="n2"',
    ]);
    const bye = (await provider.hears(/^BYE /)) ?? '';
    expect(headersOf(bye, 'CSeq')).toEqual(['CSeq: 25 BYE']);
    expect(headersOf(bye, 'Proxy-Authorization').join()).toContain('username="customer"');
    provider.answers(bye, '200 OK', 'p2');
    expect(headersOf(await carl.hears(/^SIP\/2\.0 200/), 'CSeq')).toEqual(['CSeq: 23 BYE']);
  });

  test.each([
    ['ünïcode', 'ünïcode', '200'],
    ['名前', encodeURIComponent('名前'), '403'],
    ['Ω'.repeat(32), 'Ω'.repeat(32), '200'],
    ['x'.repeat(64), 'x'.repeat(64), '200'],
    ['a b', 'a%20b', '200'],
  ])('the phone of %s that writes %s is answered with %s', async (username, written, status) => {
    await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
    const phone = await open('127.0.5.8');
    const from = `${written}@one.test`;
    const asking = { method: 'REGISTER', uri: 'sip:one.test', from, headers: [`Contact: <${phone.contact('x')}>`] };
    expect(await phone.proves(asking, { username, secret: 's' })).toMatch(new RegExp(`^SIP/2\\.0 ${status} `));
  });

  test('a TCP phone is listed while its connection is there, and again when it is back', async () => {
    await createAgent(stack.app, { username: 'tcp', secret: 's', domains: ['one.test'] });
    const [host = '', port = ''] = stack.sip.split(':');
    const register = async (): Promise<() => void> => {
      const socket = connect({ host, port: Number(port), localAddress: '127.0.5.6' });
      await once(socket, 'connect');
      const local = `127.0.5.6:${String(socket.localPort)}`;
      const callId = id();
      const ask = async (cseq: number, proof: readonly string[]): Promise<string> => {
        const lines = [
          ...['REGISTER sip:one.test SIP/2.0', `Via: SIP/2.0/TCP ${local};branch=z9hG4bK${id()}`, 'Max-Forwards: 70'],
          ...['From: <sip:tcp@one.test>;tag=t', 'To: <sip:tcp@one.test>', `Call-ID: ${callId}`],
          ...[`CSeq: ${String(cseq)} REGISTER`, `Contact: <sip:tcp@${local};transport=tcp>`, 'Expires: 600', ...proof],
          ...['Content-Length: 0', '', ''],
        ];
        socket.write(lines.join('\r\n'));
        const [data] = (await once(socket, 'data', { signal: AbortSignal.timeout(10_000) })) as [Buffer];
        return data.toString();
      };
      const challenge = await ask(1, []);
      const proof = digest(challenge, 'REGISTER', 'sip:one.test', { username: 'tcp', secret: 's' });
      expect(await ask(2, [proof])).toMatch(/^SIP\/2\.0 200/);
      return () => socket.destroy();
    };
    const isListed = async (): Promise<boolean> =>
      (await stack.addresses()).some(({ addressOfRecord }) => addressOfRecord === 'sip:tcp@one.test');
    const lose = await register();
    expect(await isListed()).toBe(true);
    // Kamailio checks every 10 s.
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    expect(await isListed()).toBe(true);
    lose();
    await eventually(25, async () => expect(await isListed()).toBe(false));
    const end = await register();
    expect(await isListed()).toBe(true);
    end();
  });
});
