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

interface Target {
  readonly target: string;
  readonly order: number;
  readonly seconds: number;
  readonly resource: { readonly __typename: string; readonly username: string } | null;
}

interface Explained {
  readonly state: string;
  readonly summary: string;
  readonly steps: readonly { readonly state: string; readonly summary: string }[];
}

onEachDatabase('A number with several targets', (subject) => {
  let gatewayRef: string;
  let last = 0;

  beforeAll(async () => {
    const { app, url } = subject();
    gatewayRef = await createGateway(app, { name: 'Carrier', host: 'carrier.test', username: null, secret: null });
    const domainRef = await createDomain(app, { domainUri: 'ring.test' });
    await createDomain(app, { domainUri: 'still.test' });
    const numberRef = await createNumber(app, { gatewayRef, telUrl: 'tel:+4989100', aorLink: 'sip:anna@ring.test' });
    await createRoute(app, { domainRef, prefix: '+49', numberRefs: [numberRef] });
    const egressPolicy = { rule: '^[+]44(1|2)', numberRef };
    await createDomain(app, { domainUri: 'policy.test', egressPolicy });
    for (const username of ['anna', 'ben', 'cleo'])
      await createAgent(app, { username, secret: 's', domains: ['ring.test', 'still.test', 'policy.test'] });
    await createPeer(app, { username: 'desk', secret: 's', contactAddr: '127.0.0.1:5099' });
    await registerContact(url, { username: 'ben', domain: 'ring.test', contact: 'sip:ben@127.0.0.1:5060' });
  });

  const newTelUrl = (): string => `tel:+493${String(1000 + ++last)}`;

  const targetsOf = async (ref: string, kind: 'did' | 'number' = 'did'): Promise<readonly Target[]> => {
    const { data } = await subject().app.graphql<Record<string, { readonly targets: readonly Target[] }>>(
      `query ($ref: String!) { ${kind}(ref: $ref) { targets {
        target order seconds resource { __typename ... on Agent { username } ... on Peer { username } }
      } } }`,
      { ref },
    );
    return data[kind]?.targets ?? [];
  };

  const create = async (aorLink: string, furtherTargets: readonly string[]): Promise<[ref: string, telUrl: string]> => {
    const telUrl = newTelUrl();
    return [await createDid(subject().app, { gatewayRef, telUrl, aorLink, furtherTargets }), telUrl];
  };

  const explain = async (telUrl: string): Promise<Explained> => {
    const { data } = await subject().app.graphql<{ readonly explainNumber: Explained }>(
      'query ($telUrl: String!) { explainNumber(telUrl: $telUrl) { state summary steps { state summary } } }',
      { telUrl },
    );
    return data.explainNumber;
  };

  test.each(['DID', 'Number'] as const)('of kind %s lists them in order, with who they are', async (kind) => {
    const { app } = subject();
    const input = {
      gatewayRef,
      telUrl: newTelUrl(),
      aorLink: 'sip:anna@ring.test',
      furtherTargets: [
        'sip:ben@RING.test',
        'tel:+49-170-555 after 20',
        'sip:desk@ring.test after 5',
        'sip:nobody@ring.test',
      ],
    };
    const ref = await (kind === 'DID' ? createDid : createNumber)(app, input);
    const agent = (username: string): object => ({ __typename: 'Agent', username });
    expect(await targetsOf(ref, kind === 'DID' ? 'did' : 'number')).toEqual([
      { target: 'sip:anna@ring.test', order: 1, seconds: 0, resource: agent('anna') },
      { target: 'sip:ben@ring.test', order: 1, seconds: 0, resource: agent('ben') },
      { target: 'tel:+49170555', order: 2, seconds: 20, resource: null },
      { target: 'sip:desk@ring.test', order: 3, seconds: 5, resource: { __typename: 'Peer', username: 'desk' } },
      { target: 'sip:nobody@ring.test', order: 3, seconds: 5, resource: null },
    ]);
  });

  test.each([
    ['sip:x', 'furtherTargets: "sip:x" is not an address such as'],
    ['sip:ben@ring.test:5060', 'is not an address such as'],
    ['sip:ben@ring.test;x=1', 'is not an address such as'],
    ['sip:a"b@ring.test', 'is not an address such as'],
    ['sip:a|b@ring.test', 'is not an address such as'],
    ['tel:112 after 20', 'is not an address such as'],
    ['tel:+49170555 after 121', 'is not an address such as'],
    ['tel:+49170555 after 0', 'is not an address such as'],
    ['sip:anna@ring.test after 20', 'contains aorLink, which is the first target'],
  ])('cannot have %s', async (target, message) => {
    const input = { gatewayRef, telUrl: newTelUrl(), aorLink: 'sip:anna@ring.test', furtherTargets: [target] };
    const { errors } = await subject().app.graphql(
      'mutation ($input: CreateDIDInput!) { createDID(input: $input) { ref } }',
      {
        input,
      },
    );
    expect(errors?.[0]?.message).toContain(message);
    expect(errors?.[0]?.extensions['fields']).toEqual(['furtherTargets']);
  });

  test.each([
    [['sip:ben@ring.test', 'sip:ben@ring.test after 5'], 'is listed twice'],
    [Array.from({ length: 9 }, (_, at) => `sip:u${String(at)}@ring.test`), 'has more than 8 entries'],
  ])('cannot have the list %j', async (furtherTargets, message) => {
    await expect(create('sip:anna@ring.test', furtherTargets)).rejects.toThrow(message);
  });

  test('keeps the others if aorLink changes, and loses them with null', async () => {
    const { app } = subject();
    const [ref] = await create('sip:anna@ring.test', ['sip:ben@ring.test after 20']);
    const update = (input: object): Promise<unknown> =>
      app.graphql('mutation ($ref: String!, $input: UpdateDIDInput!) { updateDID(ref: $ref, input: $input) { ref } }', {
        ref,
        input,
      });
    await update({ aorLink: 'sip:cleo@ring.test' });
    expect((await targetsOf(ref)).map(({ target }) => target)).toEqual(['sip:cleo@ring.test', 'sip:ben@ring.test']);
    await update({ furtherTargets: ['tel:+49170555 after 10'] });
    expect((await targetsOf(ref)).map(({ target }) => target)).toEqual(['sip:cleo@ring.test', 'tel:+49170555']);
    await update({ furtherTargets: null });
    expect((await targetsOf(ref)).map(({ target }) => target)).toEqual(['sip:cleo@ring.test']);
  });

  test('is found by them, is changed with others, and its history has them', async () => {
    const { app } = subject();
    const refs = [
      await create('sip:anna@still.test', ['sip:ben@still.test']),
      await create('sip:anna@still.test', []),
    ].map(([ref]) => ref);
    const where = { furtherTargets: { contains: 'sip:ben@still.test' } };
    const found = await app.graphql<{ dids: { nodes: { ref: string }[] } }>(
      'query ($where: DIDWhere) { dids(where: $where) { nodes { ref } } }',
      { where },
    );
    expect(found.data.dids.nodes).toEqual([{ ref: refs[0] }]);
    const furtherTargets = ['sip:cleo@still.test after 30'];
    const changed = await app.graphql<{ updateManyDIDs: { count: number } }>(
      'mutation ($where: DIDWhere, $input: UpdateDIDInput!) { updateManyDIDs(where: $where, set: $input, expectedCount: 2) { count } }',
      { where: { aorLink: { eq: 'sip:anna@still.test' } }, input: { furtherTargets } },
    );
    expect(changed.data.updateManyDIDs.count).toBe(2);
    for (const ref of refs) expect((await targetsOf(ref)).at(-1)?.target).toBe('sip:cleo@still.test');
    const { data } = await app.graphql<{ did: { history: { nodes: { changes: { field: string }[] }[] } } }>(
      'query ($ref: String!) { did(ref: $ref) { history { nodes { changes { field } } } } }',
      { ref: refs[0] },
    );
    expect(data.did.history.nodes[0]?.changes.map(({ field }) => field)).toContain('furtherTargets');
  });

  test('has them in its document, and one without them has no such member', async () => {
    const { app } = subject();
    const [several] = await create('sip:anna@ring.test', ['tel:+49170555 after 20']);
    const one = await createDid(app, { gatewayRef, telUrl: newTelUrl(), aorLink: 'sip:anna@ring.test' });
    const location = async (ref: string): Promise<object> => {
      const { body } = await app.rest<{ spec: { location: object } }>('GET', `/dids/${ref}`);
      return body.result.spec.location;
    };
    expect(await location(several)).toMatchObject({ furtherTargets: ['tel:+49170555 after 20'] });
    expect(Object.keys(await location(one))).toEqual(['telUrl', 'aorLink']);
  });

  test.each<readonly [string, readonly string[], string, string, readonly string[]]>([
    [
      'sip:anna@ring.test',
      ['sip:ben@ring.test after 20'],
      'REACHABLE',
      'rings agent ben@ring.test on 1 device',
      ['NOT_NEEDED', 'OK'],
    ],
    [
      'sip:ben@ring.test',
      ['sip:anna@ring.test'],
      'REACHABLE',
      'rings agent ben@ring.test on 1 device',
      ['OK', 'NOT_NEEDED'],
    ],
    [
      'sip:anna@ring.test',
      ['sip:desk@ring.test'],
      'REACHABLE',
      'rings peer desk at its contactAddr 127.0.0.1:5099',
      ['NOT_NEEDED', 'OK'],
    ],
    [
      'sip:anna@ring.test',
      ['tel:+49170555 after 20'],
      'REACHABLE',
      'ring.test calls +49170555 through gateway Carrier, as tel:+4989100',
      ['NOT_NEEDED', 'OK'],
    ],
    [
      'sip:anna@policy.test',
      ['tel:+44170555 after 20'],
      'REACHABLE',
      'policy.test calls +44170555 through gateway Carrier, as tel:+4989100',
      ['NOT_NEEDED', 'OK'],
    ],
    [
      'sip:anna@policy.test',
      ['tel:+44370555 after 20'],
      'NOT_REGISTERED',
      'agent anna@policy.test exists but is not registered',
      ['NOT_REGISTERED', 'MISSING'],
    ],
    [
      'sip:anna@ring.test',
      ['tel:+33170555 after 20'],
      'NOT_REGISTERED',
      'agent anna@ring.test exists but is not registered',
      ['NOT_REGISTERED', 'MISSING'],
    ],
    [
      'sip:anna@still.test',
      ['tel:+49170555 after 20'],
      'NOT_REGISTERED',
      'agent anna@still.test exists but is not registered',
      ['NOT_REGISTERED', 'MISSING'],
    ],
    [
      'sip:anna@ring.test',
      ['tel:+4989100 after 20'],
      'NOT_REGISTERED',
      'agent anna@ring.test exists but is not registered',
      ['NOT_REGISTERED', 'FORBIDDEN'],
    ],
    [
      'sip:gone@ring.test',
      ['sip:anna@ring.test', 'sip:ben@ring.test after 5'],
      'REACHABLE',
      'rings agent ben@ring.test on 1 device',
      ['NOT_NEEDED', 'NOT_NEEDED', 'OK'],
    ],
  ])('%s, then %j, is %s: %s', async (aorLink, further, state, summary, ends) => {
    const [, telUrl] = await create(aorLink, further);
    const told = await explain(telUrl);
    expect([told.state, told.summary]).toEqual([state, summary]);
    const starts = told.steps.flatMap(({ summary: text }, at) => (/calls (also )?go to/.test(text) ? [at] : []));
    const last = starts.map((_, index) => told.steps[(starts[index + 1] ?? told.steps.length) - 1]?.state);
    expect(last).toEqual(ends);
    const { data } = await subject().app.graphql<{
      numberHealth: { nodes: { telUrl: string; state: string; summary: string }[] };
    }>(
      'query ($states: [NumberState!]) { numberHealth(states: $states, first: 100) { nodes { telUrl state summary } } }',
      { states: [state] },
    );
    expect(data.numberHealth.nodes).toContainEqual({ telUrl, state, summary });
  });

  test.each([
    ['+44170555', 'REACHABLE', 'RINGS'],
    ['+49170555', 'NOT_REGISTERED', 'REFUSED'],
  ])('%s is called by the route of the longest prefix only: %s, %s', async (outside, state, outcome) => {
    const { app } = subject();
    const username = `long-${outcome.toLowerCase()}`;
    const domainRef = await createDomain(app, { domainUri: `${username}.test` });
    await createAgent(app, { username, secret: 's', domains: [`${username}.test`] });
    const closed = await createGateway(app, { host: `${username}.test`, username: null, secret: null, enabled: false });
    for (const [prefix, gateway] of [
      ['+', gatewayRef],
      ['+49', closed],
    ] as const) {
      const shown = { gatewayRef: gateway, telUrl: newTelUrl(), aorLink: `sip:${username}@${username}.test` };
      await createRoute(app, { domainRef, prefix, numberRefs: [await createNumber(app, shown)] });
    }
    const [, telUrl] = await create(`sip:${username}@${username}.test`, [`tel:${outside} after 20`]);
    expect((await explain(telUrl)).state).toBe(state);
    const { data } = await app.graphql<{ explainCall: object }>(
      'query ($to: String!) { explainCall(from: "cleo@ring.test", to: $to) { outcome } }',
      { to: telUrl },
    );
    expect(data.explainCall).toEqual({ outcome });
  });

  test('says in which order a call reaches them', async () => {
    const [, telUrl] = await create('sip:anna@ring.test', [
      'tel:+49170555 after 20',
      'sip:ben@ring.test after 5',
      'sip:desk@ring.test',
    ]);
    const { data } = await subject().app.graphql<{ explainCall: object }>(
      `query ($to: String!) { explainCall(from: "cleo@ring.test", to: $to) {
        outcome attempts { order after requestUri diversion gateway { ref } }
      } }`,
      { to: telUrl },
    );
    expect(data.explainCall).toEqual({
      outcome: 'RINGS',
      attempts: [
        {
          order: 1,
          after: null,
          requestUri: 'sip:+49170555@carrier.test;transport=udp',
          diversion: `<sip:${telUrl.slice('tel:'.length)}@carrier.test>`,
          gateway: { ref: gatewayRef },
        },
        {
          order: 2,
          after: 5,
          requestUri: expect.stringContaining('sip:ben@') as string,
          diversion: null,
          gateway: null,
        },
        { order: 2, after: 5, requestUri: 'sip:desk@127.0.0.1:5099', diversion: null, gateway: null },
      ],
    });
  });

  test('calls outside numbers together with others, each once', async () => {
    const { app } = subject();
    const username = 'joint';
    const domainRef = await createDomain(app, { domainUri: 'joint.test' });
    await createAgent(app, { username, secret: 's', domains: ['joint.test'] });
    const numberRefs = [];
    for (const host of ['192.0.2.71', '192.0.2.72'])
      numberRefs.push(await createNumber(app, { gatewayRef: await createGateway(app, { host }), telUrl: newTelUrl() }));
    await createRoute(app, { domainRef, prefix: '+', numberRefs });
    const attemptsOf = async (...further: readonly string[]): Promise<unknown> => {
      const [, telUrl] = await create('sip:joint@joint.test', further);
      const { data } = await app.graphql<{
        explainCall: { attempts: readonly { order: number; after: number | null; requestUri: string }[] };
      }>(
        'query ($to: String!) { explainCall(from: "cleo@ring.test", to: $to) { attempts { order after requestUri } } }',
        { to: telUrl },
      );
      return data.explainCall.attempts.map(({ order, after, requestUri }) => [
        order,
        after,
        requestUri.replace(/^sip:(.*?)(:\d+)?(;.*)?$/, '$1'),
      ]);
    };
    const [first, second] = ['192.0.2.71', '192.0.2.72'];
    expect(await attemptsOf('tel:+44170555', 'tel:+44170556', 'sip:desk@ring.test')).toEqual([
      [1, null, `+44170555@${first}`],
      [1, null, `+44170556@${first}`],
      [1, null, 'desk@127.0.0.1'],
    ]);
    // One that rings alone has all gateways.
    expect(await attemptsOf('tel:+44170555 after 20', 'sip:desk@ring.test after 5', 'tel:+44170556')).toEqual([
      [1, null, `+44170555@${first}`],
      [2, null, `+44170555@${second}`],
      [3, 5, 'desk@127.0.0.1'],
      [3, 5, `+44170556@${first}`],
    ]);
    // Of numbers that share the calls, all that may come first.
    const shares = [
      { priority: 1, weight: 1 },
      { priority: 1, weight: 3 },
    ];
    await createRoute(app, { domainRef, prefix: '+44', numberRefs, shares });
    expect(await attemptsOf('tel:+44170555', 'sip:desk@ring.test')).toEqual([
      [1, null, `+44170555@${second}`],
      [1, null, `+44170555@${first}`],
      [1, null, 'desk@127.0.0.1'],
    ]);
  });

  test('says for each of several outside numbers by which route it is called', async () => {
    const [, telUrl] = await create('sip:anna@ring.test', [
      'tel:+49170555 after 20',
      'sip:ben@ring.test after 5',
      'tel:+33170556 after 5',
    ]);
    const { data } = await subject().app.graphql<{ explainCall: { steps: { __typename: string; summary: string }[] } }>(
      'query ($to: String!) { explainCall(from: "cleo@ring.test", to: $to) { steps { __typename summary } } }',
      { to: telUrl },
    );
    const { steps } = data.explainCall;
    expect(steps.filter((step) => step.__typename === 'RouteStep').map(({ summary }) => summary)).toEqual([
      'the route of ring.test for prefix +49 sends +49170555 out',
      'ring.test has no route for this number and no egress policy, so calls do not leave',
    ]);
  });

  test('says that a target which was deleted does not exist', async () => {
    const { app } = subject();
    const ref = await createAgent(app, { username: 'dora', secret: 's', domains: ['still.test'] });
    const [, telUrl] = await create('sip:anna@still.test', ['sip:dora@still.test after 20']);
    expect((await app.graphql('mutation ($ref: String!) { deleteAgent(ref: $ref) }', { ref })).errors).toBeUndefined();
    expect((await explain(telUrl)).steps).toContainEqual({
      state: 'MISSING',
      summary: 'no agent or peer dora in domain still.test',
    });
  });
});
