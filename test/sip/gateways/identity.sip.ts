import { databases } from '../../support/databases/databases';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../../support/factories';
import { type Phone, headersOf, id, type Asking } from '../phone';
import { openPhones } from '../phones/open-phones';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const SELF_ANSWERING = [
  'Call-Info: <sip:x>;answer-after=0',
  'Alert-Info: <http://x>;info=alert-autoanswer',
  'Answer-Mode: Auto',
];
const ANONYMOUS = /^From: "?Anonymous"? *<sip:anonymous@anonymous\.invalid>;tag=/;

describe('Who calls', () => {
  let stack: Stack;
  const open = openPhones(() => stack);

  beforeAll(async () => {
    stack = await startStack(database);
    for (const username of ['hidden', 'bert', 'open']) {
      const privacy = username === 'hidden' ? 'PRIVATE' : 'NONE';
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'], privacy });
    }
    await createPeer(stack.app, { username: 'pbx', secret: 's' });
  });

  afterAll(() => stack.close());

  async function registered(user: string, host: string): Promise<Phone> {
    const phone = await open(host);
    expect(await phone.registers(user, 'one.test')).toMatch(/^SIP\/2\.0 200/);
    return phone;
  }

  const caller = (phone: Phone, user: string, more: Partial<Asking> = {}): Asking => ({
    method: 'INVITE',
    uri: 'sip:bert@one.test',
    from: `${user}@one.test`,
    to: 'bert@one.test',
    fromTag: id(),
    callId: id(),
    headers: [`Contact: "${user}" <${phone.contact(user)}>;+sip.instance="<urn:uuid:${user}>"`],
    ...more,
  });

  /** Makes a phone call with its secret. Returns the INVITE that the other phone receives, and the response. */
  async function calls(
    phone: Phone,
    asking: Asking,
    other: Phone,
    username: string,
  ): Promise<readonly [string, Promise<string | undefined>]> {
    const answer = phone.proves(asking, { username, secret: 's' });
    return [(await other.hears(new RegExp(`^${asking.method} `), 4)) ?? '', answer];
  }

  test('a private agent is hidden from those it calls, from INVITE to BYE, and both still reach each other', async () => {
    const [anna, bert] = [await registered('hidden', '127.0.4.1'), await registered('bert', '127.0.4.2')];
    const names = [
      ...['P-Asserted-Identity: <sip:hidden@one.test>', 'P-Preferred-Identity: <sip:hidden@one.test>'],
      ...['Remote-Party-ID: <sip:hidden@one.test>', 'Reply-To: <sip:hidden@one.test>', 'User-Agent: Phone of hidden'],
    ];
    const own = caller(anna, 'hidden');
    const asking = { ...own, headers: [...(own.headers ?? []), ...names] };
    const [invite, answer] = await calls(anna, asking, bert, 'hidden');
    expect(headersOf(invite, 'From')).toEqual([expect.stringMatching(ANONYMOUS)]);
    expect(headersOf(invite, 'Contact')).toEqual([`Contact: <sip:anonymous@${stack.sip}>`]);
    expect(invite).not.toMatch(/hidden/);
    expect(invite).not.toMatch(/vsf=/);

    bert.answers(invite, '200 OK', 'b', [`Contact: <${bert.contact('bert')}>`]);
    const ok = (await answer) ?? '';
    expect(headersOf(ok, 'From')).toEqual([`From: <sip:hidden@one.test>;tag=${String(asking.fromTag)}`]);
    const routes = headersOf(ok, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
    const within = { ...asking, uri: bert.contact('bert'), toTag: 'b', cseq: 3 };
    anna.says({
      ...within,
      method: 'ACK',
      cseq: 2,
      headers: [...routes, 'Proxy-Authorization: Digest username="hidden"'],
    });
    const ack = await bert.hears(/^ACK /);
    expect(ack).toBeDefined();
    expect(ack).not.toMatch(/hidden/);

    // The callee sends a request to a caller whose identity it does not know.
    const back = {
      method: 'INVITE',
      uri: `sip:anonymous@${stack.sip}`,
      from: 'bert@one.test',
      to: 'anonymous@anonymous.invalid',
      callId: asking.callId ?? '',
      fromTag: 'b',
      toTag: asking.fromTag ?? '',
      cseq: 9,
      headers: [...routes, `Contact: <${bert.contact('bert')}>`],
    };
    const asked = bert.says(back);
    const again = (await anna.hears(/^INVITE /)) ?? '';
    expect(again.split('\r\n', 1)).toEqual([`INVITE ${anna.contact('hidden')} SIP/2.0`]);
    expect(headersOf(again, 'To')).toEqual([`To: <sip:hidden@one.test>;tag=${String(asking.fromTag)}`]);
    anna.answers(again, '200 OK', 'x', [`Contact: <${anna.contact('hidden')}>`, 'Server: Phone of hidden']);
    const answered = (await bert.hears(/^SIP\/2\.0 200/)) ?? '';
    expect(headersOf(answered, 'Contact')).toEqual([`Contact: <sip:anonymous@${stack.sip}>`]);
    expect(answered).not.toMatch(/hidden/);
    expect(headersOf(answered, 'To')).toEqual(headersOf(asked, 'To'));
    bert.says({ ...back, method: 'ACK' });
    expect(await anna.hears(/^ACK /)).toBeDefined();

    anna.says({ ...within, method: 'BYE', cseq: 4, headers: routes });
    const bye = (await bert.hears(/^BYE /)) ?? '';
    expect(headersOf(bye, 'From')).toEqual([expect.stringMatching(ANONYMOUS)]);
    bert.answers(bye, '200 OK', 'b');
    expect(await anna.hears(/^SIP\/2\.0 200/)).toContain('<sip:hidden@one.test>');
  });

  test('a private agent is hidden in texts; the phone of another one may ask for it', async () => {
    const [anna, bert, open1, open2] = [
      await registered('hidden', '127.0.4.3'),
      await registered('bert', '127.0.4.4'),
      await open('127.0.4.5'),
      await open('127.0.4.5'),
    ];
    const [text] = await calls(anna, { ...caller(anna, 'hidden'), method: 'MESSAGE', headers: [] }, bert, 'hidden');
    expect(headersOf(text, 'From')).toEqual([expect.stringMatching(ANONYMOUS)]);
    expect(text).not.toMatch(/hidden/);
    bert.answers(text, '200 OK', 'b');
    const [shown] = await calls(open1, caller(open1, 'open'), bert, 'open');
    expect(headersOf(shown, 'From')).toEqual([expect.stringContaining('sip:open@one.test')]);
    bert.answers(shown, '486 Busy Here', 'b');
    const asking = caller(open2, 'open');
    const [asked] = await calls(
      open2,
      { ...asking, headers: [...(asking.headers ?? []), 'Privacy: id'] },
      bert,
      'open',
    );
    expect(headersOf(asked, 'From')).toEqual([expect.stringMatching(ANONYMOUS)]);
    expect(asked).not.toMatch(/open@/);
    expect(headersOf(asked, 'Privacy')).toEqual([]);
    bert.answers(asked, '486 Busy Here', 'b');
  });

  test.each([
    ['PRIVATE', '700', 'anonymous.invalid', '<sip:+4930700@127.0.4.6'],
    ['NONE', '701', '+4930701@127.0.4.6', undefined],
  ])('a gateway learns the number of an agent whose privacy is %s', async (privacy, number, from, asserted) => {
    const provider = await open('127.0.4.6');
    const gatewayRef = await createGateway(stack.app, { host: '127.0.4.6', port: provider.port, transport: 'UDP' });
    const numberRef = await createNumber(stack.app, {
      gatewayRef,
      telUrl: `tel:+4930${number}`,
      aorLink: 'sip:x@one.test',
    });
    const domainUri = `${privacy.toLowerCase()}.test`;
    await createDomain(stack.app, { domainUri, egressPolicy: { rule: '^[+]?[0-9]+$', numberRef } });
    await createAgent(stack.app, { username: 'carl', secret: 's', domains: [domainUri], privacy });
    await new Promise((resolve) => setTimeout(resolve, 6000));
    const carl = await open('127.0.4.7');
    const asking = {
      ...caller(carl, 'carl'),
      uri: `sip:+33199@${domainUri}`,
      from: `carl@${domainUri}`,
      to: `+33199@${domainUri}`,
    };
    const [invite] = await calls(carl, asking, provider, 'carl');
    expect(headersOf(invite, 'From')).toEqual([expect.stringContaining(from)]);
    expect(headersOf(invite, 'P-Asserted-Identity')).toEqual(
      asserted === undefined ? [] : [expect.stringContaining(asserted)],
    );
    expect(headersOf(invite, 'Privacy')).toEqual(asserted === undefined ? [] : ['Privacy: id']);
    if (asserted !== undefined) expect(invite).not.toMatch(/carl/);
    provider.answers(invite, '486 Busy Here', 'p');
  });

  test.each([
    ['Privacy: id', false],
    ['Privacy: none', true],
  ])('the phone that a provider calls with %s: it is told who calls: %s', async (privacy, isTold) => {
    const [provider, bert] = [await open('127.0.4.8'), await registered('bert', '127.0.4.9')];
    const gatewayRef = await createGateway(stack.app, { host: '127.0.4.8', port: provider.port, transport: 'UDP' });
    const telUrl = `tel:+49308${isTold ? '1' : '2'}`;
    await createDid(stack.app, { gatewayRef, telUrl, aorLink: 'sip:bert@one.test' });
    const fromTag = id();
    const asking = {
      method: 'INVITE',
      uri: `sip:${telUrl.slice(4)}@${stack.sip}`,
      from: '+33142@127.0.4.8',
      fromTag,
      callId: id(),
      to: `${telUrl.slice(4)}@${stack.sip}`,
      headers: [`Contact: <${provider.contact('+33142')}>`, 'P-Asserted-Identity: <tel:+33142>', privacy],
    };
    provider.says(asking);
    const invite = (await bert.hears(/^INVITE /, 4)) ?? '';
    expect(invite.includes('+33142')).toBe(isTold);
    expect(headersOf(invite, 'P-Asserted-Identity')).toHaveLength(isTold ? 1 : 0);
    bert.answers(invite, '200 OK', 'b', [`Contact: <${bert.contact('bert')}>`]);
    const ok = (await provider.hears(/^SIP\/2\.0 200/)) ?? '';
    const routes = headersOf(ok, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
    provider.says({ ...asking, method: 'ACK', uri: bert.contact('bert'), toTag: 'b', headers: routes });
    expect(await bert.hears(/^ACK /)).toBeDefined();
    const target = /<(.*)>/.exec(headersOf(invite, 'Contact')[0] ?? '')?.[1] ?? '';
    const back = { ...asking, method: 'BYE', uri: target, from: 'bert@one.test', to: 'x@x.test', headers: routes };
    bert.says({ ...back, fromTag: 'b', toTag: fromTag });
    expect(await provider.hears(/^BYE /)).toMatch(/^BYE sip:\+33142@/);
  });

  test('a provider presents nobody of a domain here, and has no phone answer by itself', async () => {
    const [provider, bert] = [await open('127.0.4.20'), await registered('bert', '127.0.4.21')];
    const gatewayRef = await createGateway(stack.app, { host: '127.0.4.20', port: provider.port, transport: 'UDP' });
    await createDid(stack.app, { gatewayRef, telUrl: 'tel:+4930900', aorLink: 'sip:bert@one.test' });
    const to = `+4930900@${stack.sip}`;
    const contact = `Contact: <${provider.contact('x')}>`;
    const call = (from: string, headers: readonly string[]): Asking => ({
      method: 'INVITE',
      uri: `sip:${to}`,
      from,
      to,
      fromTag: id(),
      callId: id(),
      headers: [contact, ...headers],
    });
    for (const from of ['open@one.test', 'open@ONE.test', '%6fpen@one.test'])
      expect(await provider.asks(call(from, []))).toMatch(/^SIP\/2\.0 403 From is an agent/);
    expect(await bert.hears(/^INVITE/, 0.3)).toBeUndefined();
    for (const [asserted, isKept] of [
      ['<sip:+33142@provider.example>', true],
      ['<tel:+33142>', true],
      ['<sip:open@one.test>', false],
      ['"a" <sip:open@one.test', false],
      ['<tel:+33142>, <sip:open@one.test>', false],
    ] as const) {
      const asking = call('+33142@one.test', [`P-Asserted-Identity: ${asserted}`, ...SELF_ANSWERING]);
      provider.says(asking);
      const invite = (await bert.hears(/^INVITE /, 4)) ?? '';
      expect(headersOf(invite, 'From')).toEqual([expect.stringContaining('+33142@one.test')]);
      expect(headersOf(invite, 'P-Asserted-Identity')).toHaveLength(isKept ? 1 : 0);
      for (const header of SELF_ANSWERING) expect(invite).not.toContain(header);
      bert.answers(invite, '486 Busy Here', 'b');
    }
  });

  test('phones answer by themselves within their domain alone', async () => {
    await createAgent(stack.app, { username: 'zoe', secret: 's', domains: ['two.test'] });
    const bert = await registered('bert', '127.0.4.21');
    for (const [user, domain, isKept] of [
      ['open', 'one.test', true],
      ['zoe', 'two.test', false],
    ] as const) {
      const phone = await open('127.0.4.22');
      const contact = `Contact: <${phone.contact(user)}>`;
      const asking = caller(phone, user, { from: `${user}@${domain}`, headers: [contact, ...SELF_ANSWERING] });
      const [invite] = await calls(phone, asking, bert, user);
      for (const header of SELF_ANSWERING) expect(invite.includes(header)).toBe(isKept);
      bert.answers(invite, '486 Busy Here', 'b');
    }
  });

  test('a PBX that is a peer presents a caller from outside, and no agent', async () => {
    const bert = await registered('bert', '127.0.4.11');
    for (const from of ['+33142@one.test', '+33142@pbx.example']) {
      const pbx = await open('127.0.4.10');
      const asserted = 'P-Asserted-Identity: <sip:+33142@pbx.example>';
      const asking = caller(pbx, 'pbx', { from, headers: [`Contact: <${pbx.contact('pbx')}>`, asserted] });
      const [invite] = await calls(pbx, asking, bert, 'pbx');
      expect(headersOf(invite, 'From')).toEqual([expect.stringContaining(`<sip:${from}>`)]);
      expect(headersOf(invite, 'P-Asserted-Identity')).toEqual([asserted]);
      bert.answers(invite, '486 Busy Here', 'b');
    }
    const pbx = await open('127.0.4.10');
    const secret = { username: 'pbx', secret: 's' };
    const contact = `Contact: <${pbx.contact('pbx')}>`;
    const asAgent = caller(pbx, 'pbx', { from: 'open@one.test', headers: [contact] });
    expect(await pbx.proves(asAgent, secret)).toMatch(/^SIP\/2\.0 403 From does not match/);
    const asserting = caller(pbx, 'pbx', { headers: [contact, 'P-Asserted-Identity: <sip:open@one.test>'] });
    const [invite] = await calls(await open('127.0.4.10'), asserting, bert, 'pbx');
    expect(headersOf(invite, 'From')).toHaveLength(1);
    expect(headersOf(invite, 'P-Asserted-Identity')).toEqual([]);
  });

  test('an agent presents nobody else', async () => {
    const phone = await open('127.0.4.12');
    const asking = caller(phone, 'open', { from: '+33142@one.test' });
    expect(await phone.proves(asking, { username: 'open', secret: 's' })).toMatch(/^SIP\/2\.0 403 From does not match/);
  });
});
