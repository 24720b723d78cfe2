import { createServer } from 'node:net';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createGateway } from '../../support/factories';
import { Phone, headersOf, id } from '../phone';
import { startStack, type Stack } from '../stack';
import { freePort } from '../support';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

describe('Replies, and requests that are too large', () => {
  let stack: Stack;
  const open: Phone[] = [];

  beforeAll(async () => {
    stack = await startStack(database);
    await createAgent(stack.app, { username: 'eve', secret: 's', domains: ['one.test'] });
  });

  afterEach(() => {
    for (const phone of open.splice(0)) phone.close();
  });

  afterAll(() => stack.close());

  async function phoneAt(host: string): Promise<Phone> {
    const phone = await Phone.open(stack.sip, host);
    open.push(phone);
    return phone;
  }

  /** A response without a request. */
  const stray = (...vias: readonly string[]): string =>
    [
      ...['SIP/2.0 200 OK', ...vias.map((via) => `Via: SIP/2.0/${via}`)],
      ...['From: <sip:a@b>;tag=1', 'To: <sip:c@d>;tag=2', `Call-ID: ${id()}`, 'CSeq: 1 INVITE'],
      ...['Content-Length: 0', '', ''],
    ].join('\r\n');

  const options = async (): Promise<string | undefined> => {
    const phone = await phoneAt('127.0.1.40');
    phone.says({ method: 'OPTIONS', uri: `sip:${stack.sip}`, from: 'x@y' });
    return phone.hears(/^SIP\/2\.0 200/, 4);
  };

  test('a reply that belongs to no request goes nowhere, whatever its second Via says', async () => {
    const [stranger, victim] = [await phoneAt('127.0.1.31'), await phoneAt('127.0.1.32')];
    let connections = 0;
    const service = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const port = await freePort();
    await new Promise<void>((resolve) => service.listen(port, '127.0.0.1', resolve));
    const own = `UDP ${stack.sip};branch=z9hG4bKa`;
    stranger.send(stray(own, `UDP 127.0.1.32:${String(victim.port)};branch=z9hG4bKx`));
    stranger.send(stray(own, `UDP 10.9.9.9:${String(victim.port)};branch=z9hG4bKx;received=127.0.1.32`));
    stranger.send(stray(own, own, own, `UDP 127.0.1.32:${String(victim.port)};branch=z9hG4bKx`));
    stranger.send(stray(own, `TCP 127.0.0.1:${String(port)};branch=z9hG4bKx`));
    expect(await options()).toBeDefined();
    expect(await victim.hears(/./, 0.5)).toBeUndefined();
    await new Promise((resolve) => service.close(resolve));
    expect(connections).toBe(0);
  });

  /** eve calls herself. Returns the data for requests within the call. */
  async function callToHerself(): Promise<{ phone: Phone; asking: object; route: readonly string[]; other: Phone }> {
    const [phone, other] = [await phoneAt('127.0.1.7'), await phoneAt('127.0.1.7')];
    expect(await other.registers('eve', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const asking = { from: 'eve@one.test', to: 'eve@one.test', callId: id(), fromTag: id() };
    const answered = phone.proves(
      { ...asking, method: 'INVITE', uri: 'sip:eve@one.test', headers: [`Contact: <${phone.contact('eve')}>`] },
      { username: 'eve', secret: 's' },
    );
    const toTag = id();
    other.answers((await other.hears(/^INVITE/)) ?? '', '200 OK', toTag, [`Contact: <${other.contact('eve')}>`]);
    const route = headersOf(await answered, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
    return { phone, other, asking: { ...asking, toTag }, route };
  }

  test('an alias in the request URI is not followed, and refused if it is long', async () => {
    const { phone, other, asking, route } = await callToHerself();
    const victim = await phoneAt('127.0.1.33');
    const at = other.contact('eve');
    const elsewhere = `127.0.1.33~${String(victim.port)}~1`;
    const within = { method: 'INFO', from: 'eve@one.test', ...asking };
    const long = `${'x'.repeat(3000)}~5060~1`;
    let cseq = 10;
    for (const alias of [long, `${elsewhere}${'1'.repeat(900)}`]) {
      const uri = `${at};alias=${alias}`;
      expect(await phone.asks({ ...within, uri, cseq: ++cseq, headers: route })).toMatch(/^SIP\/2\.0 414/);
    }
    for (const alias of ['', '127.0.1.33~5060', 'x~5060~1', elsewhere, `${'x'.repeat(300)}~1~1;alias=${elsewhere}`]) {
      const done = phone.asks({ ...within, uri: `${at};alias=${alias}`, cseq: ++cseq, headers: route });
      other.answers((await other.hears(/^INFO/)) ?? '', '200 OK', 'x');
      expect(await done).toMatch(/^SIP\/2\.0 200/);
    }
    // A strict Route replaces the request URI (RFC 3261, 16.12).
    const strict = [...route, `Route: <${at};alias=${long}>`];
    expect(await phone.asks({ ...within, uri: `sip:${stack.sip};lr`, cseq: 50, headers: strict })).not.toMatch(/ 200 /);
    expect(await other.hears(/^INFO/, 0.3)).toBeUndefined();
    expect(await victim.hears(/./, 0.1)).toBeUndefined();
    expect(await options()).toBeDefined();
    expect(stack.kamailio.log()).not.toMatch(/signal|core dump/);
  });

  test('a Contact, a request URI and a request beyond their limits are refused', async () => {
    const phone = await phoneAt('127.0.1.7');
    const asking = { method: 'OPTIONS', uri: 'sip:eve@one.test', from: 'eve@one.test' };
    expect(await phone.asks({ ...asking, uri: `sip:${'x'.repeat(600)}@one.test` })).toMatch(/^SIP\/2\.0 414/);
    expect(await phone.asks({ ...asking, body: 'x'.repeat(17_000) })).toMatch(/^SIP\/2\.0 513/);
    const headers = [`Contact: <sip:${'x'.repeat(600)}@127.0.1.7>`];
    expect(await phone.asks({ ...asking, headers })).toMatch(/^SIP\/2\.0 400/);
  });

  describe('to the REGISTER of a gateway', () => {
    const contactOf = (request: string, seconds: number): string =>
      `${headersOf(request, 'Contact')[0] ?? ''};expires=${String(seconds)}`;

    async function gatewayAt(provider: Phone): Promise<{ ref: string; asked: string }> {
      const ref = await createGateway(stack.app, {
        host: provider.host,
        port: provider.port,
        transport: 'UDP',
        username: 'customer',
        secret: 'x',
      });
      const asked = (await provider.hears(/^REGISTER/, 15)) ?? '';
      expect(asked).toContain(ref);
      return { ref, asked };
    }

    const registration = async (ref: string): Promise<unknown> => {
      const { data } = await stack.app.graphql<{ gateway: { registration: unknown } }>(
        `{ gateway(ref: "${ref}") { registration { state ip expires } } }`,
      );
      return data.gateway.registration;
    };

    test('an answer counts from the address that was asked, and of no other one that knows all of it', async () => {
      const [provider, thief] = [await phoneAt('127.0.9.1'), await phoneAt('127.0.9.44')];
      const { ref, asked } = await gatewayAt(provider);
      thief.answers(asked, '200 OK', 't', [contactOf(asked, 3600)]);
      expect(await options()).toBeDefined();
      expect(await registration(ref)).toBeNull();
      // A year is longer than the requested lifetime.
      provider.answers(asked, '200 OK', 't', [contactOf(asked, 31_536_000)]);
      const state = { state: 'REGISTERED', ip: '127.0.9.1', expires: 86_400 };
      await eventually(5, async () => expect(await registration(ref)).toEqual(state));
      // A response with the Call-ID of an earlier REGISTER, without a transaction.
      const forged = asked.replace(/branch=[^;\r]+/, 'branch=z9hG4bKnone').replace(/^CSeq: \d+/m, 'CSeq: 99');
      for (const phone of [thief, provider]) phone.answers(forged, '200 OK', 't', [contactOf(asked, 60)]);
      expect(await options()).toBeDefined();
      expect(await registration(ref)).toEqual(state);
    });

    test('the provider that a gateway has left answers for it no more', async () => {
      const [former, current] = [await phoneAt('127.0.9.2'), await phoneAt('127.0.9.3')];
      const { ref, asked } = await gatewayAt(former);
      const to = `host: "${current.host}", port: ${String(current.port)}`;
      await stack.app.graphql(`mutation { updateGateway(ref: "${ref}", input: { ${to} }) { ref } }`);
      const again = (await current.hears(/^REGISTER/, 20)) ?? '';
      former.answers(asked, '200 OK', 't', [contactOf(asked, 3600)]);
      expect(await options()).toBeDefined();
      expect(await registration(ref)).toBeNull();
      current.answers(again, '200 OK', 't', [contactOf(again, 600)]);
      const state = { state: 'REGISTERED', ip: '127.0.9.3', expires: 600 };
      await eventually(5, async () => expect(await registration(ref)).toEqual(state));
    });
  });
});
