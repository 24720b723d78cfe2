import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { registerContact } from '../support/databases/sql';

interface Explained {
  readonly outcome: string;
  readonly status: number | null;
  readonly reason: string | null;
  readonly summary: string;
  readonly attempts: readonly { readonly requestUri: string }[];
}

const EXPLAIN_CALL = `query ($from: String!, $to: String!, $source: String) {
  explainCall(from: $from, to: $to, sourceAddress: $source) { outcome status reason summary attempts { requestUri } }
}`;

const PROVIDER = '198.51.100.7';
const BACKUP = '198.51.100.8';
const KINDS = ['Gateway', 'Agent', 'Peer', 'Domain', 'DID', 'Number', 'Route'] as const;
type Kind = (typeof KINDS)[number];

/** A call while one resource is changed: what becomes of it, and why. */
type Case = readonly [
  what: string,
  name: string,
  change: Readonly<Record<string, boolean>>,
  call: readonly [from: string, to: string, source?: string],
  outcome: string,
  summary: string,
];

const OFF = { enabled: false };
const DRAINS = { draining: true };
const IN = ['+33123', '+49301001', PROVIDER] as const;

const CASES: readonly Case[] = [
  [
    'to a disabled agent',
    'anna',
    OFF,
    ['ben@one.test', 'anna'],
    '480 Disabled',
    'agent anna@one.test is disabled: enable it to let it ring',
  ],
  [
    'of a disabled agent',
    'anna',
    OFF,
    ['anna@one.test', 'ben'],
    '407 Proxy Authentication Required',
    'agent anna@one.test is disabled: the call is challenged',
  ],
  [
    'to a disabled peer',
    'pbx',
    OFF,
    ['ben@one.test', 'pbx'],
    '480 Disabled',
    'peer pbx is disabled: enable it to let it ring',
  ],
  [
    'of a disabled peer',
    'pbx',
    OFF,
    ['pbx@one.test', 'ben'],
    '407 Proxy Authentication Required',
    'peer pbx is disabled: the call is challenged',
  ],
  [
    'of an agent of a disabled domain',
    'one',
    OFF,
    ['anna@one.test', 'ben'],
    '407 Proxy Authentication Required',
    'domain one.test is disabled: the call is challenged',
  ],
  [
    'to an agent of a disabled domain',
    'one',
    OFF,
    ['eve@two.test', 'anna@one.test'],
    '403 Digest is for another server',
    'domain one.test is disabled: enable it to let calls to it ring',
  ],
  [
    'from outside to a disabled agent',
    'anna',
    OFF,
    IN,
    '480 Disabled',
    'agent anna@one.test is disabled: enable it to let it ring',
  ],
  [
    'from outside to an agent of a disabled domain',
    'one',
    OFF,
    IN,
    '480 Disabled',
    'domain one.test is disabled: enable it to let its agents ring',
  ],
  [
    'from outside to a disabled number',
    'number',
    OFF,
    IN,
    '480 Disabled',
    'Number tel:+49301001 is disabled: enable it to let it ring',
  ],
  [
    'from inside to a disabled number',
    'number',
    OFF,
    ['eve@two.test', '+49301001'],
    '480 Disabled',
    'Number tel:+49301001 is disabled: enable it to let it ring',
  ],
  [
    'from outside through a disabled gateway',
    'gateway',
    OFF,
    IN,
    '503 Gateway takes no calls',
    'gateway First is disabled: enable it to let calls through',
  ],
  [
    'from outside through a draining gateway',
    'gateway',
    DRAINS,
    IN,
    '503 Gateway takes no calls',
    'gateway First is draining: end that to let new calls through',
  ],
  [
    'that leaves by an egress policy through a draining gateway',
    'gateway',
    DRAINS,
    ['eve@two.test', '+33123'],
    '503 Gateway takes no calls',
    'gateway First is draining: end that to let new calls through',
  ],
  [
    'that leaves by a route through a disabled gateway',
    'gateway',
    OFF,
    ['anna@one.test', '+33123'],
    `LEAVES sip:+33123@${BACKUP};transport=udp`,
    'gateway First is disabled: enable it to let calls through',
  ],
  [
    'that leaves by a disabled route',
    'route',
    OFF,
    ['anna@one.test', '+33123'],
    '404 Not Found',
    'one.test has no route for this number and no egress policy, so calls do not leave',
  ],
  [
    'to an emergency number through a disabled gateway',
    'gateway',
    OFF,
    ['anna@one.test', '112'],
    `LEAVES sip:112@${PROVIDER};transport=udp`,
    'leaves through gateway First at 198.51.100.7',
  ],
  [
    'to an emergency number through a draining gateway',
    'gateway',
    DRAINS,
    ['anna@one.test', '112'],
    `LEAVES sip:112@${PROVIDER};transport=udp`,
    'leaves through gateway First at 198.51.100.7',
  ],
];

