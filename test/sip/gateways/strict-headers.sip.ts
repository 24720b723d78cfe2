import { databases } from '../../support/databases/databases';
import { runSql } from '../../support/databases/sql';
import { eventually } from '../../support/eventually';
import { createPeer } from '../../support/factories';
import { answeredCall, routes, uriIn } from '../call';
import { headersOf, id, NOT_UTF8, Phone, type Asking } from '../phone';
import { openPhones, registeredPhone } from '../phones/open-phones';
import { startStack, type Stack } from '../stack';
import { createTrunk } from './trunk';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

/** Spellings of a header that one program reads as `good`, and another one as `bad`. */
const TWO_READINGS: readonly (readonly [string, (good: string, bad: string) => string])[] = [
  ['a URI in a parameter of a bare address', (good, bad) => `${bad};p=<${good}>`],
  ['a quoted URI in a parameter of a bare address', (good, bad) => `${bad};p="${good}"`],
  ['a URI in a parameter', (good, bad) => `<${bad}>;p=<${good}>`],
  ['a URI in a parameter of the URI', (good, bad) => `<${good};p=${bad}>`],
  ['a quoted URI in a parameter', (good, bad) => `<${good}>;p="<${bad}>"`],
  ['a URI as the display name', (good, bad) => `"<${bad}>" <${good}>`],
  ['an escaped quote in the display name', (good, bad) => `"\\"<${bad}>" <${good}>`],
  [
    'an escaped quote in the display name, and a quoted URI in a parameter',
    (good, bad) => `"x\\"y" <${good}>;p="${bad}"`,
  ],
  ['a URI behind an escaped quote in the display name', (good, bad) => `"x\\" ${bad} \\"" <${good}>`],
  ['an escaped backslash at the end of the display name', (good, bad) => `"x\\\\" <${good}>;p="${bad}"`],
  ['a comma in the display name before a URI', (good, bad) => `"x, ${bad}" <${good}>`],
  ['an open quote', (good, bad) => `"<${bad}> <${good}>`],
  ['an open bracket', (good, bad) => `<${bad}, <${good}>`],
  ['two brackets', (good, bad) => `<<${bad}>>, <${good}>`],
  ['two values', (good, bad) => `<${good}>, <${bad}>`],
  ['two users', (good, bad) => `<${bad}@${good.replace(/^sip:/, '')}>`],
  ['a URI in the headers of the URI', (good, bad) => `<${good}?x=<${bad}>>`],
  ['a password', (good, bad) => `<${good.replace('@', `:${bad}@`)}>`],
  ['a folded line', (good, bad) => `<${bad}>\r\n ;p=<${good}>`],
  ['an escaped NUL', (good) => `<${good.replace('@', '%00@')}>`],
];

/**
 * anna and eve are agents of one.test, carl of out.test, which may call +49 through a provider at 127.0.7.9, whose
 * number belongs to anna. pbx is a peer.
 */
