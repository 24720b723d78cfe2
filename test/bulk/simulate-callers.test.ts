import type { TestApp } from '../support/app';
import { onEachDatabase } from '../support/databases/on-each-database';

type Row = Readonly<Record<string, unknown>>;
type Call = readonly [from: string, to: string, source?: string];

const SECRET = 's3cret-long';
const own = { secret: SECRET, domains: ['pbx.test'] };
const created = (kind: string, ref: string, values: Row): Row => ({
  create: { [kind]: { ref, ...(kind === 'number' ? {} : { name: ref }), ...values } },
});
const changed = (kind: string, ref: string, values: Row): Row => ({ update: { ref, [kind]: values } });
const aorLink = 'sip:1001@pbx.test';

const SETUP: readonly Row[] = [
  created('domain', 'dom', { domainUri: 'pbx.test' }),
  created('domain', 'dom2', { domainUri: 'other.test' }),
  created('gateway', 'gw1', { host: '192.0.2.1', transport: 'UDP', sources: ['198.51.100.0/24'] }),
  created('number', 'n1', { gatewayRef: 'gw1', telUrl: 'tel:+4930111', aorLink: 'sip:peer1@pbx.test' }),
  created('number', 'n2', { gatewayRef: 'gw1', telUrl: 'tel:+4930112', aorLink }),
  created('agent', 'ada', { username: '1001', ...own }),
  created('agent', 'bob', { username: '1002', ...own, callerNumberRef: 'n2' }),
  created('peer', 'pp', { username: 'peer1', secret: SECRET, contactAddr: '192.0.2.9:5060', sources: ['192.0.2.9'] }),
  created('route', 'r49', { domainRef: 'dom', prefix: '+49', numberRefs: ['n1'] }),
  created('route', 'r112', { domainRef: 'dom', prefix: '112', emergency: true, numberRefs: ['n1'] }),
];

const BY_GW1 = ['gw1 as tel:+4930111'];
const OUTSIDE: Call = ['1001@pbx.test', '+4940123'];
const EMERGENCY: Call = ['1001@pbx.test', '112'];
const [LEAVES, REFUSED, RINGS] = ['LEAVES', 'REFUSED', 'RINGS'];

/** What a simulation says. */
interface Said {
  /** As `1001@pbx.test 112: gw1 as … -> none`. */
  readonly ways?: readonly string[];
  readonly emergencies?: number;
  /** As `Peer pp SOURCES 192.0.2.9`. */
  readonly lost?: readonly string[];
  readonly shadowed?: readonly string[];
}

const way = (user: string, prefix: string, before: readonly string[] | null, after: readonly string[] | null): string =>
  `${user} ${prefix}: ${(before ?? ['none']).join()} -> ${(after ?? ['none']).join()}`;
const bothWays = (user: string, ...states: [before: readonly string[] | null, after: readonly string[] | null]) => [
  way(user, '112', ...states),
  way(user, '+49', ...states),
];

