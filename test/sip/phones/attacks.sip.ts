import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDomain, createGateway, createNumber } from '../../support/factories';
import { Phone, headersOf, id } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

/** A call between two phones, with the data for further requests of the caller. */
interface Call {
  readonly caller: Phone;
  readonly callee: Phone;
  readonly asking: { uri: string; from: string; to: string; fromTag: string; toTag: string; callId: string };
  readonly route: readonly string[];
  /** The INVITE, as the callee received it. */
  readonly heard: string;
}

describe('A Route header opens no door', () => {
  let stack: Stack;
  const open: Phone[] = [];

  beforeAll(async () => {
    stack = await startStack(database);
    for (const username of ['anna', 'eve']) {
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
    }
  });

  afterEach(() => {
    for (const phone of open.splice(0)) phone.close();
  });

  afterAll(() => stack.close());

  async function phoneAt(host: string, port = 0): Promise<Phone> {
    const phone = await Phone.open(stack.sip, host, port);
    open.push(phone);
    return phone;
  }

  /** anna, at 127.0.1.1, calls a phone at 127.0.1.2, which answers. */
  async function callOf(isAnswered = true): Promise<Call> {
    const [caller, callee] = [await phoneAt('127.0.1.1'), await phoneAt('127.0.1.2')];
    const bert = `bert-${id()}`;
    await createAgent(stack.app, { username: bert, secret: 's', domains: ['one.test'] });
    expect(await callee.registers(bert, 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const [callId, fromTag, toTag] = [id(), id(), id()];
    const invite = {
      method: 'INVITE',
      uri: `sip:${bert}@one.test`,
      from: 'anna@one.test',
      to: `${bert}@one.test`,
      callId,
      fromTag,
    };
    const ringing = caller.proves(
      { ...invite, headers: [`Contact: <${caller.contact('anna')}>`] },
      { username: 'anna', secret: 's' },
    );
    const heard = (await callee.hears(/^INVITE/)) ?? '';
    const contact = [`Contact: <${callee.contact(bert)}>`];
    callee.answers(heard, '180 Ringing', toTag, contact);
    expect(await ringing).toMatch(/^SIP\/2\.0 180/);
    if (isAnswered) callee.answers(heard, '200 OK', toTag, contact);
    const answer = isAnswered ? await caller.hears(/^SIP\/2\.0 200/) : await ringing;
    const route = headersOf(answer, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
    const uri = /<(.*?)>/.exec(headersOf(answer, 'Contact')[0] ?? '')?.[1] ?? '';
    const asking = { uri, from: 'anna@one.test', to: `${bert}@one.test`, fromTag, toTag, callId };
    if (isAnswered) {
      caller.says({ ...asking, method: 'ACK', cseq: 2, headers: route });
      expect(await callee.hears(/^ACK/)).toBeDefined();
    }
    return { caller, callee, asking, route, heard };
  }

  /** Sends BYE from the caller and returns the response. */
  async function hangUp({ caller, callee, asking, route }: Call): Promise<string | undefined> {
    const done = caller.asks({ ...asking, method: 'BYE', cseq: 9, headers: route });
    const heard = await callee.hears(/^BYE/);
    if (heard !== undefined) callee.answers(heard, '200 OK', asking.toTag);
    return done;
  }

  test('after a call nothing is relayed by its route, not even for its parties', async () => {
    const call = await callOf();
    expect(await hangUp(call)).toMatch(/^SIP\/2\.0 200/);
    const provider = await phoneAt('127.0.1.9');
    for (const phone of [await phoneAt('127.0.1.1'), await phoneAt('127.0.1.7')]) {
      for (const uri of [provider.contact('+1900'), call.asking.uri]) {
        const answer = await phone.asks({ ...call.asking, uri, method: 'INVITE', cseq: 20, headers: call.route });
        expect(answer).toMatch(/^SIP\/2\.0 (481|403)/);
      }
    }
    expect(await provider.hears(/^INVITE/, 0.3)).toBeUndefined();
  });

  test.each(['INVITE', 'BYE', 'REFER', 'MESSAGE', 'UPDATE', 'INFO', 'SUBSCRIBE', 'NOTIFY', 'PRACK', 'ACK'])(
    'a %s from elsewhere with the right tags and route does not reach a call, nor end it',
    async (method) => {
      const call = await callOf();
      const stranger = await phoneAt('127.0.1.7');
      stranger.says({ ...call.asking, method, cseq: 20, headers: call.route, body: 'x' });
      const answer = await stranger.hears(/^SIP/, method === 'ACK' ? 0.5 : 10);
      if (method === 'ACK') expect(answer).toBeUndefined();
      else expect(answer).toMatch(/^SIP\/2\.0 481/);
      expect(await call.callee.hears(new RegExp(`^${method}`), 0.2)).toBeUndefined();
      expect(await hangUp(call)).toMatch(/^SIP\/2\.0 200/);
    },
  );

  test.each([
    ['the request URI', (to: string) => ({ uri: to, extra: [] })],
    ['a further Route', (to: string) => ({ uri: undefined, extra: [`Route: <${to};lr>`] })],
    ['a strict Route', (to: string) => ({ uri: undefined, extra: [`Route: <${to}>`] })],
    [
      'an alias',
      (to: string) => ({ uri: `sip:x@127.0.1.2;alias=${to.replace(/^.*@(.*):(.*)$/, '$1~$2')}~1`, extra: [] }),
    ],
    ['a host to look up', () => ({ uri: 'sip:+1900@localhost', extra: [] })],
  ])('a party of a call reaches nobody but the other one by %s', async (_, made) => {
    const call = await callOf();
    const provider = await phoneAt('127.0.1.9');
    const { uri = call.asking.uri, extra } = made(provider.contact('+1900'));
    for (const method of ['INVITE', 'MESSAGE', 'ACK']) {
      call.caller.says({ ...call.asking, uri, method, cseq: 20, headers: [...call.route, ...extra] });
      // A further Route is ignored: the request goes to the other party.
      const isRefused = method !== 'ACK' && extra.length === 0;
      const answer = await call.caller.hears(/^SIP\/2\.0 [2-6]/, isRefused ? 10 : 0.5);
      if (isRefused) expect(answer).toMatch(/^SIP\/2\.0 403/);
    }
    expect(await provider.hears(/./, 0.3)).toBeUndefined();
  });

  test('a call goes on when one of its phones speaks from another port', async () => {
    const call = await callOf();
    const moved = await phoneAt('127.0.1.1');
    expect(await hangUp({ ...call, caller: moved })).toMatch(/^SIP\/2\.0 200/);
  });

  test('either side may go on with a call, and hang up', async () => {
    const { caller, callee, asking, route } = await callOf();
    const { from: to, to: from, fromTag: toTag, toTag: fromTag, callId } = asking;
    const done = callee.asks({
      from,
      to,
      fromTag,
      toTag,
      callId,
      uri: caller.contact('anna'),
      method: 'BYE',
      headers: route,
    });
    caller.answers((await caller.hears(/^BYE/)) ?? '', '200 OK', toTag);
    expect(await done).toMatch(/^SIP\/2\.0 200/);
  });

  test('a call that nobody has answered takes PRACK and UPDATE from its parties alone', async () => {
    const { caller, callee, asking, route } = await callOf(false);
    const stranger = await phoneAt('127.0.1.7');
    for (const method of ['PRACK', 'UPDATE']) {
      expect(await stranger.asks({ ...asking, method, cseq: 5, headers: route })).toMatch(/^SIP\/2\.0 481/);
      const done = caller.asks({ ...asking, method, cseq: 6, headers: route });
      callee.answers((await callee.hears(new RegExp(`^${method}`))) ?? '', '200 OK', asking.toTag);
      expect(await done).toMatch(/^SIP\/2\.0 200/);
    }
  });

  test('a call outlives a restart of Kamailio, and ends after it', async () => {
    const call = await callOf();
    await stack.stopKamailio();
    await stack.startKamailio();
    const stranger = await phoneAt('127.0.1.7');
    const bye = { ...call.asking, method: 'BYE', cseq: 8, headers: call.route };
    expect(await stranger.asks(bye)).toMatch(/^SIP\/2\.0 481/);
    expect(await hangUp(call)).toMatch(/^SIP\/2\.0 200/);
    expect(await call.caller.asks({ ...bye, cseq: 30 })).toMatch(/^SIP\/2\.0 481/);
  });

  test.each(['REGISTER', 'INVITE', 'MESSAGE', 'OPTIONS', 'SUBSCRIBE'])(
    'the Route of a %s that begins something is not followed',
    async (method) => {
      const [phone, provider] = [await phoneAt('127.0.1.7'), await phoneAt('127.0.1.9')];
      const headers = [
        `Route: <sip:${stack.sip};lr>`,
        `Route: <${provider.contact('x')};lr>`,
        `Contact: <${phone.contact('eve')}>`,
      ];
      const uri = method === 'REGISTER' ? 'sip:one.test' : 'sip:nobody@one.test';
      await phone.proves({ method, uri, from: 'eve@one.test', headers }, { username: 'eve', secret: 's' });
      expect(await provider.hears(/./, 0.3)).toBeUndefined();
    },
  );

  test('a binding at the address of somebody else is called at its own', async () => {
    const [phone, provider] = [await phoneAt('127.0.1.7'), await phoneAt('127.0.1.9')];
    const elsewhere = provider.contact('+1900');
    const send = (): Promise<string | undefined> =>
      phone.proves(
        { method: 'MESSAGE', uri: 'sip:eve@one.test', from: 'eve@one.test' },
        { username: 'eve', secret: 's' },
      );
    for (const contact of [`<${elsewhere}>`, '<sip:eve@localhost:9>']) {
      expect(await phone.registers('eve', 'one.test', [`Contact: ${contact}`])).toMatch(/^SIP\/2\.0 200/);
      void send();
      expect(await phone.hears(/^MESSAGE/)).toBeDefined();
      await phone.registers('eve', 'one.test', ['Contact: *', 'Expires: 0']);
      phone.forget();
    }
    const path = [`Contact: <${phone.contact('eve')}>`, 'Supported: path', `Path: <${elsewhere};lr>`];
    expect(await phone.registers('eve', 'one.test', path)).toMatch(/^SIP\/2\.0 403/);
    expect(await provider.hears(/./, 0.3)).toBeUndefined();
  });

  test.each([
    ['as usual', (to: string, own: string) => [`Contact: <${own}>;received="${to}"`]],
    ['in capitals', (to: string, own: string) => [`Contact: <${own}>; RECEIVED = "${to}"`]],
    ['without quotes', (to: string, own: string) => [`Contact: <${own}>;received=${to}`]],
    ['in a compact header', (to: string, own: string) => [`m: <${own}>;q=1;received="${to}"`]],
    ['in a second header', (to: string, own: string) => [`Contact: <${own}>`, `m: <${own};x>;received="${to}"`]],
    ['in a second contact', (to: string, own: string) => [`Contact: <${own}>, <${own};x>;received="${to}"`]],
    ['in a folded header', (to: string, own: string) => [`Contact: <${own}>;\r\n received="${to}"`]],
    ['after a NUL', (to: string, own: string) => [`Contact: "\0" <${own}>;received="${to}"`]],
    ['far away', (to: string, own: string) => [`Contact: "${'x'.repeat(9000)}" <${own}>;received="${to}"`]],
  ])('a binding is not called at a received parameter %s', async (_, made) => {
    const [phone, provider] = [await phoneAt('127.0.1.7'), await phoneAt('127.0.1.9')];
    const contacts = made(provider.contact('+1900'), phone.contact('eve'));
    expect(await phone.registers('eve', 'one.test', contacts)).toMatch(/^SIP\/2\.0 400/);
    void phone.proves(
      { method: 'MESSAGE', uri: 'sip:eve@one.test', from: 'eve@one.test' },
      { username: 'eve', secret: 's' },
    );
    expect(await provider.hears(/./, 0.3)).toBeUndefined();
  });

  // Patterns end at a NUL, and what follows would reach the statement that looks the number up.
  test('a NUL in a dialed number makes nobody a provider', async () => {
    const stranger = await phoneAt('127.0.1.9');
    const hex = (text: string): string => `0x${Buffer.from(text).toString('hex')}`;
    const row = ['sip:anna@one.test', 'gw', '127.0.1.9', '127.0.1.9'].map(hex);
    for (const [columns, end] of [
      [row, "\0')"],
      [row, "%00')"],
      [[...row, '1'], "%00')"],
      [row, "%00'"],
    ] as const) {
      const uri = `sip:1${end}/**/UNION/**/SELECT/**/${columns.join(',')}#@one.test`;
      const asking = { method: 'INVITE', uri, from: 'x@x.test', to: 'x@x.test' };
      expect(await stranger.asks({ ...asking, headers: [`Contact: <${stranger.contact('x')}>`] })).toMatch(
        /^SIP\/2\.0 40[07]/,
      );
    }
  });

  test('a response from elsewhere is ignored, and makes nobody a party of a call', async () => {
    const [caller, callee] = [await phoneAt('127.0.1.1'), await phoneAt('127.0.1.2')];
    const other = await phoneAt('127.0.1.9');
    await createAgent(stack.app, { username: 'bea', secret: 's', domains: ['one.test'] });
    expect(await callee.registers('bea', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const asking = { from: 'anna@one.test', to: 'bea@one.test', callId: id(), fromTag: id() };
    const contact = [`Contact: <${caller.contact('anna')}>`];
    const ringing = caller.proves(
      { ...asking, method: 'INVITE', uri: 'sip:bea@one.test', headers: contact },
      { username: 'anna', secret: 's' },
    );
    const heard = (await callee.hears(/^INVITE/)) ?? '';
    for (const status of ['180 Ringing', '486 Busy Here', '200 OK'])
      other.answers(heard, status, 'o', [`Contact: <${callee.contact('bea')}>`]);
    callee.answers(heard, '180 Ringing', 'b', [`Contact: <${callee.contact('bea')}>`]);
    expect(headersOf(await ringing, 'To')[0]).toMatch(/;tag=b$/);
    const names = ['P-Asserted-Identity', 'P-Preferred-Identity', 'Remote-Party-ID', 'X-Gateway'];
    const asserted = names.map((name) => `${name}: <sip:boss@one.test>`);
    callee.answers(heard, '200 OK', 'b', [`Contact: <${callee.contact('bea')}>`, ...asserted]);
    const answer = await caller.hears(/^SIP\/2\.0 200/);
    expect(answer).not.toMatch(/boss@/);
    const route = headersOf(answer, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
    const within = { ...asking, toTag: 'b', headers: [...route, ...contact, ...asserted] };
    for (const method of ['INVITE', 'MESSAGE']) {
      const refused = await caller.asks({ ...within, method, uri: other.contact('+1900'), cseq: 20 });
      expect(refused).toMatch(/^SIP\/2\.0 403/);
    }
    expect(await other.hears(/./, 0.3)).toBeUndefined();
    const uri = /<(.*?)>/.exec(headersOf(answer, 'Contact')[0] ?? '')?.[1] ?? '';
    caller.says({ ...within, method: 'UPDATE', uri, cseq: 21 });
    const update = await callee.hears(/^UPDATE/);
    expect(update).toBeDefined();
    expect(update).not.toMatch(/boss@/);
  });

  test("a provider within its call reaches no other gateway, and hears what is for the other's address", async () => {
    const [provider, callee, other] = [
      await phoneAt('127.0.1.21'),
      await phoneAt('127.0.1.2'),
      await phoneAt('127.0.1.22'),
    ];
    const gatewayRef = await createGateway(stack.app, { host: '127.0.1.21', transport: 'UDP' });
    await createGateway(stack.app, { host: '127.0.1.22', port: other.port, transport: 'UDP' });
    await createAgent(stack.app, { username: 'dora', secret: 's', domains: ['one.test'] });
    await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930777', aorLink: 'sip:dora@one.test' });
    expect(await callee.registers('dora', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const asking = { from: '1@provider.test', to: `+4930777@${stack.sip}`, callId: id(), fromTag: id() };
    const contact = [`Contact: <${other.contact('1')}>`];
    const done = provider.asks({ ...asking, method: 'INVITE', uri: `sip:+4930777@${stack.sip}`, headers: contact });
    const heard = (await callee.hears(/^INVITE/)) ?? '';
    callee.answers(heard, '200 OK', 'd', [`Contact: <${callee.contact('dora')}>`]);
    const route = headersOf(await done, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
    const within = { ...asking, toTag: 'd', headers: route };
    expect(await provider.asks({ ...within, method: 'INVITE', uri: other.contact('+1900'), cseq: 7 })).toMatch(
      /^SIP\/2\.0 403/,
    );
    const back = { from: asking.to, to: asking.from, callId: asking.callId, fromTag: 'd', toTag: asking.fromTag };
    const uri = /<(.*?)>/.exec(headersOf(heard, 'Contact')[0] ?? '')?.[1] ?? '';
    const bye = callee.asks({ ...back, method: 'BYE', uri, headers: route });
    provider.answers((await provider.hears(/^BYE/)) ?? '', '200 OK', 'x');
    expect(await bye).toMatch(/^SIP\/2\.0 200/);
    expect(await other.hears(/./, 0.3)).toBeUndefined();
  });

  test('a call joins no other one of the same Call-ID', async () => {
    const { caller, callee, asking } = await callOf(false);
    const eve = await phoneAt('127.0.1.7');
    const { fromTag, callId } = asking;
    const again = {
      method: 'INVITE',
      uri: `sip:${asking.to}`,
      from: 'eve@one.test',
      to: asking.to,
      fromTag,
      callId,
      cseq: 40,
    };
    const joined = await eve.proves(
      { ...again, headers: [`Contact: <${eve.contact('eve')}>`] },
      { username: 'eve', secret: 's' },
    );
    expect(joined).toMatch(/^SIP\/2\.0 482/);
    expect(await callee.hears(/^(INVITE|CANCEL)/, 0.3)).toBeUndefined();
    caller.forget();
  });

  test('a call is cancelled by its caller alone, whoever else knows the INVITE', async () => {
    const { caller, callee, asking, heard } = await callOf(false);
    const stranger = await phoneAt('127.0.1.7');
    const cancel = [
      ...[`CANCEL sip:${asking.to} SIP/2.0`, headersOf(heard, 'Via')[1] ?? '', 'Max-Forwards: 70'],
      ...['From', 'To', 'Call-ID'].flatMap((name) => headersOf(heard, name)),
      ...['CSeq: 2 CANCEL', 'Content-Length: 0', '', ''],
    ].join('\r\n');
    for (const phone of [stranger, callee]) {
      for (const tag of [asking.fromTag, asking.toTag, 'x']) {
        phone.send(cancel.replace(/^(From:.*tag=).*$/m, `$1${tag}`));
        expect(await callee.hears(/^CANCEL/, 0.2)).toBeUndefined();
      }
    }
    caller.send(cancel);
    expect(await callee.hears(/^CANCEL/, 2)).toBeDefined();
  });

  test('a call that leaves through a gateway named by host goes on and ends', async () => {
    const provider = await phoneAt('127.0.0.1');
    const gatewayRef = await createGateway(stack.app, { host: 'localhost', port: provider.port, transport: 'UDP' });
    const numberRef = await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930123456' });
    await createDomain(stack.app, { domainUri: 'out.test', egressPolicy: { rule: '^[0-9]+$', numberRef } });
    await createAgent(stack.app, { username: 'olga', secret: 's', domains: ['out.test'] });
    const phone = await phoneAt('127.0.1.3');
    await eventually(8, async () => expect(await phone.registers('olga', 'out.test')).toMatch(/^SIP\/2\.0 200/));
    const credentials = { username: 'olga', secret: 's' };
    const contact = [`Contact: <${phone.contact('olga')}>`];
    const call = () => {
      const asking = {
        uri: 'sip:112@out.test',
        from: 'olga@out.test',
        to: '112@out.test',
        fromTag: id(),
        callId: id(),
      };
      return { asking, answered: phone.proves({ ...asking, method: 'INVITE', headers: contact }, credentials) };
    };
    // The host is resolved within some seconds. Until then, calls through it get 503.
    let { asking, answered } = call();
    let heard = '';
    await eventually(20, async () => {
      heard = (await provider.hears(/^INVITE sip:112@localhost/, 1)) ?? '';
      if (heard === '') ({ asking, answered } = call());
      expect(heard).not.toBe('');
    });
    // A provider with a host name in Contact and Record-Route.
    provider.answers(heard, '200 OK', 'p', ['Contact: <sip:112@sbc.provider.invalid>']);
    const route = headersOf(await answered, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
    const uri = /<(.*?)>/.exec(headersOf(await answered, 'Contact')[0] ?? '')?.[1] ?? '';
    phone.says({ ...asking, uri, toTag: 'p', method: 'ACK', cseq: 2, headers: route });
    expect(await provider.hears(/^ACK/)).toBeDefined();
    const bye = phone.asks({ ...asking, uri, toTag: 'p', method: 'BYE', cseq: 3, headers: route });
    provider.answers((await provider.hears(/^BYE/)) ?? '', '200 OK', 'p');
    expect(await bye).toMatch(/^SIP\/2\.0 200/);
  });

  test("a number that is written with escapes is what an egress policy's rule is asked of", async () => {
    const provider = await phoneAt('127.0.0.1');
    const gatewayRef = await createGateway(stack.app, { host: '127.0.0.1', port: provider.port, transport: 'UDP' });
    const numberRef = await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930123457' });
    const egressPolicy = { rule: '^([^1#]|1[^9])', numberRef };
    await createDomain(stack.app, { domainUri: 'rule.test', egressPolicy });
    await createAgent(stack.app, { username: 'rosa', secret: 's', domains: ['rule.test'] });
    const phone = await phoneAt('127.0.1.4');
    await eventually(8, async () => expect(await phone.registers('rosa', 'rule.test')).toMatch(/^SIP\/2\.0 200/));
    const dials = (number: string): Promise<string | undefined> =>
      phone.proves(
        {
          method: 'INVITE',
          uri: `sip:${number}@rule.test`,
          from: 'rosa@rule.test',
          to: 'number@rule.test',
          headers: [`Contact: <${phone.contact('rosa')}>`],
        },
        { username: 'rosa', secret: 's' },
      );
    for (const denied of [
      '1900555',
      '%31900555',
      '1%3900555',
      '%231',
      '%31900*1',
      '1-900*1',
      '1%252',
      '%2531900',
      '%00',
      '%ff',
    ]) {
      expect(`${denied}: ${String(await dials(denied))}`).toContain(': SIP/2.0 404');
      phone.forget();
    }
    for (const [allowed, sent] of [
      ['%31*2', '1*2'],
      ['1%232', '1%232'],
      ['a%252', 'a%252'],
    ] as const) {
      const answered = dials(allowed);
      const heard = (await provider.hears(/^INVITE/)) ?? '';
      expect(heard).toMatch(new RegExp(`^INVITE sip:${sent.replace('*', '[*]')}@127`));
      provider.answers(heard, '486 Busy Here', 'p');
      expect(await answered).toMatch(/^SIP\/2\.0 486/);
    }
  });
});
