import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import {
  createAgent,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { answeredCall } from '../call';
import { openPhones, registeredPhone } from '../phones/open-phones';
import { id, Phone, type Asking } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const SECRET = 's';
const HERE = 'out.test';

/** A provider that rings for each call until it is told to end them. */
class Provider {
  /** The INVITEs that ring. */
  readonly ringing: string[] = [];
  heard = 0;

  constructor(readonly phone: Phone) {
    phone.handle((message) => {
      if (!message.startsWith('INVITE ')) return;
      this.heard++;
      this.ringing.push(message);
      phone.answers(message, '180 Ringing', 'p', [`Contact: <${phone.contact('p')}>`]);
    });
  }

  rejects(): void {
    for (const invite of this.ringing.splice(0)) this.phone.answers(invite, '486 Busy Here', 'p');
  }
}

/** anna and bert are agents of out.test. +49 leaves through the gateways a and b, +33 through a only, and 112 through a. */
describe('Limits of calls', () => {
  let stack: Stack;
  let a: Provider;
  let b: Provider;
  const refs: Record<string, string> = {};
  /** Rejects the calls that ring, and waits until their callers know. */
  const ringing: Phone[] = [];

  afterEach(async () => {
    await endAll();
    for (const [kind, names] of [
      ['Agent', ['anna', 'bert']],
      ['Gateway', ['a', 'b']],
      ['Domain', ['domain']],
    ] as const)
      for (const name of names) await limit(kind, name, { maxCalls: null, maxCallsPerSecond: null });
  });

  // After the calls have ended.
  const open = openPhones(() => stack);

  beforeAll(async () => {
    stack = await startStack(database);
    a = new Provider(await Phone.open(stack.sip, '127.0.14.11'));
    b = new Provider(await Phone.open(stack.sip, '127.0.14.12'));
    for (const [name, { phone }] of [['a', a] as const, ['b', b] as const]) {
      refs[name] = await createGateway(stack.app, { host: phone.host, port: phone.port });
      refs[`number-${name}`] = await createNumber(stack.app, {
        gatewayRef: refs[name],
        telUrl: `tel:+4989${name === 'a' ? '1' : '2'}00`,
        aorLink: `sip:bert@${HERE}`,
      });
    }
    refs['domain'] = await createDomain(stack.app, { domainUri: HERE });
    for (const username of ['anna', 'bert'])
      refs[username] = await createAgent(stack.app, { username, secret: SECRET, domains: [HERE] });
    for (const [prefix, names, emergency] of [
      ['+49', ['a', 'b'], false],
      ['+33', ['a'], false],
      ['112', ['a'], true],
    ] as const)
      await createRoute(stack.app, {
        domainRef: refs['domain'],
        prefix,
        numberRefs: names.map((name) => refs[`number-${name}`]),
        emergency,
      });
    // Kamailio knows a new domain after at most 5 s.
    await new Promise((resolve) => setTimeout(resolve, 6000));
  });

  afterAll(async () => {
    for (const { phone } of [a, b]) phone.close();
    await stack.close();
  });

  async function endAll(): Promise<void> {
    for (const provider of [a, b]) provider.rejects();
    for (const phone of ringing.splice(0)) expect(await phone.hears(/^SIP\/2\.0 486 Busy/)).toBeDefined();
  }

  /** Sets limits. */
  async function limit(kind: 'Agent' | 'Gateway' | 'Domain', name: string, input: object): Promise<void> {
    const { errors } = await stack.app.graphql(
      `mutation($ref: String!, $input: Update${kind}Input!) { update${kind}(ref: $ref, input: $input) { ref } }`,
      { ref: refs[name], input },
    );
    expect(errors).toBeUndefined();
  }

  /** The first line of the response to a call: 180 if it rings. */
  async function call(user: string, number: string): Promise<string> {
    const phone = await open('127.0.14.2');
    const asking: Asking = {
      method: 'INVITE',
      uri: `sip:${number}@${HERE}`,
      from: `${user}@${HERE}`,
      to: `${number}@${HERE}`,
      callId: id(),
      fromTag: id(),
      headers: [`Contact: <${phone.contact(user)}>`],
    };
    const answer = await phone.proves(asking, { username: user, secret: SECRET });
    if (answer?.startsWith('SIP/2.0 180') === true) ringing.push(phone);
    return answer?.split('\r\n', 1)[0]?.replace('SIP/2.0 ', '') ?? 'silence';
  }

  /** A call of a provider to bert, who has no phone: 480 if it is not refused because of a limit. */
  async function callIn(provider: Provider, number: string): Promise<string> {
    const phone = await open(provider.phone.host);
    const to = `${number}@${stack.sip}`;
    const answer = await phone.asks({
      method: 'INVITE',
      uri: `sip:${to}`,
      from: '+33142@provider.example',
      to,
      callId: id(),
      fromTag: id(),
      headers: [`Contact: <${phone.contact('x')}>`],
    });
    return answer?.split('\r\n', 1)[0]?.replace('SIP/2.0 ', '') ?? 'silence';
  }

  test('the third call of an agent with two is refused with 486, and a value changed meanwhile counts at once', async () => {
    await limit('Agent', 'anna', { maxCalls: 2 });
    expect(await call('anna', '+491')).toMatch(/^180/);
    expect(await call('anna', '+492')).toMatch(/^180/);
    expect(await call('anna', '+493')).toBe('486 Too Many Calls of Agent');
    expect(await call('bert', '+494')).toMatch(/^180/);
    await limit('Agent', 'anna', { maxCalls: 3 });
    expect(await call('anna', '+495')).toMatch(/^180/);
    expect(await call('anna', '+496')).toBe('486 Too Many Calls of Agent');
    await endAll();
    expect(await call('anna', '+497')).toMatch(/^180/);
  });

  test('who is at the limit learns that first, whether or not the callee can be reached', async () => {
    const unknown = await createGateway(stack.app, { host: 'nowhere.invalid' });
    const numberRef = await createNumber(stack.app, { gatewayRef: unknown, aorLink: `sip:bert@${HERE}` });
    await createRoute(stack.app, { domainRef: refs['domain'], prefix: '+44', numberRefs: [numberRef] });
    await createPeer(stack.app, { username: 'pbx', contactAddr: 'nowhere.invalid' });
    const there = ['bert', 'pbx', '+441'];
    const refusals = async (): Promise<string[]> => [
      ...(await Promise.all(there.map((to) => call('anna', to)))),
      await callIn(a, '+4989100'),
    ];
    const unavailable = '480 Temporarily Unavailable';
    const unreached = [unavailable, unavailable, '503 Gateway has no address', unavailable];
    expect(await refusals()).toEqual(unreached);
    await limit('Agent', 'anna', { maxCalls: 1 });
    await limit('Gateway', 'a', { maxCalls: 1 });
    // None of these took a place.
    expect(await call('anna', '+331')).toMatch(/^180/);
    const ofAgent = '486 Too Many Calls of Agent';
    expect(await refusals()).toEqual([ofAgent, ofAgent, ofAgent, '503 Too Many Calls of Gateway']);
    await endAll();
    expect(await call('anna', '+331')).toMatch(/^180/);
    await endAll();
    expect(stack.kamailio.control('htable.dump', 'calls').trim()).toBe('');
  });

  test('instead of a gateway that is full, the next of the route is called, and only then the call is refused', async () => {
    const [heardA, heardB] = [a.heard, b.heard];
    await limit('Gateway', 'a', { maxCalls: 1 });
    await limit('Gateway', 'b', { maxCalls: 2 });
    for (let made = 0; made < 3; made++) expect(await call('anna', `+49${String(made)}`)).toMatch(/^180/);
    expect([a.heard - heardA, b.heard - heardB]).toEqual([1, 2]);
    expect(await call('anna', '+499')).toBe('503 Too Many Calls of Gateway');
    expect(await call('anna', '+339')).toBe('503 Too Many Calls of Gateway');
    await limit('Gateway', 'b', { maxCalls: 12 });
    expect(await call('anna', '+498')).toMatch(/^180/);
    expect(b.heard - heardB).toBe(3);
  });

  test('an agent and a gateway with the same ref have counts of their own', async () => {
    const ref = refs['a'] ?? '';
    const content = JSON.stringify({
      kind: 'Agent',
      metadata: { name: 'Twin', ref },
      spec: { credentials: { username: 'twin', secret: SECRET }, domains: [HERE] },
    });
    const { errors } = await stack.app.graphql(
      'mutation ($content: String!) { importDocuments(text: $content) { imported } }',
      { content },
    );
    expect(errors).toBeUndefined();
    await limit('Gateway', 'a', { maxCalls: 1 });
    expect(await call('twin', '+331')).toMatch(/^180/);
    expect(await call('twin', '+332')).toBe('503 Too Many Calls of Gateway');
  });

  test('a call from a gateway counts for it and for the domain of the called agent', async () => {
    const bert = await open('127.0.14.3');
    bert.handle((message) => {
      if (message.startsWith('INVITE ')) bert.answers(message, '180 Ringing', 'r', [`Contact: <${bert.contact('x')}>`]);
    });
    expect(await callIn(a, '+4989100')).toBe('480 Temporarily Unavailable');
    bert.handle(undefined);
    expect(await bert.registers('bert', HERE)).toMatch(/^SIP\/2\.0 200/);
    const rings = new Provider(bert);
    await limit('Domain', 'domain', { maxCalls: 2 });
    expect(await callIn(a, '+4989100')).toMatch(/^180/);
    expect(await call('anna', 'bert')).toMatch(/^180/);
    expect(await callIn(b, '+4989200')).toBe('503 Too Many Calls of Domain');
    expect(await call('anna', '+491')).toBe('503 Too Many Calls of Domain');
    rings.rejects();
    await limit('Gateway', 'b', { maxCallsPerSecond: 1 });
    await limit('Domain', 'domain', { maxCalls: null });
    const answers = await Promise.all([1, 2, 3, 4].map(() => callIn(b, '+4989200')));
    expect(answers).toContain('503 Too Many Calls a Second of Gateway');
    rings.rejects();
  });

  test('a domain and an agent have so many new calls a second', async () => {
    await limit('Domain', 'domain', { maxCallsPerSecond: 2 });
    const many = await Promise.all(
      Array.from({ length: 9 }, (_, n) => call(n % 2 ? 'anna' : 'bert', `+49${String(n)}`)),
    );
    const rang = many.filter((line) => line.startsWith('180')).length;
    // They may arrive in two seconds.
    expect([2, 3, 4]).toContain(rang);
    expect(many.filter((line) => line === '503 Too Many Calls a Second of Domain')).toHaveLength(9 - rang);
    await endAll();
    await eventually(3, async () => expect(await call('anna', '+491')).toMatch(/^180/));
    await limit('Domain', 'domain', { maxCallsPerSecond: null });
    await limit('Agent', 'anna', { maxCallsPerSecond: 1 });
    const own = await Promise.all(Array.from({ length: 5 }, (_, n) => call('anna', `+49${String(n)}`)));
    expect(own).toContain('486 Too Many Calls a Second of Agent');
  });

  test('an emergency call leaves while all limits are reached', async () => {
    for (const [kind, name] of [['Agent', 'anna'] as const, ['Gateway', 'a'] as const, ['Domain', 'domain'] as const])
      await limit(kind, name, { maxCalls: 1, maxCallsPerSecond: 1 });
    // Calls of the test before may have begun in this second.
    await eventually(3, async () => expect(await call('anna', '+331')).toMatch(/^180/));
    expect(await call('anna', '+332')).toMatch(/^486/);
    const calls = await Promise.all(Array.from({ length: 4 }, () => call('anna', '112')));
    expect(calls).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^180/) as string));
  });

  test('the calls of a domain are counted again after a crash, and none is left when they have ended', async () => {
    const counts = (): string => stack.kamailio.control('htable.dump', 'calls').trim();
    await limit('Domain', 'domain', { maxCalls: 2 });
    const bert = await registeredPhone(open, 'bert', HERE, '127.0.14.3');
    const credentials = { username: 'anna', secret: SECRET };
    const anna = { phone: await open('127.0.14.2'), from: `anna@${HERE}`, credentials };
    const outside = { phone: await open('127.0.14.11'), from: '+33142@provider.example' };
    const calls = [
      { caller: anna, ...(await answeredCall(anna, bert, `bert@${HERE}`)) },
      { caller: outside, ...(await answeredCall(outside, bert, `+4989100@${stack.sip}`)) },
    ];
    await stack.kamailio.crash();
    const restarted = Date.now();
    await stack.startKamailio();
    // Kamailio reads them within 2 s.
    await eventually(5, async () => expect(await call('anna', '+491')).toBe('503 Too Many Calls of Domain'));
    bert.handle((message) => {
      if (message.startsWith('BYE ')) bert.answers(message, '200 OK', 'r');
    });
    for (const { caller, fromCaller } of calls) {
      caller.phone.says({ ...fromCaller, method: 'BYE', cseq: 9 });
      expect(await caller.phone.hears(/^SIP\/2\.0 200/)).toBeDefined();
    }
    // Some rang before.
    await endAll();
    await eventually(5, () => expect(counts()).toBe(''));
    // The refused call is told, too, a little later.
    const told = `SELECT COUNT(*) FROM call_alerts WHERE event = 'LIMIT_REACHED' AND ref = ? AND at > ?`;
    const values = [refs['domain'] ?? '', restarted];
    await eventually(5, async () => expect(await runSql(stack.url, told, values)).toEqual([[1]]));
  });

  test('are told when they are nearly reached and reached, and so are emergency calls', async () => {
    await runSql(stack.url, 'DELETE FROM call_alerts');
    await limit('Agent', 'bert', { maxCalls: 5 });
    for (let made = 0; made < 5; made++) expect(await call('bert', `+49${String(made)}`)).toMatch(/^180/);
    for (let made = 0; made < 3; made++) expect(await call('bert', '+499')).toMatch(/^486/);
    expect(await call('bert', '112')).toMatch(/^180/);
    const told = (): Promise<readonly (readonly unknown[])[]> =>
      runSql(
        stack.url,
        'SELECT event, kind, ref, what, used, most, domain, caller, number, gateway_ref FROM call_alerts ORDER BY id',
      );
    const [nothing, ref] = [Array.from({ length: 4 }, () => null), refs['bert']];
    const expected = [
      ['LIMIT_NEARLY_REACHED', 'Agent', ref, 'MAX_CALLS', 4, 5, ...nothing],
      ['LIMIT_REACHED', 'Agent', ref, 'MAX_CALLS', 5, 5, ...nothing],
      ['EMERGENCY_CALL', 'Domain', refs['domain'], null, null, null, HERE, `agent:${ref ?? ''}`, '112', refs['a']],
    ];
    await eventually(5, async () => expect(await told()).toEqual(expected));
    // Again only after there were fewer than 3, and once a minute.
    await endAll();
    stack.kamailio.control('htable.flush', 'reached');
    for (let made = 0; made < 4; made++) expect(await call('bert', `+49${String(made)}`)).toMatch(/^180/);
    await eventually(5, async () => expect(await told()).toEqual([...expected, expected[0]]));
  });

  test('of a second are told when they are nearly reached', async () => {
    await runSql(stack.url, 'DELETE FROM call_alerts');
    await limit('Agent', 'bert', { maxCallsPerSecond: 5 });
    const told = 'SELECT event, kind, ref, what, used, most FROM call_alerts WHERE what = ?';
    // The calls may begin in two seconds.
    await eventually(20, async () => {
      await Promise.all(Array.from({ length: 4 }, (_, made) => call('bert', `+49${String(made)}`)));
      await endAll();
      await eventually(2, async () =>
        expect(await runSql(stack.url, told, ['MAX_CALLS_PER_SECOND'])).toEqual([
          ['LIMIT_NEARLY_REACHED', 'Agent', refs['bert'], 'MAX_CALLS_PER_SECOND', 4, 5],
        ]),
      );
    });
  }, 40_000);
});