const CASES: readonly (readonly [
  what: string,
  changes: readonly Row[],
  calls: readonly (readonly [call: Call, before: string | undefined, after: string | undefined])[],
  said: Said,
])[] = [
  [
    'an agent that moves to a domain without ways out',
    [changed('agent', 'ada', { domains: ['other.test'] })],
    [
      [EMERGENCY, LEAVES, REFUSED],
      [OUTSIDE, LEAVES, REFUSED],
    ],
    { ways: bothWays('1001@pbx.test', BY_GW1, null), emergencies: 1 },
  ],
  [
    'an agent that is disabled',
    [changed('agent', 'ada', { enabled: false })],
    [
      [EMERGENCY, LEAVES, LEAVES],
      [OUTSIDE, LEAVES, REFUSED],
    ],
    { ways: [way('1001@pbx.test', '+49', BY_GW1, null)] },
  ],
  [
    'a domain that is disabled',
    [changed('domain', 'dom', { enabled: false })],
    [
      [EMERGENCY, LEAVES, LEAVES],
      [['1001@pbx.test', '112@pbx.test'], LEAVES, LEAVES],
      [['peer1@pbx.test', '112', '192.0.2.9'], LEAVES, LEAVES],
      [['nobody@pbx.test', '112'], REFUSED, REFUSED],
      [OUTSIDE, LEAVES, REFUSED],
    ],
    { lost: ['Gateway gw1 CALLS', 'Domain dom CALLS'] },
  ],
  [
    'an agent of a disabled domain that is disabled, too',
    [changed('domain', 'dom', { enabled: false }), changed('agent', 'ada', { enabled: false })],
    [
      [EMERGENCY, LEAVES, LEAVES],
      [OUTSIDE, LEAVES, REFUSED],
    ],
    { ways: [way('1001@pbx.test', '+49', BY_GW1, null)], lost: ['Gateway gw1 CALLS', 'Domain dom CALLS'] },
  ],
  [
    'an agent that is deleted',
    [{ delete: { kind: 'Agent', ref: 'ada' } }],
    // It has a secret, so nobody can revert that.
    [],
    { ways: bothWays('1001@pbx.test', BY_GW1, null), emergencies: 1 },
  ],
  [
    'agents that swap their names: both show another number',
    [changed('agent', 'ada', { username: '1002' }), changed('agent', 'bob', { username: '1001' })],
    [[OUTSIDE, LEAVES, LEAVES]],
    {
      ways: [
        way('1001@pbx.test', '+49', BY_GW1, ['gw1 as tel:+4930112']),
        way('1002@pbx.test', '+49', ['gw1 as tel:+4930112'], BY_GW1),
      ],
    },
  ],
  [
    'an agent with another number',
    [changed('agent', 'ada', { callerNumberRef: 'n2' })],
    [
      [OUTSIDE, LEAVES, LEAVES],
      [EMERGENCY, LEAVES, LEAVES],
    ],
    { ways: [way('1001@pbx.test', '+49', BY_GW1, ['gw1 as tel:+4930112'])] },
  ],
  [
    'the number of an agent that becomes another one',
    [changed('number', 'n2', { telUrl: 'tel:+4930119' })],
    [[OUTSIDE, LEAVES, LEAVES]],
    { ways: [way('1002@pbx.test', '+49', ['gw1 as tel:+4930112'], ['gw1 as tel:+4930119'])] },
  ],
  ['an agent with another limit', [changed('agent', 'ada', { maxContacts: 3 })], [[EMERGENCY, LEAVES, LEAVES]], {}],
  [
    'an agent with the name of an outside number',
    [created('agent', 'eve', { username: '+4940123', ...own })],
    [[OUTSIDE, LEAVES, 'NOT_RINGING']],
    {
      ways: bothWays('+4940123@pbx.test', null, BY_GW1),
      emergencies: 1,
      shadowed: ['pbx.test "+49" +4940123@pbx.test'],
    },
  ],
  [
    'an access list that denies everybody',
    [changed('domain', 'dom', { accessControlList: { deny: ['0.0.0.0/0'] } })],
    [[['1001@pbx.test', '+4940123', '10.0.0.1'], LEAVES, REFUSED]],
    { lost: ['Domain dom SOURCES 0.0.0.0/0'] },
  ],
  [
    'an access list that allows all that it denies',
    [changed('domain', 'dom', { accessControlList: { allow: ['10.0.0.0/9', '10.128.0.0/9'], deny: ['10.0.0.0/8'] } })],
    [[['1001@pbx.test', '+4940123', '10.0.0.1'], LEAVES, LEAVES]],
    {},
  ],
  [
    'an access list that denies a part of what it allowed, and addresses around it',
    [
      changed('domain', 'dom', {
        accessControlList: {
          allow: ['10.0.0.0/255.255.0.0'],
          deny: ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '2001:db8::/32'],
        },
      }),
    ],
    [
      [['1001@pbx.test', '+4940123', '10.0.0.1'], LEAVES, LEAVES],
      [['1001@pbx.test', '+4940123', '10.1.2.3'], LEAVES, REFUSED],
    ],
    { lost: ['Domain dom SOURCES 10.0.0.0/8 10.1.0.0/16 10.1.2.3 2001:db8::/32'] },
  ],
  [
    'a gateway without its further sources',
    [changed('gateway', 'gw1', { sources: [] })],
    [[['+4915112345', '+4930111', '198.51.100.7'], RINGS, REFUSED]],
    { lost: ['Gateway gw1 SOURCES 198.51.100.0/24'] },
  ],
  [
    'a gateway with half of its sources',
    [changed('gateway', 'gw1', { sources: ['198.51.100.0/25'] })],
    [[['+4915112345', '+4930111', '198.51.100.200'], RINGS, REFUSED]],
    { lost: ['Gateway gw1 SOURCES 198.51.100.0/24'] },
  ],
  [
    'a gateway with the same sources in two parts',
    [changed('gateway', 'gw1', { sources: ['198.51.100.0/25', '198.51.100.128/25'] })],
    [[['+4915112345', '+4930111', '198.51.100.200'], RINGS, RINGS]],
    {},
  ],
  [
    'a peer without its sources',
    [changed('peer', 'pp', { sources: [] })],
    [[['1009@pbx.test', '+4940123', '192.0.2.9'], LEAVES, REFUSED]],
    { lost: ['Peer pp SOURCES 192.0.2.9'] },
  ],
  [
    'a peer that is disabled',
    [changed('peer', 'pp', { enabled: false })],
    [
      [['peer1@pbx.test', '112', '192.0.2.9'], LEAVES, LEAVES],
      [['peer1@pbx.test', '+4940123', '192.0.2.9'], LEAVES, REFUSED],
    ],
    { ways: [way('peer1@pbx.test', '+49', BY_GW1, null)], lost: ['Peer pp SOURCES 192.0.2.9'] },
  ],
];

