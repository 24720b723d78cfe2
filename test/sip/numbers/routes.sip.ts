import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createRoute,
} from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { openPhones } from '../phones/open-phones';
import { headersOf, id, Phone, type Asking } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const SECRET = 's';
const GATEWAY_CALLS = 2;
const CARL = { username: 'carl', secret: SECRET };

/** What a provider does with an INVITE: its responses, in order. */
type Script = readonly (string | { readonly status: string; readonly body: string } | { readonly wait: number })[];

const routesOf = (message: string | undefined): string[] =>
  headersOf(message, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));

const sequence = (message: string): number => Number(/^CSeq: *(\d+)/m.exec(message)?.[1]);

/** A provider at an address of its own, which responds to each INVITE as it is told. */
class Provider {
  /** The providers that received an INVITE, in order. */
  static readonly called: string[] = [];
  script: Script = [];
  /** The first copy of each request. */
  readonly heard: string[] = [];
  private readonly branches = new Set<string>();

  private constructor(
    readonly name: string,
    readonly phone: Phone,
  ) {
    phone.handle((message) => void this.hears(message));
  }

  static async open(name: string, server: string, host: string): Promise<Provider> {
    return new Provider(name, await Phone.open(server, host));
  }

  /** The requests of a method. */
  of(method: string): readonly string[] {
    return this.heard.filter((each) => each.startsWith(`${method} `));
  }

  says(asking: Asking): void {
    this.phone.says(asking);
  }

  private async hears(message: string): Promise<void> {
    if (message.startsWith('SIP/2.0')) return;
    const [method = ''] = message.split(' ');
    const key = `${method} ${/branch=([^;\r]+)/.exec(message)?.[1] ?? ''}`;
    if (this.branches.size === this.branches.add(key).size) return;
    this.heard.push(message);
    if (method === 'BYE' || method === 'CANCEL') this.phone.answers(message, '200 OK', this.name);
    if (method === 'CANCEL') {
      const invite = this.of('INVITE').at(-1) ?? '';
      this.phone.answers(invite, '487 Request Terminated', this.name);
    }
    if (method === 'INVITE') Provider.called.push(this.name);
    if (method === 'INVITE') await this.answers(message);
  }

  private async answers(invite: string): Promise<void> {
    for (const step of this.script) {
      if (typeof step === 'object' && 'wait' in step) {
        await new Promise((resolve) => setTimeout(resolve, step.wait));
        continue;
      }
      const { status, body } = typeof step === 'string' ? { status: step, body: '' } : step;
      const contact = `Contact: <${this.phone.contact(this.name)}>`;
      if (!status.startsWith('407')) this.phone.answers(invite, status, this.name, [contact], body);
      else if (!invite.includes('Proxy-Authorization')) {
        this.phone.answers(invite, status, this.name, ['Proxy-Authenticate: Digest realm="p", nonce="n"']);
        return;
      }
    }
  }
}

/**
 * carl is an agent of out.test, which has a route for +49 through the gateways a and b, one for +4930 through b and c,
 * and the emergency number 112 through a and b. Everything else leaves through c by its egress policy.
 */
