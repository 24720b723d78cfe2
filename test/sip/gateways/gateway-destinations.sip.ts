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
import { Party } from '../party';
import { headersOf, id, Phone, type Asking } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const CARL = { username: 'carl', secret: 's' };
const OK = '200 OK';
const DISABLED = { host: '127.0.3.15', enabled: false };
/** No answer to an INVITE. */
const SILENCE = '';

/** An address of a provider, which answers each INVITE in the same way. */
class Place {
  answer = '486 Busy Here';
  /** After how many seconds it answers; it sends 100 before. */
  after = 0;
  /** Whether it answers OPTIONS. */
  isUp = true;
  /** How many OPTIONS it received. */
  heard = 0;
  /** The Call-IDs of INVITEs, in order. */
  readonly called: string[] = [];

  private constructor(readonly phone: Phone) {
    this.serves();
  }

  /** Answers all further requests. */
  serves(): void {
    this.phone.handle((message) => this.hears(message));
  }

  static async open(server: string, host: string): Promise<Place> {
    return new Place(await Phone.open(server, host));
  }

  private hears(message: string): void {
    const [callId = ''] = headersOf(message, 'Call-ID');
    if (message.startsWith('OPTIONS')) this.heard++;
    if (message.startsWith('OPTIONS') && this.isUp) this.phone.answers(message, OK, 'o');
    if (message.startsWith('BYE')) this.phone.answers(message, OK, 'i');
    if (!message.startsWith('INVITE')) return;
    if (this.called.at(-1) !== callId) this.called.push(callId);
    const contact = [`Contact: <${this.phone.contact('p')}>`];
    const { answer } = this;
    if (this.after > 0) {
      this.phone.answers(message, '100 Trying', 'i');
      setTimeout(() => this.phone.answers(message, answer, 'i', contact), this.after * 1000);
    } else if (answer !== SILENCE) this.phone.answers(message, answer, 'i', contact);
  }
}