describe('What a header says', () => {
  let stack: Stack;
  let provider: Phone;
  let gatewayPort = 0;
  const open = openPhones(() => stack);

  beforeAll(async () => {
    stack = await startStack(database, { config: ['--agent-calls', '0', '--gateway-calls', '0'] });
    const first = await Phone.open(stack.sip, '127.0.7.9');
    gatewayPort = first.port;
    first.close();
    await createPeer(stack.app, { username: 'pbx', secret: 's' });
    await createTrunk(stack.app, {
      gateway: { host: '127.0.7.9', port: gatewayPort, username: 'trunk', secret: 's', sendRegister: false },
      aorLink: 'sip:anna@one.test',
      agents: [
        ['anna', 'one.test'],
        ['eve', 'one.test'],
        ['carl', 'out.test'],
      ],
    });
  });

  beforeEach(async () => {
    provider = await open('127.0.7.9', gatewayPort);
  });

  afterAll(() => stack.close());

  const registered = (user: string, host: string, domain = 'one.test'): Promise<Phone> =>
    registeredPhone(open, user, domain, host);

  test.each(TWO_READINGS)('a Contact or a Path with %s registers nothing', async (_, spell) => {
    const eve = await open('127.0.7.1');
    const [own, other] = [eve.contact('eve'), provider.contact('+1900')];
    const headers = [
      [`Contact: ${spell(own, other)}`],
      [`m: ${spell(own, other)}`],
      [`Contact: <${own}>`, 'Supported: path', `Path: ${spell(`sip:127.0.7.1:${String(eve.port)};lr`, `${other};lr`)}`],
    ];
    for (const each of headers) expect(await eve.registers('eve', 'one.test', each)).toMatch(/^SIP\/2\.0 40[03] /);
    expect(await stack.isBound('eve@one.test')).toBe(false);
  });

  test.each(TWO_READINGS)('a From with %s is refused, from an agent, a peer and a provider', async (_, spell) => {
    const [anna, other] = [await registered('anna', '127.0.7.2'), await open('127.0.7.1')];
    const line = (good: string): string => `From: ${spell(good, 'sip:anna@one.test')};tag=${id()}`;
    const say = (phone: Phone, good: string, uri: string): Promise<string | undefined> => {
      const send = phone.send.bind(phone);
      phone.send = (text) => {
        send(text.replace(/^From: .*$/m, line(good)));
      };
      phone.says({ method: 'MESSAGE', uri, from: 'x@x.test', to: 'anna@one.test' });
      phone.send = send;
      return phone.hears(/^SIP\/2\.0 400/, 2);
    };
    expect(await say(other, 'sip:eve@one.test', 'sip:anna@one.test')).toMatch(/^SIP\/2\.0 400/);
    expect(await say(provider, 'sip:+33142@provider.example', `sip:+4930100@${stack.sip}`)).toMatch(/^SIP\/2\.0 400/);
    anna.forget();
  });

  test.each<readonly [string, string]>([
    ...TWO_READINGS.map(([name, spell]) => [name, spell('sip:+33142@provider.example', 'sip:eve@one.test')] as const),
    ['a dot at the end of the domain', '<sip:eve@one.test.>'],
    ['a domain in capitals', '<sip:eve@ONE.TEST>'],
    ['an escaped @', '<sip:eve%40one.test@provider.example>'],
  ])('an identity with %s is removed from a call of a provider or a peer', async (_, identity) => {
    const anna = await registered('anna', '127.0.7.2');
    const headers = [`Contact: <${provider.contact('x')}>`, `P-Asserted-Identity: ${identity}`];
    const to = `+4930100@${stack.sip}`;
    const call = { uri: `sip:${to}`, from: '+33142@provider.example', to, callId: id(), branch: `z9hG4bK${id()}` };
    provider.says({ ...call, method: 'INVITE', headers });
    const invite = (await anna.hears(/^INVITE/, 3)) ?? '';
    expect(invite).not.toMatch(/P-Asserted-Identity/i);
    expect(invite).not.toBe('');
    anna.answers(invite, '486 Busy Here', 'x');
    await provider.hears(/^SIP\/2\.0 486/);
    provider.says({ ...call, method: 'ACK', toTag: 'x' });
    const pbx = await open('127.0.7.3');
    const callId = id();
    const text = { method: 'MESSAGE', uri: 'sip:anna@one.test', from: 'pbx@one.test', to: 'anna@one.test', headers };
    const answer = pbx.proves({ ...text, callId }, { username: 'pbx', secret: 's' });
    const message = (await anna.hears((heard) => heard.startsWith('MESSAGE') && heard.includes(callId), 3)) ?? '';
    anna.answers(message, '200 OK', 'x');
    expect(await answer).toMatch(/^SIP\/2\.0 200/);
    expect(message).not.toMatch(/P-Asserted-Identity/i);
  });

  test.each(['eve@one.test.', 'eve@ONE.test.', 'eve;x@one.test', 'eve%40one.test@provider.example'])(
    'a provider or a peer does not call as %s',
    async (from) => {
      const [anna, pbx] = [await registered('anna', '127.0.7.2'), await open('127.0.7.3')];
      const to = `+4930100@${stack.sip}`;
      const asking = { method: 'INVITE', uri: `sip:${to}`, from, to, headers: [`Contact: <${provider.contact('x')}>`] };
      expect(await provider.asks(asking)).toMatch(/^SIP\/2\.0 403 From is an agent/);
      const text = { method: 'MESSAGE', uri: 'sip:anna@one.test', from, to: 'anna@one.test' };
      expect(await pbx.proves(text, { username: 'pbx', secret: 's' })).toMatch(/^SIP\/2\.0 403/);
      expect(await anna.hears(/^(INVITE|MESSAGE)/, 0.3)).toBeUndefined();
    },
  );

  test.each<readonly [string, string]>([
    ...TWO_READINGS.map(([name, spell]) => [name, spell('sip:eve@one.test', 'sip:+4930555@one.test')] as const),
    ['a maddr', '<sip:eve@one.test;maddr=127.0.7.9>'],
    ['a maddr behind an address without brackets', 'sip:eve@one.test ;maddr=127.0.7.9'],
    ['parameters of the user', '<sip:eve;x@one.test>'],
    ['a header that is none of a transfer', '<sip:eve@one.test?Route=%3Csip:127.0.7.9%3E>'],
  ])('a transfer or redirection with %s is refused', async (_, target) => {
    const [caller, callee] = [await open('127.0.7.1'), await registered('anna', '127.0.7.2')];
    const who = { phone: caller, from: 'eve@one.test', credentials: { username: 'eve', secret: 's' } };
    const { fromCaller } = await answeredCall(who, callee, 'anna@one.test');
    const headers = [...(fromCaller.headers ?? []), `Refer-To: ${target}`];
    const refused = await caller.asks({ ...fromCaller, method: 'REFER', cseq: 9, headers });
    expect(refused).toMatch(/^SIP\/2\.0 40[03] /);
    const asking = { method: 'INVITE', uri: 'sip:anna@one.test', from: 'eve@one.test', to: 'anna@one.test' };
    const answer = caller.proves(
      { ...asking, headers: [`Contact: <${caller.contact('eve')}>`] },
      { username: 'eve', secret: 's' },
    );
    callee.answers((await callee.hears(/^INVITE/)) ?? '', '302 Elsewhere', 'x', [`Contact: ${target}`]);
    expect(await answer).toMatch(/^SIP\/2\.0 480/);
    expect(await callee.hears(/^REFER/, 0.2)).toBeUndefined();
  });

  test.each([
    ['without a name', '<{}>'],
    ['with a name', 'Eve <{}>'],
    ['with a quoted name', '"Eve (Sales) №1" <{}>'],
    ['with a comma in the name', '"Doe, Eve" <{}>'],
    ['with an escaped quote and a comma in the name', '"Doe \\"E\\", Eve" <{}>'],
    ['with an escaped backslash in the name', '"HOME\\\\eve" <{}>'],
    ['without brackets', '{}'],
    [
      'with an instance and a list of methods',
      '<{}>;+sip.instance="<urn:uuid:00000000-0000-1000-8000-000A95A0E128>";methods="INVITE, ACK, BYE";q=0.5',
    ],
    ['with parameters', '<{};transport=udp;ob>;expires=600'],
  ])('an address %s is accepted', async (_, written) => {
    const eve = await open('127.0.7.1');
    const contact = written.replace('{}', eve.contact('eve'));
    expect(await eve.registers('eve', 'one.test', [`Contact: ${contact}`])).toMatch(/^SIP\/2\.0 200/);
    expect(await stack.isBound('eve@one.test')).toBe(true);
    await eve.registers('eve', 'one.test', ['Contact: *', 'Expires: 0']);
  });

  test.each(['"An\\"na, Ä" ', '"\\"Anna\\""', '"HOME\\\\anna"', '"\\\\\\"" '])(
    'a request with the name %s in From and To reaches the called party (RFC 3261, 25.1)',
    async (name) => {
      const [eve, anna] = [await open('127.0.7.1'), await registered('anna', '127.0.7.2')];
      const send = eve.send.bind(eve);
      eve.send = (text) => {
        send(text.replace(/^(From|To): /gm, (header) => `${header}${name}`));
      };
      const text = {
        method: 'MESSAGE',
        uri: 'sip:anna@one.test',
        from: 'eve@one.test',
        to: 'anna@one.test',
        body: 'x',
      };
      const answer = eve.proves(text, { username: 'eve', secret: 's' });
      const heard = (await anna.hears(/^MESSAGE/, 3)) ?? '';
      for (const header of ['From', 'To']) expect(headersOf(heard, header)[0]).toContain(name);
      anna.answers(heard, '200 OK', 'x');
      expect(await answer).toMatch(/^SIP\/2\.0 200/);
    },
  );

  test.each([
    ['a CR alone', 'Subject: x\rP-Asserted-Identity: <sip:anna@one.test>'],
    ['an LF alone', 'Subject: x\nX-Other: y'],
    ['an empty line of LF', 'Subject: x\n\nEvent: talk'],
    ['a NUL', 'Subject: x\0'],
  ])('a request with %s is refused, and such a response is ignored', async (_, line) => {
    const [eve, anna] = [await open('127.0.7.1'), await registered('anna', '127.0.7.2')];
    const text = { method: 'MESSAGE', uri: 'sip:anna@one.test', from: 'eve@one.test', to: 'anna@one.test', body: 'x' };
    expect(await eve.asks({ ...text, headers: [line] })).toMatch(/^SIP\/2\.0 400 Bad/);
    const answer = eve.proves(text, { username: 'eve', secret: 's' });
    const heard = (await anna.hears(/^MESSAGE/)) ?? '';
    anna.answers(heard, '200 OK', 'x', [line]);
    anna.send(heard.replace(/^.*/, 'SIP/2.0 200 OK').replace('Content-Length: 1', 'Content-Length: 9'));
    anna.answers(heard, '486 Busy Here', 'x');
    expect(await answer).toMatch(/^SIP\/2\.0 486/);
  });

  test.each(['Content-Length\t: 0', 'Content-Length : 0', 'l : 0'])(
    'a length written as "%s" is refused',
    async (line) => {
      const eve = await open('127.0.7.1');
      const asking = { method: 'MESSAGE', uri: 'sip:anna@one.test', from: 'eve@one.test', to: 'anna@one.test' };
      const callId = `length-${String(line.length)}`;
      const text = eve.says({ ...asking, callId: `${callId}-usual` });
      eve.send(
        text
          .replace('Content-Length: 0', line)
          .replace('-usual', '')
          .replace(/branch=\w+/, '$&x'),
      );
      expect(await eve.hears((answer) => answer.includes(`${callId}\r\n`))).toMatch(/^SIP\/2\.0 400 Bad Line End/);
    },
  );

  test.each<readonly [string, string, number, boolean]>([
    ['200 lines', '\r\n', 192, true],
    ['201 lines', '\r\n', 193, false],
    ['some hundred lines', '\r\n', 300, false],
    ['some hundred lines that end with LF', '\n', 300, false],
    ['some hundred lines that end with CR CR LF', '\r\r\n', 300, false],
    ['some hundred lines behind a NUL', '\r\n\0', 500, false],
    ['thousands of lines', '\r\n', 12_000, false],
  ])('of %s of headers, no more than 200 are read', async (_, end, lines, isRead) => {
    const eve = await open('127.0.7.1');
    const asking = { method: 'OPTIONS', uri: `sip:${stack.sip}`, from: 'eve@one.test', headers: ['a: b'] };
    const text = eve.says({ ...asking, to: `x@${stack.sip}` });
    expect(await eve.hears(/^SIP/)).toMatch(/^SIP\/2\.0 200/);
    eve.send(text.replace('a: b\r\n', `a:b${end}`.repeat(lines)).replace(/branch=\w+/, '$&x'));
    if (isRead) expect(await eve.hears(/^SIP/)).toMatch(/^SIP\/2\.0 200/);
    else expect(await eve.hears(/^SIP/, 1)).toBeUndefined();
  });

  const message: Asking = { method: 'MESSAGE', uri: 'sip:anna@one.test', from: 'eve@one.test', to: 'anna@one.test' };

  test.each<readonly [string, string, (eve: Phone) => Partial<Asking>]>([
    ['Request-URI', 'Request-URI', () => ({ uri: `sip:${NOT_UTF8}@one.test` })],
    ['From', 'From', () => ({ from: `eve;${NOT_UTF8}@one.test` })],
    ['To', 'To', () => ({ to: `${NOT_UTF8}@one.test` })],
    ['Contact', 'Contact', (eve) => ({ headers: [`Contact: <${eve.contact(NOT_UTF8)}>`] })],
    ['parameter of Contact', 'Contact', (eve) => ({ headers: [`Contact: <${eve.contact('eve')}>;x="${NOT_UTF8}"`] })],
    ['Call-ID', 'Call-ID or Tag', () => ({ callId: NOT_UTF8 })],
    ['tag', 'Call-ID or Tag', () => ({ fromTag: NOT_UTF8 })],
  ])('a %s that is not UTF-8 is refused, which the database would not store', async (_, refused, more) => {
    const eve = await open('127.0.7.1');
    const answer = await eve.asks({ ...message, ...more(eve) });
    expect(answer).toMatch(new RegExp(`^SIP/2\\.0 400 Bad ${refused}\r`));
  });

  test.each(['2147483647', '2147480001', '4294967295'])(
    'a CSeq of %s is refused, which nothing can follow',
    async (cseq) => {
      const eve = await open('127.0.7.1');
      expect(await eve.asks({ ...message, cseq: Number(cseq) })).toMatch(/^SIP\/2\.0 400/);
      expect(await eve.asks({ ...message, cseq: 2_147_479_999 })).toMatch(/^SIP\/2\.0 40[17]/);
    },
  );

  test('a REGISTER whose User-Agent is not UTF-8, or with an instance that is too long, is refused, and changes nothing', async () => {
    const eve = await open('127.0.7.1');
    const contact = `Contact: <${eve.contact('eve')}>`;
    expect(await eve.registers('eve', 'one.test', [contact, `User-Agent: ${NOT_UTF8}`])).toMatch(
      /^SIP\/2\.0 400 Bad User-Agent/,
    );
    const long = `${contact};+sip.instance="<urn:${'x'.repeat(300)}>"`;
    expect(await eve.registers('eve', 'one.test', [long, 'Supported: outbound'])).toMatch(/^SIP\/2\.0 400 /);
    expect(await stack.isBound('eve@one.test')).toBe(false);
    const agent = `User-Agent: ${'ü'.repeat(300)}`;
    expect(await eve.registers('eve', 'one.test', [contact, agent])).toMatch(/^SIP\/2\.0 200/);
    const { data } = await stack.app.graphql<{ contacts: object }>('{ contacts { nodes { addressOfRecord } } }');
    expect(data.contacts).toMatchObject({
      nodes: expect.arrayContaining([{ addressOfRecord: 'sip:eve@one.test' }]) as unknown,
    });
    await eve.registers('eve', 'one.test', ['Contact: *', 'Expires: 0']);
  });

  test('a response with a tag that is not UTF-8 is ignored, and a reason that is not is recorded with question marks', async () => {
    const [caller, callee] = [await open('127.0.7.1'), await registered('anna', '127.0.7.2')];
    const contact = `Contact: <${caller.contact('caller')}>`;
    const callId = id();
    const asking = { ...message, method: 'INVITE', callId, headers: [contact] };
    const answer = caller.proves(asking, { username: 'eve', secret: 's' });
    const invite = (await callee.hears(/^INVITE/)) ?? '';
    callee.answers(invite, '200 OK', NOT_UTF8, [`Contact: <${callee.contact('anna')}>`]);
    expect(await caller.hears(/^SIP\/2\.0 2/, 0.5)).toBeUndefined();
    callee.answers(invite, `486 Besch${NOT_UTF8}ftigt`, 'x');
    expect(await answer).toMatch(/^SIP\/2\.0 486/);
    await eventually(10, async () => {
      const { data } = await stack.app.graphql(
        'query ($id: String!) { calls(where: { callId: $id }) { nodes { attempts { reason } } } }',
        { id: callId },
      );
      expect(data).toEqual({ calls: { nodes: [{ attempts: [{ reason: 'Besch?ftigt' }] }] } });
    });
  });

  test.each([
    ['a;b', false],
    ['a,b', false],
    ['a b', false],
    ['ab', true],
  ])(
    'whether the tag "%s" in quotes, in From of an INVITE or To of its response, begins a call: %s',
    async (text, isTag) => {
      const [caller, callee] = [await open('127.0.7.1'), await registered('anna', '127.0.7.2')];
      const contact = `Contact: <${caller.contact('caller')}>`;
      const asking = { ...message, method: 'INVITE', headers: [contact] };
      const tag = `"${text}"`;
      const quoted = caller.proves({ ...asking, fromTag: tag, callId: id() }, { username: 'eve', secret: 's' });
      const begun = await callee.hears(/^INVITE/, isTag ? 4 : 0.5);
      expect(begun !== undefined).toBe(isTag);
      if (begun !== undefined) callee.answers(begun, '486 Busy Here', 'x');
      expect(await quoted).toMatch(isTag ? /^SIP\/2\.0 486/ : /^SIP\/2\.0 400 Bad Call-ID or Tag/);
      if (isTag) return;
      const answer = caller.proves({ ...asking, fromTag: id(), callId: id() }, { username: 'eve', secret: 's' });
      const invite = (await callee.hears(/^INVITE/)) ?? '';
      callee.answers(invite, '200 OK', tag, [`Contact: <${callee.contact('anna')}>`]);
      expect(await caller.hears(/^SIP\/2\.0 2/, 0.5)).toBeUndefined();
      callee.answers(invite, '486 Busy Here', 'x');
      expect(await answer).toMatch(/^SIP\/2\.0 486/);
    },
  );

  test('a call to a device with a long Contact is in the table `dialog`, as every other call', async () => {
    const [eve, anna] = [await open('127.0.7.1'), await open('127.0.7.2')];
    await anna.registers('anna', 'one.test', ['Contact: *', 'Expires: 0']);
    const contact = `${anna.contact('anna')};x=${'a'.repeat(400)}`;
    expect(await anna.registers('anna', 'one.test', [`Contact: <${contact}>`])).toMatch(/^SIP\/2\.0 200/);
    const who = { phone: eve, from: 'eve@one.test', credentials: { username: 'eve', secret: 's' } };
    const { fromCaller } = await answeredCall(who, anna, 'anna@one.test');
    await eventually(5, async () => {
      const rows = await runSql(stack.url, `SELECT state FROM ${stack.schema}.dialog WHERE callid = ?`, [
        fromCaller.callId ?? '',
      ]);
      expect(rows).toEqual([[4]]);
    });
  });

  test('a BYE is refused if it would circle between the proxies of the other side', async () => {
    const anna = await registered('anna', '127.0.7.2');
    const callId = id();
    const contact = `Contact: <${provider.contact('x')}>`;
    const proxy = `<sip:127.0.7.9:${String(provider.port)};lr>`;
    const to = `+4930100@${stack.sip}`;
    const call = { uri: `sip:${to}`, from: '+33142@provider.example', to, callId, fromTag: id() };
    const answer = provider.asks({ ...call, method: 'INVITE', headers: [contact, `Record-Route: ${proxy}`] });
    const invite = (await anna.hears(/^INVITE/)) ?? '';
    anna.answers(invite, '200 OK', 'x', [`Contact: <${anna.contact('anna')}>`]);
    expect(await answer).toMatch(/^SIP\/2\.0 200/);
    const bye = (times: number, cseq: number): Asking => {
      const [own = ''] = headersOf(invite, 'Record-Route');
      const headers = [own.split(',')[0] ?? '', ...Array.from({ length: times }, () => `Route: ${proxy}`)];
      const within = { from: to, to: call.from, callId, fromTag: 'x', toTag: call.fromTag };
      return {
        ...within,
        method: 'BYE',
        uri: provider.contact('x'),
        cseq,
        headers: headers.map((line) => line.replace('Record-Route', 'Route')),
      };
    };
    expect(await anna.asks(bye(2, 8))).toMatch(/^SIP\/2\.0 403 Route leads out of this call/);
    const ended = anna.asks(bye(1, 9));
    provider.answers((await provider.hears(/^BYE/)) ?? '', '200 OK', 'x');
    expect(await ended).toMatch(/^SIP\/2\.0 200/);
  });

  test.each([
    ['a strict router', '<sip:eve@{};transport=udp>'],
    ['a strict router behind a loose one', '<sip:127.0.7.9;lr>, <sip:127.0.7.8>'],
    ['lr as a user only', '<sip:x;lr@{}>'],
    ['two lines', '<sip:127.0.7.9;lr>,\r\n <script>: forged'],
  ])('a Record-Route with %s is refused, and not logged', async (_, route) => {
    const [eve, anna] = [await open('127.0.7.1'), await registered('anna', '127.0.7.2')];
    const before = stack.kamailio.log().length;
    for (const method of ['INVITE', 'SUBSCRIBE', 'MESSAGE']) {
      const headers = [
        `Record-Route: ${route.replace('{}', stack.sip)}`,
        `Contact: <${eve.contact('eve')}>`,
        ...(method === 'SUBSCRIBE' ? ['Event: presence'] : []),
      ];
      const asking = { method, uri: 'sip:anna@one.test', from: 'eve@one.test', to: 'anna@one.test', headers };
      expect(await eve.proves(asking, { username: 'eve', secret: 's' })).toMatch(/^SIP\/2\.0 400 Bad Record-Route/);
    }
    expect(await anna.hears(/^(INVITE|SUBSCRIBE|MESSAGE)/, 0.2)).toBeUndefined();
    expect(stack.kamailio.log().slice(before)).not.toContain('forged');
  });

  test.each([
    ['Route in two lines', 'Route: <sip:127.0.7.9;lr>,\r\n <script>: forged'],
    ['Record-Route in two lines', 'Record-Route: <sip:127.0.7.9;lr>,\r\n <script>: forged'],
    ['Route to a strict router', 'Route: <sip:+1900@one.test>'],
  ])('within a call, a %s is refused, and not logged', async (_, line) => {
    const [eve, anna] = [await registered('eve', '127.0.7.1'), await registered('anna', '127.0.7.2')];
    const { fromCaller } = await answeredCall(
      { phone: eve, from: 'eve@one.test', credentials: { username: 'eve', secret: 's' } },
      anna,
      'anna@one.test',
    );
    const before = stack.kamailio.log().length;
    const headers = [...(fromCaller.headers ?? []), line];
    expect(await eve.asks({ ...fromCaller, method: 'INFO', cseq: 8, headers })).toMatch(/^SIP\/2\.0 4/);
    expect(await anna.hears(/^INFO/, 0.2)).toBeUndefined();
    expect(stack.kamailio.log().slice(before)).not.toMatch(/^ <script>/m);
  });

  test('a method in small letters is none', async () => {
    const eve = await open('127.0.7.1');
    const headers = ['Refer-To: <sip:+1900@one.test>'];
    expect(await eve.asks({ method: 'refer', uri: 'sip:anna@one.test', from: 'eve@one.test', headers })).toMatch(
      /^SIP\/2\.0 405/,
    );
  });

  test.each([
    ['Contact', 'Contact: sip:+1900@127.0.7.9;p=<sip:x@127.0.7.2>'],
    ['Record-Route', 'Record-Route: sip:x "<sip:127.0.7.9;lr>'],
    ['header that cannot be parsed', 'P-Asserted-Identity x\r\n<'],
  ])('a response with a broken %s is ignored', async (_, line) => {
    const [caller, callee] = [await open('127.0.7.1'), await registered('anna', '127.0.7.2')];
    const asking: Asking = { method: 'INVITE', uri: 'sip:anna@one.test', from: 'eve@one.test', to: 'anna@one.test' };
    const contact = `Contact: <${caller.contact('eve')}>`;
    const answer = caller.proves({ ...asking, headers: [contact] }, { username: 'eve', secret: 's' });
    const invite = (await callee.hears(/^INVITE/)) ?? '';
    callee.answers(invite, '200 OK', 'x', [line]);
    expect(await caller.hears(/^SIP\/2\.0 2/, 0.5)).toBeUndefined();
    callee.answers(invite, '486 Busy Here', 'x');
    expect(await answer).toMatch(/^SIP\/2\.0 486/);
  });

  const proxies = (count: number, separator = ',', between = ''): string =>
    Array.from(
      { length: count },
      (_, at) => `<sip:${String.fromCharCode(97 + (at % 26))}${String(at % 10)};lr>${between}`,
    ).join(separator);
  const recorded = (list: string) => (text: string) => text.replace('\r\n', `\r\nRecord-Route: ${list}\r\n`);
  const tagged = (tag: string) => (text: string) => text.replace(/;tag=\S+/, `;tag=${tag}`);
  const last = (line: string) => (text: string) => text.replace('\r\nContent-Length', `\r\n${line}\r\nContent-Length`);
  const vias = (count: number): string =>
    Array.from(
      { length: count },
      (_, at) => `Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK${'v'.repeat(80)}${String(at)}`,
    ).join('\r\n');

  test.each<readonly [string, (text: string) => string, '200' | '400' | 'any']>([
    ['nothing unusual', (text) => text, '200'],
    ['8 proxies', recorded(proxies(8)), '200'],
    [
      '8 proxies, and a long tag',
      (text) => tagged('t'.repeat(128))(recorded(proxies(8, ',', ';x=yyyyyyyyyyyyyyyyyyyyyyyyyyyy'))(text)),
      '200',
    ],
    ['33 proxies, and a long tag', (text) => tagged('t'.repeat(121))(recorded(proxies(33))(text)), '400'],
    ['9 proxies', recorded(proxies(9)), '400'],
    ['spaces between proxies', recorded(proxies(8, `,${' '.repeat(60)}`)), '400'],
    ['a comma after the proxies', recorded(`${proxies(2)},`), 'any'],
    ['a proxy with a quoted comma', recorded('<sip:a1;lr>;x="a, b"'), 'any'],
    ['a quoted tag with a comma', tagged('"a,b"'), 'any'],
    ['a quoted tag with a bracket', tagged('"a>b"'), 'any'],
    ['a quoted tag with a semicolon', tagged('"a;b"'), 'any'],
    ['a tag with a comma', tagged('a,b'), 'any'],
    ['many Via', last(vias(118)), '400'],
    ['20 Via', last(vias(19)), '200'],
    ['190 short Via', last('v: SIP/2.0/UDP a;branch=n\r\n'.repeat(190).trim()), '400'],
    ['21 Via in one line', last(`Via: ${'SIP/2.0/UDP a;branch=n,'.repeat(20).slice(0, -1)}`), '400'],
    ['80 other lines', last('X-Other: y\r\n'.repeat(80).trim()), '200'],
    ['a From of more than 100 lines', (text) => text.replace(/^(From: .*)$/m, `$1${'\r\n '.repeat(100)}`), '400'],
    ['a Timestamp of more than 100 lines', last(`Timestamp: 1${'\r\n '.repeat(100)}`), '400'],
    ['an empty tag of the callee', (text) => text.replace(/^(To: .*)$/m, '$1;tag='), '400'],
    ['a quoted tag of the callee that is empty', (text) => text.replace(/^(To: .*)$/m, '$1;tag=""'), '400'],
    ['two tags', (text) => text.replace(/^(From: .*)$/m, '$1;tag=other'), '400'],
    ['a tag of the callee without a value', (text) => text.replace(/^(To: .*)$/m, '$1;tag'), '400'],
    ['a long name of the callee', (text) => text.replace(/^To: (.*)$/m, `To: "${'n'.repeat(900)}" $1`), '200'],
    ['a long name of the caller', (text) => text.replace(/^From: (.*)$/m, `From: "${'n'.repeat(900)}" $1`), '200'],
    [
      'long names of both',
      (text) =>
        text.replace(/^(From|To): (.*)$/gm, (_, name: string, rest: string) => `${name}: "${'n'.repeat(900)}" ${rest}`),
      '400',
    ],
    ['spaces in CSeq', (text) => text.replace(/^CSeq: /m, `CSeq:${' '.repeat(9000)}`), '400'],
    ['a long Call-ID', (text) => text.replace(/^Call-ID: .*$/m, `$&${'c'.repeat(200)}`), '200'],
  ])('an INVITE with %s is refused, or its 200 reaches the caller, who ends the call', async (_, change, expected) => {
    const carl = await open('127.0.7.4');
    const send = carl.send.bind(carl);
    carl.send = (text) => {
      send(text.startsWith('INVITE ') ? change(text) : text);
    };
    const to = '+4930555@out.test';
    const headers = [`Contact: <${carl.contact('carl')}>`];
    const asking = { method: 'INVITE', uri: `sip:${to}`, from: 'carl@out.test', to, headers, fromTag: id() };
    const answer = carl.proves(asking, { username: 'carl', secret: 's' });
    const invite = await Promise.race([provider.hears(/^INVITE /, 4), answer.then(() => undefined)]);
    if (invite !== undefined) provider.answers(invite, '200 OK', id(), [`Contact: <${provider.contact('p')}>`]);
    const final = await answer;
    expect(`${invite === undefined ? 'not called' : 'called'}: ${String(final)}`).toMatch(
      expected === '200'
        ? /^called: SIP\/2\.0 200/
        : expected === '400'
          ? /^not called: SIP\/2\.0 400/
          : /^(called: SIP\/2\.0 200|not called: SIP\/2\.0 [45])/,
    );
    if (invite === undefined) return;
    const [fromTag = '', callId = ''] = [/^From: .*;tag=(.*)$/m, /^Call-ID: (.*)$/m].map(
      (line) => line.exec(final ?? '')?.[1],
    );
    const toTag = /^To: .*;tag=(.*)$/m.exec(final ?? '')?.[1] ?? '';
    const within = { from: 'carl@out.test', to, fromTag, callId, toTag, uri: provider.contact('p') };
    const route = headersOf(final, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
    carl.says({ ...within, method: 'ACK', cseq: 2, headers: route });
    const ending = provider.asks({
      method: 'BYE',
      uri: carl.contact('carl'),
      ...{ from: to, to: 'carl@out.test', fromTag: toTag, toTag: fromTag, callId },
      headers: headersOf(invite, 'Record-Route').map((line) => line.replace('Record-Route', 'Route')),
    });
    carl.answers((await carl.hears(/^BYE /, 4)) ?? '', '200 OK', 'x');
    expect(await ending).toMatch(/^SIP\/2\.0 200/);
  });

  test.each([0, 8])(
    'a call through %i proxies before Kamailio and 18 behind it ends by a BYE through all of them',
    async (before) => {
      const carl = await open('127.0.7.4');
      const to = '+4930555@out.test';
      const [callId, fromTag, toTag] = [id(), id(), id()];
      const behind = proxies(18).replaceAll(';lr', '.a;lr');
      const headers = [
        `Contact: <${carl.contact('carl')}>`,
        ...(before === 0 ? [] : [`Record-Route: ${proxies(before)}`]),
      ];
      const asking = { method: 'INVITE', uri: `sip:${to}`, from: 'carl@out.test', to, headers, fromTag, callId };
      const answer = carl.proves(asking, { username: 'carl', secret: 's' });
      const invite = (await provider.hears(/^INVITE /)) ?? '';
      const early = {
        method: 'UPDATE',
        uri: provider.contact('p'),
        from: asking.from,
        to,
        callId,
        fromTag,
        toTag,
        cseq: 3,
      };
      const update = carl.asks({
        ...early,
        headers: [
          `Contact: <${carl.contact('carl')}>`,
          `Record-Route: ${proxies(26)
            .replaceAll(';lr', '.b;lr')
            .slice(0, 400)
            .replace(/,[^>]*$/, '')}`,
        ],
      });
      const send = provider.send.bind(provider);
      provider.send = (text) => {
        send(recorded(behind)(text));
      };
      provider.answers(invite, '200 OK', toTag, [`Contact: <${provider.contact('p')}>`]);
      provider.send = send;
      const answers = await Promise.all([answer, update]);
      expect(answers.some((text) => (text ?? '').startsWith('SIP/2.0 200'))).toBe(true);
      const proxied = (...lists: readonly string[]): string[] =>
        lists.filter((list) => list !== '').map((list) => `Route: ${list}`);
      const own = headersOf(invite, 'Record-Route').flatMap((line) => line.replace(/^.*?: /, '').split(','))[0] ?? '';
      carl.says({ ...early, method: 'ACK', cseq: 2, headers: proxied(own, behind.split(',').reverse().join(',')) });
      const ending = provider.asks({
        method: 'BYE',
        uri: carl.contact('carl'),
        ...{ from: to, to: asking.from, fromTag: toTag, toTag: fromTag, callId },
        headers: proxied(own, proxies(before)),
      });
      carl.answers((await carl.hears(/^BYE /, 4)) ?? '', '200 OK', 'x');
      expect(await ending).toMatch(/^SIP\/2\.0 200/);
    },
  );

  test.each<readonly [string, (text: string, contact: string) => string]>([
    ['a Contact that is none', (text, contact) => text.replace(contact, 'sip:+1900@127.0.7.9;p=<sip:x@127.0.7.2>')],
    ['a strict router', recorded('<sip:127.0.7.8>')],
    ['a list of proxies that is too long', recorded(`<sip:${'x'.repeat(512)}@127.0.7.8;lr>`)],
    ['too many proxies', recorded(proxies(19))],
    ['a long tag', (text) => text.replace(/^To: .*$/m, `$&${'t'.repeat(128)}`)],
    ['a tag that is not ASCII', (text) => text.replace(/^To: .*$/m, `$&${NOT_UTF8}`)],
    ['a long header', last(`Subject: ${'s'.repeat(16_384)}`)],
    ['an LF alone', last('Subject: x\nX-Other: y')],
    ['a NUL', last('Subject: x\0')],
    ['a wrong length', (text) => text.replace('Content-Length: 0', 'Content-Length: 9')],
    ['no tag', (text) => text.replace(/^(To: .*);tag=.*$/m, '$1')],
    ['no Contact', (text) => text.replace(/^Contact: .*\r\n/m, '')],
    ['the Contact *', (text) => text.replace(/^Contact: .*$/m, 'Contact: *')],
    ['two Contacts', (text) => text.replace(/^Contact: .*$/m, '$&, <sip:x@127.0.7.9>')],
  ])('a call that a provider answers with %s is ended, as nothing would count it', async (answered, change) => {
    // One that challenges the INVITE may challenge the BYE, too, so it gets no ACK.
    for (const challenges of [true, false]) {
      const carl = await open('127.0.7.4');
      const to = '+4930555@out.test';
      const headers = [`Contact: <${carl.contact('carl')}>`];
      const asking = { method: 'INVITE', uri: `sip:${to}`, from: 'carl@out.test', to, headers, fromTag: id() };
      const answer = carl.proves(asking, { username: 'carl', secret: 's' });
      let invite = (await provider.hears(/^INVITE /)) ?? '';
      if (challenges) {
        const challenge = ['Proxy-Authenticate: Digest realm="provider", nonce="n"'];
        provider.answers(invite, '407 Proxy Authentication Required', 'p', challenge);
        invite = (await provider.hears(/^INVITE [^]*username="trunk"/)) ?? '';
        await provider.hears(/^ACK /);
      }
      const send = provider.send.bind(provider);
      provider.send = (text) => {
        send(change(text, provider.contact('p')));
      };
      const toTag = id();
      provider.answers(invite, '200 OK', toTag, [`Contact: <${provider.contact('p')}>`]);
      provider.send = send;
      const bye = await provider.hears(/^BYE /, 2);
      const ack = await provider.hears(/^ACK /, 0.1);
      expect(ack === undefined).toBe(challenges);
      const cseq = Number(/^CSeq: (\d+)/m.exec(invite)?.[1]);
      for (const [heard, number] of [...(challenges ? [] : [[ack, cseq] as const]), [bye, cseq + 1] as const]) {
        expect(/^CSeq: *(\d+)/m.exec(heard ?? '')?.[1]).toBe(String(number));
        for (const name of ['From', 'Call-ID']) expect(headersOf(heard, name)).toEqual(headersOf(invite, name));
        expect(headersOf(heard, 'To')[0]).toContain(answered === 'no tag' ? 'To: <sip:' : toTag);
      }
      expect(await carl.hears(/^SIP\/2\.0 2/, 0.2)).toBeUndefined();
      provider.answers(invite, '486 Busy Here', 'x');
      expect(await answer).toMatch(/^SIP\/2\.0 486/);
      await provider.hears(/^ACK /);
    }
  });

  test.each<readonly [string, (text: string) => string]>([
    ['a tag', (text) => text.replace(/^(To: .*);tag=.*$/m, '$1')],
    ['a Contact', (text) => text.replace(/^Contact: .*\r\n/m, '')],
  ])('a 200 of a phone without %s begins no call, and one with it does', async (_, change) => {
    const anna = await registered('anna', '127.0.7.2');
    const eve = await open('127.0.7.1');
    const headers = [`Contact: <${eve.contact('eve')}>`];
    const asking = { uri: 'sip:anna@one.test', from: 'eve@one.test', to: 'anna@one.test', headers, fromTag: id() };
    const answer = eve.proves({ ...asking, method: 'INVITE' }, { username: 'eve', secret: 's' });
    const invite = (await anna.hears(/^INVITE /, 4)) ?? '';
    const send = anna.send.bind(anna);
    anna.send = (text) => {
      send(change(text));
    };
    anna.answers(invite, '200 OK', 'a', [`Contact: <${anna.contact('anna')}>`]);
    anna.send = send;
    expect(await anna.hears(/^(ACK|BYE|CANCEL) /, 0.5)).toBeUndefined();
    anna.answers(invite, '200 OK', 'a', [`Contact: <${anna.contact('anna')}>`]);
    const ok = await answer;
    expect(ok).toMatch(/^SIP\/2\.0 200/);
    const callId = headersOf(ok, 'Call-ID')[0]?.slice('Call-ID: '.length) ?? '';
    const within = { ...asking, callId, toTag: 'a', uri: uriIn(ok), headers: routes(ok) };
    eve.says({ ...within, method: 'ACK', cseq: 2 });
    expect(await anna.hears(/^ACK /, 2)).toBeDefined();
    const ended = eve.asks({ ...within, method: 'BYE', cseq: 3 });
    anna.answers((await anna.hears(/^BYE /, 2)) ?? '', '200 OK', 'a');
    expect(await ended).toMatch(/^SIP\/2\.0 200/);
  });

  test('an identity that a provider asserts within a call, or in a response, is none of an agent', async () => {
    const anna = await registered('anna', '127.0.7.2');
    const who = { phone: provider, from: '+33142@provider.example' };
    const { fromCaller, fromCallee } = await answeredCall(who, anna, `+4930100@${stack.sip}`);
    const asserted = ['P-Asserted-Identity', 'P-Preferred-Identity', 'Remote-Party-ID'].map(
      (name) => `${name}: <sip:eve@one.test>`,
    );
    provider.says({ ...fromCaller, method: 'UPDATE', cseq: 8, headers: [...(fromCaller.headers ?? []), ...asserted] });
    const update = await anna.hears(/^UPDATE/);
    expect(update).toBeDefined();
    expect(update).not.toContain('eve@');
    const done = anna.asks({ ...fromCallee, method: 'INFO', cseq: 8 });
    provider.answers((await provider.hears(/^INFO/)) ?? '', '200 OK', 'x', asserted);
    expect(await done).not.toContain('eve@');
    const renamed = { ...fromCaller, method: 'INFO', cseq: 9, from: 'eve@one.test' };
    expect(await provider.asks(renamed)).toMatch(/^SIP\/2\.0 403 From does not match/);
  });

  test.each([
    ['a space', 'sip:eve@one.test '],
    ['a tab', 'sip:eve@one.test\t'],
    ['a space and a parameter', 'sip:eve@one.test ;x=y'],
  ])('an agent of a provider with %s behind its address is recognised', async (_, address) => {
    const anna = await registered('anna', '127.0.7.2');
    const call = { uri: `sip:+4930100@${stack.sip}`, to: `+4930100@${stack.sip}` };
    const asking = { ...call, method: 'INVITE', headers: [`Contact: <${provider.contact('x')}>`] };
    const callId = `behind-${String(Date.now())}-${_.length}`;
    const text = (from: string, asserted: string): string =>
      [
        `INVITE ${call.uri} SIP/2.0`,
        `Via: SIP/2.0/UDP ${provider.host}:${String(provider.port)};branch=z9hG4bK${callId}${String(from.length)}`,
        ...['Max-Forwards: 70', `From: ${from};tag=a`, `To: <${call.uri}>`, `Call-ID: ${callId}${String(from.length)}`],
        ...['CSeq: 1 INVITE', ...asking.headers, ...asserted.split('|').filter(Boolean), 'Content-Length: 0', '', ''],
      ].join('\r\n');
    provider.send(text(address, ''));
    const isFinal = (answer: string): boolean => /^SIP\/2\.0 [2-6]/.test(answer) && answer.includes(callId);
    expect(await provider.hears(isFinal)).toMatch(/^SIP\/2\.0 40[03]/);
    provider.send(text('<sip:+33142@provider.example>', `P-Asserted-Identity: ${address}`));
    const invite = (await anna.hears(/^INVITE/)) ?? '';
    expect(invite).toContain('+33142');
    expect(invite).not.toContain('eve@');
    anna.answers(invite, '486 Busy Here', 'x');
  });

  test('a redirection within a call is not passed on, in either direction', async () => {
    const anna = await registered('anna', '127.0.7.2');
    const who = { phone: provider, from: '+33142@provider.example' };
    const { fromCaller, fromCallee } = await answeredCall(who, anna, `+4930100@${stack.sip}`);
    const elsewhere = ['Contact: <sip:+1900@one.test>'];
    const again = provider.asks({ ...fromCaller, method: 'INVITE', cseq: 8 });
    anna.answers((await anna.hears(/^INVITE/)) ?? '', '302 Elsewhere', 'x', elsewhere);
    expect(await again).toMatch(/^SIP\/2\.0 480/);
    const back = anna.asks({ ...fromCallee, method: 'INVITE', cseq: 8, headers: fromCallee.headers ?? [] });
    provider.answers((await provider.hears(/^INVITE/)) ?? '', '302 Elsewhere', 'x', elsewhere);
    expect(await back).toMatch(/^SIP\/2\.0 480/);
    expect(headersOf(await back, 'Contact')).toEqual([]);
  });
});
