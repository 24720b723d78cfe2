import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createGateway, createNumber, createRoute } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { Party, type Script } from '../party';
import { headersOf, id, Phone, type Asking } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const OK = ['180 Ringing', '200 OK'];
const RINGS = ['180 Ringing'];
const NAMES = ['anna', 'ben', 'cleo', 'mobile', 'backup'] as const;
type Name = (typeof NAMES)[number];
/** Another address of the provider `mobile`. */
const ELSEWHERE = '127.0.2.30';

const routesOf = (message: string | undefined): string[] =>
  headersOf(message, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));

/**
 * anna, ben and cleo are agents of one.test, and dora is one without a phone. The calls of one.test to +49 leave through the gateways of `mobile` and `backup`. The
 * provider from which calls come is at an address of its own.
 */
describe('A call to a number with several targets', () => {
  let stack: Stack;
  let caller: Phone;
  const parties = new Map<Name, Party>();
  const refs = new Map<string, string>();
  let last = 0;

  const party = (name: Name): Party => parties.get(name) ?? fail(name);
  const fail = (name: string): never => {
    throw new Error(`there is no ${name}`);
  };

  beforeAll(async () => {
    stack = await startStack(database);
    caller = await Phone.open(stack.sip, '127.0.2.1');
    for (const [index, name] of NAMES.entries())
      parties.set(name, await Party.open(name, stack.sip, `127.0.2.${String(11 + index)}`));
    const incoming = await createGateway(stack.app, { host: '127.0.2.1', transport: 'UDP' });
    refs.set('incoming', incoming);
    const callers: string[] = [];
    for (const name of ['mobile', 'backup'] as const) {
      const { host, port } = party(name).phone;
      const credentials = { username: `user-${name}`, secret: `secret-${name}`, sendRegister: false };
      const sources = name === 'mobile' ? [ELSEWHERE] : null;
      const gatewayRef = await createGateway(stack.app, { host, port, transport: 'UDP', sources, ...credentials });
      callers.push(
        await createNumber(stack.app, { gatewayRef, telUrl: `tel:+4989${String(port)}`, aorLink: 'sip:x@one.test' }),
      );
      refs.set(name, `+4989${String(port)}`);
      refs.set(`number of ${name}`, callers.at(-1) ?? '');
      refs.set(`gateway of ${name}`, gatewayRef);
    }
    const { data } = await stack.app.graphql<{ domains: { nodes: { ref: string }[] } }>(
      '{ domains(where: { domainUri: { eq: "one.test" } }) { nodes { ref } } }',
    );
    const domainRef = data.domains.nodes[0]?.ref;
    refs.set('domain', domainRef ?? '');
    refs.set('route', await createRoute(stack.app, { domainRef, prefix: '+49', numberRefs: callers }));
    for (const username of ['anna', 'ben', 'cleo', 'dora', 'emil'])
      refs.set(username, await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] }));
    await eventually(15, async () => expect(await caller.registers('emil', 'one.test')).toMatch(/^SIP\/2\.0 200/));
    for (const name of ['anna', 'ben', 'cleo'] as const) {
      expect(await party(name).phone.registers(name, 'one.test')).toMatch(/^SIP\/2\.0 200/);
    }
    for (const each of parties.values()) each.listen();
  });

  afterAll(async () => {
    caller.close();
    for (const { phone } of parties.values()) phone.close();
    await stack.close();
  });

  /** A new number of the incoming provider, with these targets. */
  async function number(...[first = '', ...others]: readonly string[]): Promise<string> {
    const digits = `4930${String(10_000 + ++last)}`;
    await createDid(stack.app, {
      gatewayRef: refs.get('incoming'),
      telUrl: `tel:+${digits}`,
      aorLink: `sip:${first}@one.test`,
      furtherTargets: others.map((each) => (each.startsWith('tel:') ? each : each.replace(/^\w+/, 'sip:$&@one.test'))),
    });
    return `+${digits}`;
  }

  /** What a call from the provider became. */
  interface Call {
    readonly asking: Asking;
    /** The final response, which was acknowledged. */
    readonly final: Promise<string>;
  }

  /** Calls a number from the provider. */
  function call(
    to: string,
    scripts: Partial<Record<Name, Script>>,
    from = '+33123',
    headers: readonly string[] = [],
  ): Call {
    for (const [name, each] of parties) {
      each.heard.length = 0;
      each.script = scripts[name] ?? [];
    }
    caller.forget();
    const asking: Asking = {
      method: 'INVITE',
      uri: `sip:${to}@${stack.sip}`,
      from: `${from}@provider.example`,
      to: `${to}@${stack.sip}`,
      callId: id(),
      fromTag: id(),
      branch: `z9hG4bK${id()}`,
      headers: [`Contact: <${caller.contact('provider')}>`, ...headers],
    };
    caller.says(asking);
    const final = (async () => {
      const answer =
        (await caller.hears(
          (text) => /^SIP\/2\.0 [2-6]/.test(text) && text.includes(asking.callId ?? '') && text.includes('1 INVITE'),
          30,
        )) ?? '';
      const toTag = /tag=([\w-]+)/.exec(headersOf(answer, 'To')[0] ?? '')?.[1];
      const uri = /<(.*?)>/.exec(headersOf(answer, 'Contact')[0] ?? '')?.[1] ?? asking.uri;
      const tagged = { ...asking, ...(toTag !== undefined && { toTag }), headers: [] };
      if (answer.startsWith('SIP/2.0 200'))
        caller.says({ ...tagged, uri, branch: `z9hG4bK${id()}`, method: 'ACK', headers: routesOf(answer) });
      else caller.says({ ...tagged, method: 'ACK' });
      return answer;
    })();
    return { asking, final };
  }

  /** Ends a call, and returns the response to BYE. */
  async function hangUp({ asking, final }: Call): Promise<string | undefined> {
    const answer = await final;
    const uri = /<(.*?)>/.exec(headersOf(answer, 'Contact')[0] ?? '')?.[1] ?? '';
    const toTag = /tag=([\w-]+)/.exec(headersOf(answer, 'To')[0] ?? '')?.[1] ?? '';
    const branch = `z9hG4bK${id()}`;
    caller.says({ ...asking, method: 'BYE', uri, toTag, branch, cseq: 2, headers: routesOf(answer) });
    return caller.hears(/^SIP\/2\.0 [2-6][^]*CSeq: 2 BYE/);
  }

  const called = (): string =>
    [...parties]
      .filter(([, each]) => each.of('INVITE').length > 0)
      .map(([name]) => name)
      .join(' ');

  test.each<readonly [string, readonly string[], Partial<Record<Name, Script>>, string, string]>([
    [
      'rings both that ring together',
      ['anna', 'ben'],
      { anna: RINGS, ben: [...RINGS, 300, '200 OK'] },
      'anna ben',
      '200',
    ],
    [
      'rings a phone and an outside number together, which answers',
      ['anna', 'tel:+49170555'],
      { anna: RINGS, mobile: [...RINGS, 300, '200 OK'] },
      'anna mobile',
      '200',
    ],
    [
      'rings a phone, which answers, and an outside number together',
      ['dora', 'tel:+49170555', 'anna'],
      { anna: [...RINGS, 300, '200 OK'], mobile: RINGS },
      'anna mobile',
      '200',
    ],
    [
      'rings the next one if all of a ring with an outside number refuse',
      ['anna', 'tel:+49170555', 'ben after 20'],
      { anna: ['486 Busy'], mobile: ['503 No'], ben: OK },
      'anna ben mobile',
      '200',
    ],
    ['goes on with the one that is not busy', ['anna', 'ben'], { anna: ['486 Busy'], ben: OK }, 'anna ben', '200'],
    [
      'goes on while one of two declines',
      ['anna', 'ben'],
      { anna: ['603 No'], ben: [500, '200 OK'] },
      'anna ben',
      '200',
    ],
    ['does not ring the next one if the first one answers', ['anna', 'ben after 5'], { anna: OK }, 'anna', '200'],
    [
      'rings the next one if the first one is busy',
      ['anna', 'ben after 20'],
      { anna: ['486 Busy'], ben: OK },
      'anna ben',
      '200',
    ],
    [
      'rings the next one if the first one declines',
      ['anna', 'ben after 20'],
      { anna: ['603 No'], ben: OK },
      'anna ben',
      '200',
    ],
    ['rings the next one after its seconds', ['anna', 'ben after 1'], { anna: RINGS, ben: OK }, 'anna ben', '200'],
    [
      'rings the next one although the first one repeats that it rings',
      ['anna', 'ben after 2'],
      {
        anna: ['180 Ringing', 700, '180 Ringing', 700, '180 Ringing', 700, '180 Ringing', 700, '180 Ringing'],
        ben: OK,
      },
      'anna ben',
      '200',
    ],
    ['rings the next one if the first one is not there', ['anna', 'ben after 2'], { ben: OK }, 'anna ben', '200'],
    ['rings the next one if the first one is not registered', ['dora', 'ben after 20'], { ben: OK }, 'ben', '200'],
    ['rings the next one if the first one does not exist', ['nobody', 'ben after 20'], { ben: OK }, 'ben', '200'],
    [
      'passes one in the middle that is not registered',
      ['anna', 'dora after 20', 'ben', 'cleo after 20'],
      { anna: ['486 No'], ben: ['486 No'], cleo: OK },
      'anna ben cleo',
      '200',
    ],
    [
      'fails as the last one that rang',
      ['anna', 'ben after 20', 'dora after 20'],
      { anna: ['486 Busy'], ben: ['603 No'] },
      'anna ben',
      '603',
    ],
    ['fails if none can ring', ['dora', 'nobody after 20'], {}, '', '480'],
    [
      'reaches an outside number',
      ['anna', 'tel:+49170555 after 20'],
      { anna: ['486 Busy'], mobile: OK },
      'anna mobile',
      '200',
    ],
    [
      'reaches an outside number if the first one is not registered',
      ['dora', 'tel:+49170555 after 20'],
      { mobile: OK },
      'mobile',
      '200',
    ],
    [
      'authenticates at the gateway of an outside number',
      ['dora', 'tel:+49170555 after 20'],
      { mobile: ['407 Who', ...OK] },
      'mobile',
      '200',
    ],
    [
      'reaches an outside number through the next gateway',
      ['anna', 'tel:+49170555 after 20'],
      { anna: ['486 Busy'], mobile: ['503 No'], backup: OK },
      'anna mobile backup',
      '200',
    ],
    [
      'reaches an outside number through the next gateway after 100 and silence of 6 s',
      ['anna', 'tel:+49170555 after 20'],
      { anna: ['486 Busy'], mobile: ['100 Trying'], backup: OK },
      'anna mobile backup',
      '200',
    ],
    [
      'rings the next one if an outside number is busy',
      ['anna', 'tel:+49170555 after 20', 'ben after 20'],
      { anna: ['486 Busy'], mobile: ['486 Busy'], ben: OK },
      'anna ben mobile',
      '200',
    ],
    [
      'rings the next one if an outside number does not answer',
      ['anna', 'tel:+49170555 after 20', 'ben after 1'],
      { anna: ['486 Busy'], mobile: RINGS, ben: OK },
      'anna ben mobile',
      '200',
    ],
    [
      'rings the next one if no gateway takes an outside number',
      ['anna', 'tel:+49170555 after 20', 'ben after 20'],
      { anna: ['486 No'], mobile: ['503 No'], backup: ['500 No'], ben: OK },
      'anna ben mobile backup',
      '200',
    ],
    [
      'passes an outside number that the domain cannot call',
      ['anna', 'tel:+33170555 after 20', 'ben after 20'],
      { anna: ['486 No'], ben: OK },
      'anna ben',
      '200',
    ],
  ])(
    '%s',
    async (_, targets, scripts, expected, status) => {
      const made = call(await number(...targets), scripts);
      expect(await made.final).toMatch(new RegExp(`^SIP/2\\.0 ${status}`));
      expect(called().split(' ').sort()).toEqual(expected.split(' ').sort());
      if (status === '200') expect(await hangUp(made)).toMatch(/^SIP\/2\.0 200/);
    },
    30_000,
  );

  test('shows an outside number the number of the way out, and the called number in Diversion', async () => {
    const to = await number('dora', 'tel:+49170555 after 20');
    const made = call(to, { mobile: OK });
    expect(await made.final).toMatch(/^SIP\/2\.0 200/);
    const [invite] = party('mobile').of('INVITE');
    const { host, port } = party('mobile').phone;
    const place = `${host}:${String(port)}`;
    expect(invite).toMatch(`INVITE sip:+49170555@${place};transport=udp SIP/2.0`);
    expect(headersOf(invite, 'From')).toEqual([
      expect.stringMatching(`<sip:\\+${(refs.get('mobile') ?? '').slice(1)}@${place}>`),
    ]);
    expect(headersOf(invite, 'Diversion')).toEqual([`Diversion: <sip:${to}@${host}>;reason=unavailable`]);
    expect(headersOf(invite, 'X-Gateway')).toEqual([]);
    expect(await made.final).toContain(`From: <sip:+33123@provider.example>`);
    await hangUp(made);
    expect(headersOf(party('mobile').of('BYE')[0], 'From')).toEqual([expect.stringContaining(`@${place}>`)]);
  });

  test.each([
    ['user-busy', ['486 Busy']],
    ['no-answer', RINGS],
    ['unknown', ['500 No']],
  ])('says %s in Diversion', async (reason, script) => {
    const made = call(await number('anna', 'tel:+49170555 after 1'), { anna: script, mobile: OK });
    await made.final;
    expect(headersOf(party('mobile').of('INVITE')[0], 'Diversion')[0]).toMatch(`;reason=${reason}`);
    await hangUp(made);
  });

  test('hides a hidden caller from an outside number', async () => {
    const made = call(await number('dora', 'tel:+49170555 after 1'), { mobile: OK }, '+33123', ['Privacy: id']);
    expect(await made.final).toMatch(/^SIP\/2\.0 200/);
    const [invite] = party('mobile').of('INVITE');
    expect(headersOf(invite, 'From')).toEqual([expect.stringContaining('<sip:anonymous@anonymous.invalid>')]);
    expect(headersOf(invite, 'P-Asserted-Identity')).toEqual([expect.stringContaining(`+4989`)]);
    expect(headersOf(invite, 'Privacy')).toEqual(['Privacy: id']);
    expect(await hangUp(made)).toMatch(/^SIP\/2\.0 200/);
  });

  test('rings nobody any more if the caller cancels it', async () => {
    const { asking, final } = call(await number('anna', 'ben', 'cleo after 20'), { anna: RINGS, ben: RINGS, cleo: OK });
    await eventually(5, () => {
      expect(called()).toBe('anna ben');
    });
    caller.says({ ...asking, method: 'CANCEL', headers: [] });
    expect(await final).toMatch(/^SIP\/2\.0 487/);
    await eventually(5, () => {
      for (const name of ['anna', 'ben'] as const) expect(party(name).of('CANCEL')).toHaveLength(1);
    });
    expect(called()).toBe('anna ben');
  });

  test('cancels those that still ring when one answers', async () => {
    const made = call(await number('anna', 'ben'), { anna: RINGS, ben: [...RINGS, 200, '200 OK'] });
    expect(await made.final).toMatch(/^SIP\/2\.0 200/);
    await eventually(5, () => {
      expect(party('anna').of('CANCEL')).toHaveLength(1);
    });
    await hangUp(made);
    expect(party('anna').of('BYE')).toHaveLength(0);
    expect(party('ben').of('BYE')).toHaveLength(1);
  });

  test('ends a late answer of a target whose time is over with ACK and BYE', async () => {
    const made = call(await number('anna', 'ben after 1'), {
      anna: [...RINGS, 1500, 'late', '200 OK'],
      ben: [...RINGS, 1500, '200 OK'],
    });
    expect(await made.final).toMatch(/^SIP\/2\.0 200/);
    await eventually(5, () => {
      expect(party('anna').of('ACK')).toHaveLength(1);
      expect(party('anna').of('BYE')).toHaveLength(1);
    });
    expect(await hangUp(made)).toMatch(/^SIP\/2\.0 200/);
    expect(party('ben').of('BYE')).toHaveLength(1);
  });

  test.each([
    ['its address', undefined],
    ['another address of its gateway', ELSEWHERE],
  ])('carries the requests of an outside party within the call, from %s', async (_, address) => {
    await eventually(10, () => {
      expect(stack.kamailio.control('htable.dump', 'networks')).toContain(ELSEWHERE);
    });
    const made = call(await number('dora', 'tel:+49170555 after 20'), { mobile: OK });
    const answer = await made.final;
    const phone = address === undefined ? party('mobile').phone : await Phone.open(stack.sip, address);
    const [invite = ''] = party('mobile').of('INVITE');
    const [from = '', to = ''] = ['From', 'To'].map(
      (name) => /sip:([^>;]*)/.exec(headersOf(invite, name)[0] ?? '')?.[1],
    );
    await eventually(5, () => {
      expect(party('mobile').of('ACK')).toHaveLength(1);
    });
    const within: Asking = {
      method: 'BYE',
      uri: /<(.*?)>/.exec(headersOf(invite, 'Contact')[0] ?? '')?.[1] ?? '',
      from: to,
      fromTag: 'mobile',
      to: from,
      toTag: made.asking.fromTag ?? '',
      callId: made.asking.callId ?? '',
      branch: `z9hG4bK${id()}`,
      cseq: 7,
      headers: routesOf(invite),
    };
    expect(answer).toMatch(/^SIP\/2\.0 200/);
    phone.says(within);
    const bye = await caller.hears(/^BYE /);
    expect(headersOf(bye, 'To')).toEqual([expect.stringContaining('<sip:+33123@provider.example>')]);
    caller.answers(bye ?? '', '200 OK', 'x');
    if (address === undefined) return;
    expect(await phone.hears(/^SIP\/2\.0 200[^]*CSeq: 7 BYE/)).toBeDefined();
    phone.close();
  });

  test('writes Diversion in the number format of the gateway', async () => {
    const format = async (numberFormat: string | null): Promise<void> => {
      const mutation =
        'mutation ($ref: String!, $numberFormat: String) { updateGateway(ref: $ref, input: { numberFormat: $numberFormat }) { ref } }';
      const { errors } = await stack.app.graphql(mutation, { ref: refs.get('gateway of mobile'), numberFormat });
      expect(errors).toBeUndefined();
    };
    await format('DE');
    const to = await number('dora', 'tel:+49170555 after 20');
    const made = call(to, { mobile: OK });
    expect(await made.final).toMatch(/^SIP\/2\.0 200/);
    const { host } = party('mobile').phone;
    const diversion = `<sip:${to.replace('+49', '0')}@${host}>`;
    expect(headersOf(party('mobile').of('INVITE')[0], 'Diversion')).toEqual([
      `Diversion: ${diversion};reason=unavailable`,
    ]);
    await hangUp(made);
    // A local number has the same digits in all formats.
    await createDid(stack.app, {
      ...{ gatewayRef: refs.get('incoming'), telUrl: 'tel:040-1234567', aorLink: 'sip:dora@one.test' },
      furtherTargets: ['tel:+49170555 after 20'],
    });
    for (const numberFormat of ['DE', null]) {
      await format(numberFormat);
      const local = call('0401234567', { mobile: OK });
      expect(await local.final).toMatch(/^SIP\/2\.0 200/);
      expect(headersOf(party('mobile').of('INVITE')[0], 'Diversion')).toEqual([
        `Diversion: <sip:0401234567@${host}>;reason=unavailable`,
      ]);
      await hangUp(local);
    }
  });

  test('rings phones and several outside numbers together, each once, as explainCall says, and counts for the one that answers', async () => {
    const [domainRef, numberRefs] = [refs.get('domain'), [refs.get('number of backup')]];
    const route = await createRoute(stack.app, { domainRef, prefix: '+49170556', numberRefs });
    const to = await number('anna', 'tel:+49170555', 'ben', 'tel:+49170556');
    interface Told {
      readonly explainCall: {
        readonly outcome: string;
        readonly attempts: readonly {
          readonly order: number;
          readonly requestUri: string;
          readonly diversion: string | null;
        }[];
      };
    }
    const { data } = await stack.app.graphql<Told>(
      'query ($to: String!) { explainCall(from: "+33123", to: $to, sourceAddress: "127.0.2.1") { outcome attempts { order requestUri diversion } } }',
      { to },
    );
    const { attempts, outcome } = data.explainCall;
    expect([outcome, attempts.map(({ order }) => order)]).toEqual(['RINGS', [1, 1, 1, 1]]);
    const made = call(to, { anna: RINGS, ben: RINGS, backup: RINGS, mobile: [...RINGS, 400, '200 OK'] });
    expect(await made.final).toMatch(/^SIP\/2\.0 200/);
    expect(headersOf(await made.final, 'From')[0]).toContain('<sip:+33123@provider.example>');
    const outside = attempts.filter(({ diversion }) => diversion !== null);
    for (const [index, name] of (['mobile', 'backup'] as const).entries()) {
      const { host, port } = party(name).phone;
      const [invite, ...others] = party(name).of('INVITE');
      expect(others).toEqual([]);
      expect(invite?.split(' ')[1]).toBe(`sip:+4917055${String(5 + index)}@${host}:${String(port)};transport=udp`);
      expect(outside.map(({ requestUri }) => requestUri)).toContain(invite?.split(' ')[1]);
      expect(headersOf(invite, 'Diversion')).toEqual([`Diversion: <sip:${to}@${host}>;reason=unavailable`]);
      expect(headersOf(invite, 'From')[0]).toContain(`<sip:${refs.get(name) ?? ''}@${host}`);
      expect(headersOf(invite, 'X-Gateway')).toEqual([]);
    }
    for (const name of ['anna', 'ben'] as const) {
      expect(headersOf(party(name).of('INVITE')[0], 'From')[0]).toContain('<sip:+33123@provider.example>');
      expect(headersOf(party(name).of('INVITE')[0], 'Diversion')).toEqual([]);
      await eventually(10, () => expect(party(name).of('CANCEL')).toHaveLength(1));
    }
    await eventually(10, () => expect(party('backup').of('CANCEL')).toHaveLength(1));
    expect(await hangUp(made)).toMatch(/^SIP\/2\.0 200/);
    await eventually(10, () => expect(party('mobile').of('BYE')).toHaveLength(1));
    await eventually(20, async () => {
      const recorded = await stack.app.graphql<{
        calls: {
          nodes: readonly {
            route: { ref: string } | null;
            attempts: readonly { gateway: { ref: string } | null; status: number | null }[];
          }[];
        };
      }>(
        'query ($id: String!) { calls(where: { callId: $id }) { nodes { route { ref } attempts { gateway { ref } status } } } }',
        {
          id: made.asking.callId,
        },
      );
      // The route of the one that answers, although that of the other was looked up last.
      expect(recorded.data.calls.nodes.map((each) => each.route?.ref)).toEqual([refs.get('route')]);
      const all = recorded.data.calls.nodes.flatMap((each) => each.attempts);
      expect(all.map(({ gateway }) => gateway?.ref)).toContain(refs.get('gateway of backup'));
      expect(all).toContainEqual({ gateway: { ref: refs.get('gateway of mobile') }, status: 200 });
    });
    // A call that a phone answers no longer counts for the gateway that rang with it.
    const update = async (maxCalls: number | null): Promise<void> => {
      const mutation =
        'mutation ($ref: String!, $n: Int) { updateGateway(ref: $ref, input: { maxCalls: $n }) { ref } }';
      const { errors } = await stack.app.graphql(mutation, { ref: refs.get('gateway of mobile'), n: maxCalls });
      expect(errors).toBeUndefined();
    };
    await update(1);
    const first = call(await number('anna', 'tel:+49170555'), { anna: [...RINGS, 300, '200 OK'], mobile: RINGS });
    expect(await first.final).toMatch(/^SIP\/2\.0 200/);
    const [answered] = [party('anna').of('INVITE')[0]];
    const second = call(await number('dora', 'tel:+49170555 after 20'), { mobile: OK });
    expect(await second.final).toMatch(/^SIP\/2\.0 200/);
    expect([answered === undefined, party('mobile').of('INVITE').length]).toEqual([false, 1]);
    await hangUp(second);
    await hangUp(first);
    await update(null);
    await stack.app.graphql(`mutation { deleteRoute(ref: "${route}") }`);
  }, 60_000);

  test('finds the number that the provider writes in the format of its gateway, also inside a range', async () => {
    const format = async (numberFormat: string | null): Promise<void> => {
      const mutation =
        'mutation ($ref: String!, $numberFormat: String) { updateGateway(ref: $ref, input: { numberFormat: $numberFormat }) { ref } }';
      const { errors } = await stack.app.graphql(mutation, { ref: refs.get('incoming'), numberFormat });
      expect(errors).toBeUndefined();
    };
    const own = await number('anna');
    await createDid(stack.app, {
      gatewayRef: refs.get('incoming'),
      telUrl: 'tel:+4940100',
      lastTelUrl: 'tel:+4940199',
      aorLink: 'sip:ben@one.test',
    });
    const national = own.replace('+49', '0');
    const abroad = own.replace('+', '011');
    for (const [numberFormat, to, status, rings] of [
      ['DE', national, '486', 'anna'],
      ['DE', own.replace('+', ''), '486', 'anna'],
      ['DE', own.replace('+', '00'), '486', 'anna'],
      ['DE', '040155', '486', 'ben'],
      ['US', abroad, '486', 'anna'],
      ['US', national, '407', ''],
      [null, national, '407', ''],
      [null, abroad, '407', ''],
    ] as const) {
      await format(numberFormat);
      // Kamailio reads the formats every 3 s.
      await eventually(15, async () => {
        const made = call(to, { anna: ['486 Busy'], ben: ['486 Busy'] });
        expect([numberFormat, to, (await made.final).slice('SIP/2.0 '.length, 'SIP/2.0 '.length + 3)]).toEqual([
          numberFormat,
          to,
          status,
        ]);
      });
      expect(called()).toBe(rings);
      const { data } = await stack.app.graphql<{ explainCall: { outcome: string } }>(
        'query ($to: String!) { explainCall(from: "+33123", to: $to, sourceAddress: "127.0.2.1") { outcome } }',
        { to },
      );
      expect(data.explainCall.outcome).toBe(rings === '' ? 'REFUSED' : 'RINGS');
    }
    // Calls are recorded with the number that was meant.
    await format('DE');
    await eventually(15, async () => {
      expect(await call(national, { anna: ['486 Busy'] }).final).toMatch(/^SIP\/2\.0 486/);
      const { data } = await stack.app.graphql<{ calls: { nodes: readonly { called: string }[] } }>(
        'query ($digits: String!) { calls(where: { digits: $digits }) { nodes { to } } }',
        { digits: own },
      );
      expect(JSON.stringify(data)).toContain(`sip:${national}@`);
    });
    await format(null);
  }, 120_000);

  test('is challenged if it calls more digits than a number has, however many formats gateways have', async () => {
    const countries = ['IT', 'ES', 'DK', 'NO', 'PL', 'PT', 'GR', 'CZ', 'LU', 'SG', 'HK', 'MT', 'EE', 'LV', 'IS', 'CY'];
    const gateways: string[] = [];
    for (const numberFormat of countries)
      gateways.push(await createGateway(stack.app, { host: `${numberFormat}.test`, numberFormat }));
    await eventually(15, () => {
      const [forms = ''] =
        /"[^"]*[|]39[|][^"]*"|[^\s]*[|]39[|][^\s]*/.exec(stack.kamailio.control('htable.dump', 'state')) ?? [];
      expect(forms.split(',').length).toBeGreaterThanOrEqual(countries.length);
    });
    const asking = {
      method: 'INVITE',
      uri: `sip:${'1'.repeat(470)}@${stack.sip}`,
      from: 'x@provider.example',
      to: `${'2'.repeat(230)}@x.example`,
      headers: [`Contact: <${caller.contact('x')}>`],
    };
    expect(await caller.asks(asking)).toMatch(/^SIP\/2\.0 407/);
    for (const ref of gateways) await stack.app.graphql(`mutation { deleteGateway(ref: "${ref}") }`);
  }, 60_000);

  test('is not sent out to a number of this server, nor if its caller or diverting number is one', async () => {
    const own = await number('ben');
    const first = call(await number('dora', `tel:${own} after 20`), { mobile: OK });
    expect(await first.final).toMatch(/^SIP\/2\.0 480/);
    const second = call(await number('dora', 'tel:+49170555 after 20'), { mobile: OK }, own);
    expect(await second.final).toMatch(/^SIP\/2\.0 480/);
    // A provider sends a call without a caller back that left through it.
    const format = async (numberFormat: string | null): Promise<void> => {
      const mutation =
        'mutation ($ref: String!, $numberFormat: String) { updateGateway(ref: $ref, input: { numberFormat: $numberFormat }) { ref } }';
      const { errors } = await stack.app.graphql(mutation, { ref: refs.get('incoming'), numberFormat });
      expect(errors).toBeUndefined();
    };
    for (const [diversion, numberFormat] of [
      [`<sip:${own}@provider.example>;reason=unknown`, null],
      [`<tel:${own}>`, null],
      // As the provider writes numbers.
      [`<sip:${own.replace('+49', '0')}@provider.example>`, 'DE'],
      [`<tel:${own.replace('+', '011')}>`, 'US'],
    ] as const) {
      await format(numberFormat);
      const back = await number('dora', 'tel:+49170555 after 20');
      const third = call(back, { mobile: OK }, 'anonymous', [
        'Diversion: <sip:+33@x.example>',
        `Diversion: ${diversion}`,
      ]);
      expect(await third.final).toMatch(/^SIP\/2\.0 480/);
    }
    await format('DE');
    const fourth = call(await number('dora', 'tel:+49170555 after 20'), { mobile: OK }, own.replace('+49', '0'));
    expect(await fourth.final).toMatch(/^SIP\/2\.0 480/);
    await format(null);
    expect(called()).toBe('');
  });

  test('counts for the gateway of an outside number, too, until it ends', async () => {
    const made = call(await number('dora', 'tel:+49170555 after 20'), { mobile: OK });
    await made.final;
    const counts = (): string => stack.kamailio.control('htable.dump', 'calls');
    for (const name of ['incoming', 'gateway of mobile']) expect(counts()).toContain(refs.get(name));
    await hangUp(made);
    await eventually(10, () => {
      expect(counts().trim()).toBe('');
    });
  });

  test('ends with the BYE of the provider of an outside number, whatever its Via is', async () => {
    const made = call(await number('dora', 'tel:+49170555 after 20'), { mobile: OK });
    await made.final;
    const [invite] = party('mobile').of('INVITE');
    const uriOf = (name: string): string => /<sip:(.*?)>/.exec(headersOf(invite, name)[0] ?? '')?.[1] ?? '';
    party('mobile').phone.says({
      method: 'BYE',
      uri: caller.contact('provider'),
      from: uriOf('To'),
      to: uriOf('From'),
      fromTag: /tag=([\w-]+)/.exec(headersOf(await made.final, 'To')[0] ?? '')?.[1] ?? '',
      toTag: made.asking.fromTag ?? '',
      callId: made.asking.callId ?? '',
      branch: `z9hG4bK${id()};x="{}"`,
      headers: routesOf(invite),
    });
    const bye = (await caller.hears(/^BYE /)) ?? '';
    expect(bye).toMatch(/;x="\{\}"/);
    caller.answers(bye, '200 OK', 'x');
  });

  test('counts in the limits of the gateway and the domain of an outside number while it rings and is answered', async () => {
    const carried = async (): Promise<readonly number[]> => {
      const { data } = await stack.app.graphql<Record<string, { readonly limits: { readonly calls: number } }>>(
        `query ($mobile: String!, $backup: String!, $domain: String!) { mobile: gateway(ref: $mobile) { limits { calls } }
          backup: gateway(ref: $backup) { limits { calls } } domain(ref: $domain) { limits { calls } } }`,
        {
          mobile: refs.get('gateway of mobile'),
          backup: refs.get('gateway of backup'),
          domain: refs.get('domain'),
        },
      );
      return ['mobile', 'backup', 'domain'].map((name) => data[name]?.limits.calls ?? -1);
    };
    const become = (expected: readonly number[]): Promise<void> =>
      eventually(10, async () => expect(await carried()).toEqual(expected));
    const outside = ['ghost', 'tel:+49170555 after 20'];
    const made = call(await number(...outside), { mobile: ['503 No'], backup: [...RINGS, 3000, '200 OK'] });
    await become([0, 1, 1]);
    expect(await made.final).toMatch(/^SIP\/2\.0 200/);
    await become([0, 1, 1]);
    await hangUp(made);
    await become([0, 0, 0]);
    const left = call(await number(...outside, 'ben after 3'), { mobile: RINGS, ben: OK });
    await become([1, 0, 1]);
    expect(await left.final).toMatch(/^SIP\/2\.0 200/);
    // A call to nobody counts for no domain, whoever answers.
    await become([0, 0, 0]);
    expect(stack.kamailio.control('htable.dump', 'calls')).not.toContain(`@${refs.get('domain') ?? ''}`);
    const { data } = await stack.app.graphql<{ calls: { nodes: { attempts: object[] }[] } }>(
      'query ($callId: String) { calls(where: { callId: $callId }) { nodes { attempts { status gateway { ref } } } } }',
      { callId: left.asking.callId },
    );
    const silent = { status: 408, gateway: { ref: refs.get('gateway of mobile') } };
    expect(data.calls.nodes[0]?.attempts[0]).toEqual(silent);
    await hangUp(left);
    await become([0, 0, 0]);
  }, 60_000);

  test.each<[string, readonly string[], Partial<Record<Name, Script>>]>([
    ['rang alone', ['ghost', 'tel:+49170999 after 20'], { mobile: OK }],
    ['challenged the call', ['ghost', 'tel:+49170999 after 20'], { mobile: ['407 Proxy', '200 OK'] }],
    ['rang with a phone that goes on', ['ben', 'tel:+49170999'], { ben: [...RINGS, 'late'], mobile: [500, '200 OK'] }],
  ])(
    'is ended at the provider of an outside number that %s, when the minutes of today are used',
    async (_, targets, scripts) => {
      const mutation =
        'mutation ($ref: String!, $dailyMinutes: [String!]) { updateDomain(ref: $ref, input: { dailyMinutes: $dailyMinutes }) { ref } }';
      const limit = (dailyMinutes: readonly string[] | null) =>
        stack.app.graphql(mutation, { ref: refs.get('domain'), dailyMinutes });
      await runSql(stack.url, 'DELETE FROM used_minutes');
      await limit(['+49170999=1']);
      const today = Math.floor(Date.now() / 86_400_000);
      const used = 'INSERT INTO used_minutes (day, kind, ref, prefix, seconds) VALUES (?, ?, ?, ?, ?)';
      await runSql(stack.url, used, [today, 'Domain', refs.get('domain') ?? '', '+49170999', 57]);
      const made = call(await number(...targets), scripts);
      expect(await made.final).toMatch(/^SIP\/2\.0 200/);
      const [rings] = party('ben').of('INVITE');
      for (let at = 0; at < 15 && rings !== undefined; at++) {
        const contact = `Contact: <${party('ben').phone.contact(`ben${String(at)}`)}>`;
        party('ben').phone.answers(rings, '183 Session Progress', `late${String(at)}`, [contact]);
      }
      const bye = (await caller.hears(/^BYE /)) ?? '';
      expect(bye).not.toBe('');
      caller.answers(bye, '200 OK', 'x');
      await eventually(5, () => {
        expect(party('mobile').of('BYE')).toHaveLength(1);
      });
      const [ended] = party('mobile').of('BYE');
      const invite = party('mobile').of('INVITE').at(-1);
      const cseqOf = (text: string | undefined): number => Number(/^CSeq: *(\d+)/im.exec(text ?? '')?.[1]);
      // As the caller would, and not as the module dialog does.
      expect(cseqOf(ended)).toBeGreaterThan(100);
      expect(cseqOf(invite)).toBeLessThan(3);
      expect(headersOf(ended, 'From')).toEqual(headersOf(invite, 'From'));
      await eventually(10, async () => {
        const [[seconds] = []] = await runSql(stack.url, 'SELECT SUM(seconds) FROM used_minutes');
        expect(Number(seconds)).toBeGreaterThan(57);
      });
      await limit(null);
      await eventually(15, () => {
        expect(stack.kamailio.control('htable.dump', 'calls').trim()).toBe('');
      });
    },
    60_000,
  );

  test('counts for the gateway and the number of an outside number again after a restart of the SIP server', async () => {
    const to = await number('dora', 'tel:+49170555 after 20');
    const made = call(to, { mobile: OK });
    expect(await made.final).toMatch(/^SIP\/2\.0 200/);
    const counts = (): string => stack.kamailio.control('htable.dump', 'calls');
    // Kamailio stores the call after it has relayed the answer.
    await eventually(10, async () => {
      const stored = `SELECT COUNT(*) FROM \`${stack.schema}\`.dialog WHERE callid = '${made.asking.callId ?? ''}' AND state IN (3, 4)`;
      expect(Number((await runSql(stack.url, stored))[0]?.[0])).toBe(1);
    });
    await stack.kamailio.crash();
    await stack.startKamailio();
    await eventually(10, () => {
      for (const each of [refs.get('incoming'), refs.get('gateway of mobile'), to]) expect(counts()).toContain(each);
    });
    expect(await hangUp(made)).toMatch(/^SIP\/2\.0 200/);
    await eventually(10, () => {
      expect(counts().trim()).toBe('');
    });
  }, 60_000);

  test('no longer counts for an outside number that did not answer when another target has answered', async () => {
    const to = await number('anna', 'tel:+49170555 after 20', 'ben after 1');
    const made = call(to, { anna: ['486 Busy'], mobile: RINGS, ben: OK });
    expect(await made.final).toMatch(/^SIP\/2\.0 200/);
    const counts = stack.kamailio.control('htable.dump', 'calls');
    expect(counts).toContain(refs.get('incoming'));
    for (const each of [refs.get('gateway of mobile'), to]) expect(counts).not.toContain(each);
    await hangUp(made);
    await eventually(10, () => {
      expect(stack.kamailio.control('htable.dump', 'calls').trim()).toBe('');
    });
  }, 30_000);

  test('has a record with the target that answered', async () => {
    const records: [readonly string[], Partial<Record<Name, Script>>, string | null][] = [
      [['anna', 'ben after 20'], { anna: ['486 Busy'], ben: OK }, `agent:${refs.get('ben') ?? ''}`],
      [['anna', 'tel:+49170555 after 20'], { anna: ['486 Busy'], mobile: OK }, null],
      [['anna', 'ben after 20'], { anna: ['486 Busy'], ben: ['486 Busy'] }, `agent:${refs.get('anna') ?? ''}`],
    ];
    for (const [targets, scripts, callee] of records) {
      const made = call(await number(...targets), scripts);
      if ((await made.final).startsWith('SIP/2.0 200')) await hangUp(made);
      await eventually(10, async () => {
        const rows = await runSql(
          stack.url,
          `SELECT callee, state FROM calls WHERE call_id = '${made.asking.callId ?? ''}' AND ended IS NOT NULL`,
        );
        expect(rows).toEqual([[callee, callee?.endsWith(refs.get('anna') ?? '') === true ? 5 : 6]]);
      });
    }
  }, 60_000);

  test('of an agent reaches an outside number', async () => {
    const to = await number('anna', 'tel:+49170555 after 20');
    for (const [name, each] of parties) {
      each.heard.length = 0;
      each.script = name === 'mobile' ? OK : ['486 Busy'];
    }
    const emil = await Phone.open(stack.sip, '127.0.2.3');
    const asking = {
      uri: `sip:${to}@one.test`,
      from: 'emil@one.test',
      to: `${to}@one.test`,
      callId: id(),
      fromTag: id(),
    };
    const headers = [`Contact: <${emil.contact('emil')}>`];
    const first = await emil.proves({ ...asking, method: 'INVITE', headers }, { username: 'emil', secret: 's' });
    const ok =
      first?.startsWith('SIP/2.0 200') === true ? first : await emil.hears(/^SIP\/2\.0 200 [^]*CSeq: 2 INVITE/);
    expect(headersOf(ok, 'From')).toEqual([expect.stringContaining('<sip:emil@one.test>')]);
    const uri = /<(.*?)>/.exec(headersOf(ok, 'Contact')[0] ?? '')?.[1] ?? '';
    const within = { ...asking, uri, toTag: 'mobile', headers: routesOf(ok) };
    emil.says({ ...within, method: 'ACK', cseq: 2 });
    emil.says({ ...within, method: 'BYE', cseq: 3 });
    expect(await emil.hears(/^SIP\/2\.0 [2-6][^]*CSeq: 3 BYE/)).toMatch(/^SIP\/2\.0 200/);
    const [invite] = party('mobile').of('INVITE');
    expect(headersOf(invite, 'Diversion')).toEqual([expect.stringContaining(`<sip:${to}@`)]);
    expect(invite?.replace(/^Contact:.*/m, '')).not.toContain('emil');
    emil.close();
  });
});