interface Calls {
  readonly waysOut: readonly {
    readonly domainUri: string;
    readonly prefix: string | null;
    readonly caller: { readonly user: string } | null;
    readonly before: readonly string[] | null;
    readonly after: readonly string[] | null;
  }[];
  readonly waysOutCount: number;
  readonly emergencyCount: number;
  readonly lostWays: readonly {
    readonly kind: string;
    readonly name: string;
    readonly lost: string;
    readonly sources: readonly string[] | null;
  }[];
  readonly shadowed: readonly { readonly rule: string; readonly by: string }[];
}

const SIMULATE = `mutation ($changes: [ChangeInput!]!) { simulate(changes: $changes) { calls {
  waysOut { domainUri prefix caller { user } before after } waysOutCount emergencyCount
  lostWays { kind name lost sources } shadowed { rule by } } } }`;

async function apply(app: TestApp, changes: readonly Row[]): Promise<string> {
  const { data, errors } = await app.graphql<{ applyChanges: { request: string } }>(
    'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }',
    { changes },
  );
  expect(errors).toBeUndefined();
  return data.applyChanges.request;
}

/** RINGS stands for a call that finds its user, who has no device. */
async function outcomeOf(app: TestApp, [from, to, source]: Call): Promise<unknown> {
  const { data, errors } = await app.graphql<{ explainCall: { outcome: string; status: number | null } }>(
    'query ($from: String!, $to: String!, $source: String) { explainCall(from: $from, to: $to, sourceAddress: $source) { outcome status } }',
    { from, to, source: source ?? null },
  );
  expect(errors).toBeUndefined();
  const { outcome, status } = data.explainCall;
  return status === 480 ? 'NOT_RINGING' : outcome;
}