/** The gateway has the host a, and the destinations b with the priority 1, and c and d, which share the priority 2. */
describe('A gateway with destinations', () => {
  let stack: Stack;
  let places: Readonly<Record<'a' | 'b' | 'c' | 'd', Place>>;
  let phone: Phone;
  let gateway: string;
  let number: string;
  let agent: string;

  beforeAll(async () => {
    const config = ['--health-interval', '5', '--gateway-calls', '0', '--agent-calls', '0'];
    stack = await startStack(database, { config });
    const open = (part: number): Promise<Place> => Place.open(stack.sip, `127.0.3.${String(part)}`);
    places = { a: await open(11), b: await open(12), c: await open(13), d: await open(14) };
    phone = await Phone.open(stack.sip, '127.0.3.2');
    const { a, b, c, d } = places;
    const at = ({ phone: { host, port } }: Place) => ({ host, port });
    gateway = await createGateway(stack.app, {
      ...at(a),
      transport: 'UDP',
      destinations: [{ ...at(c), priority: 2 }, at(b), { ...at(d), priority: 2 }, DISABLED],
    });
    number = await createNumber(stack.app, {
      gatewayRef: gateway,
      telUrl: 'tel:+4930100',
      aorLink: 'sip:carl@out.test',
    });
    const egressPolicy = { rule: '^[+]33', numberRef: number };
    const domainRef = await createDomain(stack.app, { domainUri: 'out.test', egressPolicy });
    agent = await createAgent(stack.app, { ...CARL, domains: ['out.test'] });
    await createRoute(stack.app, { domainRef, prefix: '+49', numberRefs: [number] });
    await createRoute(stack.app, { domainRef, prefix: '112', emergency: true, numberRefs: [number] });
    await eventually(15, async () => expect(await phone.registers('carl', 'out.test')).toMatch(/^SIP\/2\.0 200/));
  });

  afterEach(() => {
    for (const place of Object.values(places)) {
      place.answer = '486 Busy Here';
      place.isUp = true;
      place.after = 0;
      place.called.length = 0;
      place.serves();
    }
  });

  afterAll(async () => {
    for (const place of Object.values(places)) place.phone.close();
    phone.close();
    await stack.close();
  });

  /** Calls a number, ends the call if it is answered, and returns the final status. */
  async function call(to: string): Promise<string> {
    const made = await begin(to);
    if (made.status === '200') await end(made);
    return made.status;
  }

  /** A call whose final response was acknowledged. */
  interface Made {
    readonly within: Asking;
    readonly status: string;
  }

  /** Ends a call, and returns the status of the response to BYE. */
  async function end({ within }: Made): Promise<string | undefined> {
    phone.says({ ...within, method: 'BYE', cseq: 9 });
    return (await phone.hears(/^SIP\/2\.0 [2-6][^]*CSeq: +9 BYE/))?.slice('SIP/2.0 '.length, 'SIP/2.0 '.length + 3);
  }

  async function begin(to: string): Promise<Made> {
    const asking: Asking = {
      method: 'INVITE',
      uri: `sip:${to}@out.test`,
      from: 'carl@out.test',
      to: `${to}@out.test`,
      callId: id(),
      fromTag: id(),
      headers: [`Contact: <${phone.contact('carl')}>`],
    };
    const answer = (await phone.proves(asking, CARL)) ?? '';
    const uri = /<(.*?)>/.exec(headersOf(answer, 'Contact')[0] ?? '')?.[1] ?? asking.uri;
    const toTag = /tag=(\w+)/.exec(headersOf(answer, 'To')[0] ?? '')?.[1] ?? '';
    const headers = headersOf(answer, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
    const within = { ...asking, uri, toTag, cseq: 2, headers };
    phone.says({ ...within, method: 'ACK' });
    return { within, status: answer.slice('SIP/2.0 '.length, 'SIP/2.0 '.length + 3) };
  }

  const update = async (kind: string, ref: string, input: object): Promise<void> => {
    const mutation = `mutation ($ref: String!, $input: Update${kind}Input!) { update${kind}(ref: $ref, input: $input) { ref } }`;
    expect((await stack.app.graphql(mutation, { ref, input })).errors).toBeUndefined();
  };

  /** The places that were called, in alphabetical order, c and d as one. */
  const called = (): string =>
    Object.entries(places)
      .flatMap(([name, place]) => place.called.map(() => name))
      .join(' ');

  test.each([
    ['only at its host, if that answers', { a: OK }, 'a', '200'],
    ['at the next priority after 503', { a: '503 No', b: OK }, 'a b', '200'],
    ['at the next priority after silence of 6 s', { a: SILENCE, b: OK }, 'a b', '200'],
    ['at no other place after 486', { a: '486 Busy', b: OK }, 'a', '486'],
    ['at no other place after 603', { a: '503 No', b: '603 Decline', c: OK, d: OK }, 'a b', '603'],
    [
      'at all places, if all fail',
      { a: '503 No', b: '500 No', c: '480 No', d: '480 No' },
      expect.stringMatching(/^a b [cd]$/),
      '480',
    ],
  ] as const)('is called by a route %s', async (_what, answers, order, status) => {
    for (const [name, answer] of Object.entries(answers)) places[name as 'a'].answer = answer;
    expect(await call('+4989555')).toBe(status);
    expect(called()).toEqual(order);
  });

  test('is called by an egress policy in the same order', async () => {
    [places.a.answer, places.b.answer] = ['503 No', OK];
    expect(await call('+33142')).toBe('200');
    expect(called()).toBe('a b');
  });

  test('shares calls among destinations of the same priority', async () => {
    [places.a.answer, places.b.answer] = ['503 No', '503 No'];
    for (let n = 0; n < 30; n++) await call('+4989555');
    expect(places.c.called.length + places.d.called.length).toBe(30);
    expect(places.c.called.length).toBeGreaterThan(0);
    expect(places.d.called.length).toBeGreaterThan(0);
  });

  test('leaves attempts for the next gateway of a route, however many places it has', async () => {
    const many = await Promise.all(
      Array.from({ length: 9 }, (_, part) => Place.open(stack.sip, `127.0.3.${String(21 + part)}`)),
    );
    const [first, ...others] = many.map(({ phone: { host, port } }) => ({ host, port }));
    const last = others.pop();
    for (const place of many) place.answer = '503 No';
    for (const place of many.slice(-1)) place.answer = OK;
    const numberRefs = [];
    for (const [index, input] of [{ ...first, destinations: others }, { ...last }].entries()) {
      const gatewayRef = await createGateway(stack.app, { ...input, transport: 'UDP' });
      numberRefs.push(await createNumber(stack.app, { gatewayRef, telUrl: `tel:+493020${String(index)}` }));
    }
    const { data } = await stack.app.graphql<{ domains: { nodes: { ref: string }[] } }>(
      '{ domains(where: { domainUri: { eq: "out.test" } }) { nodes { ref } } }',
    );
    await createRoute(stack.app, { domainRef: data.domains.nodes[0]?.ref, prefix: '+44', numberRefs });
    expect(await call('+44123')).toBe('200');
    expect(many.map((place) => place.called.length).reduce((sum, each) => sum + each)).toBe(5);
    for (const place of many) place.phone.close();
  });

  test('that challenges the last attempt that a call has room for is given up, and the caller is not challenged', async () => {
    const many = await Promise.all(
      Array.from({ length: 7 }, (_, part) => Party.open('p', stack.sip, `127.0.3.${String(61 + part)}`)),
    );
    for (const [index, party] of many.entries()) {
      party.script = index === 0 ? ['503 No'] : ['407 Proxy Authentication Required', '503 No'];
      party.listen();
    }
    const [first, ...destinations] = many.map(({ phone: { host, port } }) => ({ host, port }));
    const credentials = { username: 'trunk', secret: 'secret-of-trunk', sendRegister: false };
    const gatewayRef = await createGateway(stack.app, { ...first, ...credentials, destinations, transport: 'UDP' });
    const numberRef = await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930220' });
    const { data } = await stack.app.graphql<{ domains: { nodes: { ref: string }[] } }>(
      '{ domains(where: { domainUri: { eq: "out.test" } }) { nodes { ref } } }',
    );
    await createRoute(stack.app, { domainRef: data.domains.nodes[0]?.ref, prefix: '+43', numberRefs: [numberRef] });
    const status = await call('+43123');
    // 12 branches: a challenged attempt has two.
    expect(many.map((party) => party.of('INVITE').length).toSorted()).toEqual([1, 1, 2, 2, 2, 2, 2]);
    expect(status).toBe('403');
    for (const { phone: each } of many) each.close();
  });

  test('takes no new call at a destination that is draining, but those to emergency numbers, and those in progress go on', async () => {
    const { a, b, c, d } = places;
    const at = ({ phone: { host, port } }: Place) => ({ host, port });
    const others = [
      { ...at(c), priority: 2 },
      { ...at(d), priority: 2 },
    ];
    [a.answer, b.answer] = ['503 No', OK];
    const made = await begin('+4989555');
    expect(called()).toBe('a b');
    await update('Gateway', gateway, { destinations: [{ ...at(b), draining: true }, ...others] });
    [a.heard, b.heard, a.called.length, b.called.length] = [0, 0, 0, 0];
    for (const place of [c, d]) place.answer = '480 No';
    expect(await call('+4989555')).toBe('480');
    expect(called()).toMatch(/^a [cd]$/);
    expect(await call('112')).toBe('200');
    expect(b.called).toHaveLength(1);
    expect(await end(made)).toBe('200');
    // It is checked as before.
    await eventually(30, () => {
      expect(b.heard).toBeGreaterThan(0);
    });
    const { data } = await stack.app.graphql<{
      readonly explainCall: { readonly attempts: readonly object[]; readonly steps: readonly { summary: string }[] };
    }>('{ explainCall(from: "carl@out.test", to: "+4989555") { attempts { requestUri } steps { summary } } }');
    const { attempts, steps } = data.explainCall;
    expect(attempts).toHaveLength(3);
    expect(JSON.stringify(attempts)).not.toContain(b.phone.host);
    expect(steps.map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(`destination ${b.phone.host} of gateway .* is draining: no new call goes there`),
    );
    await update('Gateway', gateway, { destinations: [others[0], at(b), others[1], DISABLED] });
  }, 90_000);

  test('is called at a destination that is disabled only to emergency numbers, after all others', async () => {
    const { a, b, c, d } = places;
    const at = ({ phone: { host, port } }: Place) => ({ host, port });
    const [second, third] = [
      { ...at(c), priority: 2 },
      { ...at(d), priority: 3 },
    ];
    await update('Gateway', gateway, { destinations: [{ ...at(b), priority: 0, enabled: false }, second, third] });
    for (const place of [a, c, d]) place.answer = '503 No';
    b.answer = OK;
    expect(await call('+4989555')).toBe('500');
    expect(called()).toBe('a c d');
    expect(await call('112')).toBe('200');
    expect([a, b, c, d].map((place) => place.called.length)).toEqual([2, 1, 2, 2]);
    const { data } = await stack.app.graphql<{ explainCall: { attempts: { requestUri: string }[] } }>(
      '{ explainCall(from: "carl@out.test", to: "112") { attempts { requestUri } } }',
    );
    const hosts = data.explainCall.attempts.map(({ requestUri }) => /@([^:;]*)/.exec(requestUri)?.[1]);
    expect(hosts).toEqual([a, c, d, b].map(({ phone: { host } }) => host));
    await update('Gateway', gateway, {
      destinations: [second, at(b), { ...at(d), priority: 2 }, DISABLED],
    });
  });

  test.each([
    ['has its time if it sent 100', { answer: OK, after: 7.5 }, 'a'],
    ['is left after silence of 6 s', { answer: SILENCE, after: 0 }, 'a b'],
  ] as const)('whose only other place is disabled, %s to an emergency call', async (_, behaviour, order) => {
    const { a, b } = places;
    const { host, port } = b.phone;
    const { data } = await stack.app.graphql<{ gateway: { destinations: Record<string, unknown>[] } }>(
      'query ($ref: String!) { gateway(ref: $ref) { destinations { host port priority enabled } } }',
      { ref: gateway },
    );
    await update('Gateway', gateway, { destinations: [{ host, port, enabled: false }] });
    Object.assign(a, behaviour);
    b.answer = order === 'a' ? '503 No' : OK;
    expect(await call('112')).toBe('200');
    expect(called()).toBe(order);
    await update('Gateway', gateway, { destinations: data.gateway.destinations });
  });

  test('has all attempts of a call if the minutes of the gateway before it are used, as explainCall says', async () => {
    const many = await Promise.all(
      Array.from({ length: 9 }, (_, part) => Place.open(stack.sip, `127.0.3.${String(41 + part)}`)),
    );
    const [first, own, ...others] = many.map(({ phone: { host, port } }) => ({ host, port }));
    for (const place of many) place.answer = '503 No';
    const numberRefs = [];
    for (const [index, input] of [
      { ...first, dailyMinutes: ['+41=1'] },
      { ...own, destinations: others },
    ].entries()) {
      const gatewayRef = await createGateway(stack.app, { ...input, transport: 'UDP' });
      numberRefs.push(await createNumber(stack.app, { gatewayRef, telUrl: `tel:+493021${String(index)}` }));
      if (index === 0)
        await runSql(stack.url, 'INSERT INTO used_minutes (day, kind, ref, prefix, seconds) VALUES (?, ?, ?, ?, ?)', [
          ...[Math.floor(Date.now() / 86_400_000), 'Gateway', gatewayRef, '+41', 60],
        ]);
    }
    const { data } = await stack.app.graphql<{ domains: { nodes: { ref: string }[] } }>(
      '{ domains(where: { domainUri: { eq: "out.test" } }) { nodes { ref } } }',
    );
    await createRoute(stack.app, { domainRef: data.domains.nodes[0]?.ref, prefix: '+41', numberRefs });
    const told = await stack.app.graphql<{ explainCall: { attempts: { order: number; requestUri: string }[] } }>(
      '{ explainCall(from: "carl@out.test", to: "+41123") { attempts { order requestUri } } }',
    );
    expect(await call('+41123')).toBe('500');
    expect(many.map((place) => place.called.length)).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1]);
    const { attempts } = told.data.explainCall;
    expect(attempts.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(attempts.every(({ requestUri }) => !requestUri.includes(`@${many[0]?.phone.host ?? ''}:`))).toBe(true);
    for (const place of many) place.phone.close();
  });

  test('is called last where it does not respond to OPTIONS, as explainCall says', async () => {
    const { b, c, d } = places;
    const explained = async (): Promise<readonly (readonly [string | undefined, string])[]> => {
      const { data } = await stack.app.graphql<{
        readonly explainCall: {
          readonly attempts: readonly { readonly requestUri: string; readonly health: string }[];
        };
      }>('{ explainCall(from: "carl@out.test", to: "+4989555") { attempts { requestUri health } } }');
      const nameOf = (uri: string) =>
        Object.entries(places).find(
          ([
            ,
            {
              phone: { host },
            },
          ]) => uri.includes(host),
        )?.[0];
      return data.explainCall.attempts.map(({ requestUri, health }) => [nameOf(requestUri), health]);
    };
    const up = [
      ['a', 'UP'],
      ['b', 'UP'],
      ['c', 'UP'],
      ['d', 'UP'],
    ];
    await eventually(60, async () => expect((await explained()).toSorted()).toEqual(up));
    b.isUp = false;
    await eventually(90, async () => expect((await explained()).at(-1)).toEqual(['b', 'DOWN']));
    for (const place of [places.a, c, d]) place.answer = '503 No';
    b.answer = OK;
    expect(await call('+4989555')).toBe('200');
    expect(called()).toBe('a b c d');
  }, 180_000);

  /** Calls the number from the address of a place, and returns the status of the response. */
  async function callFrom({ phone: trunk }: Place): Promise<string> {
    trunk.handle(undefined);
    const callId = id();
    const rings = phone
      .hears((text) => text.startsWith('INVITE') && text.includes(callId))
      .then((invite) => {
        if (invite !== undefined) phone.answers(invite, '486 Busy Here', 'x');
      });
    const asking = { method: 'INVITE', uri: `sip:+4930100@${stack.sip}`, from: `+33123@${trunk.host}` };
    trunk.says({ ...asking, headers: [`Contact: <${trunk.contact('x')}>`], callId });
    const answer = await trunk.hears((text) => /^SIP\/2\.0 [2-6]/.test(text) && text.includes(callId));
    if (answer?.startsWith('SIP/2.0 486') === true) await rings;
    return answer?.split('\r\n')[0] ?? '';
  }

  test.each(['a', 'b', 'd'] as const)(
    'may call from its address %s',
    async (name) => {
      const ask = (): Promise<string> => callFrom(places[name]);
      expect(await ask()).toBe('SIP/2.0 486 Busy Here');
      await update('Number', number, { enabled: false });
      expect(await ask()).toBe('SIP/2.0 480 Disabled');
      await update('Number', number, { enabled: null });
      await update('Gateway', gateway, { draining: true });
      expect(await ask()).toBe('SIP/2.0 503 Gateway takes no calls');
      await update('Gateway', gateway, { draining: null });
      await update('Agent', agent, { enabled: false });
      expect(await ask()).toBe('SIP/2.0 480 Disabled');
      await update('Agent', agent, { enabled: null });
    },
    60_000,
  );

  test('may call from a destination that is draining, and from a disabled one only if nothing else has its address', async () => {
    const { a, b, c } = places;
    const at = ({ phone: { host, port } }: Place) => ({ host, port });
    const { data } = await stack.app.graphql<{ gateway: { destinations: Record<string, unknown>[] } }>(
      'query ($ref: String!) { gateway(ref: $ref) { destinations { host port priority enabled } } }',
      { ref: gateway },
    );
    const off = { ...at(c), enabled: false };
    const cases: readonly (readonly [object, Place, string])[] = [
      [{ destinations: [{ ...at(b), draining: true }, off] }, b, '486 Busy Here'],
      [{ destinations: [at(b), off] }, c, '503 Gateway takes no calls'],
      [{ destinations: [{ host: c.phone.host, port: 5062 }, off] }, c, '486 Busy Here'],
      [{ destinations: [off], sources: [`${c.phone.host}/32`] }, c, '486 Busy Here'],
      [{ destinations: [{ ...at(a), port: 5063, enabled: false }], sources: null }, a, '486 Busy Here'],
    ];
    for (const [input, place, status] of cases) {
      await update('Gateway', gateway, input);
      const explained = await stack.app.graphql<{ explainCall: { status: number | null; outcome: string } }>(
        'query ($from: String!) { explainCall(from: "+33123", to: "+4930100", sourceAddress: $from) { outcome status } }',
        { from: place.phone.host },
      );
      const isRefused = status.startsWith('503');
      expect(explained.data.explainCall).toEqual({
        outcome: isRefused ? 'REFUSED' : 'RINGS',
        status: isRefused ? 503 : null,
      });
      expect([input, await callFrom(place)]).toEqual([input, `SIP/2.0 ${status}`]);
    }
    await update('Gateway', gateway, { destinations: data.gateway.destinations });
  }, 60_000);

  test.each([{ enabled: false }, { draining: true }])('with %j is called for emergencies only', async (input) => {
    await update('Gateway', gateway, input);
    places.a.answer = OK;
    expect(await call('+4989555')).toBe('503');
    expect(await call('+33142')).toBe('503');
    expect(await call('112')).toBe('200');
    expect(called()).toBe('a');
    await update('Gateway', gateway, { enabled: null, draining: null });
  });

  test('a disabled agent can neither register nor call, except emergency numbers, and can again when it is enabled', async () => {
    await update('Agent', agent, { enabled: false });
    expect(await phone.registers('carl', 'out.test')).toMatch(/^SIP\/2\.0 401/);
    expect(await call('+4989555')).toBe('407');
    expect(await call('112')).toBe('486');
    await update('Agent', agent, { enabled: true });
    expect(await phone.registers('carl', 'out.test')).toMatch(/^SIP\/2\.0 200/);
  });
});

