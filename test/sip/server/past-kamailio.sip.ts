import { databases } from '../../support/databases/databases';
import { answeredCall, type Caller } from '../call';
import { openPhones, registeredPhone } from '../phones/open-phones';
import { digest, headersOf, id, Phone } from '../phone';
import { startStack, type Stack } from '../stack';
import { createTrunk } from '../gateways/trunk';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const AGENT_CALLS = 2;
/** A datagram that is longer than this is dropped by some phones and providers, such as those with PJSIP's default. */
const SHORT = 4000;
const vias = (count: number): readonly string[] =>
  Array.from({ length: count }, () => `Via: SIP/2.0/UDP 127.0.13.7;branch=z9hG4bK${'x'.repeat(60)}`);
const USERS = Array.from({ length: 20 }, (_, index) => `olga${String(index)}`);

describe('Nobody leads a call past Kamailio', () => {
  let stack: Stack;
  let provider: Phone;
  /** The caller of this test, who has no other calls. */
  let user = '';
  const open = openPhones(() => stack);

  beforeAll(async () => {
    stack = await startStack(database, { config: ['--agent-calls', String(AGENT_CALLS)] });
    provider = await Phone.open(stack.sip, '127.0.13.9');
    await createTrunk(stack.app, {
      gateway: { host: '127.0.13.9', port: provider.port },
      aorLink: 'sip:eve@one.test',
      agents: [...[...USERS, 'ünï'].map((user) => [user, 'out.test'] as const), ['eve', 'one.test']],
    });
  });

  beforeEach(() => {
    user = USERS[USERS.indexOf(user) + 1] ?? '';
  });

  afterAll(async () => {
    provider.close();
    await stack.close();
  });

  async function olga(): Promise<Caller> {
    const phone = await open('127.0.13.2');
    return { phone, from: `${user}@out.test`, credentials: { username: user, secret: 's' } };
  }

  const eve = (): Promise<Phone> => registeredPhone(open, 'eve', 'one.test', '127.0.13.3');

  /** Olga calls eve. Returns her phone, and the INVITE that eve's phone receives. */
  async function calls(callee: Phone) {
    const { phone, from, credentials = { username: '', secret: '' } } = await olga();
    const headers = [`Contact: <${phone.contact('x')}>`];
    const asking = { method: 'INVITE', uri: 'sip:eve@one.test', from, to: 'eve@one.test', headers };
    const response = phone.proves({ ...asking, callId: id(), fromTag: id() }, credentials);
    const invite = (await callee.hears(/^INVITE/)) ?? '';
    return { phone, response, invite };
  }

  test.each([
    ['without Record-Route', () => []],
    ['with a proxy of its own only', () => ['Record-Route: <sip:x@127.0.13.7;lr>']],
    ['with a proxy behind Kamailio', (own: string) => [own, 'Record-Route: <sip:x@127.0.13.7;lr>']],
  ])('an answer %s goes on with Kamailio in the way', async (_, routes) => {
    const callee = await eve();
    const { response, invite } = await calls(callee);
    const [own = ''] = headersOf(invite, 'Record-Route');
    const bare = invite.replace(/^Record-Route:.*\r\n/gm, '');
    callee.answers(bare, '200 OK', 'e', [`Contact: <${callee.contact('x')}>`, ...routes(own)]);
    const heard = headersOf((await response) ?? '', 'Record-Route').flatMap((line) => line.split(','));
    expect(heard.at(-1)).toContain(stack.sip);
  });

  test.each(['300', '302', '305', '380'])('%s to another host is not passed on', async (status) => {
    const callee = await eve();
    const { response, invite } = await calls(callee);
    callee.answers(invite, `${status} Elsewhere`, 'e', ['Contact: <sip:x@127.0.13.7:5070>']);
    expect(await response).toMatch(/^SIP\/2\.0 480/);
  });

  test.each(['401', '407', '302'])('%s after a CANCEL is not passed on', async (status) => {
    const callee = await eve();
    const { phone, response, invite } = await calls(callee);
    callee.answers(invite, '180 Ringing', 'e', [`Contact: <${callee.contact('x')}>`]);
    const ringing = (await response) ?? '';
    const cancel = [
      ...['CANCEL sip:eve@one.test SIP/2.0', headersOf(ringing, 'Via')[0] ?? '', 'Max-Forwards: 70'],
      ...[headersOf(ringing, 'From')[0] ?? '', 'To: <sip:eve@one.test>', headersOf(ringing, 'Call-ID')[0] ?? ''],
      ...['CSeq: 2 CANCEL', 'Content-Length: 0', '', ''],
    ];
    phone.send(cancel.join('\r\n'));
    expect(await callee.hears(/^CANCEL/)).toBeDefined();
    const evil = ['WWW-Authenticate: Digest realm="out.test", nonce="evil"', 'Contact: <sip:+1900@out.test>'];
    callee.answers(invite, `${status} No`, 'e', evil);
    expect(await phone.hears(/^SIP\/2\.0 4(03|80|87)/)).toBeDefined();
    expect(await phone.hears(/evil|\+1900/, 0.2)).toBeUndefined();
  });

  test('a digest for another server is none for Kamailio', async () => {
    const { phone, from } = await olga();
    const asking = { method: 'INVITE', uri: 'sip:+4930666@out.test', from, to: '+4930666@out.test' };
    const headers = [`Contact: <${phone.contact('x')}>`];
    for (const uri of ['sip:x@127.0.13.7:5070', 'sip:x@out.test;maddr=127.0.13.7']) {
      const ids = { callId: id(), fromTag: id() };
      const challenge = (await phone.asks({ ...asking, ...ids, headers })) ?? '';
      const proof = digest(challenge, 'INVITE', uri, { username: user, secret: 's' });
      const answer = await phone.asks({ ...asking, ...ids, cseq: 2, headers: [...headers, proof] });
      expect(answer).toMatch(/^SIP\/2\.0 403 Digest is for another server/);
    }
    expect(await provider.hears(/^INVITE/, 0.2)).toBeUndefined();
  });

  test('a BYE that the other party would refuse does not end the counting', async () => {
    const callee = await eve();
    const made = [];
    for (let call = 0; call < AGENT_CALLS; call++) {
      const caller = await olga();
      made.push({ ...caller, ...(await answeredCall(caller, callee, 'eve@one.test')) });
    }
    const [first] = made;
    if (!first) throw new Error('no call');
    const { phone, fromCaller } = first;
    const bye = { ...fromCaller, method: 'BYE', cseq: 9 };
    const headers = fromCaller.headers ?? [];
    for (const [changed, answer] of [
      [{ headers: [...headers, 'Route: <sip:evil@127.0.13.7;lr>'] }, '403'],
      [{ headers: [] }, '403'],
      [{ cseq: 1 }, '500'],
      [{ headers: [...headers, ...vias(40)] }, '400'],
    ] as const) {
      expect([changed, await phone.asks({ ...bye, ...changed })]).toEqual([
        changed,
        expect.stringMatching(new RegExp(`^SIP/2\\.0 ${answer}`)),
      ]);
    }
    const more = await olga();
    const third = { method: 'INVITE', uri: 'sip:eve@one.test', from: more.from, to: 'eve@one.test' };
    const contact = [`Contact: <${more.phone.contact('x')}>`];
    const own = more.credentials ?? { username: '', secret: '' };
    expect(await more.phone.proves({ ...third, headers: contact }, own)).toMatch(/^SIP\/2\.0 486 Too Many/);
    const text = phone.says({ ...bye, cseq: 1, headers: [...headers, 'Require: foo', 'Proxy-Require: foo'] });
    expect(await phone.hears(/^SIP\/2\.0 500/)).toBeDefined();
    const again = (to: string): string =>
      text
        .replace('CSeq: 1 ', 'CSeq: 9 ')
        .replace('Max-Forwards: 70\r\n', to)
        .replace(/branch=[^\r]+/, `branch=z9hG4bK${id()}`);
    phone.send(again('Max-Forwards: 1\r\n'));
    expect(await phone.hears(/^SIP\/2\.0 483/)).toBeDefined();
    expect(await callee.hears(/^BYE/, 0.2)).toBeUndefined();
    // As long as is accepted.
    const long = ['User-Agent', 'Server', 'Reason', 'Contact', 'Content-Type', 'X', 'Organization', 'Supported'];
    const names = long.map((name) => `${name}: <sip:x@127.0.13.7>;x=${'x'.repeat(300)}\r\n`).join('');
    phone.send(again(names));
    const heard = await callee.hears(/^BYE/);
    expect(heard?.length).toBeLessThan(SHORT);
    expect([headersOf(heard, 'Require'), headersOf(heard, 'Proxy-Require')]).toEqual([[], []]);
  });

  // A provider that follows Route would send the BYE back to the caller's phone, which accepts it, and the call would go on.
  test('a BYE does not lead on to a proxy that its sender named', async () => {
    const { phone, from, credentials = { username: '', secret: '' } } = await olga();
    const self = `<${phone.contact('x')};lr>`;
    const to = '+49555@out.test';
    const asking = { uri: `sip:${to}`, from, to, callId: id(), fromTag: id() };
    const headers = [`Contact: <${phone.contact('x')}>`, `Record-Route: ${self}`];
    const answer = phone.proves({ ...asking, method: 'INVITE', headers }, credentials);
    const atProvider = `Record-Route: <${provider.contact('edge')};lr>`;
    const invite = (await provider.hears(/^INVITE/)) ?? '';
    const recorded = [atProvider, ...headersOf(invite, 'Record-Route'), `Contact: <${provider.contact('x')}>`];
    provider.answers(invite.replace(/^Record-Route:.*\r\n/gm, ''), '200 OK', 'e', recorded);
    expect(await answer).toMatch(/^SIP\/2\.0 200/);
    const own = `Route: <sip:${stack.sip};lr>`;
    const bye = { ...asking, method: 'BYE', uri: provider.contact('x'), toTag: 'e', cseq: 9 };
    expect(await phone.asks({ ...bye, headers: [own, `Route: ${self}`] })).toMatch(/^SIP\/2\.0 403/);
    expect(await provider.hears(/^BYE/, 0.2)).toBeUndefined();
    const done = phone.asks({ ...bye, headers: [own, atProvider.replace('Record-Route', 'Route')] });
    const heard = (await provider.hears(/^BYE/)) ?? '';
    expect(headersOf(heard, 'Route')).toEqual([atProvider.replace('Record-Route', 'Route')]);
    provider.answers(heard, '200 OK', 'e');
    expect(await done).toMatch(/^SIP\/2\.0 200/);
  });

  test.each(['sip:%C3%BCn%C3%AF@out.test', 'sip:%C3%BCnï@out.test', 'sip:olga0%C2%A0@out.test'])(
    'a provider does not call as %s',
    async (from) => {
      const uri = `sip:+4930100@${stack.sip}`;
      const asking = { method: 'INVITE', uri, from: from.slice('sip:'.length), to: `+4930100@${stack.sip}` };
      const headers = [`Contact: <${provider.contact('x')}>`];
      expect(await provider.asks({ ...asking, headers })).toMatch(/^SIP\/2\.0 403/);
    },
  );
});