onEachDatabase('simulate, of changed agents, peers, sources and access lists,', (subject) => {
  beforeAll(() => apply(subject().app, SETUP));

  test.each(CASES)('says which calls leave or come differently: %s', async (_what, changes, calls, said) => {
    const { app } = subject();
    const { data, errors } = await app.graphql<{ simulate: { calls: Calls } }>(SIMULATE, { changes });
    expect(errors).toBeUndefined();
    const found = data.simulate.calls;
    const told = found.waysOut.map(({ domainUri, prefix, caller, before, after }) =>
      way(`${caller?.user ?? ''}@${domainUri}`, prefix ?? '', before, after),
    );
    const ofCallers = told.filter((each) => !each.startsWith('@'));
    expect(ofCallers.toSorted()).toEqual([...(said.ways ?? [])].toSorted());
    expect([found.waysOutCount, found.emergencyCount]).toEqual([told.length, said.emergencies ?? 0]);
    expect(
      found.lostWays.map(({ kind, name, lost, sources }) => [kind, name, lost, ...(sources ?? [])].join(' ')),
    ).toEqual(said.lost ?? []);
    expect(found.shadowed.map(({ rule, by }) => `${rule} ${by}`)).toEqual(said.shadowed ?? []);
    if (calls.length === 0) return;
    const outcomes = async (): Promise<readonly unknown[]> => Promise.all(calls.map(([call]) => outcomeOf(app, call)));
    const before = await outcomes();
    const request = await apply(
      app,
      changes.filter((each) => !('delete' in each)),
    );
    const after = await outcomes();
    expect([before, after]).toEqual([calls.map(([, was]) => was), calls.map(([, , becomes]) => becomes)]);
    const undone = await app.graphql('mutation ($id: String!) { revertRequest(id: $id) { entry } }', { id: request });
    expect(undone.errors).toBeUndefined();
  });

  test('compares access lists of 1,000 networks without blocking other requests', async () => {
    const { app } = subject();
    const networks = (second: number): readonly string[] =>
      Array.from({ length: 1000 }, (_, n) => `10.${String(second + Math.floor(n / 250))}.${String(n % 250)}.0/24`);
    const [old, next] = [networks(0), networks(2)];
    await apply(app, [changed('domain', 'dom2', { accessControlList: { deny: old } })]);
    const begun = performance.now();
    for (const [values, lost] of [
      [{ maxCalls: 9 }, []],
      [{ accessControlList: { deny: next } }, [next.slice(500)]],
    ] as const) {
      const { data, errors } = await app.graphql<{ simulate: { calls: Calls } }>(SIMULATE, {
        changes: [changed('domain', 'dom2', values)],
      });
      expect(errors).toBeUndefined();
      expect(data.simulate.calls.lostWays.map(({ sources }) => sources)).toEqual(lost);
    }
    // Each edge of a network against each network took 20 s for each of these.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  test('counts the ways out of 100 deleted peers, and those of domains that are read on both sides', async () => {
    const { app } = subject();
    const places = Array.from({ length: 100 }, (_, n) => String(n));
    await apply(
      app,
      places.map((n) => created('peer', `many${n}`, { username: `many${n}`, secret: SECRET })),
    );
    const simulated = async (changes: readonly Row[]): Promise<Calls> => {
      const { data, errors } = await app.graphql<{ simulate: { calls: Calls } }>(SIMULATE, { changes });
      expect(errors).toBeUndefined();
      return data.simulate.calls;
    };
    // Each calls +49 and 112 from pbx.test.
    expect(await simulated(places.map((n) => ({ delete: { kind: 'Peer', ref: `many${n}` } })))).toMatchObject({
      waysOutCount: 200,
      emergencyCount: 100,
    });
    await apply(app, [
      ...places.map((n) => created('domain', `far${n}`, { domainUri: `far${n}.test` })),
      created('route', 'far', { domainRef: 'far98', prefix: '+49', numberRefs: ['n1'] }),
    ]);
    // A peer is compared in the first 100 domains: far98.test is the 101st, until far0.test is deleted.
    const moved = [
      { delete: { kind: 'Domain', ref: 'far0' } },
      changed('peer', 'pp', { contactAddr: '192.0.2.8:5060' }),
    ];
    expect(await simulated(moved)).toMatchObject({ waysOutCount: 0 });
  });

  test('says that a peer has another number, also if it is not among its first', async () => {
    const { app } = subject();
    const refs = Array.from({ length: 8 }, (_, n) => `own${String(n)}`);
    await apply(app, [
      ...refs.map((ref, n) => created('number', ref, { gatewayRef: 'gw1', telUrl: `tel:+4931${String(n)}`, aorLink })),
      created('peer', 'seven', { username: 'seven', secret: SECRET, callerNumberRefs: refs.slice(0, 7) }),
    ]);
    const { data, errors } = await app.graphql<{ simulate: { calls: Calls } }>(SIMULATE, {
      changes: [changed('peer', 'seven', { callerNumberRefs: [...refs.slice(0, 6), 'own7'] })],
    });
    expect(errors).toBeUndefined();
    const text = (first: string): string =>
      `gw1 as tel:+4931${first} or ${[0, 1, 2, 3].map((n) => `tel:+4931${String(n)}`).join(' or ')} or 2 others, or else tel:+4930111`;
    expect(data.simulate.calls.waysOut).toMatchObject([
      { domainUri: 'pbx.test', prefix: '+49', before: [text('6')], after: [text('7')] },
    ]);
  });
});