/** An IPv6 address of this machine, in several spellings. */
const ADDRESSES = ['[::1]', '[0::1]', '[0:0:0:0:0:0:0:1]', '[::0001]'];

test('A gateway with an IPv6 address, or with several IPv6 networks, may call as soon as it is created', async () => {
  const stack = await startStack(database, { host: '[::1]' });
  const provider = await Phone.open(stack.sip, '::1');
  try {
    const gatewayRef = await createGateway(stack.app, { host: '[::1]', transport: 'UDP' });
    await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930100', aorLink: 'sip:nobody@one.test' });
    const sources = ['2001:db8::/32', '::1'];
    const other = await createGateway(stack.app, { host: 'networks.invalid', sources, transport: 'UDP' });
    await createNumber(stack.app, { gatewayRef: other, telUrl: 'tel:+4930200', aorLink: 'sip:nobody@one.test' });
    const headers = [`Contact: <${provider.contact('p')}>`];
    for (const number of ['+4930100', '+4930200']) {
      const asking = { method: 'INVITE', uri: `sip:${number}@${stack.sip}`, from: '+4989@[::1]' };
      expect(await provider.asks({ ...asking, headers })).toMatch(/^SIP\/2\.0 404/);
    }
  } finally {
    provider.close();
    await stack.close();
  }
});

