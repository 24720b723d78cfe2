import type { GraphqlReply, TestApp } from '../support/app';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
  createUser,
} from '../support/factories';
import { COUNTING, metric } from '../support/metrics';
import { onEachDriver, type Subject } from '../support/databases/on-each-database';
import { registerContact } from '../support/databases/sql';

type Row = Readonly<Record<string, unknown>>;

interface Path {
  readonly state: string;
  readonly summary: string;
  readonly gateway: string | null;
  readonly targets: readonly string[];
}

interface Simulation {
  readonly changes: readonly { readonly outcome: string; readonly ref: string }[];
  readonly calls: {
    readonly counts: Readonly<Record<'stops' | 'starts' | 'moves' | 'other', number>>;
    readonly examined: number;
    readonly endCursor: string | null;
    readonly numbers: readonly {
      readonly effect: string;
      readonly kind: string;
      readonly telUrl: string;
      readonly before: Path;
      readonly after: Path;
    }[];
  };
}

const SIMULATE = `mutation ($changes: [ChangeInput!]!, $first: Int! = 100, $after: String) {
  simulate(changes: $changes, after: $after) {
    changes { outcome ref }
    calls {
      counts { stops starts moves other }
      examined
      endCursor
      waysOut { domainUri prefix emergency before after }
      waysOutCount
      numbers(first: $first) { effect kind telUrl before { state summary gateway targets } after { state summary gateway targets } }
    }
  }
}`;

const send = (
  app: TestApp,
  changes: readonly Row[],
  more: Row = {},
  caller: Parameters<TestApp['graphql']>[2] = {},
): Promise<GraphqlReply<{ readonly simulate: Simulation }>> =>
  app.graphql<{ readonly simulate: Simulation }>(SIMULATE, { changes, ...more }, caller);

async function simulate(app: TestApp, changes: readonly Row[], more: Row = {}): Promise<Simulation> {
  const { data, errors } = await send(app, changes, more);
  expect(errors).toBeUndefined();
  return data.simulate;
}

interface Tenant {
  readonly domain: string;
  readonly host: string;
  /** The user names. */
  readonly users: readonly [ann: string, bob: string];
  readonly ann: string;
  readonly bob: string;
  readonly gateway: string;
  readonly other: string;
  readonly number: string;
  readonly did: string;
}

let tenants = 0;

/** A domain with two agents, each with a device and a number: Ann's is a DID, Bob's a Number, both at one of two gateways. */
async function createTenant({ app, url }: Subject): Promise<Tenant> {
  const n = String(++tenants);
  const host = `tenant${n}.test`;
  const domain = await createDomain(app, { domainUri: host });
  const users = [`ann${n}`, `bob${n}`] as const;
  const ann = await createAgent(app, { username: users[0], domains: [host] });
  const bob = await createAgent(app, { username: users[1], domains: [host] });
  for (const username of users)
    await registerContact(url, { username, domain: host, contact: `sip:${username}@192.0.2.1` });
  const gateway = await createGateway(app, { name: `first ${n}` });
  const other = await createGateway(app, { name: `second ${n}` });
  const did = await createDid(app, { gatewayRef: gateway, telUrl: `tel:+331${n}`, aorLink: `sip:${users[0]}@${host}` });
  const number = await createNumber(app, {
    gatewayRef: gateway,
    telUrl: `tel:+332${n}`,
    aorLink: `sip:${users[1]}@${host}`,
  });
  return { domain, host, users, ann, bob, gateway, other, number, did };
}

/** The effects, as `ann STOPS REACHABLE TARGET_MISSING`. */
const told = ({ calls: { numbers } }: Simulation): readonly string[] =>
  numbers
    .map(({ effect, telUrl, before, after }) =>
      [
        telUrl.startsWith('tel:+331') ? 'ann' : telUrl.startsWith('tel:+332') ? 'bob' : 'new',
        effect,
        before.state,
        after.state,
      ].join(' '),
    )
    .toSorted();

const CASES: readonly (readonly [
  what: string,
  changes: (tenant: Tenant) => readonly Row[],
  effects: readonly string[],
])[] = [
  [
    'an agent that is deleted',
    ({ ann }) => [{ delete: { kind: 'Agent', ref: ann } }],
    ['ann STOPS REACHABLE TARGET_MISSING'],
  ],
  [
    'an agent that is disabled',
    ({ ann }) => [{ update: { ref: ann, agent: { enabled: false } } }],
    ['ann STOPS REACHABLE TARGET_DISABLED'],
  ],
  [
    'an agent with another user name',
    ({ bob }) => [{ update: { ref: bob, agent: { username: 'robert' } } }],
    ['bob STOPS REACHABLE TARGET_MISSING'],
  ],
  ['an agent with another display name', ({ ann }) => [{ update: { ref: ann, agent: { name: 'Ann' } } }], []],
  [
    'a gateway that is drained',
    ({ gateway }) => [{ update: { ref: gateway, gateway: { draining: true } } }],
    ['ann STOPS REACHABLE GATEWAY_DRAINING', 'bob STOPS REACHABLE GATEWAY_DRAINING'],
  ],
  [
    'a gateway that is disabled after one of its numbers has moved away',
    ({ gateway, other, number }) => [
      { update: { ref: number, number: { gatewayRef: other } } },
      { update: { ref: gateway, gateway: { enabled: false } } },
    ],
    ['ann STOPS REACHABLE GATEWAY_DISABLED', 'bob MOVES REACHABLE REACHABLE'],
  ],
  [
    'a domain that is disabled',
    ({ domain }) => [{ update: { ref: domain, domain: { enabled: false } } }],
    ['ann STOPS REACHABLE TARGET_DISABLED', 'bob STOPS REACHABLE TARGET_DISABLED'],
  ],
  ['a number that is deleted', ({ did }) => [{ delete: { kind: 'DID', ref: did } }], ['ann STOPS REACHABLE MISSING']],
  [
    'a number that leads to another agent',
    ({ did, host, users }) => [{ update: { ref: did, did: { aorLink: `sip:${users[1]}@${host}` } } }],
    ['ann MOVES REACHABLE REACHABLE'],
  ],
  [
    'a number with a second target, which rings when the agent no longer does',
    ({ did, ann, host, users }) => [
      { update: { ref: did, did: { furtherTargets: [`sip:${users[1]}@${host} after 10`] } } },
      { update: { ref: ann, agent: { enabled: false } } },
    ],
    ['ann MOVES REACHABLE REACHABLE'],
  ],
  [
    'new numbers, one for an agent with a device, and one with the digits of another number',
    ({ gateway, other, host, did, users }) => [
      {
        create: {
          number: { gatewayRef: gateway, telUrl: `tel:+339${did.length}`, aorLink: `sip:${users[1]}@${host}` },
        },
      },
      { update: { ref: did, did: { enabled: false } } },
      { create: { localRef: 'gw', gateway: { name: 'new', host: `new.${host}`, transport: 'UDP' } } },
      { create: { did: { gatewayRef: other, telUrl: `tel:+338${did.length}`, aorLink: `sip:eve@${host}` } } },
    ],
    ['ann STOPS REACHABLE DISABLED', 'new OTHER MISSING TARGET_MISSING', 'new STARTS MISSING REACHABLE'],
  ],
];

