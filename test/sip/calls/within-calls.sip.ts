import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent } from '../../support/factories';
import { answeredCall, routes, type AnsweredCall } from '../call';
import { digest, headersOf, id, Phone } from '../phone';
import { openPhones, registeredPhone } from '../phones/open-phones';
import { startStack, type Stack } from '../stack';
import { createTrunk } from '../gateways/trunk';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

describe('Within a call', () => {
  let stack: Stack;
  const open = openPhones(() => stack);
  let refs: ReadonlyMap<string, string>;
  let providersPort: number;

  beforeAll(async () => {
    // The tests look at the calls of the module dialog.
    stack = await startStack(database, { edit: (text) => text.replace('|ul\\.rm', '|ul\\.rm|dlg\\.list') });
    const provider = await Phone.open(stack.sip, '127.0.9.1');
    providersPort = provider.port;
    provider.close();
    const { agentRefs } = await createTrunk(stack.app, {
      gateway: { host: '127.0.9.1', port: providersPort, username: 'trunk', secret: 'secret', sendRegister: false },
      aorLink: 'sip:bert@one.test',
      agents: [
        ['anna', 'one.test'],
        ['bert', 'one.test'],
        ['gone', 'one.test'],
        ['left', 'one.test'],
        ['olga', 'out.test'],
        ['paul', 'out.test'],
      ],
    });
    refs = agentRefs;
  });

  afterAll(() => stack.close());

  const provider = (): Promise<Phone> => open('127.0.9.1', providersPort);

  const registered = (user: string, host: string): Promise<Phone> => registeredPhone(open, user, 'one.test', host);

  async function callOf(user = 'anna', callee = 'bert'): Promise<AnsweredCall & { caller: Phone; callee: Phone }> {
    const [caller, other] = [await open('127.0.9.2'), await registered(callee, '127.0.9.3')];
    const who = { phone: caller, from: `${user}@one.test`, credentials: { username: user, secret: 's' } };
    return { ...(await answeredCall(who, other, `${callee}@one.test`)), caller, callee: other };
  }

  test.each(['INVITE', 'UPDATE', 'MESSAGE', 'INFO'])(
    'a %s that names another caller in From is refused',
    async (method) => {
      const { caller, callee, fromCaller, fromCallee } = await callOf();
      const forged = { ...fromCaller, method, cseq: 9, from: 'boss@one.test' };
      expect(await caller.asks(forged)).toMatch(/^SIP\/2\.0 403 From does not match the call/);
      expect(await callee.asks({ ...fromCallee, method, from: 'boss@one.test' })).toMatch(/^SIP\/2\.0 403 /);
      expect(await callee.hears(new RegExp(`^${method}`), 0.3)).toBeUndefined();
      const asked = caller.asks({ ...fromCaller, method, cseq: 10 });
      callee.answers((await callee.hears(new RegExp(`^${method}`))) ?? '', '200 OK', 'x');
      expect(await asked).toMatch(/^SIP\/2\.0 200/);
    },
  );

  test('a BYE that names another caller in From ends the call under the name of its sender', async () => {
    const { caller, callee, fromCaller } = await callOf();
    const done = caller.asks({ ...fromCaller, method: 'BYE', cseq: 9, from: 'boss@one.test' });
    const bye = (await callee.hears(/^BYE/)) ?? '';
    expect(headersOf(bye, 'From')).toEqual([expect.stringContaining('<sip:anna@one.test>')]);
    callee.answers(bye, '200 OK', 'x');
    expect(headersOf(await done, 'From')).toEqual([expect.stringContaining('boss@one.test')]);
  });

  test.each([
    ['Max-Forwards: 10\r\n', 'Max-Forwards: 9'],
    ['', 'Max-Forwards: 10'],
  ])('a BYE with %j ends the call', async (sent, received) => {
    const { caller, callee, fromCaller } = await callOf();
    const text = caller.says({ ...fromCaller, method: 'BYE', cseq: 2 });
    expect(await caller.hears(/^SIP\/2\.0 500/)).toBeDefined();
    const again = (maxForwards: string): void => {
      const bye = text.replace('CSeq: 2 ', 'CSeq: 9 ').replace(/branch=[^\r]+/, `branch=z9hG4bK${id()}`);
      caller.send(bye.replace('Max-Forwards: 70\r\n', maxForwards));
    };
    again('Max-Forwards: 9\r\n');
    expect(await caller.hears(/^SIP\/2\.0 483/)).toBeDefined();
    again(sent);
    const heard = (await callee.hears(/^BYE/)) ?? '';
    expect(headersOf(heard, 'Max-Forwards').map((line) => line.replace(/ +/, ' '))).toEqual([received]);
    callee.answers(heard, '200 OK', 'x');
    expect(await caller.hears(/^SIP\/2\.0 200[^]*BYE/)).toBeDefined();
  });

  test('a BYE before the answer reaches the phone that rings', async () => {
    const [caller, callee] = [await open('127.0.9.2'), await registered('bert', '127.0.9.3')];
    const asking = {
      uri: 'sip:bert@one.test',
      from: 'anna@one.test',
      to: 'bert@one.test',
      callId: id(),
      fromTag: id(),
    };
    const headers = [`Contact: <${caller.contact('anna')}>`];
    const rings = caller.proves({ ...asking, method: 'INVITE', headers }, { username: 'anna', secret: 's' });
    const invite = (await callee.hears(/^INVITE /)) ?? '';
    callee.answers(invite, '180 Ringing', 'x', [`Contact: <${callee.contact('bert')}>`]);
    const within = { ...asking, uri: callee.contact('bert'), toTag: 'x', headers: routes(await rings) };
    const ended = caller.asks({ ...within, method: 'BYE', cseq: 3 });
    const bye = (await callee.hears(/^BYE /)) ?? '';
    expect(bye.split(' ')[1]).toBe(callee.contact('bert'));
    callee.answers(bye, '200 OK', 'x');
    expect(await ended).toMatch(/^SIP\/2\.0 200/);
    callee.answers(invite, '487 Request Terminated', 'x');
    expect(await caller.hears(/^SIP\/2\.0 487/)).toBeDefined();
  });

  test('a request that requires what this server does not know of a proxy gets 420', async () => {
    const { caller, callee, fromCaller } = await callOf();
    const info = { ...fromCaller, method: 'INFO' };
    const requiring = (options: string): readonly string[] => [
      ...(fromCaller.headers ?? []),
      `Proxy-Require: ${options}`,
    ];
    const refused = await caller.asks({ ...info, cseq: 9, headers: requiring('privacy, foo-bar') });
    expect(refused).toMatch(/^SIP\/2\.0 420/);
    expect(headersOf(refused, 'Unsupported')).toEqual(['Unsupported: foo-bar']);
    expect(await callee.hears(/^INFO/, 0.3)).toBeUndefined();
    const asked = caller.asks({ ...info, cseq: 10, headers: requiring('privacy') });
    callee.answers((await callee.hears(/^INFO/)) ?? '', '200 OK', 'x');
    expect(await asked).toMatch(/^SIP\/2\.0 200/);
    const invitation = { method: 'INVITE', uri: 'sip:bert@one.test', from: 'anna@one.test', to: 'bert@one.test' };
    const headers = [`Contact: <${caller.contact('anna')}>`, 'Proxy-Require: foo-bar'];
    expect(await caller.asks({ ...invitation, headers })).toMatch(/^SIP\/2\.0 420/);
  });

  test('a CANCEL of no INVITE gets 481', async () => {
    const phone = await open('127.0.9.2');
    const cancel = { method: 'CANCEL', uri: 'sip:bert@one.test', from: 'anna@one.test', to: 'bert@one.test' };
    expect(await phone.asks(cancel)).toMatch(/^SIP\/2\.0 481/);
  });

  test('of many phones that ring, those that rang last take PRACK', async () => {
    await createAgent(stack.app, { username: 'many', secret: 's', domains: ['one.test'], maxContacts: 11 });
    const phones: Phone[] = [];
    for (let at = 0; at < 11; at++) {
      const phone = await open(`127.100.100.${String(at + 101)}`);
      expect(await phone.registers('many', 'one.test')).toMatch(/^SIP\/2\.0 200/);
      phones.push(phone);
    }
    const caller = await open('127.0.9.2');
    const asking = { from: 'anna@one.test', to: 'many@one.test', fromTag: id(), callId: id() };
    const invitation = {
      ...asking,
      method: 'INVITE',
      uri: 'sip:many@one.test',
      headers: [`Contact: <${caller.contact('anna')}>`],
    };
    const asked = (await caller.asks(invitation)) ?? '';
    caller.says({ ...invitation, method: 'ACK', headers: [] });
    const credentials = digest(asked, 'INVITE', invitation.uri, { username: 'anna', secret: 's' });
    caller.says({ ...invitation, cseq: 2, headers: [...invitation.headers, credentials] });
    const rung: { phone: Phone; invite: string; tag: string; heard: string }[] = [];
    for (const [at, phone] of phones.entries()) {
      const [invite = '', tag] = [await phone.hears(/^INVITE/), `t${String(at)}`];
      phone.answers(invite, '183 Session Progress', tag, [`Contact: <${phone.contact('many')}>`]);
      const heard = (await caller.hears((text) => text.startsWith('SIP/2.0 183') && text.includes(`tag=${tag}`))) ?? '';
      rung.push({ phone, invite, tag, heard });
    }
    const answers: string[] = [];
    for (const [at, { phone, tag, heard }] of rung.entries()) {
      const headers = headersOf(heard, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
      const within = { ...asking, uri: phone.contact('many'), toTag: tag, headers };
      const done = caller.asks({ ...within, method: 'PRACK', cseq: at + 3 });
      const prack = await phone.hears(/^PRACK/, at < 2 ? 0.3 : 4);
      if (prack !== undefined) phone.answers(prack, '200 OK', tag);
      answers.push((await done)?.slice(8, 11) ?? 'silence');
    }
    expect(answers).toEqual(['403', '403', ...Array.from({ length: 9 }, () => '200')]);
    for (const { phone, invite, tag } of rung) phone.answers(invite, '486 Busy Here', tag);
    expect(await caller.hears(/^SIP\/2\.0 486/)).toBeDefined();
  });

  test.each([0, 15])(
    'of two phones that answer within %i ms, the caller hears of the one with which the call goes on, and the other one is ended',
    async (wait) => {
      const anna = await open('127.0.9.2');
      const phones = [await registered('bert', '127.0.9.3'), await open('127.0.9.6')] as const;
      expect(await phones[1].registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
      const asking = {
        uri: 'sip:bert@one.test',
        from: 'anna@one.test',
        to: 'bert@one.test',
        callId: id(),
        fromTag: id(),
      };
      const contact = `Contact: <${anna.contact('anna')}>`;
      const answer = anna.proves(
        { ...asking, method: 'INVITE', headers: [contact] },
        { username: 'anna', secret: 's' },
      );
      const invites: string[] = [];
      for (const phone of phones) invites.push((await phone.hears(/^INVITE /)) ?? '');
      for (const [at, phone] of phones.entries()) {
        phone.answers(invites[at] ?? '', '200 OK', `b${String(at)}`, [`Contact: <${phone.contact('bert')}>`]);
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      }
      const ok = await answer;
      const at = Number(/;tag=b(\d)/.exec(headersOf(ok, 'To')[0] ?? '')?.[1]);
      const [first, second] = at === 0 ? phones : [phones[1], phones[0]];
      const within = { ...asking, uri: first.contact('bert'), toTag: `b${String(at)}`, headers: routes(ok) };
      anna.says({ ...within, method: 'ACK', cseq: 2 });
      expect(await first.hears(/^ACK /, 2)).toBeDefined();
      expect(await second.hears(/^ACK /, 2)).toMatch(new RegExp(`^To: .*;tag=b${String(1 - at)}\r`, 'm'));
      expect(await second.hears(/^BYE /, 2)).toMatch(/^CSeq: 3 BYE\r/m);
      expect(await anna.hears(/^SIP\/2\.0 2/, 0.5)).toBeUndefined();
      const ended = anna.asks({ ...within, method: 'BYE', cseq: 3 });
      first.answers((await first.hears(/^BYE /)) ?? '', '200 OK', 'x');
      expect(await ended).toMatch(/^SIP\/2\.0 200/);
    },
  );

  test('a phone that answers after Kamailio has given it up does not end the answer of another one', async () => {
    const anna = await open('127.0.9.2');
    const late = await registered('bert', '127.0.9.3');
    const ringing = await open('127.0.9.6');
    expect(await ringing.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const asking = {
      uri: 'sip:bert@one.test',
      from: 'anna@one.test',
      to: 'bert@one.test',
      callId: id(),
      fromTag: id(),
    };
    const invitation = { ...asking, method: 'INVITE', headers: [`Contact: <${anna.contact('anna')}>`] };
    const rings = anna.proves(invitation, { username: 'anna', secret: 's' });
    const invites = [(await late.hears(/^INVITE /)) ?? '', (await ringing.hears(/^INVITE /)) ?? ''] as const;
    ringing.answers(invites[1], '180 Ringing', 'b');
    expect(await rings).toMatch(/^SIP\/2\.0 180/);
    await new Promise((resolve) => setTimeout(resolve, 11_000)); // fr_timer is 10 s
    late.answers(invites[0], '200 OK', 'a', [`Contact: <${late.contact('bert')}>`]);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    ringing.answers(invites[1], '200 OK', 'b', [`Contact: <${ringing.contact('bert')}>`]);
    const answer = await anna.hears(/^SIP\/2\.0 200/);
    expect(headersOf(answer, 'To')[0]).toMatch(/;tag=b$/);
    anna.says({ ...asking, uri: ringing.contact('bert'), toTag: 'b', headers: routes(answer), method: 'ACK', cseq: 2 });
    expect(await ringing.hears(/^ACK /, 2)).toBeDefined();
  });

  test('the callee hears of no proxy that the caller named', async () => {
    const [anna, bert] = [await open('127.0.9.2'), await registered('bert', '127.0.9.3')];
    const asking = { uri: 'sip:bert@one.test', from: 'anna@one.test', to: 'bert@one.test', callId: id(), fromTag: 'a' };
    const proxy = `<${anna.contact('proxy')};lr>`;
    const headers = [`Contact: <${anna.contact('anna')}>`, `Record-Route: ${proxy}`];
    const answer = anna.proves({ ...asking, method: 'INVITE', headers }, { username: 'anna', secret: 's' });
    bert.answers((await bert.hears(/^INVITE/)) ?? '', '200 OK', 'b', [`Contact: <${bert.contact('bert')}>`]);
    const own = headersOf(await answer, 'Record-Route').filter((line) => !line.includes(proxy));
    const routes = [`Route: ${proxy}`, ...own.map((line) => line.replace('Record-Route', 'Route'))];
    const within = { ...asking, uri: bert.contact('bert'), toTag: 'b', headers: routes };
    for (const [method, cseq] of [['ACK', 2] as const, ['INFO', 3] as const, ['BYE', 4] as const]) {
      anna.says({ ...within, method, cseq });
      const heard = (await bert.hears(new RegExp(`^${method} `))) ?? '';
      expect([method, headersOf(heard, 'Route')]).toEqual([method, []]);
      bert.answers(heard, '200 OK', 'b');
    }
  });

  test.each(['vsf', 'vst'])('a parameter %s of the Route changes nobody’s name', async (parameter) => {
    const { caller, callee, fromCaller } = await callOf();
    // The format from which the module uac restores a URI: one URI XOR the other.
    const [own, other] = ['sip:anna@one.test', 'sip:boss@one.test'].map((uri) => Buffer.from(uri));
    const mask = Buffer.from(own ?? []).map((byte, at) => byte ^ (other?.[at] ?? 0));
    const value = Buffer.from(mask).toString('base64').replace(/=/g, '-');
    const headers = (fromCaller.headers ?? []).map((line) => line.replace('>', `;${parameter}=${value}>`));
    caller.says({ ...fromCaller, method: 'INFO', cseq: 9, headers });
    const heard = await callee.hears(/^INFO/);
    expect(heard).toBeDefined();
    expect(heard).not.toContain('boss@one.test');
  });

  test('a phone is not told to answer, or anything but how a transfer goes on, by NOTIFY', async () => {
    const { caller, callee, fromCaller, fromCallee } = await callOf();
    const notify = (event: string, cseq: number) =>
      caller.asks({
        ...fromCaller,
        method: 'NOTIFY',
        cseq,
        headers: [...(fromCaller.headers ?? []), `Event: ${event}`],
      });
    for (const event of ['talk', 'check-sync;reboot=true', 'referral'])
      expect(await notify(event, 20)).toMatch(/^SIP\/2\.0 489/);
    expect(await notify('refer', 21)).toMatch(/^SIP\/2\.0 489/);
    const transfer = callee.asks({
      ...fromCallee,
      method: 'REFER',
      headers: [...(fromCallee.headers ?? []), 'Refer-To: <sip:bert@one.test>'],
    });
    caller.answers((await caller.hears(/^REFER/)) ?? '', '202 Accepted', 'x');
    expect(await transfer).toMatch(/^SIP\/2\.0 202/);
    expect(await notify('check-sync', 22)).toMatch(/^SIP\/2\.0 489/);
    const told = notify('refer;id=1', 23);
    callee.answers((await callee.hears(/^NOTIFY/)) ?? '', '200 OK', 'x');
    expect(await told).toMatch(/^SIP\/2\.0 200/);
  });

  test('no other number is called at a provider', async () => {
    const [trunk, olga] = [await provider(), await open('127.0.9.4')];
    const who = { phone: olga, from: 'olga@out.test', credentials: { username: 'olga', secret: 's' } };
    const { fromCaller } = await answeredCall(who, trunk, '+4930555@out.test', { contact: trunk.contact('leg-1') });
    for (const [method, user] of [
      ['INVITE', '+1900'],
      ['UPDATE', '+1900'],
      ['MESSAGE', 'leg-2'],
    ] as const) {
      const refused = await olga.asks({ ...fromCaller, method, uri: trunk.contact(user), cseq: 8 });
      expect(refused).toMatch(/^SIP\/2\.0 403 Not the target of this call/);
    }
    expect(await trunk.hears(/^(INVITE|UPDATE|MESSAGE)/, 0.3)).toBeUndefined();
    // The provider moves the call to another address, and receives a request there.
    const renewed = olga.asks({ ...fromCaller, method: 'INVITE', cseq: 9 });
    const heard = (await trunk.hears(/^INVITE/)) ?? '';
    expect(headersOf(heard, 'From')[0]).toContain('+4930100@');
    trunk.answers(heard, '200 OK', 'x', [`Contact: <${trunk.contact('leg-2')}>`]);
    expect(headersOf(await renewed, 'From')[0]).toContain('olga@out.test');
    olga.says({ ...fromCaller, method: 'ACK', uri: trunk.contact('leg-2'), cseq: 9 });
    expect(await trunk.hears(/^ACK/)).toMatch(/^ACK sip:leg-2@/);
    const done = olga.asks({ ...fromCaller, method: 'BYE', uri: trunk.contact('leg-2'), cseq: 10 });
    trunk.answers((await trunk.hears(/^BYE/)) ?? '', '200 OK', 'x');
    expect(await done).toMatch(/^SIP\/2\.0 200/);
  });

  test('a provider that asks for credentials receives each PRACK with the CSeq that it knows of the INVITE', async () => {
    const [trunk, olga] = [await provider(), await open('127.0.9.4')];
    const challenge = ['Proxy-Authenticate: Digest realm="p", nonce="n", algorithm=MD5'];
    /** The next request of the method that has a digest, after one without. */
    const proved = async (method: string): Promise<string> => {
      const first = (await trunk.hears(new RegExp(`^${method} `))) ?? '';
      trunk.answers(first, '407 Proxy Authentication Required', 'x', challenge);
      return (await trunk.hears((text) => text.startsWith(`${method} `) && text.includes('nonce="n"'))) ?? '';
    };
    const cseqOf = (text: string): number => Number(/^CSeq: *(\d+)/im.exec(text)?.[1]);
    const asking = { from: 'olga@out.test', to: '+4930555@out.test', fromTag: id(), callId: id() };
    const contact = `Contact: <${olga.contact('olga')}>`;
    const invitation = {
      ...asking,
      method: 'INVITE',
      uri: 'sip:+4930555@out.test',
      headers: [contact, 'Supported: 100rel'],
    };
    const asked = (await olga.asks(invitation)) ?? '';
    olga.says({ ...invitation, method: 'ACK', headers: [] });
    const credentials = digest(asked, 'INVITE', invitation.uri, { username: 'olga', secret: 's' });
    olga.says({ ...invitation, cseq: 2, headers: [...invitation.headers, credentials] });
    const invite = await proved('INVITE');
    expect(cseqOf(invite)).toBe(3);
    const reliable = (at: number): void => {
      const headers = [`Contact: <${trunk.contact('p')}>`, 'Require: 100rel', `RSeq: ${String(at)}`];
      trunk.answers(invite, '183 Session Progress', 'x', headers);
    };
    let within = { ...asking, uri: trunk.contact('p'), toTag: 'x', headers: [] as string[] };
    for (const [at, cseq] of [
      [4_294_967_295, 3],
      [2, 4],
    ] as const) {
      reliable(at);
      const heard = await olga.hears((text) => text.startsWith('SIP/2.0 183') && text.includes(`RSeq: ${String(at)}`));
      expect(cseqOf(heard ?? '')).toBe(2);
      const routes = headersOf(heard, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
      within = { ...within, headers: routes };
      olga.says({ ...within, method: 'PRACK', cseq, headers: [...routes, `RAck: ${String(at)} 2 INVITE`] });
      const prack = at === 2 ? ((await trunk.hears(/^PRACK/)) ?? '') : await proved('PRACK');
      expect(headersOf(prack, 'RAck')).toEqual([`RAck: ${String(at)} 3 INVITE`]);
      trunk.answers(prack, '200 OK', 'x');
      const done = await olga.hears((text) => text.startsWith('SIP/2.0 200') && text.includes('PRACK'));
      expect(cseqOf(done ?? '')).toBe(cseq);
    }
    // What is not about this INVITE stays as it is.
    olga.says({ ...within, method: 'PRACK', cseq: 5, headers: [...within.headers, 'RAck: 3 9 INVITE'] });
    const other = (await trunk.hears(/^PRACK/)) ?? '';
    expect(headersOf(other, 'RAck')).toEqual(['RAck: 3 9 INVITE']);
    trunk.answers(other, '481 No Such INVITE', 'x');
    trunk.answers(invite, '486 Busy Here', 'x');
    expect(await olga.hears(/^SIP\/2\.0 486/)).toBeDefined();
  });

  /**
   * A call of an agent that the provider challenges, and answers with a Contact at another address. The phone sends INFO with CSeq
   * 1000 before its ACK. Proxies of the provider may record themselves.
   */
  async function callOutside(user: string, contact?: string, proxies = '') {
    const [trunk, phone] = [await provider(), await open('127.0.9.5')];
    const challenge = ['Proxy-Authenticate: Digest realm="p", nonce="n", algorithm=MD5'];
    const asking = {
      uri: 'sip:+4930555@out.test',
      from: `${user}@out.test`,
      to: '+4930555@out.test',
      fromTag: id(),
      callId: id(),
    };
    const invitation = { ...asking, method: 'INVITE', headers: [`Contact: <${contact ?? phone.contact(user)}>`] };
    const answer = phone.proves(invitation, { username: user, secret: 's' });
    trunk.answers((await trunk.hears(/^INVITE /)) ?? '', '407 Proxy Authentication Required', 'x', challenge);
    const invite = await trunk.hears((text) => text.startsWith('INVITE ') && text.includes('nonce="n"'));
    const recorded = (invite ?? '').replace('Record-Route:', `${proxies}Record-Route:`);
    trunk.answers(recorded, '200 OK', 'x', ['Contact: <sip:media@127.0.9.77:5070>']);
    const ok = await answer;
    expect(ok).toMatch(/^SIP\/2\.0 200/);
    const within = { ...asking, uri: 'sip:media@127.0.9.77:5070', toTag: 'x', headers: routes(ok).reverse() };
    const informed = phone.asks({ ...within, method: 'INFO', cseq: 1000 });
    trunk.answers((await trunk.hears(/^INFO /)) ?? '', '200 OK', 'x');
    expect(await informed).toMatch(/^SIP\/2\.0 200/);
    phone.says({ ...within, method: 'ACK', cseq: 2 });
    await trunk.hears(/^ACK /);
    return { trunk, phone, within, challenge };
  }

  const recordOf = async (callId: string): Promise<unknown> => {
    const { data } = await stack.app.graphql<{ calls: { nodes: unknown[] } }>(
      'query ($id: String!) { calls(where: { callId: $id }) { nodes { state endedBy } } }',
      { id: callId },
    );
    return data.calls.nodes;
  };

  type CallOutside = Awaited<ReturnType<typeof callOutside>>;

  /** Deletes the caller, and expects the BYE for the provider, which challenges it. */
  async function endsWithItsCaller({ trunk, phone, within, challenge }: CallOutside, ref: string | undefined) {
    await stack.app.graphql('mutation ($ref: String!) { deleteAgent(ref: $ref) }', { ref });
    const bye = (await trunk.hears(/^BYE /)) ?? '';
    expect(bye).toMatch(/^BYE sip:media@127\.0\.9\.77:5070 SIP/);
    expect(Number(/^CSeq: *(\d+)/im.exec(bye)?.[1])).toBeGreaterThan(1000);
    trunk.answers(bye, '407 Proxy Authentication Required', 'x', challenge);
    const proved = await trunk.hears((text) => text.startsWith('BYE ') && text.includes('nonce="n"'));
    trunk.answers(proved ?? '', '200 OK', 'x');
    phone.answers((await phone.hears(/^BYE /)) ?? '', '200 OK', 'x');
    await eventually(5, async () =>
      expect(await recordOf(within.callId)).toEqual([{ state: 'ENDED', endedBy: 'SERVER' }]),
    );
    expect(await trunk.hears(/^BYE /, 3)).toBeUndefined();
  }

  test('the BYE of this server reaches a provider where it spoke, with the next CSeq, and with credentials if it asks for them', async () => {
    await endsWithItsCaller(await callOutside('paul'), refs.get('paul'));
  });

  test('a call that this server ends is gone also if the BYE cannot reach its phone', async () => {
    const ref = await createAgent(stack.app, { username: 'nat', secret: 's', domains: ['out.test'] });
    const { trunk, phone, within } = await callOutside('nat', 'sip:nat@10.9.9.9:5999');
    await stack.app.graphql('mutation ($ref: String!) { deleteAgent(ref: $ref) }', { ref });
    trunk.answers((await trunk.hears(/^BYE /)) ?? '', '200 OK', 'x');
    expect(await phone.hears(/^BYE /, 1)).toBeUndefined();
    await eventually(5, async () => {
      const list = await (await stack.rpc('dlg.list')).text();
      expect(list).toContain('"result"');
      expect(list).not.toContain(within.callId);
    });
  });

  /** Has the phone send UPDATEs with different Contacts, more than are kept. */
  async function moves({ trunk, phone, within }: CallOutside, uri: string, status: string): Promise<void> {
    for (let at = 0; at < 26; at++) {
      const contact = `Contact: <sip:elsewhere${String(at)}@${phone.host}:${String(phone.port)}>`;
      const headers = [...within.headers, contact];
      const answer = phone.asks({ ...within, method: 'UPDATE', cseq: 1001 + at, uri, headers });
      if (uri === within.uri) trunk.answers((await trunk.hears(/^UPDATE /)) ?? '', status, 'x');
      expect((await answer)?.slice(8)).toMatch(new RegExp(`^${status}`));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  test.each<[string, string, (call: CallOutside) => Promise<void>]>([
    ['were refused here', 'mover', (call) => moves(call, 'sip:nobody@127.0.9.9:9', '403 Not the target')],
    ['the provider refused', 'shaker', (call) => moves(call, call.within.uri, '405 Method Not Allowed')],
  ])(
    'the BYE of this server reaches a provider after UPDATEs with many Contacts that %s',
    async (_, username, happens) => {
      const ref = await createAgent(stack.app, { username, secret: 's', domains: ['out.test'] });
      const call = await callOutside(username);
      await happens(call);
      await endsWithItsCaller(call, ref);
    },
  );

  test('a request that is refused changes nothing: what the provider sends still reaches the phone where it was', async () => {
    const { trunk, phone, within } = await callOutside('olga');
    const elsewhere = await open('127.0.9.5');
    const headers = [...within.headers, `Contact: <${elsewhere.contact('olga')}>`];
    const refused = { ...within, method: 'UPDATE', cseq: 2000, uri: 'sip:nobody@127.0.9.9:9', headers };
    expect(await elsewhere.asks(refused)).toMatch(/^SIP\/2\.0 403 Not the target/);
    const from = { from: within.to, to: within.from, fromTag: 'x', toTag: within.fromTag, callId: within.callId };
    const asking = { ...from, uri: phone.contact('olga'), headers: [`Route: <sip:${stack.sip};lr>`] };
    const info = trunk.asks({ ...asking, method: 'INFO', cseq: 1 });
    phone.answers((await phone.hears(/^INFO /)) ?? '', '200 OK', 'x');
    expect(await info).toMatch(/^SIP\/2\.0 200/);
    expect(await trunk.asks({ ...asking, method: 'INFO', cseq: 2, uri: elsewhere.contact('olga') })).toMatch(/ 403 /);
    const ended = phone.asks({ ...within, method: 'BYE', cseq: 1001 });
    trunk.answers((await trunk.hears(/^BYE /)) ?? '', '200 OK', 'x');
    expect(await ended).toMatch(/^SIP\/2\.0 200/);
  });

  test('a BYE that the provider would refuse, for its CSeq, its Via or its body, does not end the call', async () => {
    const { trunk, phone, within } = await callOutside('olga');
    expect(await phone.asks({ ...within, method: 'BYE', cseq: 5 })).toMatch(/^SIP\/2\.0 500 CSeq Out of Order/);
    const sentBy = (port: number): string => `x\r\nVia: SIP/2.0/UDP a.test:${String(port)};branch=z`;
    for (const parameter of ['x="y', 'x={y}', 'rport=\r\n ;ttl=256', 'ttl=x', 'x;rport=65536', sentBy(65_536)])
      expect(await phone.asks({ ...within, method: 'BYE', cseq: 1001, branch: `z9hG4bK${id()};${parameter}` })).toMatch(
        /^SIP\/2\.0 400 Bad Via/,
      );
    await eventually(5, async () =>
      expect(await recordOf(within.callId)).toEqual([{ state: 'ANSWERED', endedBy: null }]),
    );
    const extra = ['Content-Type: application/x-unknown', 'Content-Language: x', 'Max-Breadth: 0', 'User-Agent: ((('];
    const headers = [...within.headers, ...extra];
    const ended = phone.asks({
      ...within,
      method: 'BYE',
      cseq: 1001,
      headers: [...headers, 'Reason: Q.850;cause=16'],
      body: 'x',
    });
    const bye = (await trunk.hears(/^BYE /)) ?? '';
    expect(bye).not.toMatch(/^(Content-Type|Content-Language|Max-Breadth|User-Agent):/im);
    expect(bye).toMatch(/\r\nReason: Q\.850;cause=16\r\n/);
    expect(bye).toMatch(/\r\nContent-Length: *0\r\n/);
    expect(bye).toMatch(/\r\n\r\n$/);
    trunk.answers(bye, '200 OK', 'x');
    expect(await ended).toMatch(/^SIP\/2\.0 200/);
  });

  test('a Via or a Reason that a parser may refuse reaches no provider: no call begins with it, and a BYE leaves without it', async () => {
    const { trunk, phone, within } = await callOutside('olga');
    const asking = { method: 'INVITE', uri: 'sip:+4930555@out.test', from: 'olga@out.test', to: '+4930555@out.test' };
    const contact = `Contact: <${phone.contact('olga')}>`;
    const challenge = (await phone.asks({ ...asking, headers: [contact] })) ?? '';
    const proof = digest(challenge, 'INVITE', asking.uri, { username: 'olga', secret: 's' });
    const branch = `z9hG4bK${id()};x="y`;
    expect(await phone.asks({ ...asking, headers: [contact, proof], cseq: 2, branch })).toMatch(/ 400 Bad Via/);
    const folded = `z9hG4bK${id()}~*+\`'_%;rport ; keep;received = 2001:db8::1\r\n ;i=1;oc;x="a+/=="`;
    const valid = `${folded}\r\nVia: SIP / 2.0 / TCP [::1] : 65535;rport=65535;ttl=255`;
    const headers = [...within.headers, 'Reason: "'];
    const ended = phone.asks({ ...within, method: 'BYE', cseq: 1001, headers, branch: valid });
    const bye = (await trunk.hears(/^BYE /)) ?? '';
    expect(headersOf(bye, 'Reason')).toEqual([]);
    trunk.answers(bye, '200 OK', 'x');
    expect(await ended).toMatch(/^SIP\/2\.0 200/);
  });

  /** The routes that a phone names, of those that it should: this server, and two proxies of the provider. */
  type Named = (routes: readonly string[]) => readonly string[];
  const [former, present] = ['sip:media@127.0.9.77:5070', 'sip:moved@127.0.9.77:5070;leg=2'];

  test.each<[string, string, string, string, Named]>([
    ['all proxies', '405 Not Allowed', former, former, (all) => all],
    ['no proxy', '200 OK', present, present, ([own = '']) => [own]],
    ['the proxies in another order', '200 OK', present, present, ([own = '', ...all]) => [own, ...all.reverse()]],
    ['the former Contact', '200 OK', former, present, (all) => all],
    ['another parameter', '200 OK', 'sip:moved@127.0.9.77:5070;maddr=10.0.0.1', present, (all) => all],
  ])(
    'a BYE that names %s reaches the provider at its present Contact, by its proxies in their order',
    async (_, answer, named, target, routesOf) => {
      const [inner, outer] = ['<sip:10.9.9.9:5062;lr>', `<sip:127.0.9.1:${String(providersPort)};lr>`];
      const proxies = `Record-Route: ${inner}\r\nRecord-Route: ${outer}\r\n`;
      const { trunk, phone, within } = await callOutside('olga', undefined, proxies);
      const from = { from: within.to, to: within.from, fromTag: 'x', toTag: within.fromTag, callId: within.callId };
      const headers = [`Route: <sip:${stack.sip};lr>`, `Contact: <${present}>`];
      const updated = trunk.asks({ ...from, method: 'UPDATE', uri: phone.contact('olga'), cseq: 1, headers });
      phone.answers((await phone.hears(/^UPDATE /)) ?? '', answer, 'x', [`Contact: <${phone.contact('olga')}>`]);
      expect(await updated).toContain(`SIP/2.0 ${answer}`);
      const bye = { ...within, method: 'BYE', cseq: 1001, uri: named, headers: routesOf(within.headers) };
      const ended = phone.asks(bye);
      const heard = (await trunk.hears(/^BYE /)) ?? '';
      expect(heard.split(' ')[1]).toBe(target);
      expect(headersOf(heard, 'Route').join().replaceAll('Route: ', '')).toBe(`${outer},${inner}`);
      trunk.answers(heard, '200 OK', 'x');
      expect(await ended).toMatch(/^SIP\/2\.0 200/);
    },
  );

  test('a BYE reaches the provider at the Contact that it had before an INVITE within the call was refused', async () => {
    const { trunk, phone, within } = await callOutside('olga');
    const from = { from: within.to, to: within.from, fromTag: 'x', toTag: within.fromTag, callId: within.callId };
    const invitation = { ...from, method: 'INVITE', uri: phone.contact('olga'), cseq: 1 };
    const route = `Route: <sip:${stack.sip};lr>`;
    const tooLong = `Contact: <sip:${'x'.repeat(250)}@127.0.9.77:5070>`;
    expect(await trunk.asks({ ...invitation, headers: [route, tooLong] })).toMatch(/^SIP\/2\.0 400 Contact Too Long/);
    const moving = { ...invitation, cseq: 2, branch: `z9hG4bK${id()}`, headers: [route, `Contact: <${present}>`] };
    const refused = trunk.asks(moving);
    phone.answers((await phone.hears(/^INVITE /)) ?? '', '488 Not Acceptable Here', 'x');
    expect(await refused).toMatch(/^SIP\/2\.0 488/);
    trunk.says({ ...moving, method: 'ACK' });
    const ended = phone.asks({ ...within, method: 'BYE', cseq: 1001 });
    const bye = (await trunk.hears(/^BYE /)) ?? '';
    expect(bye.split(' ')[1]).toBe(former);
    trunk.answers(bye, '200 OK', 'x');
    expect(await ended).toMatch(/^SIP\/2\.0 200/);
  });

  test('a BYE leaves with the URIs of its call, whatever its From, To, Contact and Record-Route are', async () => {
    const { trunk, phone, within } = await callOutside('olga');
    const odd = { from: 'olga@out.test;ttl=256', to: '+4930666@out.test;ttl=256' };
    const extra = ['Contact: <sip:olga@127.0.9.5:65536;ttl=256>;q=x', 'Record-Route: <sip:127.0.9.5;lr;ttl=256>'];
    const ended = phone.asks({ ...within, ...odd, method: 'BYE', cseq: 1001, headers: [...within.headers, ...extra] });
    const bye = (await trunk.hears(/^BYE /)) ?? '';
    expect(headersOf(bye, 'To')).toEqual([`To: <sip:${within.to}>;tag=x`]);
    expect(bye).not.toMatch(/^(Contact|Record-Route):|ttl/im);
    trunk.answers(bye, '200 OK', 'x');
    const ok = (await ended) ?? '';
    expect(ok).toMatch(/^SIP\/2\.0 200/);
    expect(headersOf(ok, 'To')).toEqual([`To: <sip:${odd.to}>;tag=x`]);
    expect(headersOf(ok, 'From')).toEqual([`From: <sip:${odd.from}>;tag=${within.fromTag}`]);
  });

  test('no gateway is called at the address of a phone', async () => {
    const [beside, olga] = [await provider(), await open('127.0.9.1')];
    const register = ['Contact: *', 'Expires: 0'];
    await olga.registers('anna', 'one.test', register);
    expect(await olga.registers('anna', 'one.test', [`Contact: <${beside.contact('+1900')}>`])).toMatch(
      /^SIP\/2\.0 200/,
    );
    const bert = await registered('bert', '127.0.9.3');
    void bert.proves(
      {
        method: 'INVITE',
        uri: 'sip:anna@one.test',
        from: 'bert@one.test',
        headers: [`Contact: <${bert.contact('b')}>`],
      },
      { username: 'bert', secret: 's' },
    );
    const heard = (await olga.hears(/^INVITE/)) ?? '';
    expect(heard).not.toBe('');
    expect(await beside.hears(/./, 0.3)).toBeUndefined();
    olga.answers(heard, '486 Busy Here', 'x');
    await olga.registers('anna', 'one.test', register);
    const who = { phone: bert, from: 'bert@one.test', credentials: { username: 'bert', secret: 's' } };
    const phone = await open('127.0.9.1');
    expect(await phone.registers('anna', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const { fromCaller } = await answeredCall(who, phone, 'anna@one.test');
    expect(await bert.asks({ ...fromCaller, method: 'INVITE', uri: beside.contact('+1900'), cseq: 9 })).toMatch(
      /^SIP\/2\.0 403/,
    );
    expect(await beside.hears(/./, 0.3)).toBeUndefined();
  });

  test.each([
    ['caller', 'gone', 'bert'],
    ['callee', 'anna', 'left'],
  ])('a call ends with its %s, within seconds of the deletion', async (_, user, callee) => {
    const call = await callOf(user, callee);
    const deleted = user === 'anna' ? callee : user;
    await stack.app.rest('DELETE', `/agents/${String(refs.get(deleted))}`);
    expect(await call.caller.hears(/^BYE/, 8)).toBeDefined();
    expect(await call.callee.hears(/^BYE/, 8)).toBeDefined();
    for (const method of ['INVITE', 'REFER']) {
      expect(await call.caller.asks({ ...call.fromCaller, method, cseq: 30 })).toMatch(/^SIP\/2\.0 481/);
      expect(await call.callee.asks({ ...call.fromCallee, method, cseq: 30 })).toMatch(/^SIP\/2\.0 481/);
    }
    const ended = `ending a call of ${String(refs.get(deleted))}, which was deleted`;
    await eventually(5, () => expect(stack.kamailio.log()).toContain(ended));
    await eventually(5, () => expect(stack.kamailio.log()).not.toMatch(/CRITICAL/));
  });
});

describe('A call whose CSeq is near the highest one', () => {
  let stack: Stack;
  let refs: ReadonlyMap<string, string>;
  let providersPort: number;
  const open = openPhones(() => stack);
  const [caller, outside] = ['olga@out.test', '+4930555@out.test'];
  const challenge = ['Proxy-Authenticate: Digest realm="p", nonce="n", algorithm=MD5'];
  const cseqOf = (text: string | undefined): string | undefined => /^CSeq: *(\S+)/m.exec(text ?? '')?.[1];

  beforeAll(async () => {
    // Each challenge counts as many.
    stack = await startStack(database, {
      edit: (text) => text.replace('$(dlg_var(cseq_diff){s.int}) + 1;', '$(dlg_var(cseq_diff){s.int}) + 250;'),
    });
    const provider = await Phone.open(stack.sip, '127.0.9.1');
    providersPort = provider.port;
    provider.close();
    const { agentRefs } = await createTrunk(stack.app, {
      gateway: { host: '127.0.9.1', port: providersPort, username: 'trunk', secret: 'secret', sendRegister: false },
      aorLink: 'sip:bert@one.test',
      agents: [['olga', 'out.test']],
    });
    refs = agentRefs;
  });

  afterAll(() => stack.close());

  test('sends the provider no CSeq above 2**31, and ends there when it ends here', async () => {
    const [trunk, phone] = [await open('127.0.9.1', providersPort), await open('127.0.9.4')];
    /** Has the provider challenge a request, and answer it. Returns its CSeq with the digest. */
    const proved = async (method: string): Promise<string | undefined> => {
      trunk.answers((await trunk.hears(new RegExp(`^${method} `))) ?? '', '407 Proxy', 'x', challenge);
      const again = await trunk.hears((text) => text.startsWith(`${method} `) && text.includes('nonce="n"'), 2);
      if (again !== undefined) trunk.answers(again, '200 OK', 'x', [`Contact: <${trunk.contact('p')}>`]);
      return cseqOf(again);
    };
    const asking = { uri: `sip:${outside}`, from: caller, to: outside, callId: id(), fromTag: id() };
    const cseq = 2_147_479_700;
    const answer = phone.proves(
      { ...asking, method: 'INVITE', cseq, headers: [`Contact: <${phone.contact('olga')}>`] },
      { username: 'olga', secret: 's' },
    );
    expect(await proved('INVITE')).toBe(String(cseq + 1 + 250));
    const ok = await answer;
    const within = { ...asking, uri: trunk.contact('p'), toTag: 'x', headers: routes(ok) };
    phone.says({ ...within, method: 'ACK', cseq: cseq + 1 });
    await trunk.hears(/^ACK /);
    for (let at = 2; at <= 13; at++) {
      const informed = phone.asks({ ...within, method: 'INFO', cseq: cseq + at });
      expect(await proved('INFO')).toBe(String(cseq + at + at * 250));
      expect(await informed).toMatch(/^SIP\/2\.0 200/);
    }
    // Another challenge would be too many, so the provider's is not answered.
    const tooMany = phone.asks({ ...within, method: 'INFO', cseq: cseq + 50 });
    expect(await proved('INFO')).toBeUndefined();
    expect(await tooMany).toMatch(/^SIP\/2\.0 403/);
    for (const method of ['INFO', 'UPDATE', 'BYE'])
      expect(await phone.asks({ ...within, method, cseq: 2_147_479_999 })).toMatch(/^SIP\/2\.0 500 CSeq Too High/);
    expect(await trunk.hears(/^(INFO|UPDATE|BYE) /, 0.3)).toBeUndefined();
    await stack.app.graphql('mutation ($ref: String!) { deleteAgent(ref: $ref) }', { ref: refs.get('olga') });
    const bye = Number(await proved('BYE'));
    expect(bye).toBeGreaterThan(cseq + 50 + 3250);
    expect(bye).toBeLessThan(2 ** 31);
  });
});