test('A call leaves to an IPv6 address of a gateway, a destination, an outbound proxy or a peer, however it is written', async () => {
  const stack = await startStack(database, { host: '[::1]' });
  const provider = await Phone.open(stack.sip, '::1');
  const caller = await Phone.open(stack.sip, '::1');
  provider.handle((message) => {
    if (message.startsWith('INVITE')) provider.answers(message, '486 Busy Here', 'i');
  });
  try {
    const domainRef = await createDomain(stack.app, { domainUri: 'six.test' });
    await createAgent(stack.app, { ...CARL, domains: ['six.test'] });
    const { port } = provider;
    const gateways = ADDRESSES.flatMap((host, at) => [
      { host, port, username: `six${String(at)}`, secret: 's', sendRegister: false },
      { host: `nowhere${String(at)}.invalid`, destinations: [{ host, port }] },
      { host: `elsewhere${String(at)}.invalid`, outboundProxy: `${host}:${String(port)}` },
    ]);
    const called: string[] = [];
    for (const [at, input] of gateways.entries()) {
      const gatewayRef = await createGateway(stack.app, { ...input, transport: 'UDP' });
      const prefix = String(100 + at);
      const number = await createNumber(stack.app, { gatewayRef, telUrl: `tel:+4930${prefix}` });
      await createRoute(stack.app, { domainRef, prefix, numberRefs: [number] });
      called.push(prefix);
    }
    for (const [at, host] of ADDRESSES.entries()) {
      await createPeer(stack.app, { username: `six${String(at)}`, contactAddr: `${host}:${String(port)}` });
      called.push(`six${String(at)}`);
    }
    await eventually(15, async () => expect(await caller.registers('carl', 'six.test')).toMatch(/^SIP\/2\.0 200/));
    const statuses: (readonly [string, string | undefined])[] = [];
    for (const user of called) {
      const asking = { method: 'INVITE', uri: `sip:${user}@six.test`, from: 'carl@six.test', to: `${user}@six.test` };
      const answer = await caller.proves({ ...asking, headers: [`Contact: <${caller.contact('carl')}>`] }, CARL);
      statuses.push([user, /^SIP\/2\.0 (\d+)/.exec(answer ?? '')?.[1]]);
    }
    expect(statuses).toEqual(called.map((user) => [user, '486']));
  } finally {
    for (const phone of [provider, caller]) phone.close();
    await stack.close();
  }
});