/** Sets of changes whose order decides whether they are refused. */
const ORDERS: readonly (readonly [what: string, changesOf: (tenant: Tenant) => readonly Row[], isRefused: boolean])[] =
  [
    [
      'a gateway is deleted before its numbers leave it',
      ({ gateway, other, did, number }) => [
        { delete: { kind: 'Gateway', ref: gateway } },
        { update: { ref: did, did: { gatewayRef: other } } },
        { update: { ref: number, number: { gatewayRef: other } } },
      ],
      true,
    ],
    [
      'a gateway is deleted after its numbers have left it',
      ({ gateway, other, did, number }) => [
        { update: { ref: did, did: { gatewayRef: other } } },
        { update: { ref: number, number: { gatewayRef: other } } },
        { delete: { kind: 'Gateway', ref: gateway } },
      ],
      false,
    ],
    [
      'a number is moved to a gateway before it is created',
      ({ did, host }) => [
        { update: { ref: did, did: { gatewayRef: `gw${host}` } } },
        { create: { gateway: { ref: `gw${host}`, name: 'New', host, transport: 'UDP' } } },
      ],
      true,
    ],
    [
      'a number is created again after it was deleted',
      ({ did, other, host }) => [
        { create: { number: numberAt(other, host, 'tel:+441') } },
        { delete: { kind: 'DID', ref: did } },
        { create: { did: numberAt(other, host, `tel:+331${host.replace(/\D/g, '')}`) } },
      ],
      false,
    ],
    [
      'a number is created again before it is deleted',
      ({ did, other, host }) => [
        { create: { did: numberAt(other, host, `tel:+331${host.replace(/\D/g, '')}`) } },
        { delete: { kind: 'DID', ref: did } },
      ],
      false,
    ],
    [
      'an agent is created in a domain that was renamed',
      ({ domain, host }) => [
        { update: { ref: domain, domain: { domainUri: `new-${host}` } } },
        { create: { agent: { name: 'New', username: 'new', secret: 'secret', domains: [host] } } },
      ],
      true,
    ],
    [
      'an agent is moved to a domain, in another spelling, before it is created',
      ({ ann, host }) => [
        { update: { ref: ann, agent: { domains: [`Later-${host}`] } } },
        { create: { domain: { name: 'New', domainUri: `later-${host}` } } },
      ],
      true,
    ],
    [
      'an agent is moved to a domain, in another spelling, after it was created',
      ({ ann, host }) => [
        { create: { domain: { name: 'New', domainUri: `later-${host}` } } },
        { update: { ref: ann, agent: { domains: [`Later-${host}`] } } },
      ],
      false,
    ],
    [
      'a number is changed after it was deleted',
      ({ did }) => [{ delete: { kind: 'DID', ref: did } }, { update: { ref: did, did: { enabled: false } } }],
      true,
    ],
    [
      'agents swap their names and a third one gets another',
      ({ ann, bob, users }) => [
        { update: { ref: ann, agent: { username: users[1] } } },
        { create: { peer: { name: 'A PBX', username: `pbx-${users[0]}`, secret: 'secret' } } },
        { update: { ref: bob, agent: { username: users[0] } } },
      ],
      false,
    ],
    [
      'one of several agents gets the name of another one',
      ({ ann, bob, users }) => [
        { update: { ref: bob, agent: { name: 'Bob' } } },
        { update: { ref: ann, agent: { username: users[1] } } },
      ],
      true,
    ],
    [
      'one of several numbers gets a gateway that does not exist',
      ({ did, number, other }) => [
        { update: { ref: number, number: { gatewayRef: other } } },
        { update: { ref: did, did: { gatewayRef: 'none' } } },
      ],
      true,
    ],
  ];

const numberAt = (gatewayRef: string, host: string, telUrl: string): Row => ({
  ...{ gatewayRef, telUrl, aorLink: `sip:new@${host}` },
});

/** Applies changes. Returns the refs of the resources. */
async function applied(app: TestApp, changes: readonly Row[]): Promise<readonly string[]> {
  const { data, errors } = await app.graphql<{ readonly applyChanges: Pick<Simulation, 'changes'> }>(
    'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changes { ref } } }',
    { changes },
  );
  expect(errors).toBeUndefined();
  return data.applyChanges.changes.map(({ ref }) => ref);
}