onEachDatabase('What is disabled or draining', (subject) => {
  /** The kind and ref of each resource. */
  const resources = new Map<string, readonly [Kind, string]>();

  beforeAll(async () => {
    const { app, url } = subject();
    const make = async (name: string, kind: Kind, ref: Promise<string>): Promise<string> => {
      resources.set(name, [kind, await ref]);
      return ref;
    };
    const first = await make('gateway', 'Gateway', createGateway(app, { name: 'First', host: PROVIDER }));
    const second = await make('backup', 'Gateway', createGateway(app, { name: 'Second', host: BACKUP }));
    const aorLink = 'sip:anna@one.test';
    const number = await make(
      'number',
      'Number',
      createNumber(app, { telUrl: 'tel:+49301001', gatewayRef: first, aorLink }),
    );
    const other = await createNumber(app, { telUrl: 'tel:+49301002', gatewayRef: second, aorLink });
    await make(
      'did',
      'DID',
      createDid(app, { telUrl: 'tel:+49301003', gatewayRef: second, aorLink: 'sip:pbx@one.test' }),
    );
    const one = await make('one', 'Domain', createDomain(app, { domainUri: 'one.test' }));
    await createDomain(app, { domainUri: 'two.test', egressPolicy: { rule: '^[+]33', numberRef: number } });
    await make('route', 'Route', createRoute(app, { domainRef: one, prefix: '+33', numberRefs: [number, other] }));
    await make(
      'urgent',
      'Route',
      createRoute(app, { domainRef: one, prefix: '112', emergency: true, numberRefs: [number] }),
    );
    await make('anna', 'Agent', createAgent(app, { username: 'anna', domains: ['one.test'] }));
    await createAgent(app, { username: 'ben', domains: ['one.test'] });
    await createAgent(app, { username: 'eve', domains: ['two.test'] });
    await make('pbx', 'Peer', createPeer(app, { username: 'pbx', contactAddr: '10.0.0.9' }));
    for (const username of ['anna', 'ben'])
      await registerContact(url, {
        username,
        domain: 'one.test',
        contact: `sip:${username}@10.0.0.1`,
        secondsLeft: 3600,
      });
  });

  const update = async (name: string, input: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> => {
    const [kind = 'Gateway', ref] = resources.get(name) ?? [];
    const { errors } = await subject().app.graphql(
      `mutation ($ref: String!, $input: Update${kind}Input!) { update${kind}(ref: $ref, input: $input) { ref enabled } }`,
      { ref, input },
    );
    return (errors ?? []).map(({ message }) => message);
  };

  /** Changes a resource while something is done. */
  const during = async <T>(
    name: string,
    change: Readonly<Record<string, boolean>>,
    run: () => Promise<T>,
  ): Promise<T> => {
    expect(await update(name, change)).toEqual([]);
    try {
      return await run();
    } finally {
      await update(name, Object.fromEntries(Object.keys(change).map((key) => [key, null])));
    }
  };

  test.each(CASES)(
    'explainCall explains a call %s',
    async (_what, name, change, [from, to, source], outcome, summary) => {
      const { data } = await during(name, change, async () =>
        subject().app.graphql<{ readonly explainCall: Explained }>(EXPLAIN_CALL, { from, to, source }),
      );
      const { explainCall: found } = data;
      const [attempt] = found.attempts;
      const becomes =
        found.status === null
          ? `${found.outcome} ${attempt?.requestUri ?? ''}`
          : `${String(found.status)} ${String(found.reason)}`;
      expect([becomes, found.summary]).toEqual([outcome, summary]);
    },
  );

  test.each([
    ['number', OFF, 'DISABLED', 'Number tel:+49301001 is disabled: enable it to let it ring'],
    ['gateway', OFF, 'GATEWAY_DISABLED', 'gateway First is disabled: enable it to let calls through'],
    ['gateway', DRAINS, 'GATEWAY_DRAINING', 'gateway First is draining: end that to let new calls through'],
    ['anna', OFF, 'TARGET_DISABLED', 'agent anna@one.test is disabled: enable it to let it ring'],
    ['one', OFF, 'TARGET_DISABLED', 'domain one.test is disabled: enable it to let its agents ring'],
  ] as const)(
    'with %s %j, the number is %s, and its explanation and the map say so',
    async (name, change, state, summary) => {
      const { data } = await during(name, change, () =>
        subject().app.graphql<Record<string, unknown>>(
          `query ($state: NumberState!) {
          explainNumber(telUrl: "+49301001") { state summary }
          numberHealth(states: [$state]) { nodes { telUrl summary } }
          numberHealthCounts { causes { state } }
          numberFlows(states: [$state]) { flows { state } }
        }`,
          { state },
        ),
      );
      expect(data).toMatchObject({
        explainNumber: { state, summary },
        numberHealth: { nodes: expect.arrayContaining([{ telUrl: 'tel:+49301001', summary }]) },
        numberHealthCounts: { causes: expect.arrayContaining([{ state }]) },
        numberFlows: { flows: expect.arrayContaining([{ state }]) },
      });
    },
  );

  test('a disabled peer and its address do not ring', async () => {
    const { data } = await during('pbx', OFF, () =>
      subject().app.graphql(`{
        explainNumber(telUrl: "+49301003") { state summary }
        explainAddress(addressOfRecord: "pbx@one.test") { state }
      }`),
    );
    const summary = 'peer pbx is disabled: enable it to let it ring';
    expect(data).toEqual({
      explainNumber: { state: 'TARGET_DISABLED', summary },
      explainAddress: { state: 'TARGET_DISABLED' },
    });
  });

  test('a disabled number is no rival of another one with its digits', async () => {
    const { app } = subject();
    const gatewayRef = await createGateway(app);
    const twin = await createDid(app, { telUrl: 'tel:+49-30-1002', gatewayRef, aorLink: 'sip:x@one.test', ...OFF });
    const QUERY = '{ explainNumber(telUrl: "tel:+49301002") { state } }';
    expect((await app.graphql(QUERY)).data).toEqual({ explainNumber: { state: 'REACHABLE' } });
    await app.graphql('mutation ($ref: String!) { updateDID(ref: $ref, input: { enabled: true }) { ref } }', {
      ref: twin,
    });
    expect((await app.graphql(QUERY)).data).toEqual({ explainNumber: { state: 'AMBIGUOUS' } });
    await app.graphql('mutation ($ref: String!) { deleteDID(ref: $ref) }', { ref: twin });
  });

  test('a document has `enabled` only where it is set, and where finds what is disabled', async () => {
    const { app } = subject();
    const [, ref = ''] = resources.get('anna') ?? [];
    const read = async (): Promise<unknown> => (await app.rest('GET', `/agents/${ref}`)).body;
    expect(JSON.stringify(await read())).not.toContain('enabled');
    const [document, found] = await during('anna', OFF, async () =>
      Promise.all([
        read(),
        app.graphql('{ agents(where: { enabled: { eq: false } }) { nodes { username enabled } } }'),
      ]),
    );
    expect(document).toMatchObject({ data: { spec: { enabled: false } } });
    expect(found.data).toEqual({ agents: { nodes: [{ username: 'anna', enabled: false }] } });
  });

  test('an emergency route cannot be disabled, nor a disabled route become one', async () => {
    expect(await update('urgent', OFF)).toEqual(['enabled: is false, but an emergency route cannot be disabled']);
    const found = await during('route', OFF, () => update('route', { prefix: '113', emergency: true }));
    expect(found).toEqual(['enabled: is false, but an emergency route cannot be disabled']);
  });

  test.each([...KINDS])('%s refuses a value of `enabled` that is not true or false', async (kind) => {
    const [, [, ref = ''] = []] = [...resources].find(([, [of]]) => of === kind) ?? [];
    const collection = kind === 'DID' ? 'dids' : `${kind.toLowerCase()}s`;
    const { app } = subject();
    const before = await app.rest('GET', `/${collection}/${ref}`);
    const body = before.body as { readonly data?: object; readonly result?: object };
    const document = (body.data ?? body.result) as { readonly spec: object };
    const answer = await app.rest('PUT', `/${collection}/${ref}`, {
      body: { ...document, spec: { ...document.spec, enabled: 'maybe' } },
    });
    expect(answer.body).toMatchObject({ data: ['spec.enabled: "maybe" is not true or false'] });
    expect((await app.rest('GET', `/${collection}/${ref}`)).body).toEqual(before.body);
  });
});
