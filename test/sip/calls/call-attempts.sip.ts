import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDomain, createGateway, createNumber, createRoute } from '../../support/factories';
import { id, Phone } from '../phone';
import { startStack, type Stack } from '../stack';

type Attempt = Readonly<Record<string, unknown>>;

const [ANNA, BERT] = [
  { username: 'anna', secret: 's' },
  { username: 'bert', secret: 's' },
];
const FIELDS = 'gateway { name } destination at duration status reason reasonHeader';
/** The challenge of a provider. */
const CHALLENGE = 'Proxy-Authenticate: Digest realm="p", nonce="n"';
/** Responses of providers and phones. */
const [CONGESTED, BUSY, OK] = ['503 Kein Kanal frei: prüfen', '486 Busy Here', '200 OK'];
const time = expect.stringMatching(/^20.*Z$/) as string;

/** Anna calls out through the gateways a and b of a route, and in through Bert's two phones. */
describe.each(databases.filter(({ name }) => name !== 'SQLite'))('The attempts of a call, on $name,', (database) => {
  let stack: Stack;
  let phones: readonly Phone[];
  let gateways: readonly Phone[];

  beforeAll(async () => {
    stack = await startStack(database);
    phones = await Promise.all([Phone.open(stack.sip), Phone.open(stack.sip), Phone.open(stack.sip)]);
    const hosts = database.name === 'MySQL' ? ['127.0.82.3', '127.0.82.4'] : ['127.0.82.1', '127.0.82.2'];
    gateways = await Promise.all(hosts.map((host) => Phone.open(stack.sip, host)));
    const numbers: string[] = [];
    const number = async (gateway: object): Promise<void> => {
      const gatewayRef = await createGateway(stack.app, { transport: 'UDP', ...gateway });
      const telUrl = `tel:+49301${String(numbers.length)}`;
      numbers.push(await createNumber(stack.app, { gatewayRef, telUrl, aorLink: 'sip:bert@one.test' }));
    };
    for (const [index, { host, port }] of gateways.entries())
      await number({ name: 'ab'[index], host, port, username: 'u', secret: 's', sendRegister: false });
    await number({ name: 'closed', host: '127.0.82.9', port: 9, transport: 'TCP' });
    const domainRef = await createDomain(stack.app, { domainUri: 'out.test' });
    const [a = '', b = '', closed = ''] = numbers;
    await createRoute(stack.app, { domainRef, prefix: '+49', numberRefs: [a, b] });
    await createRoute(stack.app, { domainRef, prefix: '+44', numberRefs: [closed, a] });
    await createAgent(stack.app, { ...ANNA, domains: ['out.test', 'one.test'] });
    await createAgent(stack.app, { ...BERT, domains: ['one.test'] });
    // Kamailio knows a new domain after at most 5 s.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    const [, first, second] = phones;
    expect(await first?.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    expect(await second?.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
  });

  afterEach(() => {
    for (const phone of [...phones, ...gateways]) {
      phone.handle(undefined);
      phone.forget();
    }
  });

  afterAll(async () => {
    for (const phone of [...phones, ...gateways]) phone.close();
    const log = stack.kamailio.log();
    await stack.close();
    expect(log).not.toMatch(/could not be recorded|cannot do the query/);
  });

  /** Has a phone respond to each INVITE, also to the one after a challenge. */
  function respond(phone: Phone | undefined, responses: readonly string[]): void {
    const seen = new Set<string>();
    phone?.handle((message) => {
      const branch = /branch=([^;\r]+)/.exec(message)?.[1] ?? '';
      if (!message.startsWith('INVITE ') || seen.has(branch)) return;
      const status = responses[seen.size];
      seen.add(branch);
      if (status === undefined) return;
      const headers = status.startsWith('407')
        ? [CHALLENGE]
        : ['Reason: Q.850;cause=34', `Contact: <${phone.contact('x')}>`];
      phone.answers(message, status, id(), headers);
    });
  }

  /** Anna calls. Returns the Call-ID, and the final response. */
  async function call(to: string): Promise<readonly [callId: string, status: string | undefined]> {
    const [anna] = phones;
    if (!anna) throw new Error('Anna has a phone');
    const callId = id();
    const headers = [`Contact: <${anna.contact('anna')}>`];
    const answer = await anna.proves(
      { method: 'INVITE', uri: `sip:${to}`, from: 'anna@out.test', to, callId, headers },
      ANNA,
    );
    return [callId, answer];
  }

  async function attemptsOf(callId: string): Promise<readonly Attempt[]> {
    const { data, errors } = await stack.app.graphql<{ calls: { nodes: readonly { attempts: readonly Attempt[] }[] } }>(
      `query ($callId: String) { calls(where: { callId: $callId }) { nodes { attempts { ${FIELDS} } } } }`,
      { callId },
    );
    expect(errors).toBeUndefined();
    const [found, ...others] = data.calls.nodes;
    expect(others).toEqual([]);
    return found?.attempts ?? [];
  }

  const becomes = (callId: string, expected: readonly Attempt[]): Promise<void> =>
    eventually(8, async () => expect(await attemptsOf(callId)).toEqual(expected), 200);

  const through = (index: number, status: string | null, more: object = {}): Attempt => {
    const { host = '', port = 0 } = gateways[index] ?? {};
    return {
      gateway: { name: 'ab'[index] },
      destination: `sip:${host}:${String(port)};transport=udp`,
      at: time,
      duration: status === null ? null : (expect.any(Number) as number),
      status: status === null ? null : Number(status.slice(0, 3)),
      reason: status === null ? null : status.slice(4),
      reasonHeader: status === null || status === OK ? null : 'Q.850;cause=34',
      ...more,
    };
  };

  test.each<readonly [string, readonly (readonly string[])[], readonly (readonly [number, string])[]]>([
    ['are one if the first gateway answers', [[OK], [OK]], [[0, OK]]],
    [
      'are each gateway that was tried, with its reason',
      [[CONGESTED], [OK]],
      [
        [0, CONGESTED],
        [1, OK],
      ],
    ],
    [
      'are all that failed',
      [[CONGESTED], [BUSY]],
      [
        [0, CONGESTED],
        [1, BUSY],
      ],
    ],
    ['are one for a gateway that asks for credentials', [['407 Who', OK], []], [[0, OK]]],
    [
      'are ended once if credentials do not help',
      [['407 Who', CONGESTED], [BUSY]],
      [
        [0, CONGESTED],
        [1, BUSY],
      ],
    ],
  ])('%s', async (_what, responses, expected) => {
    for (const [index, each] of responses.entries()) respond(gateways[index], each);
    const [callId] = await call('+4930555@out.test');
    await becomes(
      callId,
      expected.map(([index, status]) => through(index, status)),
    );
  });

  test('are shown while the last one rings, and 408 stands for silence', async () => {
    const [, b] = gateways;
    const calling = call('+4930555@out.test');
    const invite = (await b?.hears(/^INVITE /, 12)) ?? '';
    b?.answers(invite, '180 Ringing', 'b');
    const [callId] = await calling;
    const silent = through(0, '408 Request Timeout', { reasonHeader: null });
    await becomes(callId, [silent, through(1, null)]);
    const [first] = await attemptsOf(callId);
    expect(first?.['duration']).toBeGreaterThan(5000);
    b?.answers(invite, BUSY, 'b', ['Reason: Q.850;cause=34']);
    await becomes(callId, [silent, through(1, BUSY)]);
  }, 30_000);

  test('have no status if the gateway refuses connections', async () => {
    respond(gateways[0], [OK]);
    const [callId] = await call('+44123@out.test');
    const refused = { gateway: { name: 'closed' }, destination: 'sip:127.0.82.9:9;transport=tcp', at: time };
    await eventually(
      12,
      async () => expect(await attemptsOf(callId)).toEqual([expect.objectContaining(refused), through(0, OK)]),
      200,
    );
  }, 30_000);

  test('are the devices that responded, in a call to an agent', async () => {
    const [, first, second] = phones;
    respond(first, [BUSY]);
    respond(second, []);
    const calling = call('bert@one.test');
    const device = (phone: Phone | undefined, status: string): Attempt => ({
      gateway: null,
      destination: `sip:127.0.0.1:${String(phone?.port)};transport=udp`,
      at: time,
      duration: expect.any(Number) as number,
      status: Number(status.slice(0, 3)),
      reason: status.slice(4),
      reasonHeader: status === OK ? null : 'Q.850;cause=34',
    });
    second?.handle(undefined);
    const invite = await second?.hears(/^INVITE /);
    const callId = await lastCallId();
    await becomes(callId, [device(first, BUSY)]);
    second?.answers(invite ?? '', OK, 'b', [`Contact: <${second.contact('b')}>`]);
    await calling;
    await eventually(
      8,
      async () =>
        expect((await attemptsOf(callId)).toSorted(byStatus)).toEqual([device(second, OK), device(first, BUSY)]),
      200,
    );
  });

  /** The Call-ID of the last call to an agent, as soon as it is recorded. */
  async function lastCallId(): Promise<string> {
    let found: readonly { readonly callId: string }[] = [];
    await eventually(8, async () => {
      const { data } = await stack.app.graphql<{ calls: { nodes: readonly { readonly callId: string }[] } }>(
        '{ calls(first: 1, where: { direction: INTERNAL }) { nodes { callId } } }',
      );
      found = data.calls.nodes;
      expect(found).toHaveLength(1);
    });
    return found[0]?.callId ?? '';
  }
});

function byStatus(one: Attempt, other: Attempt): number {
  return Number(one['status']) - Number(other['status']);
}