onEachDriver(
  'simulate',
  (subject) => {
    const count = async (): Promise<unknown> =>
      (
        await subject().app.graphql(
          '{ gateways { totalCount } agents { totalCount } dids { totalCount } numbers { totalCount } history(first: 1) { nodes { id } } }',
        )
      ).data;

    const statements = async (changes: readonly Row[]): Promise<number> => {
      const { app } = subject();
      const counted = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const start = await counted();
      await simulate(app, changes);
      return (await counted()) - start;
    };

    test('says which numbers stop ringing, start, go elsewhere or have another reason, and changes nothing', async () => {
      const { app } = subject();
      for (const [what, changesOf, effects] of CASES) {
        const tenant = await createTenant(subject());
        const before = await count();
        const found = await simulate(app, changesOf(tenant));
        expect([what, told(found)]).toEqual([what, effects]);
        const many = (effect: string): number => effects.filter((each) => each.includes(` ${effect} `)).length;
        expect(found.calls.counts).toEqual({
          ...{ stops: many('STOPS'), starts: many('STARTS'), moves: many('MOVES'), other: many('OTHER') },
        });
        expect(found.calls.endCursor).toBeNull();
        expect(await count()).toEqual(before);
      }
    });

    test('says for each number through which gateway and to whom calls go before and after, and why', async () => {
      const { app } = subject();
      const { other, did, ann, host, users } = await createTenant(subject());
      const { calls, changes } = await simulate(app, [
        { update: { ref: did, did: { gatewayRef: other } } },
        { delete: { kind: 'Agent', ref: ann } },
      ]);
      expect(changes.map(({ outcome }) => outcome)).toEqual(['UPDATED', 'DELETED']);
      expect(calls.numbers).toEqual([
        {
          ...{ effect: 'STOPS', kind: 'DID', telUrl: expect.any(String) },
          before: {
            ...{
              state: 'REACHABLE',
              summary: `rings agent ${users[0]}@${host} on 1 device`,
              targets: [`sip:${users[0]}@${host}`],
            },
            gateway: expect.stringContaining('first'),
          },
          after: {
            ...{
              state: 'TARGET_MISSING',
              summary: expect.stringContaining(`no agent or peer ${users[0]}`),
              targets: [`sip:${users[0]}@${host}`],
            },
            gateway: expect.stringContaining('second'),
          },
        },
      ]);
    });

    test('compares what calls would do with what they do once the changes are applied', async () => {
      const { app } = subject();
      const tenant = await createTenant(subject());
      const peer = await createPeer(app, { username: tenant.users[0] });
      const changes = [
        { update: { ref: peer, peer: { contactAddr: '192.0.2.7:5060' } } },
        { delete: { kind: 'Agent', ref: tenant.ann } },
        { update: { ref: tenant.number, number: { enabled: false } } },
      ];
      const { calls } = await simulate(app, changes);
      expect(calls.counts).toMatchObject({ stops: 1, moves: 1 });
      const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }';
      expect((await app.graphql(apply, { changes })).errors).toBeUndefined();
      for (const { telUrl, after } of calls.numbers) {
        const { data } = await app.graphql(
          'query ($telUrl: String!) { explainNumber(telUrl: $telUrl) { state summary } }',
          {
            telUrl,
          },
        );
        expect(data).toEqual({ explainNumber: { state: after.state, summary: after.summary } });
      }
    });

    test('says through which gateways routes, emergency numbers and egress policies go before and after', async () => {
      const { app } = subject();
      const { domain, gateway, other, number, host, users } = await createTenant(subject());
      const second = await createNumber(app, { gatewayRef: other, telUrl: `tel:+333${String(tenants)}` });
      const emergency = await createRoute(app, {
        ...{ domainRef: domain, prefix: '112', emergency: true, numberRefs: [number, second] },
      });
      const route = await createRoute(app, { domainRef: domain, prefix: '+49', numberRefs: [number, second] });
      const policy = { rule: '.*', numberRef: number };
      const [first, then] = [
        `first ${String(tenants)} as tel:+332${String(tenants)}`,
        `second ${String(tenants)} as tel:+333${String(tenants)}`,
      ];
      const both = [first, then];
      const way = { domainUri: host, prefix: '+49', emergency: false };
      const cases: readonly (readonly [change: Row, waysOut: readonly Row[]])[] = [
        [{ update: { ref: gateway, gateway: { draining: true } } }, [{ ...way, before: both, after: [then] }]],
        [{ update: { ref: route, route: { numberRefs: [second] } } }, [{ ...way, before: both, after: [then] }]],
        [
          { update: { ref: number, number: { gatewayRef: other } } },
          [
            { ...way, prefix: '112', emergency: true, before: both, after: [first.replace('first', 'second'), then] },
            { ...way, before: both, after: [first.replace('first', 'second'), then] },
          ],
        ],
        [
          { update: { ref: route, route: { prefix: '+44' } } },
          [
            { ...way, before: both, after: null },
            { ...way, prefix: '+44', before: null, after: both },
          ],
        ],
        [
          { delete: { kind: 'Route', ref: emergency } },
          [{ ...way, prefix: '112', emergency: true, before: both, after: null }],
        ],
        [
          { update: { ref: domain, domain: { egressPolicy: policy } } },
          [{ ...way, prefix: null, before: null, after: [first] }],
        ],
        [{ update: { ref: number, number: { aorLink: `sip:${users[0]}@${host}` } } }, []],
      ];
      for (const [change, waysOut] of cases) {
        const { calls } = await simulate(app, [change]);
        expect(calls).toMatchObject({ waysOut, waysOutCount: waysOut.length });
      }
    });

    test('says where and how gateways are called that routes and egress policies use, if that changes', async () => {
      const { app } = subject();
      const { domain, gateway, number } = await createTenant(subject());
      const [host, n] = [`a${String(tenants)}.example`, String(tenants)];
      const set = (values: Row): Row => ({ update: { ref: gateway, gateway: values } });
      const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }';
      const policy = (rule: string): Row => ({
        update: { ref: domain, domain: { egressPolicy: { rule, numberRef: number } } },
      });
      expect((await app.graphql(apply, { changes: [set({ host }), policy('^00')] })).errors).toBeUndefined();
      const destinations = [
        { host: 'b.example', port: 5080, priority: 2 },
        { host: 'c.example', enabled: false },
      ];
      const cases: readonly (readonly [change: Row, before: string, after: string])[] = [
        [set({ host: `b${host}`, port: 5070 }), ` at ${host}`, ` at b${host}:5070`],
        [set({ transport: 'TLS' }), ' over udp', ' over tls'],
        [set({ outboundProxy: 'proxy.example' }), '', ' through proxy.example'],
        [set({ destinations }), '', ' also at b.example:5080 priority 2'],
        [set({ fromDomain: 'from.example' }), '', ' with From at from.example'],
        [set({ technicalPrefix: '9*', numberFormat: 'DE' }), '', ' with prefix 9* with numbers as DE'],
        [policy('^011'), ' for ^00', ' for ^011'],
      ];
      for (const [change, before, after] of cases) {
        const textOf = (how: string): readonly string[] => [`first ${n}${how} as tel:+332${n}`];
        const { calls } = await simulate(app, [change]);
        expect(calls).toMatchObject({
          waysOut: [{ prefix: null, before: textOf(before), after: textOf(after) }],
          counts: { stops: 0, starts: 0, moves: 0, other: 0 },
        });
      }
    });

    test('says which disabled destinations emergency calls try, if that changes', async () => {
      const { app } = subject();
      const { domain, gateway, number } = await createTenant(subject());
      await createRoute(app, { domainRef: domain, prefix: '112', emergency: true, numberRefs: [number] });
      const destinations = [{ host: 'c.example', enabled: false }];
      const { calls } = await simulate(app, [{ update: { ref: gateway, gateway: { destinations } } }]);
      const textOf = (how: string): readonly string[] => [
        `first ${String(tenants)}${how} as tel:+332${String(tenants)}`,
      ];
      expect(calls).toMatchObject({
        waysOut: [{ prefix: '112', before: textOf(''), after: textOf(' also at c.example disabled') }],
      });
    });

    test('says how the gateways of a route share the calls, if that changes', async () => {
      const { app } = subject();
      const { domain, number } = await createTenant(subject());
      const n = String(tenants);
      const route = await createRoute(app, { domainRef: domain, prefix: '+77', numberRefs: [number] });
      const { calls } = await simulate(app, [
        { update: { ref: route, route: { shares: [{ priority: 1, weight: 70 }] } } },
      ]);
      expect(calls).toMatchObject({
        waysOut: [
          {
            prefix: '+77',
            before: [`first ${n} as tel:+332${n}`],
            after: [`first ${n} with priority 1 with weight 70 as tel:+332${n}`],
          },
        ],
      });
    });

    test('compares a number whose row is replaced by another row as one number', async () => {
      const { app } = subject();
      const { did, gateway, other, host, users } = await createTenant(subject());
      const replaced = (values: Row): readonly Row[] => [
        { delete: { kind: 'DID', ref: did } },
        { create: { number: { gatewayRef: gateway, telUrl: `tel:+331${String(tenants)}`, ...values } } },
      ];
      const aorLink = `sip:${users[0]}@${host}`;
      expect(told(await simulate(app, replaced({ aorLink })))).toEqual([]);
      expect(told(await simulate(app, replaced({ aorLink, gatewayRef: other })))).toEqual([
        'ann MOVES REACHABLE REACHABLE',
      ]);
      expect(told(await simulate(app, replaced({ aorLink: `sip:nobody@${host}` })))).toEqual([
        'ann STOPS REACHABLE TARGET_MISSING',
      ]);
    });

    test('a target that does not ring makes no difference to calls that ring elsewhere', async () => {
      const { app } = subject();
      const { gateway, host, users, ann } = await createTenant(subject());
      const eve = await createAgent(app, { username: `eve${String(tenants)}`, domains: [host] });
      await createNumber(app, {
        ...{ gatewayRef: gateway, telUrl: `tel:+336${String(tenants)}`, aorLink: `sip:eve${String(tenants)}@${host}` },
        furtherTargets: [`sip:${users[0]}@${host}`],
      });
      const [silent, ringing]: readonly (readonly Row[])[] = [
        [{ username: 'eva' }, { enabled: false }],
        [{ username: 'anna' }, { enabled: false }],
      ];
      for (const agent of silent ?? [])
        expect([agent, told(await simulate(app, [{ update: { ref: eve, agent } }]))]).toEqual([agent, []]);
      expect(told(await simulate(app, [{ delete: { kind: 'Agent', ref: eve } }]))).toEqual([]);
      for (const agent of ringing ?? [])
        expect(told(await simulate(app, [{ update: { ref: ann, agent } }]))).toContain(
          'new STOPS REACHABLE NOT_REGISTERED',
        );
    });

    test('the name of a gateway, the spelling of a number, the contactAddr of a peer with a device and routes that a target does not need make no difference', async () => {
      const { app, url } = subject();
      const { domain, gateway, number, host, users } = await createTenant(subject());
      const n = String(tenants);
      const domainRef = domain;
      const route = await createRoute(app, { domainRef, prefix: '', numberRefs: [number] });
      await createRoute(app, { domainRef, prefix: '+', numberRefs: [number] });
      await createNumber(app, {
        ...{ gatewayRef: gateway, telUrl: `tel:+336${n}`, aorLink: `sip:${users[0]}@${host}` },
        furtherTargets: [`sip:${users[1]}@${host} after 20`, 'tel:+4930123 after 20'],
      });
      const username = `pbx${n}`;
      const peer = await createPeer(app, { username });
      await registerContact(url, { username, domain: host, contact: `sip:${username}@192.0.2.1` });
      await createNumber(app, { gatewayRef: gateway, telUrl: `tel:+338${n}`, aorLink: `sip:${username}@${host}` });
      const cases: readonly (readonly [change: Row, numbers: readonly string[], ways: readonly (string | null)[]])[] = [
        [{ update: { ref: peer, peer: { contactAddr: '192.0.2.7' } } }, [], []],
        [{ update: { ref: gateway, gateway: { name: `renamed ${n}`, maxCalls: 1000 } } }, [], []],
        [{ update: { ref: number, number: { telUrl: `tel:+332-${n}` } } }, [], []],
        // Providers are sent another number.
        [{ update: { ref: number, number: { telUrl: `tel:332${n}` } } }, ['new'], ['', '+']],
        [{ delete: { kind: 'Route', ref: route } }, [], ['']],
        [{ update: { ref: number, number: { telUrl: `tel:+337${n}` } } }, ['bob', 'new', 'new'], ['', '+']],
      ];
      for (const [change, numbers, ways] of cases) {
        const simulated = await simulate(app, [change]);
        const { waysOut } = simulated.calls as unknown as { waysOut: readonly { prefix: string | null }[] }; // as selected
        const found = [told(simulated).map((text) => text.slice(0, 3)), waysOut.map(({ prefix }) => prefix).toSorted()];
        expect([change, ...found]).toEqual([change, numbers, ways]);
      }
    });

    test('says of a number that its outside target becomes a number of this server, alone or in a range, or no longer is one', async () => {
      const { app } = subject();
      const { domain, other, number, host } = await createTenant(subject());
      const n = String(tenants);
      await createRoute(app, { domainRef: domain, prefix: '', numberRefs: [number] });
      const aorLink = `sip:nobody@${host}`;
      const base = { gatewayRef: other, aorLink };
      for (const [spelling, outside] of [
        ['333', '4001'],
        ['334', '5001'],
      ] as const)
        await createNumber(app, {
          ...base,
          telUrl: `tel:+${spelling}${n}`,
          furtherTargets: [`tel:+47${n}${outside} after 20`],
        });
      const single = await createNumber(app, { ...base, telUrl: `tel:+47${n}5001` });
      const range = await createNumber(app, { ...base, telUrl: `tel:+47${n}6000`, lastTelUrl: `tel:+47${n}6999` });
      const at = (digits: string): string => `tel:+47${n}${digits}`;
      const cases: readonly (readonly [change: Row, effects: readonly string[]])[] = [
        [{ create: { did: { ...base, telUrl: at('4001') } } }, ['+333 STOPS']],
        [{ create: { did: { ...base, telUrl: at('4000'), lastTelUrl: at('4009') } } }, ['+333 STOPS']],
        [{ update: { ref: range, number: { telUrl: at('3000'), lastTelUrl: at('4500') } } }, ['+333 STOPS']],
        [{ update: { ref: range, number: { lastTelUrl: at('9999') } } }, []],
        [{ update: { ref: single, number: { telUrl: at('2001') } } }, ['+334 STARTS']],
        [{ delete: { kind: 'Number', ref: single } }, ['+334 STARTS']],
      ];
      for (const [change, effects] of cases) {
        const { calls } = await simulate(app, [change]);
        const found = calls.numbers.flatMap(({ telUrl, effect }) =>
          /[+]33[34]/.test(telUrl) ? `${telUrl.slice(4, 8)} ${effect}` : [],
        );
        expect([change, found]).toEqual([change, effects]);
      }
    });

    test('says that a number stops whose only target that rings is in a domain that gets another name', async () => {
      const { app } = subject();
      const { gateway, domain, host, users } = await createTenant(subject());
      await createNumber(app, {
        ...{ gatewayRef: gateway, telUrl: `tel:+336${String(tenants)}`, aorLink: 'sip:nobody@elsewhere.test' },
        furtherTargets: [`sip:${users[0]}@${host}`],
      });
      const renamed = { update: { ref: domain, domain: { domainUri: `new.${host}` } } };
      const others = Array.from({ length: 5 }, (_, n) => ({
        create: { domain: { name: host, domainUri: `${String(n)}.${host}` } },
      }));
      for (const changes of [[renamed], [renamed, ...others]])
        expect(told(await simulate(app, changes))).toEqual([
          'ann STOPS REACHABLE DOMAIN_MISSING',
          'bob STOPS REACHABLE DOMAIN_MISSING',
          'new STOPS REACHABLE DOMAIN_MISSING',
        ]);
    });

    test('compares a thousand changes', async () => {
      const { app } = subject();
      const { gateway, host, users } = await createTenant(subject());
      const changes = Array.from({ length: 1000 }, (_, n) => ({
        create: {
          number: { gatewayRef: gateway, telUrl: `tel:+4470${String(1000 + n)}`, aorLink: `sip:${users[0]}@${host}` },
        },
      }));
      const found = await simulate(app, changes, { first: 3 });
      expect(found.calls).toMatchObject({ counts: { starts: 1000, stops: 0 }, examined: 1000 });
      expect(found.calls.numbers).toHaveLength(3);
    });

    test('of changes of several kinds in turn takes as many statements for many as for some on a server', async () => {
      const { app, url } = subject();
      const { host, gateway, other } = await createTenant(subject());
      const made = (kind: string, inputOf: (n: number) => Row, many: number): Promise<readonly string[]> =>
        applied(
          app,
          Array.from({ length: many }, (_, n) => ({ create: { [kind]: inputOf(n) } })),
        );
      const many = 60;
      const dids = await made(
        'did',
        (n) => ({ gatewayRef: gateway, telUrl: `tel:+4677${String(n)}`, aorLink: 'sip:ann@many.test' }),
        2 * many,
      );
      const agents = await made(
        'agent',
        (n) => ({ name: 'An agent', username: `turn${String(n)}`, secret: 'secret', domains: [host] }),
        many,
      );
      const changesOf = (length: number): readonly Row[] =>
        Array.from({ length }, (_, n): readonly Row[] => [
          { update: { ref: dids[n], did: { gatewayRef: other, aorLink: `sip:moved${String(n)}@many.test` } } },
          { update: { ref: agents[n], agent: { username: `renamed${String(n)}` } } },
          { delete: { kind: 'DID', ref: dids[many + n] } },
          { create: { peer: { name: 'A PBX', username: `peer${String(n)}`, secret: 'secret' } } },
        ]).flat();
      expect(await simulate(app, changesOf(many))).toMatchObject({ calls: { examined: 2 * many } });
      if (url.startsWith('sqlite:')) return;
      const [some, all] = [await statements(changesOf(16)), await statements(changesOf(many))];
      // Creates share statements in groups of sixteen.
      expect(all - some).toBeLessThan(20);
    });

    test('has the result and the errors of a dry run of applyChanges, in whatever order the changes are', async () => {
      const { app } = subject();
      const results = async (mutation: string, changes: readonly Row[]): Promise<unknown> => {
        const text = `mutation ($changes: [ChangeInput!]!) { ${mutation} { changes { outcome } } }`;
        const { data, errors } = await app.graphql<Readonly<Record<string, unknown>>>(text, { changes });
        return errors?.map(({ message, extensions }) => ({ message, extensions })) ?? Object.values(data);
      };
      for (const [what, changesOf, isRefused] of ORDERS) {
        const changes = changesOf(await createTenant(subject()));
        const expected = await results('applyChanges(changes: $changes, dryRun: true)', changes);
        expect([what, await results('simulate(changes: $changes)', changes)]).toEqual([what, expected]);
        expect([what, JSON.stringify(expected).includes('message')]).toEqual([what, isRefused]);
      }
    });

    test('compares the numbers of a large gateway in parts, each with as many statements as for a few numbers', async () => {
      const { app } = subject();
      const { gateway, host, users } = await createTenant(subject());
      const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }';
      for (const part of [1, 2, 3]) {
        const changes = Array.from({ length: 700 }, (_, n) => ({
          create: {
            did: {
              gatewayRef: gateway,
              telUrl: `tel:+45${String(part * 1000 + n)}`,
              aorLink: `sip:${users[0]}@${host}`,
            },
          },
        }));
        expect((await app.graphql(apply, { changes })).errors).toBeUndefined();
      }
      const drain = [{ update: { ref: gateway, gateway: { draining: true } } }];
      const small = await createTenant(subject());
      const few = await statements([{ update: { ref: small.gateway, gateway: { draining: true } } }]);
      expect(await statements(drain)).toBe(few);
      const first = await simulate(app, drain, { first: 0 });
      expect(first.calls).toMatchObject({ examined: 2000, counts: { stops: 2000 }, numbers: [] });
      const rest = await simulate(app, drain, { first: 1000, after: first.calls.endCursor });
      expect(rest.calls).toMatchObject({ examined: 102, counts: { stops: 102 }, endCursor: null });
      expect(rest.calls.numbers).toHaveLength(102);
    });

    test('compares numbers with outside targets in all domains whose calls leave in another way, with as many statements as in one', async () => {
      const { app } = subject();
      const shared = await createTenant(subject());
      const drain = [{ update: { ref: shared.gateway, gateway: { draining: true } } }];
      let fewest: number | undefined;
      for (const domains of [1, 2, 3]) {
        const { domain, host, users } = await createTenant(subject());
        const telUrl = `tel:+334${String(tenants)}`;
        const furtherTargets = ['tel:+4420701 after 5'];
        await createDid(app, {
          ...{ gatewayRef: shared.other, telUrl, aorLink: `sip:${users[0]}@${host}`, furtherTargets },
        });
        await createRoute(app, { domainRef: domain, prefix: '+44', numberRefs: [shared.number] });
        // The two numbers of the gateway, and one in each domain.
        expect((await simulate(app, drain)).calls).toMatchObject({ examined: 2 + domains, endCursor: null });
        const taken = await statements(drain);
        expect(taken).toBe((fewest ??= taken));
      }
    });

    test('says which gateways and domains lose their last way, and which ranges and routes lose calls', async () => {
      const { app } = subject();
      const { domain, gateway, other, number, did, host, users } = await createTenant(subject());
      const n = String(tenants);
      const route = await createRoute(app, { domainRef: domain, prefix: '+49', numberRefs: [number] });
      const aorLink = `sip:${users[0]}@${host}`;
      const range = { gatewayRef: other, telUrl: `tel:+44${n}000`, lastTelUrl: `tel:+44${n}999`, aorLink };
      const span = await createDid(app, range);
      const [first, second] = [`first ${n}`, `second ${n}`];
      const domainName = (await app.graphql<{ domain: { name: string } }>(`{ domain(ref: "${domain}") { name } }`)).data
        .domain.name;
      const loses = (kind: string, ref: string, name: string, lost: string): Row => ({ kind, ref, name, lost });
      const noCalls = loses('Gateway', gateway, first, 'CALLS');
      const noDomain = loses('Domain', domain, domainName, 'CALLS');
      const newRoute = (prefix: string, emergency = false): Row => ({
        create: { route: { name: prefix, domainRef: domain, prefix, emergency, numberRefs: [number] } },
      });
      const byRoute = (prefix: string, isWhole: boolean): Row => ({
        ...{ kind: 'Route', ref: route, rule: `${host} "+49"`, by: `${host} "${prefix}"`, isWhole },
      });
      const single = { gatewayRef: other, telUrl: `tel:+44${n}555`, aorLink };
      const cases: readonly (readonly [changes: readonly Row[], lostWays: readonly Row[], shadowed: readonly Row[]])[] =
        [
          [[{ update: { ref: gateway, gateway: { draining: true } } }], [noCalls, noDomain], []],
          [
            [{ update: { ref: gateway, gateway: { enabled: false } } }],
            [loses('Gateway', gateway, first, 'NUMBERS'), noCalls, noDomain],
            [],
          ],
          [[{ delete: { kind: 'Route', ref: route } }], [noCalls, noDomain], []],
          [[{ update: { ref: route, route: { enabled: false } } }], [noCalls, noDomain], []],
          [[{ update: { ref: domain, domain: { enabled: false } } }], [noCalls, noDomain], []],
          [[{ delete: { kind: 'DID', ref: span } }], [loses('Gateway', other, second, 'NUMBERS')], []],
          [[{ update: { ref: did, did: { gatewayRef: other } } }], [], []],
          [
            [
              { update: { ref: did, did: { gatewayRef: other } } },
              { update: { ref: number, number: { gatewayRef: other } } },
            ],
            [loses('Gateway', gateway, first, 'NUMBERS'), noCalls],
            [],
          ],
          [
            [{ create: { number: single } }],
            [],
            [
              {
                ...{ kind: 'DID', ref: span, rule: `${range.telUrl} to ${range.lastTelUrl}` },
                ...{ by: single.telUrl, isWhole: false },
              },
            ],
          ],
          [[newRoute('+491')], [], [byRoute('+491', false)]],
          [[newRoute('+4912', true)], [], [byRoute('+4912', false)]],
          [[newRoute('+44')], [], []],
          [[newRoute('+41'), newRoute('+411')], [], []],
          [
            Array.from({ length: 10 }, (_, digit) => newRoute(`+49${String(digit)}`)),
            [],
            Array.from({ length: 10 }, (_, digit) => byRoute(`+49${String(digit)}`, true)),
          ],
        ];
      const query = `mutation ($changes: [ChangeInput!]!) { simulate(changes: $changes) { calls {
        lostWays { kind ref name lost } lostWaysCount shadowed { kind ref rule by isWhole } shadowedCount emergencyCount
      } } }`;
      for (const [changes, lostWays, shadowed] of cases) {
        const { data, errors } = await app.graphql<{ simulate: { calls: Row } }>(query, { changes });
        expect(errors).toBeUndefined();
        const counts = { lostWaysCount: lostWays.length, shadowedCount: shadowed.length };
        expect(data.simulate.calls).toMatchObject({ lostWays, shadowed, ...counts });
      }
    });

    test('knows that the calls to a number inside a range without a row of its own are those of the range', async () => {
      const { app } = subject();
      const { gateway, other, host, users } = await createTenant(subject());
      const n = String(tenants);
      const [first, last, inside] = [`tel:+46${n}000`, `tel:+46${n}099`, `tel:+46${n}050`];
      const [ann, nobody] = [`sip:${users[0]}@${host}`, `sip:nobody@${host}`];
      const range = await createNumber(app, { gatewayRef: gateway, telUrl: first, lastTelUrl: last, aorLink: ann });
      const single = await createNumber(app, {
        gatewayRef: gateway,
        telUrl: inside,
        aorLink: `sip:${users[1]}@${host}`,
      });
      const created = (telUrl: string, aorLink: string): Row => ({
        create: { number: { gatewayRef: gateway, telUrl, aorLink } },
      });
      const update = (ref: string, number: Row): Row => ({ update: { ref, number } });
      const cases: readonly (readonly [change: Row, ...effects: readonly string[]])[] = [
        [{ delete: { kind: 'Number', ref: single } }, `${inside} MOVES REACHABLE REACHABLE`],
        [created(`tel:+46${n}060`, nobody), `tel:+46${n}060 STOPS REACHABLE TARGET_MISSING`],
        [created(`tel:+46${n}060`, ann)],
        [created(`tel:+47${n}060`, ann), `tel:+47${n}060 STARTS MISSING REACHABLE`],
        [update(range, { lastTelUrl: `tel:+46${n}060` }), `${first} STOPS REACHABLE REACHABLE`],
        [update(range, { lastTelUrl: `tel:+46${n}199` }), `${first} MOVES REACHABLE REACHABLE`],
        [update(range, { lastTelUrl: `tel:+46${n}-09-9` })],
        [
          update(single, { telUrl: `tel:+46${n}055`, aorLink: nobody }),
          `tel:+46${n}055 STOPS REACHABLE TARGET_MISSING`,
          `${inside} MOVES REACHABLE REACHABLE`,
        ],
        [{ delete: { kind: 'Number', ref: range } }, `${first} STOPS REACHABLE MISSING`],
      ];
      for (const [change, ...effects] of cases) {
        const { calls } = await simulate(app, [change]);
        const found = calls.numbers.map(({ effect, telUrl, before, after }) =>
          [telUrl, effect, before.state, after.state].join(' '),
        );
        expect([change, found]).toEqual([change, effects]);
      }
      const { calls: shortened } = await simulate(app, [update(range, { lastTelUrl: `tel:+46${n}060` })]);
      expect(shortened.numbers.map(({ before, after }) => [before.summary, after.summary])).toEqual([
        [
          expect.stringMatching(`^tel:\\+46${n}000 to tel:\\+46${n}099: rings agent `),
          expect.stringMatching(`^tel:\\+46${n}000 to tel:\\+46${n}060: rings agent `),
        ],
      ]);
      const bare = await createNumber(app, { gatewayRef: other, telUrl: `tel:+48${n}`, aorLink: ann });
      const moved = await simulate(app, [update(bare, { telUrl: `tel:+49${n}` })]);
      const paths = moved.calls.numbers.map(({ telUrl, before, after }) =>
        [telUrl, before.state, after.state].join(' '),
      );
      expect(paths).toEqual([`tel:+48${n} REACHABLE MISSING`, `tel:+49${n} MISSING REACHABLE`]);
      expect(moved.calls.counts).toEqual({ stops: 1, starts: 1, moves: 0, other: 0 });
      const spread = await simulate(app, [update(bare, { telUrl: `tel:+49${n}0`, lastTelUrl: `tel:+49${n}9` })]);
      expect(spread.calls.counts).toEqual({ stops: 1, starts: 1, moves: 0, other: 0 });
    });

    test('is the same for changes of many, imports and reverts, which change nothing', async () => {
      const { app } = subject();
      const { ann, did, gateway, host, users } = await createTenant(subject());
      const calls = 'calls { counts { stops starts moves other } numbers { effect telUrl after { state } } examined }';
      const done = await app.graphql<{ applyChanges: { request: string } }>(
        'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }',
        {
          changes: [
            { update: { ref: ann, agent: { maxContacts: 3 } } },
            { update: { ref: did, did: { enabled: true } } },
          ],
        },
      );
      const request = done.data.applyChanges.request;
      const created = await app.graphql<{ applyChanges: { request: string } }>(
        'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }',
        {
          changes: [
            {
              create: {
                number: {
                  gatewayRef: gateway,
                  telUrl: `tel:+336${String(tenants)}1`,
                  aorLink: `sip:${users[1]}@${host}`,
                },
              },
            },
          ],
        },
      );
      const stops = { stops: 1, starts: 0, moves: 0, other: 0 };
      const starts = { ...stops, stops: 0, starts: 1 };
      const none = { ...stops, stops: 0 };
      const csv = `telUrl,aorLink,gwRef\ntel:+337${String(tenants)}1,sip:${users[1]}@${host},${gateway}`;
      const document = JSON.stringify({
        ...{ apiVersion: 'v1beta1', kind: 'DID', metadata: { ref: did, gwRef: gateway } },
        spec: { location: { telUrl: `tel:+331${String(tenants)}`, aorLink: `sip:eve@${host}` } },
      });
      const cases: readonly (readonly [mutation: string, counts: Row, states: readonly string[]])[] = [
        [`updateManyAgents(refs: ["${ann}"], set: { enabled: false }, dryRun: true)`, stops, ['TARGET_DISABLED']],
        [`deleteManyDIDs(refs: ["${did}"], dryRun: true)`, stops, ['MISSING']],
        [`importCsv(kind: Agent, csv: "ref,enabled\\n${ann},no", dryRun: true)`, stops, ['TARGET_DISABLED']],
        [`importNumbers(csv: ${JSON.stringify(csv)}, dryRun: true)`, starts, ['REACHABLE']],
        [`importDocuments(text: ${JSON.stringify(document)}, dryRun: true)`, stops, ['TARGET_MISSING']],
        [`simulate(revert: { request: "${created.data.applyChanges.request}" })`, stops, ['MISSING']],
        [`simulate(revert: { request: "${request}" })`, none, []],
      ];
      const before = await count();
      for (const [mutation, counts, states] of cases) {
        const { data, errors } = await app.graphql<Record<string, { calls: Simulation['calls'] }>>(
          `mutation { it: ${mutation} { ${calls} } }`,
        );
        expect([mutation, errors]).toEqual([mutation, undefined]);
        expect([mutation, data['it']?.calls.counts]).toEqual([mutation, counts]);
        expect(data['it']?.calls.numbers.map(({ after }) => after.state)).toEqual(states);
        expect(await count()).toEqual(before);
      }
      // The entry says what the revert would change.
      const reverted = await app.graphql<{ simulate: Simulation }>(
        `mutation { simulate(revert: { request: "${created.data.applyChanges.request}" }) { changes { outcome ref } } }`,
      );
      expect(reverted.data.simulate.changes).toMatchObject([{ outcome: 'DELETED' }]);
      // Nothing is compared if a row failed, or without a dry run.
      const failed = await app.graphql(
        `mutation { importCsv(kind: Agent, csv: "ref,enabled\\n${ann},perhaps", dryRun: true) { ${calls} count(outcome: FAILED) } }`,
      );
      expect(failed).toMatchObject({ data: { importCsv: { calls: null, count: 1 } } });
      const made = await app.graphql(
        `mutation { updateManyAgents(refs: ["${ann}"], set: { note: "x" }, expectedCount: 1) { changed ${calls} } }`,
      );
      expect(made).toMatchObject({ data: { updateManyAgents: { changed: 1, calls: null } } });
      for (const wrong of [
        '',
        '(revert: {})',
        `(changes: [], revert: { request: "${request}" })`,
        '(revert: { request: "a", entry: "1" })',
      ]) {
        const { errors = [] } = await app.graphql(`mutation { simulate${wrong} { changes { ref } } }`);
        expect([wrong, errors.map(({ extensions }) => extensions['code'])]).toEqual([wrong, ['BAD_USER_INPUT']]);
      }
    });

    test('refuses viewers, changes that cannot be made, and arguments that are none, and shows no secret', async () => {
      const { app } = subject();
      const { gateway, ann } = await createTenant(subject());
      const { token } = await createUser(app, 'VIEWER');
      const remove = [{ delete: { kind: 'Gateway', ref: gateway } }];
      const code = async (...args: [readonly Row[], Row?, string?]): Promise<unknown> => {
        const [changes, more = {}, as] = args;
        const { errors = [] } = await send(app, changes, more, { token: as });
        return errors.map(({ extensions }) => extensions['code']);
      };
      expect(await code([{ delete: { kind: 'Agent', ref: ann } }], {}, token)).toEqual(['FORBIDDEN']);
      expect(await code(remove)).toEqual(['DEPENDENT_OBJECTS']);
      expect(await code([], { first: 1001 })).toEqual(['BAD_USER_INPUT']);
      expect(await code([], { after: 'nothing' })).toEqual(['BAD_USER_INPUT']);
      expect(await code([{ delete: { kind: 'Agent', ref: 'ag-none' } }])).toEqual(['NOT_FOUND']);
      const found = await send(app, [{ update: { ref: ann, agent: { secret: 'another long secret' } } }]);
      expect(found.errors).toBeUndefined();
      expect(JSON.stringify(found)).not.toContain('another long secret');
    });
  },
  COUNTING,
);
