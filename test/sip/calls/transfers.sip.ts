import { databases } from '../../support/databases/databases';
import { createPeer } from '../../support/factories';
import { answeredCall } from '../call';
import { Phone, headersOf } from '../phone';
import { openPhones, registeredPhone } from '../phones/open-phones';
import { startStack, type Stack } from '../stack';
import { createTrunk } from '../gateways/trunk';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

/**
 * The domain out.test may call +49 through a provider, whose number belongs to bert@out.test. anna@one.test may not
 * make external calls.
 */
describe('Who has others make calls', () => {
  let stack: Stack;
  const open = openPhones(() => stack);
  let provider: Phone;

  beforeAll(async () => {
    stack = await startStack(database);
    provider = await Phone.open(stack.sip, '127.0.8.1');
    await createPeer(stack.app, { username: 'pbx', secret: 's' });
    await createTrunk(stack.app, {
      gateway: {
        ...{ host: '127.0.8.1', port: provider.port, sendRegister: false },
        ...{ username: 'trunk', secret: 's' },
      },
      aorLink: 'sip:bert@out.test',
      agents: [
        ['anna', 'one.test'],
        ['eve', 'one.test'],
        ['bert', 'out.test'],
        ['carl', 'out.test'],
      ],
    });
  });

  afterEach(() => {
    provider.forget();
  });

  afterAll(async () => {
    provider.close();
    await stack.close();
  });

  const registered = (user: string, domain: string, host: string): Promise<Phone> =>
    registeredPhone(open, user, domain, host);

  const REPLACES = '?Replaces=x%3Bto-tag%3Da%3Bfrom-tag%3Db';
  const INSIDE = ['<sip:eve@one.test>', `<sip:eve@one.test${REPLACES}>`, '<sip:+4930100@one.test>', '<tel:+49-30-100>'];
  const OUTSIDE = ['<sip:+1900@out.test>', '<sip:%2b1900@one.test>', 'tel:+1900', '<sip:nobody@one.test>'];

  test.each([
    ['anna', 'one.test', INSIDE, [...OUTSIDE, '<sip:+49303@out.test>']],
    // The provider would ring the other party of the call again.
    [
      'carl',
      'out.test',
      [...INSIDE, '<sip:+49-303@out.test>', 'tel:+49303'],
      [...OUTSIDE, `<sip:+49303@out.test${REPLACES}>`],
    ],
  ])('%s@%s transfers a call where it may call itself', async (user, domain, allowed, refused) => {
    const [caller, callee] = [await open('127.0.8.2'), await registered('eve', 'one.test', '127.0.8.3')];
    const who = { phone: caller, from: `${user}@${domain}`, credentials: { username: user, secret: 's' } };
    const { fromCaller } = await answeredCall(who, callee, 'eve@one.test');
    const refer = (to: string, cseq: number) =>
      caller.asks({
        ...fromCaller,
        method: 'REFER',
        cseq,
        headers: [...(fromCaller.headers ?? []), `Refer-To: ${to}`],
      });
    for (const [at, to] of [
      ...refused,
      '<sip:eve@one.test>, <sip:+1900@out.test>',
      '<sip:x@elsewhere.example>',
    ].entries())
      expect(`${to} ${String(await refer(to, 10 + at))}`).toContain('SIP/2.0 403 Transfer Not Allowed');
    expect(await callee.hears(/^REFER/, 0.3)).toBeUndefined();
    for (const [at, to] of allowed.entries()) {
      const answer = refer(to, 30 + at);
      const heard = (await callee.hears(/^REFER/)) ?? `no REFER to ${to}`;
      expect(headersOf(heard, 'Refer-To')).toEqual([`Refer-To: ${to}`]);
      callee.answers(heard, '202 Accepted', 'x');
      expect(await answer).toMatch(/^SIP\/2\.0 202/);
    }
  });

  test('a call ends although the transfer named other Contacts, as those of baresip over TCP and TLS have another port', async () => {
    const contacts = { REFER: 'sip:caller@127.0.8.2:5061', NOTIFY: 'sip:callee@127.0.8.3:5061' };
    // As in Contact of a response, which is not read.
    const inResponses = { caller: 'sip:callee@127.0.8.3:45678', callee: 'sip:caller@127.0.8.2:45678' };
    for (const [ending, uri] of [
      ['caller', contacts.NOTIFY],
      ['callee', contacts.REFER],
      ['caller', inResponses.caller],
      ['callee', inResponses.callee],
    ] as const) {
      const [caller, callee] = [await open('127.0.8.2'), await registered('eve', 'one.test', '127.0.8.3')];
      const who = { phone: caller, from: 'anna@one.test', credentials: { username: 'anna', secret: 's' } };
      const { fromCaller, fromCallee } = await answeredCall(who, callee, 'eve@one.test');
      const asks = async (from: Phone, to: Phone, method: 'REFER' | 'NOTIFY', more: readonly string[]) => {
        const asking = from === caller ? { ...fromCaller, cseq: 3 } : fromCallee;
        const headers = [...(asking.headers ?? []), `Contact: <${contacts[method]}>`, ...more];
        const answer = from.asks({ ...asking, method, headers });
        to.answers((await to.hears(new RegExp(`^${method}`))) ?? '', '202 Accepted', 'x');
        expect(await answer).toMatch(/^SIP\/2\.0 202/);
      };
      await asks(caller, callee, 'REFER', ['Refer-To: <sip:bert@out.test>']);
      await asks(callee, caller, 'NOTIFY', ['Event: refer', 'Subscription-State: terminated']);
      const [from, to, bye] =
        ending === 'caller' ? [caller, callee, { ...fromCaller, uri }] : [callee, caller, { ...fromCallee, uri }];
      const answer = from.asks({ ...bye, method: 'BYE', cseq: 5 });
      to.answers((await to.hears(/^BYE/)) ?? 'no BYE', '200 OK', 'x');
      expect(`${ending} to ${uri}: ${String(await answer)}`).toMatch(/: SIP\/2\.0 200/);
    }
  });

  test('a provider is told to call only what the egress policy lets out, and tells nobody to call', async () => {
    const bert = await registered('bert', 'out.test', '127.0.8.4');
    const who = { phone: provider, from: '+33142@provider.example' };
    const { fromCaller, fromCallee } = await answeredCall(who, bert, `+4930100@${stack.sip}`);
    const refer = (to: string, cseq: number) =>
      bert.asks({
        ...fromCallee,
        method: 'REFER',
        cseq,
        headers: [...(fromCallee.headers ?? []), `Refer-To: <${to}>`],
      });
    for (const to of ['sip:+1900@127.0.8.1', 'sip:eve@one.test', 'tel:+1900'])
      expect(await refer(to, 3)).toMatch(/^SIP\/2\.0 403 Transfer Not Allowed/);
    const allowed = refer('sip:+4930777@127.0.8.1', 4);
    const heard = await provider.hears(/^REFER/);
    expect(heard).toBeDefined();
    provider.answers(heard ?? '', '202 Accepted', 'x');
    expect(await allowed).toMatch(/^SIP\/2\.0 202/);
    const back = { ...fromCaller, method: 'REFER', cseq: 5 };
    const told = await provider.asks({ ...back, headers: [...(back.headers ?? []), 'Refer-To: <tel:+4930777>'] });
    expect(told).toMatch(/^SIP\/2\.0 403 Transfer Not Allowed/);
    expect(await bert.hears(/^REFER/, 0.3)).toBeUndefined();
  });

  test.each([
    ['REFER', '403', ['Refer-To: <sip:anna@one.test>']],
    ['NOTIFY', '481', ['Event: check-sync;reboot=true', 'Subscription-State: terminated']],
  ])('an agent sends a %s out of the blue to its own phones alone, a peer to all', async (method, status, extra) => {
    const [anna, eve] = [
      await registered('anna', 'one.test', '127.0.8.5'),
      await registered('eve', 'one.test', '127.0.8.3'),
    ];
    const own = [...extra, `Contact: <${anna.contact('anna')}>`];
    const asking = { method, uri: 'sip:eve@one.test', from: 'anna@one.test', to: 'eve@one.test', headers: own };
    const refused = await anna.proves(asking, { username: 'anna', secret: 's' });
    expect(refused).toMatch(new RegExp(`^SIP/2\\.0 ${status}`));
    expect(await eve.hears(/^(REFER|NOTIFY)/, 0.3)).toBeUndefined();
    const self = await open('127.0.8.5');
    const toSelf = { ...asking, uri: 'sip:anna@one.test', to: 'anna@one.test' };
    const answer = self.proves(toSelf, { username: 'anna', secret: 's' });
    const heard = (await anna.hears(new RegExp(`^${method}`))) ?? '';
    expect(heard).not.toBe('');
    anna.answers(heard, '200 OK', 'x');
    expect(await answer).toMatch(/^SIP\/2\.0 200/);
    void self.proves({ ...asking, from: 'pbx@one.test' }, { username: 'pbx', secret: 's' });
    const fromPeer = await eve.hears(new RegExp(`^${method}`));
    expect(fromPeer).toBeDefined();
    eve.answers(fromPeer ?? '', '200 OK', 'x');
  });

  test.each([
    ['carl', '302', '<sip:+49303@out.test>', '302'],
    ['carl', '302', '<sip:eve@one.test>', '302'],
    ['carl', '302', '<sip:+1900@out.test>', '480'],
    ['carl', '302', '<sip:eve@one.test>, <sip:+1900@out.test>', '480'],
    ['anna', '302', '<sip:+49303@out.test>', '480'],
    ['anna', '486', '<sip:+49303@out.test>', '486'],
  ])('the phone of %s answers %s %s: the caller is answered %s', async (user, status, contact, answered) => {
    const domain = user === 'carl' ? 'out.test' : 'one.test';
    const [caller, callee] = [await open('127.0.8.6'), await registered(user, domain, '127.0.8.7')];
    const to = `${user}@${domain}`;
    const asking = { method: 'INVITE', uri: `sip:${to}`, from: 'eve@one.test', to };
    const answer = caller.proves(
      { ...asking, headers: [`Contact: <${caller.contact('eve')}>`] },
      { username: 'eve', secret: 's' },
    );
    callee.answers((await callee.hears(/^INVITE/)) ?? '', `${status} Elsewhere`, 'x', [`Contact: ${contact}`]);
    const final = await answer;
    expect(final).toMatch(new RegExp(`^SIP/2\\.0 ${answered}`));
    if (answered === '480') expect(final).not.toContain('+1900');
  });

  test('a provider is not sent elsewhere, and sends nobody', async () => {
    const bert = await registered('bert', 'out.test', '127.0.8.4');
    const own = [`Contact: <${provider.contact('x')}>`];
    const asking = { method: 'INVITE', uri: `sip:+4930100@${stack.sip}`, from: '+33142@provider.example' };
    const answer = provider.asks({ ...asking, to: `+4930100@${stack.sip}`, headers: own });
    bert.answers((await bert.hears(/^INVITE/)) ?? '', '302 Elsewhere', 'x', ['Contact: <sip:+4930777@out.test>']);
    expect(await answer).toMatch(/^SIP\/2\.0 480/);
    const carl = await open('127.0.8.8');
    const outgoing = carl.proves(
      {
        method: 'INVITE',
        uri: 'sip:+4930888@out.test',
        from: 'carl@out.test',
        to: '+4930888@out.test',
        headers: [`Contact: <${carl.contact('carl')}>`],
      },
      { username: 'carl', secret: 's' },
    );
    provider.answers((await provider.hears(/^INVITE/)) ?? '', '302 Elsewhere', 'p', [
      'Contact: <sip:+4930999@out.test>',
    ]);
    expect(await outgoing).toMatch(/^SIP\/2\.0 480/);
  });

  test.each([
    ['302 Elsewhere', '480'],
    ['407 Proxy Authentication Required', '403'],
  ])('a provider that answers the credentials of its gateway with %s: the caller gets %s', async (status, final) => {
    const carl = await open('127.0.8.8');
    const to = '+4930888@out.test';
    const headers = [`Contact: <${carl.contact('carl')}>`];
    const asking = { method: 'INVITE', uri: `sip:${to}`, from: 'carl@out.test', to, headers };
    const answer = carl.proves(asking, { username: 'carl', secret: 's' });
    const refusal = ['Contact: <sip:+1900@out.test>', 'Proxy-Authenticate: Digest realm="out.test", nonce="n"'];
    provider.answers((await provider.hears(/^INVITE/)) ?? '', '407 Proxy Authentication Required', 'p', refusal);
    const again = (await provider.hears(/^INVITE.*username="trunk"/s)) ?? '';
    provider.answers(again, status, 'p', refusal);
    expect(await answer).toMatch(new RegExp(`^SIP/2\\.0 ${final}`));
    expect(await answer).not.toMatch(/1900|nonce/);
  });
});
