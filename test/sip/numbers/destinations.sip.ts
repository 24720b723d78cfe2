import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createGateway, createPeer } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { answeredCall } from '../call';
import { headersOf, id, Phone, type Asking } from '../phone';
import { openPhones, registeredPhone } from '../phones/open-phones';
import { startStack, type Stack } from '../stack';
import { createTrunk } from '../gateways/trunk';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const SECRET = 's';
const EDGE = '127.0.11.50';

/**
 * anna, bert and eve are agents of one.test, carl of out.test, which may call +49 through a provider at 127.0.11.9. pbx
 * is a peer. The edge proxy at 127.0.11.50 may send Path.
 */
describe('A request goes', () => {
  let stack: Stack;
  let gatewayPort = 0;
  let edgePort = 0;
  const open = openPhones(() => stack);

  beforeAll(async () => {
    const ports = [];
    for (const host of ['127.0.11.9', EDGE]) {
      const phone = await Phone.open('127.0.0.1:9', host);
      ports.push(phone.port);
      phone.close();
    }
    [gatewayPort = 0, edgePort = 0] = ports;
    stack = await startStack(database, { config: ['--edge-proxy', `${EDGE}:${String(edgePort)}`] });
    await createPeer(stack.app, { username: 'pbx', secret: SECRET });
    await createTrunk(stack.app, {
      gateway: { host: '127.0.11.9', port: gatewayPort },
      aorLink: 'sip:anna@one.test',
      agents: [
        ['anna', 'one.test'],
        ['bert', 'one.test'],
        ['eve', 'one.test'],
        ['carl', 'out.test'],
      ],
    });
  });

  afterAll(() => stack.close());

  const provider = (): Promise<Phone> => open('127.0.11.9', gatewayPort);
  const credentials = (username: string) => ({ username, secret: SECRET });

  const registered = (user: string, host: string): Promise<Phone> => registeredPhone(open, user, 'one.test', host);

  /** A text from bert, whose response nobody waits for. */
  async function texts(to: string): Promise<void> {
    const bert = await open('127.0.11.2');
    void bert.proves({ method: 'MESSAGE', uri: `sip:${to}`, from: 'bert@one.test', to }, credentials('bert'));
  }

  test('to the port from which a phone registered, not to another one of its Contact', async () => {
    const [phone, beside] = [await open('127.0.11.1'), await open('127.0.11.1')];
    expect(await phone.registers('eve', 'one.test', [`Contact: <${beside.contact('eve')}>`])).toMatch(/^SIP\/2\.0 200/);
    await texts('eve@one.test');
    expect(await phone.hears(/^MESSAGE/)).toMatch(new RegExp(`^MESSAGE ${beside.contact('eve')} `));
    expect(await beside.hears(/./, 0.2)).toBeUndefined();
  });

  test('to no gateway for an agent: one cannot register there, or is not called once a gateway is there', async () => {
    const trunk = await provider();
    expect(await trunk.registers('eve', 'one.test')).toMatch(/^SIP\/2\.0 403 Address of a gateway/);
    const phone = await registered('eve', '127.0.11.3');
    await createGateway(stack.app, { host: '127.0.11.3', port: phone.port, transport: 'UDP' });
    const bert = await open('127.0.11.2');
    const text = { method: 'MESSAGE', uri: 'sip:eve@one.test', from: 'bert@one.test', to: 'eve@one.test' };
    await eventually(10, async () =>
      expect(await bert.proves(text, credentials('bert'))).toMatch(/^SIP\/2\.0 403 Not a destination/),
    );
    phone.forget();
    expect(await bert.proves(text, credentials('bert'))).toMatch(/^SIP\/2\.0 403/);
    expect(await phone.hears(/./, 0.2)).toBeUndefined();
    const event = /security event: MESSAGE from 127\.0\.11\.2 for sip:127\.0\.11\.3:/;
    await eventually(5, () => expect(stack.kamailio.log()).toMatch(event));
  });

  test('to a peer at the address of a gateway, because both are the operator’s', async () => {
    const trunk = await provider();
    expect(await trunk.registers('pbx', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    await texts('pbx@one.test');
    expect(await trunk.hears(/^MESSAGE sip:pbx@/)).toBeDefined();
    await trunk.registers('pbx', 'one.test', ['Contact: *', 'Expires: 0']);
  });

  test('to a binding of an earlier version, which has no source address, at its Contact', async () => {
    const phone = await open('127.0.11.4');
    await stack.stopKamailio();
    await runSql(
      stack.url,
      `INSERT INTO location (ruid, username, domain, contact, expires, last_modified, callid, socket, user_agent)
       VALUES ('old', 'anna', 'one.test', ?, UNIX_TIMESTAMP() + 600, UNIX_TIMESTAMP(), 'old', '', 'Phone/1.0')`,
      [phone.contact('anna')],
    );
    await stack.startKamailio();
    await eventually(10, async () => {
      await texts('anna@one.test');
      expect(await phone.hears(/^MESSAGE/, 2)).toBeDefined();
    });
    await phone.registers('anna', 'one.test', ['Contact: *', 'Expires: 0']);
  });

  test('within a call to the other party, from whichever port it spoke last, and under its own name only', async () => {
    const [caller, callee] = [await open('127.0.11.2'), await registered('anna', '127.0.11.4')];
    const who = { phone: caller, from: 'bert@one.test', credentials: credentials('bert') };
    const { fromCaller, fromCallee } = await answeredCall(who, callee, 'anna@one.test');
    // Behind a NAT, the callee speaks from another port.
    const moved = await open('127.0.11.4');
    const info = moved.asks({ ...fromCallee, method: 'INFO', cseq: 5 });
    caller.answers((await caller.hears(/^INFO/)) ?? '', '200 OK', 'x');
    expect(await info).toMatch(/^SIP\/2\.0 200/);
    const back = caller.asks({ ...fromCaller, method: 'INFO', cseq: 5 });
    moved.answers((await moved.hears(/^INFO/)) ?? '', '200 OK', 'x');
    expect(await back).toMatch(/^SIP\/2\.0 200/);
    expect(await callee.hears(/^INFO/, 0.2)).toBeUndefined();
    // The caller sends in the name of the callee, with the right tags.
    for (const method of ['INVITE', 'UPDATE', 'MESSAGE', 'INFO', 'REFER', 'BYE']) {
      const headers = [...(fromCallee.headers ?? []), 'Refer-To: <sip:anna@one.test>'];
      for (const uri of [fromCallee.uri, fromCaller.uri]) {
        const forged = { ...fromCallee, uri, method, cseq: 30, headers };
        expect(await caller.asks(forged)).toMatch(/^SIP\/2\.0 481/);
      }
    }
    // And to its own Contact, or to the callee's with another user.
    for (const uri of [caller.contact('caller'), callee.contact('+1900')])
      expect(await caller.asks({ ...fromCaller, method: 'INFO', uri, cseq: 40 })).toMatch(
        /^SIP\/2\.0 403 Not the target/,
      );
    expect(await moved.hears(/./, 0.2)).toBeUndefined();
  });

  test('within a call along no other Route than its proxies recorded', async () => {
    const [caller, trunk] = [await open('127.0.11.2'), await provider()];
    const who = { phone: caller, from: 'carl@out.test', credentials: credentials('carl') };
    await caller.registers('carl', 'out.test');
    const { fromCaller } = await answeredCall(who, trunk, '+4930555@out.test', { contact: trunk.contact('leg') });
    for (const extra of ['Route: <sip:+1900@127.0.11.77;lr>', `Route: <sip:${stack.sip};lr>, <sip:x@127.0.11.9;lr>`]) {
      const headers = [...(fromCaller.headers ?? []), extra];
      expect(await caller.asks({ ...fromCaller, method: 'INVITE', cseq: 8, headers })).toMatch(
        /^SIP\/2\.0 403 Route leads/,
      );
    }
    expect(await trunk.hears(/^INVITE/, 0.2)).toBeUndefined();
  });

  /** A phone registers through the edge proxy, which adds Path. */
  const path = (user: string, phone: Phone, edge: Phone, written = `<sip:${EDGE}:${String(edgePort)};lr>`) =>
    edge.registers(user, 'one.test', [`Contact: <${phone.contact(user)}>`, 'Supported: path', `Path: ${written}`]);

  test('not to the address that the Contact of a phone behind the edge proxy names, to keep its way open', async () => {
    const [phone, edge] = [await open('127.0.11.62'), await open(EDGE, edgePort)];
    expect(await path('anna', phone, edge)).toMatch(/^SIP\/2\.0 200/);
    expect(await phone.hears(() => true, 40)).toBeUndefined();
    await edge.registers('anna', 'one.test', ['Contact: *', 'Expires: 0']);
  });

  test('through the edge proxy by which a phone registered, and Path from nobody else', async () => {
    const [phone, edge] = [await open('127.0.11.60'), await open(EDGE, edgePort)];
    for (const [from, written] of [
      [await open('127.0.11.61'), `<sip:${EDGE}:${String(edgePort)};lr>`],
      [await open('127.0.11.61'), '<sip:127.0.11.61;lr>'],
      [edge, '<sip:127.0.11.9;lr>'],
      [edge, `<sip:${EDGE}:9;lr>`],
      [edge, `<sip:${EDGE}:${String(edgePort)};maddr=127.0.11.9;lr>`],
      [edge, `<sip:${EDGE}:${String(edgePort)};lr>, <sip:127.0.11.9;lr>`],
    ] as const)
      expect(`${written}: ${String(await path('eve', phone, from, written))}`).toContain(
        ': SIP/2.0 403 Path not allowed',
      );
    expect(await path('anna', phone, edge)).toMatch(/^SIP\/2\.0 200/);
    await texts('anna@one.test');
    const message = (await edge.hears(/^MESSAGE/)) ?? '';
    expect(message).toMatch(new RegExp(`^MESSAGE ${phone.contact('anna')} `));
    expect(headersOf(message, 'Route')).toEqual([`Route: <sip:${EDGE}:${String(edgePort)};lr>`]);

    const bert = await open('127.0.11.2');
    const [callId, fromTag, toTag] = [id(), id(), id()];
    const asking: Asking = {
      method: 'INVITE',
      uri: 'sip:anna@one.test',
      from: 'bert@one.test',
      to: 'anna@one.test',
      callId,
      fromTag,
    };
    const answer = bert.proves({ ...asking, headers: [`Contact: <${bert.contact('bert')}>`] }, credentials('bert'));
    const invite = (await edge.hears(/^INVITE/)) ?? '';
    const recorded = `<sip:${EDGE}:${String(edgePort)};lr;x=1>`;
    const proxied = invite.replace(/^Record-Route:/m, `Record-Route: ${recorded}\r\nRecord-Route:`);
    edge.answers(proxied, '200 OK', toTag, [`Contact: <${phone.contact('anna')}>`]);
    const ok = (await answer) ?? '';
    const routes = headersOf(ok, 'Record-Route')
      .map((line) => line.replace('Record-Route', 'Route'))
      .reverse();
    expect(routes).toHaveLength(2);
    bert.says({ ...asking, method: 'BYE', uri: phone.contact('anna'), toTag, cseq: 3, headers: routes });
    const bye = (await edge.hears(/^BYE/)) ?? '';
    expect(headersOf(bye, 'Route')).toEqual([`Route: ${recorded}`]);
    await edge.registers('anna', 'one.test', ['Contact: *', 'Expires: 0']);
  });

  test('to a provider with the headers that a call needs, and no others', async () => {
    const [trunk, carl] = [await provider(), await open('127.0.11.5')];
    const charging = [
      ...[
        'Diversion: <sip:+4930100@x>;reason=no-answer',
        'CC-Diversion: <sip:+4930100@x>',
        'History-Info: <sip:a@b>;index=1',
      ],
      ...['Referred-By: <sip:boss@one.test>', 'b: <sip:boss@one.test>', 'P-Charge-Info: <sip:boss@x>', 'Charge: boss'],
      ...['P-Charging-Vector: icid-value=boss', 'P-Charging-Function-Addresses: ccf=boss', 'P-DCS-Billing-Info: boss'],
      ...[
        'P-Called-Party-ID: <sip:boss@x>',
        'P-Associated-URI: <sip:boss@x>',
        'Identity: boss',
        'y: boss',
        'X-Boss: boss',
      ],
      ...[
        'P-Asserted-Identity: <sip:boss@x>',
        'Remote-Party-ID: <sip:boss@x>',
        'Reply-To: <sip:boss@x>',
        'Replaces: boss',
      ],
      // Of a REFER only.
      ...['Refer-To: <sip:boss@x>', 'r: <sip:boss@x>'],
    ];
    const needed = [
      'Supported: timer, 100rel',
      'Session-Expires: 1800',
      'User-Agent: Phone/1',
      'Allow: INVITE, ACK, BYE',
    ];
    const bad = /boss|Diversion|History/i;
    const who = { phone: carl, from: 'carl@out.test', credentials: credentials('carl') };
    const asking = { method: 'INVITE', uri: 'sip:+4930555@out.test', from: 'carl@out.test', to: '+4930555@out.test' };
    const contact = `Contact: <${carl.contact('carl')}>`;
    void carl.proves({ ...asking, headers: [contact, ...charging, ...needed] }, credentials('carl'));
    const invite = (await trunk.hears(/^INVITE/)) ?? '';
    expect(invite).not.toMatch(bad);
    for (const header of needed) expect(invite).toContain(header);
    trunk.answers(invite, '486 Busy Here', 'x');
    const { fromCaller } = await answeredCall(who, trunk, '+4930556@out.test', { contact: trunk.contact('leg') });
    carl.says({
      ...fromCaller,
      method: 'INFO',
      cseq: 9,
      headers: [...(fromCaller.headers ?? []), ...charging, ...needed],
    });
    const info = (await trunk.hears(/^INFO/)) ?? '';
    expect(info).not.toMatch(bad);
    expect(info).toContain('Supported: timer');
    // A call from the provider: the response of the phone, too.
    const anna = await registered('anna', '127.0.11.4');
    const to = `+4930100@${stack.sip}`;
    const incoming = { method: 'INVITE', uri: `sip:${to}`, from: '+33142@x.test', to };
    const ringing = trunk.asks({ ...incoming, headers: [`Contact: <${trunk.contact('x')}>`] });
    anna.answers((await anna.hears(/^INVITE/)) ?? '', '180 Ringing', 'x', [...charging, ...needed]);
    expect(await ringing).toMatch(/^SIP\/2\.0 180/);
    expect(await ringing).not.toMatch(bad);
  });

  test.each([
    [
      'a number of the gateway',
      '<sip:+49-30-100@pbx.test>;reason=user-busy',
      ['Diversion: <sip:+4930100@127.0.11.9>;reason=user-busy'],
      '+4930557',
    ],
    ['another number', '<sip:+4930101@pbx.test>;reason=user-busy', [], '+4930558'],
    ['two values', '<sip:+4930100@pbx.test>, <sip:+1900@pbx.test>', [], '+4930559'],
  ])('to a provider with a Diversion of a peer that names %s: %s', async (_, diversion, expected, number) => {
    await createAgent(stack.app, { username: `x-${id()}`, secret: SECRET, domains: ['out.test'] });
    const [trunk, pbx] = [await provider(), await open('127.0.11.6')];
    const to = `${number}@out.test`;
    const asking = { method: 'INVITE', uri: `sip:${to}`, from: 'pbx@out.test', to };
    const headers = [`Contact: <${pbx.contact('pbx')}>`, `Diversion: ${diversion}`];
    void pbx.proves({ ...asking, headers }, credentials('pbx'));
    const invite = (await trunk.hears(new RegExp(`^INVITE sip:\\${number}@`))) ?? '';
    expect(invite).not.toBe('');
    expect(headersOf(invite, 'Diversion')).toEqual(expected);
    trunk.answers(invite, '486 Busy Here', 'x');
  });

  test('in a subscription as NOTIFY from the notifier to the subscriber, with the subscribed Event', async () => {
    const [subscriber, notifier] = [await open('127.0.11.2'), await registered('anna', '127.0.11.4')];
    const [callId, fromTag, toTag] = [id(), id(), id()];
    const users = { from: 'bert@one.test', to: 'anna@one.test' };
    const own = ['Event: dialog;sla', `Contact: <${subscriber.contact('bert')}>`];
    const initial: Asking = { ...users, method: 'SUBSCRIBE', uri: 'sip:anna@one.test', callId, fromTag, headers: own };
    const answer = subscriber.proves(initial, credentials('bert'));
    notifier.answers((await notifier.hears(/^SUBSCRIBE/)) ?? '', '200 OK', toTag, [
      `Contact: <${notifier.contact('anna')}>`,
    ]);
    expect(await answer).toMatch(/^SIP\/2\.0 200/);
    const back = { from: users.to, to: users.from, callId, fromTag: toTag, toTag: fromTag };
    const notify = (event: string, cseq: number): Asking => ({
      ...back,
      method: 'NOTIFY',
      uri: subscriber.contact('bert'),
      cseq,
      headers: [
        `Route: <sip:${stack.sip};lr>`,
        event,
        'Subscription-State: active',
        'P-Asserted-Identity: <sip:eve@one.test>',
      ],
    });
    const there = { fromTag, toTag, uri: notifier.contact('anna') };
    // The subscriber speaks to the notifier: as itself, and in the notifier's name.
    for (const change of [{ ...users, ...there }, there, { uri: notifier.contact('anna') }]) {
      for (const event of ['Event: check-sync;reboot=true', 'Event: talk', 'Event: dialog;sla']) {
        const said = await subscriber.asks({ ...notify(event, 10), ...change });
        expect(said).toMatch(/^SIP\/2\.0 4(81|89)/);
      }
    }
    expect(await notifier.hears(/^NOTIFY/, 0.2)).toBeUndefined();
    for (const event of ['Event: talk', 'Event: dialog;sla;x=talk', 'Event: dialog;sla\r\nEvent: talk', 'X: y'])
      expect(await notifier.asks(notify(event, 20))).toMatch(/^SIP\/2\.0 489/);
    expect(await subscriber.hears(/^NOTIFY/, 0.2)).toBeUndefined();
    for (const [at, event] of ['Event: dialog;sla', 'o: Dialog; sla', 'Event: dialog'].entries()) {
      const done = notifier.asks(notify(event, 30 + at));
      const heard = (await subscriber.hears(/^NOTIFY/)) ?? '';
      expect(heard).not.toContain('eve@');
      subscriber.answers(heard, '200 OK', 'x');
      expect(await done).toMatch(/^SIP\/2\.0 200/);
    }
  });

  test.each(['talk', 'check-sync;reboot=true', 'refer\r\nEvent: talk'])(
    'from a provider within its call as NOTIFY of a transfer only: not as %s',
    async (event) => {
      const [trunk, anna] = [await provider(), await registered('anna', '127.0.11.4')];
      const who = { phone: trunk, from: '+33142@provider.example' };
      const { fromCaller } = await answeredCall(who, anna, `+4930100@${stack.sip}`);
      const headers = [...(fromCaller.headers ?? []), `Event: ${event}`];
      expect(await trunk.asks({ ...fromCaller, method: 'NOTIFY', cseq: 7, headers })).toMatch(/^SIP\/2\.0 489/);
      expect(await anna.hears(/^NOTIFY/, 0.2)).toBeUndefined();
    },
  );
});