test('Requests within a call, and a BYE of Kamailio, reach the IPv6 address that a provider names, however it is written', async () => {
  const stack = await startStack(database, { host: '[::1]' });
  const [provider, edge, caller] = [
    await Phone.open(stack.sip, '::1'),
    await Phone.open(stack.sip, '::1'),
    await Phone.open(stack.sip, '::1'),
  ];
  try {
    const domainRef = await createDomain(stack.app, { domainUri: 'six.test' });
    const agentRef = await createAgent(stack.app, { ...CARL, domains: ['six.test'] });
    const gatewayRef = await createGateway(stack.app, { host: '[0:0::1]', port: provider.port, transport: 'UDP' });
    const number = await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930200' });
    await createRoute(stack.app, { domainRef, prefix: '+', numberRefs: [number] });
    await eventually(15, async () => expect(await caller.registers('carl', 'six.test')).toMatch(/^SIP\/2\.0 200/));
    for (const host of ADDRESSES) {
      const contact = `sip:p@${host}:${String(edge.port)}`;
      const who = { phone: caller, from: 'carl@six.test', credentials: CARL };
      const call = await answeredCall(who, provider, '+4989@six.test', { contact, isAcknowledged: false });
      caller.says(call.fromCaller);
      expect([host, (await edge.hears(/^ACK/, 3)) !== undefined]).toEqual([host, true]);
      if (host !== ADDRESSES.at(-1)) {
        caller.says({ ...call.fromCaller, method: 'BYE', cseq: 9 });
        edge.answers((await edge.hears(/^BYE/, 3)) ?? '', OK, 'e');
      }
    }
    // The last call is ended because its agent is deleted.
    await stack.app.graphql(`mutation { deleteAgent(ref: "${agentRef}") }`);
    expect(await edge.hears(/^BYE/, 8)).toMatch(/^BYE/);
  } finally {
    for (const phone of [provider, edge, caller]) phone.close();
    await stack.close();
  }
});
