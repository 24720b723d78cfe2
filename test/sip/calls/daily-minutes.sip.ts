import { setTimeout as delay } from 'node:timers/promises';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDomain, createGateway, createNumber, createRoute } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { answeredCall, routes, uriIn } from '../call';
import { openPhones } from '../phones/open-phones';
import { headersOf, id, Phone, type Asking } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const SECRET = 's';
const HERE = 'minutes.test';
const CREDENTIALS = { username: 'anna', secret: SECRET };

/** anna, who has the ref of gateway a, and bert are agents of minutes.test. +1 leaves through the gateways a and b, and 112 through a. */
describe('Minutes a day to a prefix', () => {
  let stack: Stack;
  const providers: Record<string, Phone> = {};
  const refs: Record<string, string> = {};
  const heard: string[] = [];
  const open = openPhones(() => stack);

  beforeAll(async () => {
    stack = await startStack(database);
    for (const [name, host] of [
      ['a', '127.0.14.21'],
      ['b', '127.0.14.22'],
    ] as const) {
      const phone = await Phone.open(stack.sip, host);
      providers[name] = phone;
      refs[name] = await createGateway(stack.app, { host: phone.host, port: phone.port });
      refs[`number-${name}`] = await createNumber(stack.app, {
        gatewayRef: refs[name],
        telUrl: `tel:+4989${name === 'a' ? '1' : '2'}00`,
        aorLink: `sip:bert@${HERE}`,
      });
    }
    refs['domain'] = await createDomain(stack.app, { domainUri: HERE });
    for (const username of ['anna', 'bert'])
      refs[username] = await createAgent(stack.app, {
        username,
        secret: SECRET,
        domains: [HERE],
        // Refs are unique within a kind only.
        ...(username === 'anna' && { ref: refs['a'] }),
      });
    for (const [prefix, names, emergency] of [
      ['+1', ['a', 'b'], false],
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

  beforeEach(async () => {
    heard.length = 0;
    for (const [name, phone] of Object.entries(providers))
      phone.handle((message) => {
        if (!message.startsWith('INVITE ')) return;
        heard.push(name);
        phone.answers(message, '486 Busy Here', 'p');
      });
    await runSql(stack.url, 'DELETE FROM used_minutes');
    await runSql(stack.url, 'DELETE FROM call_alerts');
    stack.kamailio.control('htable.flush', 'reached');
    for (const [kind, name] of [
      ['Agent', 'anna'],
      ['Gateway', 'a'],
      ['Gateway', 'b'],
      ['Domain', 'domain'],
    ] as const)
      await limit(kind, name, null);
  });

  afterAll(async () => {
    for (const phone of Object.values(providers)) phone.close();
    await stack.close();
  });

  async function limit(kind: 'Agent' | 'Gateway' | 'Domain', name: string, dailyMinutes: string[] | null) {
    const { errors } = await stack.app.graphql(
      `mutation($ref: String!, $input: Update${kind}Input!) { update${kind}(ref: $ref, input: $input) { ref } }`,
      { ref: refs[name], input: { dailyMinutes } },
    );
    expect(errors).toBeUndefined();
  }

  const today = (): number => Math.floor(Date.now() / 86_400_000);

  /** Stores that a limit is used, as the SIP server does. */
  async function use(kind: string, name: string, prefix: string, seconds: number, day = today()): Promise<void> {
    await runSql(stack.url, 'INSERT INTO used_minutes (day, kind, ref, prefix, seconds) VALUES (?, ?, ?, ?, ?)', [
      day,
      kind,
      refs[name] ?? '',
      prefix,
      seconds,
    ]);
  }

  /** The first line of the final response to a call: 486 Busy Here if a provider was called. */
  async function call(user: string, number: string): Promise<string> {
    const phone = await open('127.0.14.4');
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
    return answer?.split('\r\n', 1)[0]?.replace('SIP/2.0 ', '') ?? 'silence';
  }

  test('that is used up refuses calls to it only, with 486 for an agent and 503 for a domain, until the next day', async () => {
    await limit('Agent', 'anna', ['+1900=1', '+1=100']);
    expect(await call('anna', '+1900555')).toBe('486 Busy Here');
    await use('Agent', 'anna', '+1900', 60);
    expect(await call('anna', '+1900555')).toBe('486 Too Many Minutes a Day of Agent');
    expect(await call('anna', '001-900-555')).toBe('486 Too Many Minutes a Day of Agent');
    expect(await call('anna', '+1800555')).toBe('486 Busy Here');
    expect(await call('bert', '+1900555')).toBe('486 Busy Here');
    await limit('Domain', 'domain', ['+1=2']);
    await use('Domain', 'domain', '+1', 120, today() - 1);
    expect(await call('bert', '+1900555')).toBe('486 Busy Here');
    await use('Domain', 'domain', '+1', 120);
    expect(await call('bert', '+1900555')).toBe('503 Too Many Minutes a Day of Domain');
    // A higher limit counts at the next call.
    await limit('Domain', 'domain', ['+1=3']);
    expect(await call('bert', '+1900555')).toBe('486 Busy Here');
    expect(heard).toEqual(['a', 'a', 'a', 'a', 'a']);
  });

  test('of a gateway that is used up makes calls take the next one, and refuses them if none is left', async () => {
    await limit('Gateway', 'a', ['+1900=1']);
    await limit('Gateway', 'b', ['+1900=1']);
    await use('Gateway', 'a', '+1900', 61);
    expect(await call('anna', '+1900555')).toBe('486 Busy Here');
    expect(await call('anna', '+1800555')).toBe('486 Busy Here');
    expect(heard).toEqual(['b', 'a']);
    await use('Gateway', 'b', '+1900', 60);
    expect(await call('anna', '+1900555')).toBe('503 Too Many Minutes a Day of Gateway');
  });

  test('never refuses an emergency call', async () => {
    for (const [kind, name] of [['Agent', 'anna'] as const, ['Gateway', 'a'] as const, ['Domain', 'domain'] as const]) {
      await limit(kind, name, ['1=1']);
      await use(kind, name, '1', 600);
    }
    expect(await call('anna', '112')).toBe('486 Busy Here');
    expect(heard).toEqual(['a']);
  });

  test('to which no call is counted cannot be called by the provider for a phone that transfers a call', async () => {
    const a = providers['a'];
    if (!a) throw new Error('no provider');
    a.handle(undefined);
    const phone = await open('127.0.14.4');
    const caller = { phone, from: `anna@${HERE}`, credentials: CREDENTIALS };
    const { fromCaller } = await answeredCall(caller, a, `+1800555@${HERE}`);
    let cseq = 10;
    const refer = (number: string): Promise<string | undefined> => {
      const headers = [...(fromCaller.headers ?? []), `Refer-To: <sip:${number}@${a.host}>`];
      return phone.asks({ ...fromCaller, method: 'REFER', cseq: cseq++, headers });
    };
    const isPassedOn = async (number: string): Promise<void> => {
      const answer = refer(number);
      a.answers((await a.hears(/^REFER/)) ?? '', '202 Accepted', 'x');
      expect(await answer).toMatch(/^SIP\/2\.0 202/);
    };
    for (const [kind, name] of [
      ['Agent', 'anna'],
      ['Domain', 'domain'],
      ['Gateway', 'a'],
    ] as const) {
      await isPassedOn('+1900555');
      await limit(kind, name, ['+1900=1', '1=1']);
      expect(await refer('001900555')).toMatch(/^SIP\/2\.0 403 Transfer Not Allowed/);
      await isPassedOn('+1800555');
      await isPassedOn('112');
      await limit(kind, name, null);
    }
    const ended = phone.asks({ ...fromCaller, method: 'BYE', cseq });
    a.answers((await a.hears(/^BYE/)) ?? '', '200 OK', 'x');
    expect(await ended).toMatch(/^SIP\/2\.0 200/);
  });

  describe('and a call that a phone asks the provider to join with another one', () => {
    /** Answers a call of a user to a number through the gateway a. Returns its fields, and ends it. */
    const talking = async (number: string, host: string) => {
      const a = providers['a'];
      if (!a) throw new Error('no provider');
      a.handle(undefined);
      a.forget();
      const phone = await open(host);
      const caller = { phone, from: `anna@${HERE}`, credentials: CREDENTIALS };
      const { fromCaller } = await answeredCall(caller, a, `${number}@${HERE}`);
      let cseq = 10;
      const refer = async (target: string, status: '202' | '403'): Promise<void> => {
        const headers = [...(fromCaller.headers ?? []), `Refer-To: <${target}>`];
        const answer = phone.asks({ ...fromCaller, method: 'REFER', cseq: cseq++, headers });
        if (status === '202') a.answers((await a.hears(/^REFER /, 3)) ?? '', '202 Accepted', 'x');
        expect(`${target} ${(await answer)?.slice(8, 11) ?? 'silence'}`).toBe(`${target} ${status}`);
      };
      const end = async (): Promise<void> => {
        const ended = phone.asks({ ...fromCaller, method: 'BYE', cseq });
        a.answers((await a.hears(/^BYE /)) ?? '', '200 OK', 'x');
        expect(await ended).toMatch(/^SIP\/2\.0 200/);
      };
      const replaces = `Replaces=${fromCaller.callId ?? ''}%3Bto-tag%3D${fromCaller.toTag ?? ''}%3Bfrom-tag%3D${fromCaller.fromTag ?? ''}`;
      return { refer, end, replaces };
    };
    const other = `sip:+1800777@${HERE}`;

    test.each([
      ['Agent', 'anna'],
      ['Domain', 'domain'],
      ['Gateway', 'a'],
    ] as const)(
      'is refused if minutes of the %s are counted for either of them, except to an emergency number',
      async (kind, name) => {
        await limit(kind, name, ['+1900=10']);
        const [limited, free] = [await talking('+1900555', '127.0.14.7'), await talking('+1800555', '127.0.14.8')];
        await limited.refer(other, '403');
        await limited.refer(`${other}?${free.replaces}`, '403');
        await limited.refer(`sip:112@${HERE}?${free.replaces}`, '403');
        await free.refer(`${other}?${limited.replaces}`, '403');
        await free.refer(`${other}?Require=replaces&r${limited.replaces.slice(1)}`, '403');
        await free.refer(`sip:112@${HERE}?${limited.replaces}`, '403');
        await limited.refer(`sip:112@${HERE}`, '202');
        await free.refer(other, '202');
        const second = await talking('+1800666', '127.0.14.9');
        await free.refer(`${other}?${second.replaces}`, '202');
        for (const each of [limited, free, second]) await each.end();
      },
    );

    test.each([
      ['Agent', 'anna'],
      ['Domain', 'domain'],
      ['Gateway', 'a'],
    ] as const)('is refused if the %s has maxCalls, except to an emergency number', async (kind, name) => {
      const most = async (maxCalls: number | null): Promise<void> => {
        const { errors } = await stack.app.graphql(
          `mutation($ref: String!, $input: Update${kind}Input!) { update${kind}(ref: $ref, input: $input) { ref } }`,
          { ref: refs[name], input: { maxCalls } },
        );
        expect(errors).toBeUndefined();
      };
      await most(50);
      const [one, two] = [await talking('+1800555', '127.0.14.7'), await talking('+1800666', '127.0.14.8')];
      await one.refer(other, '403');
      await one.refer(`${other}?${two.replaces}`, '403');
      await one.refer(`sip:112@${HERE}`, '202');
      await most(null);
      await one.refer(other, '202');
      for (const each of [one, two]) await each.end();
    });
  });

  describe('of a domain whose egress policy sends out everything', () => {
    const OUT = 'policy.test';
    const OTTO = { username: 'otto', secret: SECRET };
    // The second one receives numbers without +.
    const WAYS = [
      ['provider', '127.0.14.23'],
      ['bare', '127.0.14.24'],
    ] as const;

    beforeAll(async () => {
      for (const [name, host] of WAYS) {
        const phone = await Phone.open(stack.sip, host);
        providers[name] = phone;
        const numberFormat = name === 'bare' ? 'E164_NO_PLUS' : null;
        refs[name] = await createGateway(stack.app, { host: phone.host, port: phone.port, numberFormat });
        const numberRef = await createNumber(stack.app, { gatewayRef: refs[name], aorLink: `sip:otto@${OUT}` });
        refs[`${name} domain`] = await createDomain(stack.app, {
          domainUri: name === 'bare' ? `bare.${OUT}` : OUT,
          egressPolicy: { rule: '.*', numberRef },
          dailyMinutes: name === 'bare' ? ['+1900=1', '1900=1'] : ['+1900=1'],
        });
      }
      await createAgent(stack.app, { ...OTTO, domains: [OUT, `bare.${OUT}`] });
      await new Promise((resolve) => setTimeout(resolve, 6000));
    });

    beforeEach(async () => {
      for (const [name] of WAYS) await use('Domain', `${name} domain`, '+1900', 60);
      await use('Domain', 'bare domain', '1900', 60);
    });

    /** What becomes of a call: the refusal, or the Request-URI that the provider receives. */
    async function dials(number: string, host = OUT): Promise<string> {
      const sent: string[] = [];
      for (const [name] of WAYS) {
        const provider = providers[name];
        provider?.handle((message) => {
          if (!message.startsWith('INVITE ')) return;
          sent.push(message.split(' ')[1] ?? '');
          provider.answers(message, '486 Busy Here', 'p');
        });
      }
      const phone = await open('127.0.14.4');
      const asking = { method: 'INVITE', uri: `sip:${number}@${host}`, from: `otto@${host}`, to: `x@${host}` };
      const headers = [`Contact: <${phone.contact('otto')}>`];
      const answer = await phone.proves({ ...asking, callId: id(), fromTag: id(), headers }, OTTO);
      return sent[0] ?? answer?.split('\r\n', 1)[0]?.replace('SIP/2.0 ', '') ?? 'silence';
    }

    async function explained(number: string, host = OUT): Promise<string> {
      const { data, errors } = await stack.app.graphql<{
        explainCall: { status: number | null; reason: string | null; attempts: { requestUri: string }[] };
      }>(
        'query($from: String!, $to: String!) { explainCall(from: $from, to: $to) { status reason attempts { requestUri } } }',
        { from: `otto@${host}`, to: `sip:${number}@${host}` },
      );
      expect(errors).toBeUndefined();
      const { status, reason, attempts } = data.explainCall;
      return attempts[0]?.requestUri ?? `${String(status)} ${String(reason)}`;
    }

    const SPENT = '503 Too Many Minutes a Day of Domain';
    const NOBODY = '404 Not Found';

    test.each([
      ['+1900123', SPENT],
      ['001900123', SPENT],
      ['+1-900-123', SPENT],
      ['%2B1%2D900.123', SPENT],
      ['+1900123;x=1', SPENT],
      ['+1900/123', NOBODY],
      ['+1900%20123', NOBODY],
      ['%201900123', NOBODY],
      ['+1900,123', NOBODY],
      ['%2B1%209001', NOBODY],
      ['00/1900123', NOBODY],
      ['+1900123p1', NOBODY],
      ['+1900ABC', NOBODY],
      ['1900123%3Bx', NOBODY],
      ['/+1900123', NOBODY],
      ['+1%252B900', NOBODY],
      ['+001900123', NOBODY],
      ['0001900123', NOBODY],
      // A provider may read past * and #, or take them for a code.
      ['+1*900123', SPENT],
      ['+19%2300123', SPENT],
      ['%2331%23001900123', SPENT],
      ['*31%2300-1900*123', SPENT],
      // A provider may keep only the digits of a name.
      ['a+1900123', SPENT],
      ['tel%3A+1.900.123', SPENT],
      ['x+00-1900123', SPENT],
      ['a001900123', SPENT],
      ['a0001900123', SPENT],
      ['room1900', 'sip:room1900@'],
      ['alice', 'sip:alice@'],
      ['a+b', 'sip:a+b@'],
      ['+1-800.(123)', 'sip:+1800123@'],
      ['0018-00', 'sip:001800@'],
      ['*21*1-800%23;x=1', 'sip:*21*1800%23@'],
    ])('refuses or sends %s as %s, and so it is explained', async (number, expected) => {
      const told = await dials(number);
      expect(told.startsWith(expected) ? expected : told).toBe(expected);
      expect(await explained(number)).toBe(told);
    });

    test.each([
      ['00*31*1900555', SPENT],
      ['00%2331%231900555', SPENT],
      ['00*1*900555', SPENT],
      ['*0*01900555', SPENT],
      ['*0*0*1900555', SPENT],
      ['0*31*01900555', SPENT],
      ['*31*0*01900555', SPENT],
      ['*1*900555', SPENT],
      ['*19*00555', SPENT],
      ['31*1900555', SPENT],
      ['19*31*00555', SPENT],
      ['*31*1800555', 'sip:*31*1800555@'],
      ['1800*1901', 'sip:1800*1901@'],
    ])(
      'refuses or sends %s as %s without +, whatever of it the provider takes for a code',
      async (number, expected) => {
        const host = `bare.${OUT}`;
        const told = await dials(number, host);
        expect(told.startsWith(expected) ? expected : told).toBe(expected);
        expect(await explained(number, host)).toBe(told);
      },
    );

    test('does not send +00 out as 00', async () => {
      const host = `bare.${OUT}`;
      expect(await dials('+1800123', host)).toMatch(/^sip:1800123@/);
      for (const number of ['+001900123', '+(00)1900123', '+0900', '00001900123', '(00)001900123'])
        expect([await dials(number, host), await explained(number, host)]).toEqual([NOBODY, NOBODY]);
    });

    test('holds for what a phone has its provider call', async () => {
      const { provider } = providers;
      if (!provider) throw new Error('no provider');
      provider.handle(undefined);
      const phone = await open('127.0.14.4');
      const caller = { phone, from: `otto@${OUT}`, credentials: OTTO };
      const { fromCaller } = await answeredCall(caller, provider, `+1800555@${OUT}`);
      let cseq = 10;
      for (const [target, isPassedOn] of [
        ['sip:+1900555', false],
        ['sip:+1900/555', false],
        ['sip:+1800/555', false],
        ['sip:a+1900555', false],
        ['sip:+001900555', false],
        ['sip:+1*900555', false],
        ['sip:%2331%23001900555', false],
        ['sip:00*31*1900555', false],
        ['sip:*0*01900555', false],
        ['tel:900555;phone-context=+1', false],
        ['tel:+1800555;npdi;rn=+1900555', false],
        ['tel:+1-800-555', true],
        ['sip:+1800555', true],
        ['sip:alice', true],
      ] as const) {
        const uri = target.startsWith('tel:') ? target : `${target}@${provider.host}`;
        const headers = [...(fromCaller.headers ?? []), `Refer-To: <${uri}>`];
        const answer = phone.asks({ ...fromCaller, method: 'REFER', cseq: cseq++, headers });
        const heard = await (isPassedOn ? provider.hears(/^REFER/) : provider.hears(/^REFER/, 0.3));
        if (heard !== undefined) provider.answers(heard, '202 Accepted', 'x');
        expect(`${target} ${String(await answer).slice(0, 11)}`).toBe(
          `${target} SIP/2.0 ${isPassedOn ? '202' : '403'}`,
        );
      }
      const ended = phone.asks({ ...fromCaller, method: 'BYE', cseq });
      provider.answers((await provider.hears(/^BYE/)) ?? '', '200 OK', 'x');
      expect(await ended).toMatch(/^SIP\/2\.0 200/);
    });
  });

  test('counts an answered call when it ends, for the agent, the domain and the gateway that carried it, also after a crash', async () => {
    const { a } = providers;
    if (!a) throw new Error('no provider');
    a.handle(undefined);
    await limit('Agent', 'anna', ['+1900=10', '+44=10']);
    await limit('Domain', 'domain', ['+1=10', '+1900=20']);
    await limit('Gateway', 'a', ['+19=10']);
    await limit('Gateway', 'b', ['+19=10']);
    await use('Agent', 'anna', '+1900', 100);
    const anna = { phone: await open('127.0.14.5'), from: `anna@${HERE}`, credentials: CREDENTIALS };
    const began = Date.now();
    const { fromCaller } = await answeredCall(anna, a, `+1900555@${HERE}`);
    const used = async (): Promise<unknown[][]> =>
      (await runSql(stack.url, 'SELECT kind, ref, prefix, seconds FROM used_minutes ORDER BY kind, prefix')).map(
        (row) => [...row],
      );
    expect(await used()).toEqual([['Agent', refs['anna'], '+1900', 100]]);
    await stack.kamailio.crash();
    await stack.startKamailio();
    a.handle((message) => {
      if (message.startsWith('BYE ')) a.answers(message, '200 OK', 'p');
    });
    await eventually(10, async () => {
      anna.phone.says({ ...fromCaller, method: 'BYE', cseq: 9 });
      expect(await anna.phone.hears(/^SIP\/2\.0 200.*\r\n(?:.*\r\n)*CSeq: 9 BYE/m)).toBeDefined();
    });
    await eventually(5, async () => expect(await used()).toHaveLength(4));
    const lasted = Math.ceil((Date.now() - began) / 1000) + 1;
    const rows = await used();
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      ['Agent', refs['anna'], '+1900'],
      ['Domain', refs['domain'], '+1'],
      ['Domain', refs['domain'], '+1900'],
      ['Gateway', refs['a'], '+19'],
    ]);
    const seconds = rows.map((row) => Number(row[3]));
    const [, once = 0] = seconds;
    expect(once).toBeGreaterThan(0);
    expect(once).toBeLessThanOrEqual(lasted);
    expect(seconds).toEqual([100 + once, once, once, once]);
  });

  test('is told when 80 % are used, and when all are, for each whose limit it is', async () => {
    for (const [kind, name] of [['Agent', 'anna'] as const, ['Gateway', 'a'] as const]) {
      await limit(kind, name, ['+1900=10']);
      await use(kind, name, '+1900', 500);
    }
    for (let made = 0; made < 2; made++) expect(await call('anna', '+1900555')).toBe('486 Busy Here');
    await runSql(stack.url, 'UPDATE used_minutes SET seconds = 600');
    for (let made = 0; made < 2; made++) expect(await call('anna', '+1900555')).toMatch(/^486 Too Many Minutes/);
    await eventually(5, async () =>
      expect(
        await runSql(stack.url, 'SELECT event, kind, ref, what, used, most FROM call_alerts ORDER BY event, kind'),
      ).toEqual([
        ['LIMIT_NEARLY_REACHED', 'Agent', refs['anna'], 'DAILY_MINUTES', 8, 10],
        ['LIMIT_NEARLY_REACHED', 'Gateway', refs['a'], 'DAILY_MINUTES', 8, 10],
        ['LIMIT_REACHED', 'Agent', refs['anna'], 'DAILY_MINUTES', 10, 10],
        ['LIMIT_REACHED', 'Gateway', refs['a'], 'DAILY_MINUTES', 10, 10],
      ]),
    );
  });

  test('ends a call that has lasted as long as the minutes that were left, and counts it once', async () => {
    const { a } = providers;
    if (!a) throw new Error('no provider');
    a.handle(undefined);
    await limit('Agent', 'anna', ['+1900=10', '+19=20']);
    await use('Agent', 'anna', '+1900', 592);
    const anna = { phone: await open('127.0.14.6'), from: `anna@${HERE}`, credentials: CREDENTIALS };
    const began = Date.now();
    await answeredCall(anna, a, `+1900555@${HERE}`);
    const bye = await a.hears(/^BYE /, 15);
    expect(bye).toBeDefined();
    expect(Date.now() - began).toBeGreaterThan(6900);
    a.answers(bye ?? '', '200 OK', 'p');
    const own = await anna.phone.hears(/^BYE /);
    anna.phone.answers(own ?? '', '200 OK', 'c');
    await eventually(5, async () =>
      expect(await runSql(stack.url, "SELECT seconds >= 600 FROM used_minutes WHERE prefix = '+1900'")).toEqual([[1]]),
    );
    expect(await call('anna', '+1900555')).toBe('486 Too Many Minutes a Day of Agent');
    await delay(1500);
    const [[seconds] = []] = await runSql(stack.url, "SELECT seconds FROM used_minutes WHERE prefix = '+1900'");
    expect(Number(seconds) - 592).toBeLessThanOrEqual((Date.now() - began) / 1000);
  });

  test('counts for the domain that calls, also if it is renamed meanwhile', async () => {
    const { a } = providers;
    if (!a) throw new Error('no provider');
    a.handle(undefined);
    await limit('Domain', 'domain', ['+1900=10']);
    const anna = { phone: await open('127.0.14.6'), from: `anna@${HERE}`, credentials: CREDENTIALS };
    const { fromCaller } = await answeredCall(anna, a, `+1900555@${HERE}`);
    const rename = async (domainUri: string): Promise<void> => {
      const { errors } = await stack.app.graphql(
        'mutation ($ref: String!, $uri: String!) { updateDomain(ref: $ref, input: { domainUri: $uri }) { ref } }',
        { ref: refs['domain'], uri: domainUri },
      );
      expect(errors).toBeUndefined();
    };
    try {
      await rename('renamed.test');
      anna.phone.says({ ...fromCaller, method: 'BYE', cseq: 9 });
      a.answers((await a.hears(/^BYE /)) ?? '', '200 OK', 'p');
      const used = 'SELECT kind, ref, seconds > 0 FROM used_minutes';
      await eventually(5, async () => expect(await runSql(stack.url, used)).toEqual([['Domain', refs['domain'], 1]]));
    } finally {
      await rename(HERE);
      // Kamailio knows the domain again after at most 5 s.
      await delay(6000);
    }
  });

  test('counts a call without a request for 12 hours, which is ended, and does not go on uncounted', async () => {
    const { a } = providers;
    if (!a) throw new Error('no provider');
    a.handle(undefined);
    a.forget();
    await limit('Agent', 'anna', ['+1900=1000']);
    const anna = { phone: await open('127.0.14.6'), from: `anna@${HERE}`, credentials: CREDENTIALS };
    await answeredCall(anna, a, `+1900555@${HERE}`);
    expect(await a.hears(/^BYE /, 5)).toBeUndefined();
    await runSql(stack.url, `UPDATE ${stack.schema}.dialog SET timeout = UNIX_TIMESTAMP() + 50`);
    const bye = await a.hears(/^BYE /, 5);
    expect(bye).toBeDefined();
    a.answers(bye ?? '', '200 OK', 'p');
    expect(await anna.phone.hears(/^BYE /)).toBeDefined();
    await eventually(5, async () =>
      expect(await runSql(stack.url, "SELECT seconds > 0 FROM used_minutes WHERE kind = 'Agent'")).toEqual([[1]]),
    );
  });

  test('ends each call at its provider, counts and records it, also if the phone responds to the BYE at once and the provider challenges it', async () => {
    const provider = await Phone.open(stack.sip, '127.0.14.25');
    providers['challenging'] = provider;
    const credentials = { username: 'trunk', secret: SECRET, sendRegister: false };
    const gatewayRef = await createGateway(stack.app, { host: provider.host, port: provider.port, ...credentials });
    const numberRef = await createNumber(stack.app, { gatewayRef, aorLink: `sip:bert@${HERE}` });
    await createRoute(stack.app, { domainRef: refs['domain'], prefix: '+39', numberRefs: [numberRef] });
    const most = (maxCalls: number | null) =>
      stack.app.graphql(
        'mutation ($ref: String!, $most: Int) { updateAgent(ref: $ref, input: { maxCalls: $most }) { ref } }',
        { ref: refs['anna'], most: maxCalls },
      );
    expect((await most(30)).errors).toBeUndefined();
    await limit('Agent', 'anna', ['+39=1']);
    await use('Agent', 'anna', '+39', 50);
    const going = new Set<string>();
    const last = new Map<string, number>();
    const callIdOf = (message: string): string => (headersOf(message, 'Call-ID')[0] ?? '').slice('Call-ID: '.length);
    provider.handle((message) => {
      const [method = ''] = message.split(' ', 1);
      if (!/^(INVITE|BYE)$/.test(method)) return;
      const callId = callIdOf(message);
      const cseq = Number(/^CSeq: *(\d+)/im.exec(message)?.[1]);
      const isHigher = cseq > (last.get(callId) ?? 0);
      last.set(callId, Math.max(cseq, last.get(callId) ?? 0));
      const challenge = ['Proxy-Authenticate: Digest realm="p", nonce="n"'];
      if (!isHigher) provider.answers(message, '500 CSeq Out of Order', 'p');
      else if (!/^Proxy-Authorization:/m.test(message)) provider.answers(message, '407 Proxy', 'p', challenge);
      else {
        provider.answers(message, '200 OK', 'p', method === 'INVITE' ? [`Contact: <${provider.contact('p')}>`] : []);
        if (method === 'BYE') going.delete(callId);
      }
    });
    const callIds: string[] = [];
    for (let made = 0; made < 14; made++) {
      const phone = await open('127.0.14.10');
      const [callId, fromTag, to] = [id(), id(), `+39555@${HERE}`];
      const asking = { uri: `sip:${to}`, from: `anna@${HERE}`, to, callId, fromTag };
      const headers = [`Contact: <${phone.contact('anna')}>`];
      const answer = await phone.proves({ ...asking, method: 'INVITE', headers }, CREDENTIALS);
      expect(answer).toMatch(/^SIP\/2\.0 200/);
      callIds.push(callId);
      going.add(callId);
      phone.says({ ...asking, method: 'ACK', uri: uriIn(answer), toTag: 'p', cseq: 2, headers: routes(answer) });
      phone.handle((message) => {
        if (message.startsWith('BYE ')) phone.answers(message, '200 OK', 'c');
      });
      // Calls that end in the same moment are handled by several processes.
      await delay(400);
    }
    await delay(12_000);
    await eventually(10, () => expect([...going]).toEqual([]));
    await delay(3000);
    const list = callIds.map(() => '?').join();
    const records = await runSql(stack.url, `SELECT state, ended_by FROM calls WHERE call_id IN (${list})`, callIds);
    expect(records.map(([state, by]) => `${String(state)} ${String(by)}`)).toEqual(callIds.map(() => '6 SERVER'));
    const [[seconds] = []] = await runSql(stack.url, "SELECT seconds FROM used_minutes WHERE prefix = '+39'");
    expect(Number(seconds)).toBeGreaterThanOrEqual(50 + 9 * callIds.length);
    await most(null);
  }, 90_000);
});