describe('A call leaves', () => {
  let stack: Stack;
  let a: Provider;
  let b: Provider;
  let c: Provider;
  const refs = new Map<string, string>();
  /** Ends each call that was answered. */
  const answered: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    const ended = await Promise.all(answered.splice(0).map((hangUp) => hangUp()));
    const heard = all().map((provider) => provider.heard.splice(0));
    for (const provider of all()) provider.script = [];
    for (const answer of ended) expect(answer).toMatch(/^SIP\/2\.0 200/);
    // Each ACK has the CSeq of its INVITE. One of an earlier call may arrive late.
    for (const requests of heard) {
      for (const ack of requests.filter((text) => text.startsWith('ACK'))) {
        const ofCall = requests.filter((text) => headersOf(text, 'Call-ID')[0] === headersOf(ack, 'Call-ID')[0]);
        const invites = ofCall.filter((text) => text.startsWith('INVITE')).map(sequence);
        if (invites.length > 0) expect(invites).toContain(sequence(ack));
      }
    }
  });

  // After the calls have ended.
  const open = openPhones(() => stack);
  const all = (): readonly Provider[] => [a, b, c];
  const refOf = (name: string): string => refs.get(name) ?? '';

  beforeAll(async () => {
    stack = await startStack(database, { config: ['--gateway-calls', String(GATEWAY_CALLS), '--agent-calls', '3'] });
    [a, b, c] = await Promise.all([
      Provider.open('a', stack.sip, '127.0.1.11'),
      Provider.open('b', stack.sip, '127.0.1.12'),
      Provider.open('c', stack.sip, '127.0.1.13'),
    ]);
    for (const [index, { name, phone }] of all().entries()) {
      const credentials = { username: `user-${name}`, secret: `secret-${name}`, sendRegister: false };
      const gateway = { host: phone.host, port: phone.port, transport: 'UDP', ...credentials };
      const gatewayRef = await createGateway(stack.app, gateway);
      refs.set(name, gatewayRef);
      refs.set(
        `number-${name}`,
        await createNumber(stack.app, {
          gatewayRef,
          telUrl: `tel:+4989${String(index + 1)}00`,
          aorLink: 'sip:x@one.test',
        }),
      );
    }
    const unresolved = await createGateway(stack.app, { host: 'nowhere.invalid', transport: 'UDP' });
    refs.set('number-unresolved', await createNumber(stack.app, { gatewayRef: unresolved }));
    const refused = await createGateway(stack.app, { host: '127.0.1.14', port: 9, transport: 'TCP' });
    refs.set('number-refused', await createNumber(stack.app, { gatewayRef: refused }));
    const domainRef = await createDomain(stack.app, {
      domainUri: 'out.test',
      egressPolicy: { rule: '.*', numberRef: refOf('number-c') },
    });
    refs.set('domain', domainRef);
    await createAgent(stack.app, { ...CARL, domains: ['out.test'] });
    for (const [prefix, names, emergency] of [
      ['+49', ['a', 'b'], false],
      ['+4930', ['b', 'c'], false],
      ['+44', ['unresolved', 'refused', 'b'], false],
      ['112', ['a', 'b'], true],
    ] as const)
      await createRoute(stack.app, {
        domainRef,
        prefix,
        numberRefs: names.map((name) => refOf(`number-${name}`)),
        emergency,
      });
    // Kamailio knows a new domain after at most 5 s.
    await new Promise((resolve) => setTimeout(resolve, 6000));
  });

  afterAll(async () => {
    for (const { phone } of all()) phone.close();
    await stack.close();
  });

  /** SQL that says that the gateway a does not respond. */
  const aIsDown = (): string =>
    `INSERT INTO gateway_health (gw_ref, host, port, transport, state, since, checked_on, misses, answers, expires_at)
     VALUES ('${refOf('a')}', '127.0.1.11', ${String(a.phone.port)}, 'udp', 'DOWN', 0, 0, 3, 0, ${String(Date.now() + 600_000)})`;

  /** A call of carl. `final` resolves to the final response, which is acknowledged. */
  async function dial(number: string, headers: readonly string[] = [], uri = `sip:${number}@out.test`) {
    const phone = await open('127.0.1.2');
    const asking: Asking = {
      method: 'INVITE',
      uri,
      from: 'carl@out.test',
      to: `${number}@out.test`,
      callId: id(),
      fromTag: id(),
      headers: [`Contact: <${phone.contact('carl')}>`, ...headers],
    };
    const first = phone.proves(asking, CARL);
    const final = first.then(async (answer) => {
      const last =
        answer?.startsWith('SIP/2.0 180') === true
          ? await phone.hears(/^SIP\/2\.0 [2-6][^]*CSeq: 2 INVITE/, 20)
          : answer;
      if (last?.startsWith('SIP/2.0 200') !== true) return last;
      const uri = /<(.*?)>/.exec(headersOf(last, 'Contact')[0] ?? '')?.[1] ?? '';
      const toTag = /tag=(\w+)/.exec(headersOf(last, 'To')[0] ?? '')?.[1] ?? '';
      const within = { ...asking, uri, toTag, cseq: 2, headers: routesOf(last) };
      phone.says({ ...within, method: 'ACK' });
      answered.push(() => {
        phone.says({ ...within, method: 'BYE', cseq: 9 });
        return phone.hears(/^SIP\/2\.0 [2-6][^]*CSeq: +9 BYE/);
      });
      return last;
    });
    return { phone, asking, first, final };
  }

  const OK = ['180 Ringing', '200 OK'];
  const SDP = 'v=0\r\n';

  test.each<readonly [string, Partial<Record<'a' | 'b' | 'c', Script>>, string, string]>([
    ['only once if the first gateway answers', { a: OK }, 'a', '200'],
    ['again after 503', { a: ['503 No'], b: OK }, 'a b', '200'],
    ['again after 500', { a: ['500 No'], b: OK }, 'a b', '200'],
    ['again after 408 of the provider', { a: ['408 No'], b: OK }, 'a b', '200'],
    ['again after 477', { a: ['477 No'], b: OK }, 'a b', '200'],
    ['again after 180 and 503', { a: ['180 Ringing', '503 No'], b: OK }, 'a b', '200'],
    ['again after silence of 6 s', { b: OK }, 'a b', '200'],
    ['again after 100 and silence of 6 s', { a: ['100 Trying'], b: OK }, 'a b', '200'],
    [
      'again after 100 with a body, of which the caller hears nothing',
      { a: [{ status: '100 Trying', body: SDP }, { wait: 100 }, '503 No'], b: OK },
      'a b',
      '200',
    ],
    ['again after 407, 100 and silence of 6 s', { a: ['407 Who', '100 Trying'], b: OK }, 'a a b', '200'],
    [
      'only once after 180 and silence of 8 s',
      { a: ['100 Trying', '180 Ringing', { wait: 8000 }, '200 OK'] },
      'a',
      '200',
    ],
    ['only once after 181 and silence of 8 s', { a: ['181 Away', { wait: 8000 }, '486 Busy'], b: OK }, 'a', '486'],
    ['twice, and the last refusal counts', { a: ['408 No'], b: ['486 Busy'] }, 'a b', '486'],
    // A 503 arrives as 500 (RFC 3261, 16.7).
    ['twice, and fails if both fail', { a: ['408 No'], b: ['503 No'] }, 'a b', '500'],
    ['once after 486', { a: ['486 Busy'], b: OK }, 'a', '486'],
    ['once after 404', { a: ['404 No'], b: OK }, 'a', '404'],
    ['once after 600', { a: ['600 Busy'], b: OK }, 'a', '600'],
    ['once after 603', { a: ['603 Decline'], b: OK }, 'a', '603'],
    ['once after 604', { a: ['604 Nowhere'], b: OK }, 'a', '604'],
    [
      'once after 183 with a body and 503',
      { a: [{ status: '183 Progress', body: SDP }, { wait: 100 }, '503 No'], b: OK },
      'a',
      '500',
    ],
    ['with the credentials of each gateway', { a: ['407 Who', '503 No'], b: ['407 Who', ...OK] }, 'a a b b', '200'],
    ['with credentials only where they are asked for', { a: ['407 Who', '503 No'], b: OK }, 'a a b', '200'],
    ['once if credentials are refused', { a: ['407 Who', '403 No'], b: OK }, 'a a', '403'],
  ])('%s', async (_, scripts, called, status) => {
    const order: string[] = [];
    for (const provider of all()) provider.script = scripts[provider.name as 'a'] ?? [];
    const { final } = await dial('+498912345');
    expect(await final).toMatch(new RegExp(`^SIP/2\\.0 ${status}`));
    for (const { name, heard } of all())
      order.push(...heard.filter((text) => text.startsWith('INVITE')).map(() => name));
    expect(order.join(' ')).toBe(called);
  });

  test('once after 100 and silence of 8 s if there is no other gateway', async () => {
    c.script = ['100 Trying', { wait: 8000 }, '486 Busy'];
    expect(await (await dial('0033142')).final).toMatch(/^SIP\/2\.0 486/);
    expect(c.of('INVITE')).toHaveLength(1);
  }, 20_000);

  test('again after 100 and silence of 6 s of an emergency number', async () => {
    [a.script, b.script] = [['100 Trying'], OK];
    expect(await (await dial('112')).final).toMatch(/^SIP\/2\.0 200/);
    expect([a.of('INVITE').length, a.of('CANCEL').length, b.of('INVITE').length]).toEqual([1, 1, 1]);
  }, 20_000);

  test.each([
    ['the longest prefix', '+4930555', 'b', '+4930555'],
    ['a shorter prefix', '+4989555', 'a', '+4989555'],
    ['0049 as +49', '0049-30-555', 'b', '+4930555'],
    ['no prefix, by the egress policy, as it was dialed', '0033142', 'c', '0033142'],
    ['more digits than an emergency number', '1123', 'c', '1123'],
  ])('by %s', async (_, dialed, name, called) => {
    for (const provider of all()) provider.script = OK;
    const { final } = await dial(dialed);
    expect(await final).toMatch(/^SIP\/2\.0 200/);
    expect(
      all()
        .filter((each) => each.of('INVITE').length > 0)
        .map((each) => each.name),
    ).toEqual([name]);
    const [provider] = all().filter((each) => each.name === name);
    const { host, port } = provider?.phone ?? { host: '', port: 0 };
    expect(provider?.of('INVITE')[0]).toMatch(`INVITE sip:${called}@${host}:${String(port)};transport=udp SIP/2.0`);
  });

  test('with the caller, Request-URI and credentials of each attempt', async () => {
    [a.script, b.script] = [
      ['407 Who', '503 No'],
      ['407 Who', ...OK],
    ];
    const { final } = await dial('+498912345');
    expect(await final).toMatch(/^SIP\/2\.0 200/);
    for (const [{ name, phone, heard }, index] of [
      [a, 1],
      [b, 2],
    ] as const) {
      const place = `${phone.host}:${String(phone.port)}`;
      for (const invite of heard.filter((text) => text.startsWith('INVITE'))) {
        expect(invite).toMatch(`INVITE sip:+498912345@${place};transport=udp SIP/2.0`);
        expect(headersOf(invite, 'From')).toEqual([expect.stringContaining(`<sip:+4989${String(index)}00@${place}>`)]);
        expect(headersOf(invite, 'P-Asserted-Identity')).toEqual([]);
      }
      expect(headersOf(heard.filter((text) => text.startsWith('INVITE'))[1], 'Proxy-Authorization')).toEqual([
        expect.stringContaining(`username="user-${name}"`),
      ]);
    }
  });

  test('with the number of each attempt in P-Asserted-Identity if the caller is hidden', async () => {
    [a.script, b.script] = [['503 No'], OK];
    const { final } = await dial('+498912345', ['Privacy: id']);
    expect(await final).toMatch(/^SIP\/2\.0 200/);
    for (const [provider, index] of [
      [a, 1],
      [b, 2],
    ] as const) {
      const heard = provider.of('INVITE');
      expect(headersOf(heard[0], 'From')).toEqual([expect.stringContaining('<sip:anonymous@anonymous.invalid>')]);
      expect(headersOf(heard[0], 'P-Asserted-Identity')).toEqual([expect.stringContaining(`+4989${String(index)}00@`)]);
      expect(headersOf(heard[0], 'Privacy')).toEqual(['Privacy: id']);
    }
  });

  test('past gateways without an address in DNS, and those that refuse connections', async () => {
    b.script = OK;
    const { final } = await dial('+44123');
    expect(await final).toMatch(/^SIP\/2\.0 200/);
    expect(b.of('INVITE')).toHaveLength(1);
  }, 20_000);

  test('through gateways of one priority in a random order, by weight, and then through the others, as explainCall says', async () => {
    const names = ['a', 'b', 'c'] as const;
    const ref = await createRoute(stack.app, {
      domainRef: refOf('domain'),
      prefix: '+46',
      numberRefs: names.map((name) => refOf(`number-${name}`)),
      shares: [{ priority: 2, weight: 3 }, { priority: 1 }, { priority: 2, weight: 1 }],
    });
    for (const provider of all()) provider.script = ['503 No'];
    const orders: string[] = [];
    for (let n = 0; n < 40; n++) {
      Provider.called.length = 0;
      expect(await (await dial('+46123')).final).toMatch(/^SIP\/2\.0 500/);
      orders.push(Provider.called.join(''));
    }
    expect(new Set(orders)).toEqual(new Set(['bac', 'bca']));
    const first = orders.filter((each) => each === 'bac').length;
    // With 40 calls and a share of 75 %, the chance of less than 18 or of 40 is one in 100,000.
    expect([first >= 18, first < 40]).toEqual([true, true]);
    const { data } = await stack.app.graphql<{
      explainCall: { attempts: readonly { share: number | null; requestUri: string }[] };
    }>('{ explainCall(from: "carl@out.test", to: "+46123") { attempts { share requestUri } } }');
    const { attempts } = data.explainCall;
    expect(attempts.map(({ share }) => share)).toEqual([null, 75, 25]);
    expect(attempts.map(({ requestUri }) => requestUri.includes(`:${String(b.phone.port)};`))).toEqual([
      true,
      false,
      false,
    ]);
    await stack.app.graphql(`mutation { deleteRoute(ref: "${ref}") }`);
  }, 60_000);

  test('last through a gateway that is known to be down: another one is called within 0.1 s', async () => {
    await runSql(stack.url, aIsDown());
    try {
      [a.script, b.script] = [OK, OK];
      const began = Date.now();
      const { final } = await dial('+498912345');
      expect(await final).toMatch(/^SIP\/2\.0 200/);
      expect(Date.now() - began).toBeLessThan(500);
      expect([a.of('INVITE').length, b.of('INVITE').length]).toEqual([0, 1]);
      b.script = ['503 No'];
      expect(await (await dial('+498912345')).final).toMatch(/^SIP\/2\.0 200/);
      expect(a.of('INVITE')).toHaveLength(1);
    } finally {
      await runSql(stack.url, 'DELETE FROM gateway_health');
    }
  });

  test('by the second gateway within 0.1 s if the first one is known to be down, and else after 6 s of silence', async () => {
    /** Milliseconds from when the first gateway is called, or else the call begins, until the second one is called. */
    const delay = async (): Promise<number> => {
      const heard: Partial<Record<'a' | 'b', number>> = {};
      for (const provider of [a, b]) provider.heard.length = 0;
      [a.script, b.script] = [[], ['486 Busy']];
      const look = (): void => {
        if (a.of('INVITE').length > 0) heard.a ??= Date.now();
        if (b.of('INVITE').length > 0) heard.b ??= Date.now();
      };
      const watch = setInterval(look, 1);
      const began = Date.now();
      const { final } = await dial('+498912345');
      expect(await final).toMatch(/^SIP\/2\.0 486/);
      clearInterval(watch);
      look(); // both can come before the timer
      return (heard.b ?? NaN) - (heard.a ?? began);
    };
    const silent = await delay();
    expect(silent).toBeGreaterThan(5000);
    expect(silent).toBeLessThan(6500);
    await runSql(stack.url, aIsDown());
    // Another process of a busy machine may delay one of them.
    const known = [await delay(), await delay(), await delay()];
    await runSql(stack.url, 'DELETE FROM gateway_health');
    expect(Math.min(...known)).toBeLessThan(100);
  }, 40_000);

  // One that challenged the INVITE may challenge the BYE, too: without an ACK, it gives up.
  test.each([
    ['', 'ACK and BYE', []],
    [', which challenged,', 'BYE', ['407 Who']],
  ])(
    'to the second gateway, and a late answer of the first one%s is ended with %s',
    async (_, requests, before) => {
      [a.script, b.script] = [
        [...before, { wait: 7000 }, '200 OK'],
        ['180 Ringing', { wait: 3000 }, '200 OK'],
      ];
      const { phone, final } = await dial('+498912345');
      const answer = await final;
      expect(answer).toMatch(/^SIP\/2\.0 200/);
      expect(headersOf(answer, 'To')).toEqual([expect.stringContaining('tag=b')]);
      const ending = requests.split(' and ');
      const [invite = '', ...heard] = a.heard.slice(-1 - ending.length);
      expect([invite, ...heard].map((text) => text.split(' ', 1)[0])).toEqual(['INVITE', ...ending]);
      for (const request of heard) {
        expect(request).toMatch(new RegExp(`^(ACK|BYE) ${a.phone.contact('a')} SIP`));
        expect(headersOf(request, 'From')).toEqual(headersOf(invite, 'From'));
        expect(headersOf(request, 'To')).toEqual([`${headersOf(invite, 'To')[0] ?? ''};tag=a`]);
        expect(headersOf(request, 'Call-ID')).toEqual(headersOf(invite, 'Call-ID'));
      }
      expect(heard.map(sequence)).toEqual([sequence(invite), sequence(invite) + 1].slice(-ending.length));
      expect(await phone.hears(/^SIP\/2\.0 200/, 0.3)).toBeUndefined();
      expect(b.of('CANCEL')).toEqual([]);
    },
    30_000,
  );

  test.each<readonly [string, Script, string, string]>([
    ['a refusal', ['486 Busy', { wait: 500 }, '200 OK'], '486', 'INVITE ACK ACK BYE'],
    ['silence of 10 s', [{ wait: 11_000 }, '200 OK'], '408', 'INVITE ACK BYE'],
    ['a challenge and a refusal', ['407 Who', '486 Busy', { wait: 500 }, '200 OK'], '486', 'INVITE ACK INVITE ACK BYE'],
  ])(
    'once, and an answer after %s is ended: the caller hears nothing of it, and it would not count',
    async (_, script, status, requests) => {
      c.script = script;
      const { phone, final } = await dial('331234');
      expect((await final) ?? (await phone.hears(/^SIP\/2\.0 408/, 5))).toMatch(new RegExp(`^SIP/2\\.0 ${status}`));
      await eventually(3, () => {
        expect(c.heard.map((text) => text.split(' ', 1)[0]).join(' ')).toBe(requests);
      });
      expect(await phone.hears(/^SIP\/2\.0 200/, 0.5)).toBeUndefined();
    },
    30_000,
  );

  test('and only its provider rings, refuses and answers, although the caller can compute the branch', async () => {
    c.script = ['180 Ringing', { wait: 1000 }, '200 OK'];
    const { final, first } = await dial('331234');
    const phone = await open('127.0.1.2');
    await first;
    const invite = c.of('INVITE')[0] ?? '';
    // The INVITE of a call to another phone of its own has a branch with which that one may respond.
    expect(await phone.registers('carl', 'out.test')).toMatch(/^SIP\/2\.0 200/);
    const contact = [`Contact: <${phone.contact('c')}>`];
    const carl = { from: 'carl@out.test', to: 'carl@out.test', headers: contact };
    const called = phone.proves({ ...carl, method: 'INVITE', uri: 'sip:carl@out.test' }, CARL);
    const toItself = (await phone.hears(/^INVITE/)) ?? '';
    const [branch = ''] = /branch=[^;\r]+/.exec(toItself) ?? [];
    for (const status of ['486 Busy', '200 OK']) {
      phone.answers(invite, status, 'x', contact);
      for (const between of ['BRANCH=', 'branch = '])
        phone.answers(invite.replace('branch=', `${branch};${between}`), status, 'x', contact);
    }
    phone.answers(toItself, '486 Busy Here', 'x');
    expect(await called).toMatch(/^SIP\/2\.0 486/);
    const answer = await final;
    expect(answer).toMatch(/^SIP\/2\.0 200/);
    expect(headersOf(answer, 'To')).toEqual([expect.stringContaining('tag=c')]);
  });

  test('and its provider may answer from any of its addresses', async () => {
    const sources = async (list: readonly string[]): Promise<unknown> =>
      stack.app.graphql(
        'mutation ($ref: String!, $sources: [String!]) { updateGateway(ref: $ref, input: { sources: $sources }) { ref } }',
        { ref: refOf('c'), sources: list },
      );
    const other = await open('127.0.1.15');
    other.handle((message) => {
      if (message.startsWith('BYE')) other.answers(message, '200 OK', 'c');
    });
    await sources([other.host]);
    const { final } = await dial('331234');
    await eventually(3, () => expect(c.of('INVITE')).toHaveLength(1));
    let answer: string | undefined;
    void final.then((text) => {
      answer = text;
    });
    // Sources are in effect within 3 s.
    await eventually(5, () => {
      other.answers(c.of('INVITE')[0] ?? '', '200 OK', 'c', [`Contact: <${other.contact('c')}>`]);
      expect(answer).toMatch(/^SIP\/2\.0 200/);
    });
    await sources([]);
  }, 30_000);

  test('to the second gateway, and the first one is canceled if it rings late', async () => {
    [a.script, b.script] = [
      [{ wait: 7000 }, '180 Ringing'],
      ['180 Ringing', { wait: 3000 }, '200 OK'],
    ];
    expect(await (await dial('+498912345')).final).toMatch(/^SIP\/2\.0 200/);
    expect(a.of('CANCEL')).toHaveLength(1);
  }, 30_000);

  test('and CANCEL reaches the gateway that rings', async () => {
    [a.script, b.script] = [['503 No'], ['180 Ringing']];
    const { phone, first, final } = await dial('+498912345');
    const ringing = (await first) ?? '';
    const cancel = [
      ...['CANCEL sip:+498912345@out.test SIP/2.0', headersOf(ringing, 'Via')[0] ?? '', 'Max-Forwards: 70'],
      ...[headersOf(ringing, 'From')[0] ?? '', 'To: <sip:+498912345@out.test>', headersOf(ringing, 'Call-ID')[0] ?? ''],
      ...['CSeq: 2 CANCEL', 'Content-Length: 0', '', ''],
    ];
    phone.send(cancel.join('\r\n'));
    expect(await final).toMatch(/^SIP\/2\.0 487/);
    expect([a.of('CANCEL').length, b.of('CANCEL').length]).toEqual([0, 1]);
  });

  test('and a CANCEL before any response tries no other gateway', async () => {
    b.script = OK;
    const { phone, asking } = await dial('+498912345');
    await eventually(3, () => expect(a.of('INVITE')).toHaveLength(1));
    const trying = (await phone.hears(/^SIP\/2\.0 100/)) ?? '';
    const cancel = [
      ...['CANCEL sip:+498912345@out.test SIP/2.0', headersOf(trying, 'Via')[0] ?? '', 'Max-Forwards: 70'],
      ...[headersOf(trying, 'From')[0] ?? '', `To: <sip:${asking.to ?? ''}>`, headersOf(trying, 'Call-ID')[0] ?? ''],
      ...['CSeq: 2 CANCEL', 'Content-Length: 0', '', ''],
    ];
    phone.send(cancel.join('\r\n'));
    await new Promise((resolve) => setTimeout(resolve, 8000));
    expect(b.of('INVITE')).toEqual([]);
    // Of the CANCEL.
    answered.length = 0;
  }, 30_000);

  test('and what follows within the call goes to the gateway that answered, and comes from it only', async () => {
    [a.script, b.script] = [['503 No'], OK];
    const { phone, asking, final } = await dial('+498912345');
    const routes = routesOf(await final);
    const within = { ...asking, uri: b.phone.contact('b'), toTag: 'b', headers: routes };
    await eventually(3, () => expect(b.of('ACK')).toHaveLength(1));
    // A re-INVITE that is challenged gets the credentials of this gateway.
    b.script = ['407 Who', '200 OK'];
    const contact = [...routes, `Contact: <${phone.contact('carl')}>`];
    const again = await phone.asks({ ...within, method: 'INVITE', cseq: 3, headers: contact });
    expect(again).toMatch(/^SIP\/2\.0 200/);
    expect(b.of('INVITE').at(-1)).toContain('username="user-b"');
    expect(headersOf(b.of('INVITE').at(-1), 'From')).toEqual([expect.stringContaining('<sip:+4989200@')]);
    // The gateway that failed is no party.
    expect(await phone.asks({ ...within, method: 'INFO', uri: a.phone.contact('a'), cseq: 4 })).toMatch(
      /^SIP\/2\.0 403 Not the target/,
    );
    const [invite = ''] = b.of('INVITE');
    const bye = {
      method: 'BYE',
      uri: phone.contact('carl'),
      from: '+498912345@out.test',
      to: `+4989200@${b.phone.host}:${String(b.phone.port)}`,
      callId: asking.callId ?? '',
      fromTag: 'b',
      toTag: asking.fromTag ?? '',
      headers: routesOf(invite),
    };
    a.says(bye);
    expect(await phone.hears(/^BYE/, 0.3)).toBeUndefined();
    b.says(bye);
    phone.answers((await phone.hears(/^BYE/)) ?? '', '200 OK', '');
    answered.length = 0;
  });

  test('and is recorded with the gateway and the number that carried it', async () => {
    [a.script, b.script] = [['503 No'], OK];
    const { asking, final } = await dial('+498912345');
    await final;
    const found = 'SELECT direction, number, gateway_ref, status FROM calls WHERE call_id = ? AND state = 3';
    await eventually(5, async () =>
      expect(await runSql(stack.url, found, [asking.callId ?? ''])).toEqual([['OUT', '4989200', refOf('b'), 200]]),
    );
    const { data } = await stack.app.graphql(
      `{ number(ref: "${refOf('number-b')}") { calls(first: 1) { nodes { callId number { __typename } } } } }`,
    );
    const call = { callId: asking.callId, number: { __typename: 'Number' } };
    expect(data).toEqual({ number: { calls: { nodes: [call] } } });
  });

  const countOf = (name: string): string => {
    const shown = stack.kamailio.control('htable.dump', 'calls');
    return new RegExp(`name: gateway:${refOf(name)}\\s+value: (\\d+)`).exec(shown)?.[1] ?? '0';
  };

  const statusOf = async (number: string): Promise<string | undefined> =>
    (await (await dial(number)).final)?.slice('SIP/2.0 '.length, 'SIP/2.0 200'.length);

  test('and counts for the gateway that carries it; one without places is passed over', async () => {
    [a.script, b.script] = [['503 No'], OK];
    await statusOf('+498912345');
    expect([countOf('a'), countOf('b')]).toEqual(['0', '1']);
    a.script = OK;
    await statusOf('+498912345');
    await statusOf('+498912345');
    expect([countOf('a'), countOf('b')]).toEqual(['2', '1']);
    await answered.shift()?.();
    expect(await statusOf('+498912345')).toBe('200');
    expect([countOf('a'), countOf('b')]).toEqual(['2', '1']);
    for (const hangUp of answered.splice(0)) await hangUp();
    expect([countOf('a'), countOf('b')]).toEqual(['0', '0']);
  });

  test('and counts for the gateway that carries it after a restart', async () => {
    [a.script, b.script] = [['180 Ringing', '503 No'], OK];
    expect(await statusOf('+498912345')).toBe('200');
    await eventually(3, () => expect(b.of('ACK')).toHaveLength(1));
    await stack.kamailio.crash();
    await stack.startKamailio();
    await eventually(6, () => expect([countOf('a'), countOf('b')]).toEqual(['0', '1']));
    expect(await answered.shift()?.()).toMatch(/^SIP\/2\.0 200/);
    expect(b.of('BYE')).toHaveLength(1);
  });

  describe('to an emergency number before everything else:', () => {
    const calls = async (): Promise<void> => {
      [a.script, b.script, c.script] = [['503 No'], OK, OK];
      for (const provider of all()) provider.heard.length = 0;
      const { final } = await dial('112');
      expect(await final).toMatch(/^SIP\/2\.0 200/);
      expect([a.of('INVITE').length, b.of('INVITE').length, c.of('INVITE').length]).toEqual([1, 1, 0]);
      expect(b.of('INVITE')[0]).toMatch(/^INVITE sip:112@/);
    };

    test('an egress policy for every number', calls);

    test('an agent with that name', async () => {
      const ref = await createAgent(stack.app, { username: '112', secret: SECRET, domains: ['out.test'] });
      await calls();
      await stack.app.rest('DELETE', `/agents/${ref}`);
    });

    test('a DID with that number, also of a gateway at the address of the phone', async () => {
      const gatewayRef = await createGateway(stack.app, { host: '127.0.1.2', transport: 'UDP' });
      const ref = await createDid(stack.app, { gatewayRef, telUrl: 'tel:112', aorLink: 'sip:x@one.test' });
      await calls();
      await stack.app.rest('DELETE', `/dids/${ref}`);
      await stack.app.rest('DELETE', `/gateways/${gatewayRef}`);
    });

    test('the limits of concurrent calls', async () => {
      [a.script, b.script] = [OK, OK];
      for (let call = 0; call < 3; call++) expect(await statusOf('+498912345')).toBe('200');
      expect(await statusOf('+498912345')).toBe('486');
      await calls();
    });

    test('but the limits apply to what only begins with the number', async () => {
      [a.script, b.script, c.script] = [OK, OK, OK];
      for (let call = 0; call < 3; call++) expect(await statusOf('+498912345')).toBe('200');
      expect(await (await dial('1123')).final).toMatch(/^SIP\/2\.0 486 Too Many Calls of Agent/);
      expect(await (await dial('112', [], 'tel:112%3Bfree')).final).toMatch(/^SIP\/2\.0 404/);
    });

    test('an access control list', async () => {
      const accessControlList = { deny: ['127.0.0.0/8'] };
      const set = (input: object): Promise<unknown> =>
        stack.app.graphql(
          'mutation ($ref: String!, $input: UpdateDomainInput!) { updateDomain(ref: $ref, input: $input) { ref } }',
          {
            ref: refOf('domain'),
            input,
          },
        );
      await set({ accessControlList });
      await eventually(10, async () => expect(await (await dial('+498912345')).final).toMatch(/^SIP\/2\.0 403/));
      await calls();
      await set({ accessControlList: null });
      await eventually(10, async () => {
        c.script = OK;
        expect(await (await dial('033')).final).toMatch(/^SIP\/2\.0 200/);
      });
    });

    test('a gateway that is down is called last', async () => {
      await runSql(stack.url, aIsDown());
      [a.script, b.script] = [OK, OK];
      expect(await (await dial('112')).final).toMatch(/^SIP\/2\.0 200/);
      expect([a.of('INVITE').length, b.of('INVITE').length]).toEqual([0, 1]);
      await runSql(stack.url, 'DELETE FROM gateway_health');
    });

    test('not of a caller who does not prove who it is', async () => {
      const phone = await open('127.0.1.2');
      const asking = { method: 'INVITE', uri: 'sip:112@out.test', from: 'carl@out.test', to: '112@out.test' };
      expect(await phone.asks(asking)).toMatch(/^SIP\/2\.0 407/);
      expect(await phone.proves(asking, { username: 'carl', secret: 'wrong' })).toMatch(/^SIP\/2\.0 407/);
      expect(a.of('INVITE')).toEqual([]);
    });
  });

  test.each([
    ['a number of a route', '+49891', '202'],
    ['an emergency number', '112', '202'],
  ])('and a phone may transfer a call to %s', async (_, number, status) => {
    const phone = await open('127.0.1.2');
    await phone.registers('carl', 'out.test');
    const refer = { method: 'REFER', uri: 'sip:carl@out.test', from: 'carl@out.test', to: 'carl@out.test' };
    const heard = phone.hears(/^REFER/).then((text) => text !== undefined && phone.answers(text, `${status} Yes`, 'x'));
    const answer = await phone.proves(
      { ...refer, headers: [`Refer-To: <sip:${number}@out.test>`, `Contact: <${phone.contact('carl')}>`] },
      CARL,
    );
    expect(answer).toMatch(new RegExp(`^SIP/2\\.0 ${status}`));
    await heard;
    await phone.registers('carl', 'out.test', ['Contact: *', 'Expires: 0']);
  });
});
