import type { GraphqlReply, TestApp } from '../support/app';
import { createDid, createDomain, createGateway, createUser, operatorToken } from '../support/factories';
import { eventually } from '../support/eventually';
import { onEachDatabase, type Subject } from '../support/databases/on-each-database';

type Row = Readonly<Record<string, unknown>>;

interface Applied {
  readonly request: string | null;
  readonly changes: readonly {
    readonly outcome: string;
    readonly kind: string;
    readonly ref: string;
    readonly localRef: string | null;
    readonly changes: readonly Row[];
  }[];
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly errors: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  readonly errorCount: number;
}

const APPLY = `mutation ($changes: [ChangeInput!]!, $dryRun: Boolean! = false, $since: DateTimeISO) {
  applied: applyChanges(changes: $changes, dryRun: $dryRun, ifUnchangedSince: $since) {
    request
    changes { outcome kind ref localRef changes { field before after isSecret } }
  }
}`;

const send = (
  app: TestApp,
  changes: readonly Row[],
  more: Row = {},
  caller: Parameters<TestApp['graphql']>[2] = {},
): Promise<GraphqlReply<{ readonly applied: Applied }>> =>
  app.graphql<{ readonly applied: Applied }>(APPLY, { changes, ...more }, caller);

async function apply(app: TestApp, changes: readonly Row[], more: Row = {}): Promise<Applied> {
  const { data, errors } = await send(app, changes, more);
  expect(errors).toBeUndefined();
  return data.applied;
}

async function failure(app: TestApp, changes: readonly Row[], more: Row = {}, token?: string): Promise<Failure> {
  const { errors = [] } = await send(app, changes, more, { token });
  expect(errors).toHaveLength(1);
  return { message: errors[0]?.message, ...errors[0]?.extensions } as Failure;
}

async function read(app: TestApp, text: string, variables: Row = {}): Promise<Row> {
  const { data, errors } = await app.graphql<Row>(text, variables);
  expect(errors).toBeUndefined();
  return data;
}

const count = (app: TestApp): Promise<Row> =>
  read(app, '{ gateways { totalCount } numbers { totalCount } domains { totalCount } routes { totalCount } }');

let hosts = 0;
const gateway = (more: Row = {}): Row => ({
  name: 'set',
  host: `set${String(++hosts)}.test`,
  transport: 'UDP',
  ...more,
});

/** A tenant: a gateway, a number, a domain that calls out with it, an agent and an emergency route. */
function tenant(name: string, tel: string): readonly Row[] {
  return [
    { create: { localRef: 'gw', gateway: gateway({ name }) } },
    { create: { localRef: 'no', number: { gatewayRef: '#gw', telUrl: tel, aorLink: `sip:a@${name}.test` } } },
    {
      create: {
        localRef: 'dm',
        domain: { name, domainUri: `${name}.test`, egressPolicy: { rule: '.*', numberRef: '#no' } },
      },
    },
    { create: { agent: { name, username: 'a', secret: 'a secret', domains: [`${name}.test`] } } },
    { create: { route: { name, domainRef: '#dm', prefix: '112', emergency: true, numberRefs: ['#no'] } } },
    { update: { ref: '#gw', gateway: { port: 5070 } } },
  ];
}

const tests = (subject: () => Subject): void => {
  test('creates, updates and deletes resources of all kinds by names within the set, and is one request with one undo', async () => {
    const { app } = subject();
    const before = await count(app);
    const dry = await apply(app, tenant('dry', 'tel:+3310'), { dryRun: true });
    expect(dry.request).toBeNull();
    expect(dry.changes.map(({ outcome, kind, localRef }) => [outcome, kind, localRef])).toEqual([
      ['CREATED', 'Gateway', 'gw'],
      ['CREATED', 'Number', 'no'],
      ['CREATED', 'Domain', 'dm'],
      ['CREATED', 'Agent', null],
      ['CREATED', 'Route', null],
      ['UPDATED', 'Gateway', null],
    ]);
    expect(dry.changes[5]?.changes).toEqual([{ field: 'port', before: null, after: '5070', isSecret: false }]);
    expect(JSON.stringify(dry)).not.toContain('a secret');
    expect(await count(app)).toEqual(before);

    const made = await apply(app, tenant('made', 'tel:+3311'));
    expect(made.changes.map(({ outcome }) => outcome)).toEqual(dry.changes.map(({ outcome }) => outcome));
    const [gw, no, dm] = made.changes.map(({ ref }) => ref);
    expect(
      await read(
        app,
        'query ($dm: String!) { domain(ref: $dm) { egressNumber { ref gateway { ref port } } routes { nodes { numbers { ref } } } agents { nodes { name } } } }',
        { dm },
      ),
    ).toEqual({
      domain: {
        egressNumber: { ref: no, gateway: { ref: gw, port: 5070 } },
        routes: { nodes: [{ numbers: [{ ref: no }] }] },
        agents: { nodes: [{ name: 'made' }] },
      },
    });
    const { historyRequests } = await read(
      app,
      '{ historyRequests(first: 1) { nodes { request parts { kind event count } } } }',
    );
    expect(historyRequests).toMatchObject({ nodes: [{ request: made.request }] });
    const changed = await apply(app, [
      { update: { ref: gw, gateway: { port: 5070 } } },
      { update: { ref: gw, gateway: { port: 5080 } } },
      { delete: { kind: 'Route', ref: made.changes[4]?.ref } },
    ]);
    expect(changed.changes.map(({ outcome }) => outcome)).toEqual(['UNCHANGED', 'UPDATED', 'DELETED']);
    const undo = 'mutation ($id: String!) { revertRequest(id: $id) { event } }';
    await read(app, undo, { id: changed.request });
    await read(app, undo, { id: made.request });
    expect(await count(app)).toEqual(before);
  });

  test('lets resources swap unique values, and so does its undo', async () => {
    const { app } = subject();
    const n = String(++hosts);
    const [one, two, three] = ['x', 'y', 'z'].map((name) => `${name}${n}.test`);
    const domainRef = await createDomain(app, { domainUri: one });
    await createDomain(app, { domainUri: two });
    const gatewayRef = await createGateway(app);
    const made = async (kind: string, inputs: readonly Row[]): Promise<readonly string[]> =>
      (
        await apply(
          app,
          inputs.map((input) => ({ create: { [kind]: input } })),
        )
      ).changes.map(({ ref }) => ref);
    const numbers = await made(
      'number',
      ['1', '2', '3'].map((digit) => ({
        gatewayRef,
        telUrl: `tel:+3399${n}${digit}`,
        aorLink: `sip:a@${String(one)}`,
      })),
    );
    const domains = await made('domain', [
      { name: 'three', domainUri: three },
      { name: 'four', domainUri: `four${n}.test` },
    ]);
    const agents = await made(
      'agent',
      ['a', 'b', 'c'].map((user) => ({ name: user, username: `${user}${n}`, secret: 's', domains: [one, two] })),
    );
    const peers = await made(
      'peer',
      ['a', 'b'].map((user) => ({ name: user, username: `peer${user}${n}`, secret: 's' })),
    );
    const gateways = await made('gateway', [gateway({ port: 5080 }), gateway({ port: 5080 })]);
    const routes = await made(
      'route',
      ['+31', '+32'].map((prefix) => ({ name: prefix, domainRef, prefix, numberRefs: numbers.slice(0, 1) })),
    );
    const kinds = {
      number: [numbers, 'telUrl'],
      domain: [domains, 'domainUri'],
      agent: [agents, 'username'],
      peer: [peers, 'username'],
      gateway: [gateways, 'host'],
      route: [routes, 'prefix'],
    } as const;
    for (const [kind, [refs, field]] of Object.entries(kinds)) {
      const more = kind === 'agent' ? ' domains { agents { nodes { username } } }' : '';
      const values = async (): Promise<readonly Row[]> =>
        Promise.all(
          refs.map(
            async (ref) =>
              (await read(app, `query ($ref: String!) { ${kind}(ref: $ref) { ${field}${more} } }`, { ref }))[
                kind
              ] as Row,
          ),
        );
      const before = await values();
      // Each gets the value of the next one, and all are changed once more.
      const given = refs.map((_, at) => before[(at + 1) % refs.length]?.[field]);
      const changes = refs.map((ref, at) => ({ update: { ref, [kind]: { [field]: given[at] } } }));
      const again = refs.map((ref) => ({ update: { ref, [kind]: { note: 'swapped' } } }));
      const dry = await apply(app, changes, { dryRun: true });
      const { changes: applied, request } = await apply(app, [...changes, ...again]);
      const told = refs.map((_, at) => ({ field, before: before[at]?.[field], after: given[at], isSecret: false }));
      for (const { changes: done } of [dry, { changes: applied.slice(0, refs.length) }])
        expect(done.flatMap((each) => each.changes)).toEqual(told);
      expect(applied.slice(refs.length).flatMap((each) => each.changes)).toEqual(
        refs.map(() => ({ field: 'note', before: null, after: 'swapped', isSecret: false })),
      );
      expect((await values()).map((each) => each[field])).toEqual(given);
      const revert = 'mutation ($id: String!) { revertRequest(id: $id) { ref } }';
      expect((await app.graphql(revert, { id: request })).errors).toBeUndefined();
      expect(await values()).toEqual(before);
      // A value that somebody keeps is still taken.
      const { errors: taken } = await failure(app, [
        ...changes.slice(1),
        { update: { ref: refs[0], [kind]: { note: 'kept' } } },
      ]);
      const path = `changes[${String(refs.length - 2)}].update.${kind}.${field}`;
      // All fields of the unique key are named.
      expect(taken).toContainEqual(expect.objectContaining({ path, code: 'CONFLICT' }));
      expect(await values()).toEqual(before);
    }
  });

  test('has the change that frees the host of a gateway before the one that takes it, so each can be undone in turn', async () => {
    const { app } = subject();
    const [freed, free] = [gateway()['host'], gateway()['host']];
    const owner = await createGateway(app, { host: freed });
    const taker = await createGateway(app);
    await apply(app, [
      { update: { ref: taker, gateway: { host: freed } } },
      { update: { ref: owner, gateway: { host: free } } },
    ]);
    const { history } = await read(app, '{ history(where: { kinds: [Gateway] }, first: 2) { nodes { entry ref } } }');
    const { nodes } = history as { readonly nodes: readonly { readonly entry: string; readonly ref: string }[] };
    expect(nodes.map(({ ref }) => ref)).toEqual([taker, owner]);
    for (const { entry } of nodes) await read(app, `mutation { revert(entry: "${entry}") { ref } }`);
    expect(await read(app, `{ gateway(ref: "${owner}") { host } }`)).toEqual({ gateway: { host: freed } });
  });

  test('gives the value of a resource to another one before it is deleted, and so does its undo', async () => {
    const { app } = subject();
    const n = String(++hosts);
    const domains = [`take${n}.test`];
    await createDomain(app, { domainUri: domains[0] });
    const inputsOf: Readonly<Record<string, (value: string) => Row>> = {
      Peer: (username) => ({ name: username, username, secret: 's' }),
      Agent: (username) => ({ name: username, username, secret: 's', domains }),
      Domain: (name) => ({ name, domainUri: `${name}.test` }),
    };
    for (const [name, inputOf] of Object.entries(inputsOf)) {
      const kind = name.toLowerCase();
      const field = kind === 'domain' ? 'domainUri' : 'username';
      const inputs = [inputOf(`one${n}`), inputOf(`two${n}`)];
      const made = await apply(
        app,
        inputs.map((input) => ({ create: { [kind]: input } })),
      );
      const [taker, owner] = made.changes.map(({ ref }) => ref);
      const secrets = kind === 'domain' ? [] : [{ field: 'secret', ref: owner, value: 's' }];
      const set = [
        { update: { ref: taker, [kind]: { [field]: inputs[1]?.[field] } } },
        { update: { ref: owner, [kind]: { note: 'last' } } },
        { delete: { kind: name, ref: owner } },
      ];
      const { request } = await apply(app, set);
      const revert =
        'mutation ($id: String!, $secrets: [RevertSecretInput!]) { revertRequest(id: $id, secrets: $secrets) { ref event } }';
      const { data, errors } = await app.graphql<Row>(revert, { id: request, secrets });
      expect(errors).toBeUndefined();
      expect(data['revertRequest']).toEqual([
        { ref: taker, event: 'UPDATED' },
        { ref: owner, event: 'CREATED' },
        { ref: owner, event: 'UPDATED' },
      ]);
    }
  });

  test('creates resources with values that later changes free, also if others refer to them, and can be undone', async () => {
    const { app } = subject();
    const n = String(++hosts);
    const domainRef = await createDomain(app, { domainUri: `free${n}.test` });
    const gatewayRef = await createGateway(app);
    const numberRef = await made('number', { gatewayRef, telUrl: `tel:+3377${n}0`, aorLink: `sip:a@free${n}.test` });
    const inputs: Readonly<Record<string, readonly [field: string, inputOf: (value: string) => Row, free: string]>> = {
      Number: ['telUrl', (telUrl) => ({ gatewayRef, telUrl, aorLink: `sip:a@free${n}.test` }), `tel:+3377${n}2`],
      Peer: ['username', (username) => ({ name: 'a', username, secret: 's' }), `other${n}`],
      Agent: [
        'username',
        (username) => ({ name: 'a', username, secret: 's', domains: [`free${n}.test`] }),
        `other${n}`,
      ],
      Domain: ['domainUri', (domainUri) => ({ name: 'a', domainUri }), `other${n}.test`],
      Gateway: ['host', (host) => ({ name: 'a', host, transport: 'UDP' }), `other${n}.test`],
      Route: ['prefix', (prefix) => ({ name: 'a', domainRef, prefix, numberRefs: [numberRef] }), '+338'],
    };
    const takenOf = (field: string): string =>
      ({ telUrl: `tel:+3377${n}1`, username: `taken${n}`, prefix: '+337' })[field] ?? `taken${n}.test`;
    async function made(kind: string, input: Row): Promise<string> {
      return (await apply(app, [{ create: { [kind]: input } }])).changes[0]?.ref ?? '';
    }
    // Changes that need a resource that was created before its value was free.
    const needing: Readonly<Record<string, Row>> = {
      Number: { create: { route: { name: 'b', domainRef, prefix: '+339', numberRefs: ['#new'] } } },
      Gateway: {
        create: { number: { gatewayRef: '#new', telUrl: `tel:+3377${n}9`, aorLink: `sip:a@free${n}.test` } },
      },
    };
    for (const [name, [field, inputOf, free]] of Object.entries(inputs)) {
      const kind = name.toLowerCase();
      const taken = takenOf(field);
      const values = async (): Promise<unknown> => {
        const found = await read(
          app,
          `{ ${kind}s(where: { ${field}: { in: ["${taken}", "${free}"] } }) { nodes { ref ${field} } } }`,
        );
        return (found[`${kind}s`] as { readonly nodes: unknown }).nodes;
      };
      for (const frees of ['update', 'delete']) {
        const owner = await made(kind, inputOf(taken));
        const before = await values();
        const change =
          frees === 'update'
            ? { update: { ref: owner, [kind]: { [field]: free } } }
            : { delete: { kind: name, ref: owner } };
        const set = [{ create: { localRef: 'new', [kind]: inputOf(taken) } }, ...[needing[name] ?? []].flat(), change];
        const dry = await apply(app, set, { dryRun: true });
        expect(await values()).toEqual(before);
        const simulate = 'mutation ($set: [ChangeInput!]!) { simulate(changes: $set) { changes { outcome } } }';
        const { simulate: simulated } = await read(app, simulate, { set });
        const { changes, request } = await apply(app, set);
        const outcomes = changes.map(({ outcome }) => ({ outcome }));
        expect([name, dry.changes.map(({ outcome }) => ({ outcome }))]).toEqual([name, outcomes]);
        expect(simulated).toEqual({ changes: outcomes });
        const created = { ref: changes[0]?.ref, [field]: taken };
        expect(await values()).toEqual(
          frees === 'update' ? expect.arrayContaining([created, { ref: owner, [field]: free }]) : [created],
        );
        const secrets = frees === 'delete' && field === 'username' ? [{ field: 'secret', ref: owner, value: 's' }] : [];
        await read(
          app,
          'mutation ($id: String!, $secrets: [RevertSecretInput!]) { revertRequest(id: $id, secrets: $secrets) { ref } }',
          { id: request, secrets },
        );
        expect([name, frees, await values()]).toEqual([name, frees, before]);
        // Without the change that frees it, the value is taken.
        const { errors } = await failure(app, set.slice(0, -1));
        expect(errors).toContainEqual(
          expect.objectContaining({ path: `changes[0].create.${kind}.${field}`, code: 'CONFLICT' }),
        );
        await apply(app, [{ delete: { kind: name, ref: owner } }]);
      }
    }
  });

  test('never links to the other of two domains that swap their names, and can be undone', async () => {
    const { app } = subject();
    const n = String(++hosts);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${name}${n}.swap.test`);
    const [one, two] = [await createDomain(app, { domainUri: a }), await createDomain(app, { domainUri: b })];
    await createDomain(app, { domainUri: c });
    const made = await apply(app, [
      { create: { agent: { name: 'in c', username: `c${n}`, secret: 's', domains: [c] } } },
      { create: { agent: { name: 'in a', username: `a${n}`, secret: 's', domains: [a] } } },
    ]);
    const [inC, inA] = made.changes.map(({ ref }) => ref);
    const toB = { update: { ref: one, domain: { domainUri: b } } };
    const toA = { update: { ref: two, domain: { domainUri: a } } };
    const state = (): Promise<Row> =>
      read(
        app,
        'query ($refs: [String!]) { agents(where: { ref: { in: $refs } }) { nodes { name domains { ref } } } }',
        {
          refs: [inC, inA],
        },
      );
    const before = await state();
    const undo =
      'mutation ($id: String!) { revertRequest(id: $id, secrets: [{ field: "secret", value: "s" }]) { ref } }';
    const uses: readonly Row[] = [
      { update: { ref: inC, agent: { domains: [b] } } },
      { create: { agent: { name: 'new', username: `new${n}`, secret: 's', domains: [b] } } },
      { update: { ref: inA, agent: { domains: [c] } } },
      { delete: { kind: 'Agent', ref: inA } },
    ];
    for (const use of uses) {
      const failed = await failure(app, [toB, use, toA]);
      const [type = '', path] = 'delete' in use ? ['delete'] : [Object.keys(use)[0], 'agent.'];
      expect(failed).toMatchObject({
        code: 'CONFLICT',
        errorCount: 1,
        errors: [{ path: `changes[1].${type}.${path ?? ''}domains` }],
      });
      expect(failed.message).toContain(
        `"${String(b)}" is taken over by Domain ${one} from another Domain, which still has it: give that one its new domainUri before this change`,
      );
      expect(await state()).toEqual(before);
      const { request, changes } = await apply(app, [toB, toA, use]);
      expect(JSON.stringify(changes)).not.toContain('~');
      const { data } = await app.graphql<{ agents: { nodes: Row[] } }>(
        'query ($where: AgentWhere) { agents(where: $where) { nodes { domains { ref } } } }',
        { where: { ref: { eq: changes[2]?.ref } } },
      );
      const places = data.agents.nodes.map((node) => node['domains']);
      if (JSON.stringify(use).includes(String(b))) expect(places).toEqual([[{ ref: one }]]);
      await read(app, undo, { id: request });
      expect(await state()).toEqual(before);
    }
    // A change that leaves its domains is made in any order.
    const kept = await apply(app, [toB, { update: { ref: inA, agent: { name: 'kept' } } }, toA]);
    await read(app, undo, { id: kept.request });
    expect(await state()).toEqual(before);
    const { errors: taken } = await failure(app, [
      toB,
      { create: { agent: { name: 'x', username: `x${n}`, secret: 's', domains: [a] } } },
    ]);
    expect(taken.map(({ path }) => path)).toEqual([
      'changes[0].update.domain.domainUri',
      'changes[1].create.agent.domains',
    ]);
  });

  test('names the entry whose undo others are in the way of', async () => {
    const { app } = subject();
    const n = String(++hosts);
    const ref = await createDomain(app, { domainUri: `first${n}.test` });
    const { request } = await apply(app, [{ update: { ref, domain: { domainUri: `second${n}.test` } } }]);
    await createDomain(app, { domainUri: `first${n}.test` });
    const { history } = await read(
      app,
      'query ($id: String!) { history(where: { request: $id }) { nodes { entry } } }',
      {
        id: request,
      },
    );
    const { errors = [] } = await app.graphql('mutation ($id: String!) { revertRequest(id: $id) { ref } }', {
      id: request,
    });
    const [entry] = (history as { nodes: Row[] }).nodes;
    expect(errors[0]?.message).toMatch(new RegExp(`^entry ${String(entry?.['entry'])}: A Domain with domainUri`));
    expect(errors[0]?.extensions).toMatchObject({ code: 'CONFLICT' });
  });

  test('reports all mistakes at once with their places, and then changes nothing', async () => {
    const { app } = subject();
    const used = await createGateway(app, { name: 'used', host: 'used-by.test' });
    await createDid(app, { gatewayRef: used, telUrl: 'tel:+3320' });
    const domain = await createDomain(app, { domainUri: 'known.test' });
    const before = await count(app);
    const did = { telUrl: 'tel:+3321', aorLink: 'sip:a@b.test', gatewayRef: used };
    const changes: readonly (readonly [Row, readonly (readonly [path: string, code: string])[]])[] = [
      [{ create: { localRef: 'ok', gateway: gateway() } }, []],
      [
        { create: { localRef: 'bad', gateway: gateway({ host: 'x y', port: 0 }) } },
        [
          ['create.gateway.host', 'BAD_USER_INPUT'],
          ['create.gateway.port', 'BAD_USER_INPUT'],
        ],
      ],
      [{ create: { did: { ...did, gatewayRef: '#bad' } } }, []],
      // What is wrong with an input is wrong whatever becomes of what it needs.
      [{ create: { did: { ...did, gatewayRef: '#bad', telUrl: 'x' } } }, [['create.did.telUrl', 'BAD_USER_INPUT']]],
      [{ update: { ref: '#bad', gateway: { port: 0 } } }, [['update.gateway.port', 'BAD_USER_INPUT']]],
      [{ create: { did: { ...did, gatewayRef: '#late' } } }, [['create.did.gatewayRef', 'BAD_USER_INPUT']]],
      [{ create: { localRef: 'late', gateway: gateway() } }, []],
      [{ create: { localRef: 'ok', gateway: gateway() } }, [['create.localRef', 'BAD_USER_INPUT']]],
      [{ create: { localRef: 'x y', gateway: gateway() } }, [['create.localRef', 'BAD_USER_INPUT']]],
      [
        {
          create: {
            localRef: 'self',
            domain: { name: 's', domainUri: 'self.test', egressPolicy: { rule: '.', numberRef: '#self' } },
          },
        },
        [['create.domain.egressPolicy.numberRef', 'BAD_USER_INPUT']],
      ],
      [{ create: { agent: { name: 'a', username: 'a', secret: 'a', domains: ['self.test'] } } }, []],
      [
        { create: { domain: { name: 'd', domainUri: 'd.test', egressPolicy: { rule: '.', numberRef: '#ok' } } } },
        [['create.domain.egressPolicy.numberRef', 'BAD_USER_INPUT']],
      ],
      [{ create: { did: { ...did, telUrl: 'tel:+3320' } } }, [['create.did.telUrl', 'CONFLICT']]],
      [
        { create: { number: { ...did, gatewayRef: 'none' } } },
        [['create.number.gatewayRef', 'UNFULFILLED_DEPENDENCY']],
      ],
      [{ create: { gateway: gateway({ ref: 'no ref' }) } }, [['create.gateway.ref', 'BAD_USER_INPUT']]],
      [{ update: { ref: 'none', gateway: { name: 'x' } } }, [['update.ref', 'NOT_FOUND']]],
      [{ update: { ref: '#unknown', gateway: { name: 'x' } } }, [['update.ref', 'BAD_USER_INPUT']]],
      [{ update: { ref: used, gateway: { username: 'no secret' } } }, [['update.gateway.secret', 'BAD_USER_INPUT']]],
      [{ update: { ref: domain, domain: { name: null } } }, [['update.domain.name', 'BAD_USER_INPUT']]],
      [{ delete: { kind: 'Gateway', ref: used } }, [['delete', 'DEPENDENT_OBJECTS']]],
      [{ delete: { kind: 'Peer', ref: 'none' } }, [['delete.ref', 'NOT_FOUND']]],
    ];
    const expected = changes.flatMap(([, mistakes], index) =>
      mistakes.map(([path, code]) => ({ path: `changes[${String(index)}].${path}`, code })),
    );
    const failed = await failure(
      app,
      changes.map(([change]) => change),
    );
    expect(failed.errors.map(({ path, code }) => ({ path, code }))).toEqual(expected);
    expect(failed).toMatchObject({ code: 'BAD_USER_INPUT', errorCount: expected.length });
    expect(failed.message).toMatch(/^changes\[1\]\.create\.gateway\.host: "x y" is not .*; nothing was changed$/);
    expect(await count(app)).toEqual(before);

    const shapes = await failure(app, [
      {},
      { create: {}, delete: { kind: 'Gateway', ref: used } },
      { create: { localRef: 'a' } },
      { update: { ref: used, gateway: {}, peer: {} } },
    ]);
    expect(shapes).toMatchObject({
      code: 'BAD_USER_INPUT',
      fields: ['changes[0]', 'changes[1]', 'changes[2].create', 'changes[3].update'],
    });
    expect(await failure(app, Array(1001).fill({}))).toMatchObject({ code: 'BAD_USER_INPUT', fields: ['changes'] });
    const { token } = await createUser(app, 'VIEWER');
    expect(await failure(app, [{ create: { gateway: gateway() } }], {}, token)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await apply(app, [])).toEqual({ request: null, changes: [] });
  });

  test('changes nothing if a resource was changed since it was read, and says what and by whom', async () => {
    const { app } = subject();
    const versions = async (): Promise<readonly Row[]> =>
      (
        (
          await read(
            app,
            'query { gateways(where: { name: { in: ["one", "two", "two again"] } }) { nodes { ref modifiedOn } } }',
          )
        )['gateways'] as { nodes: Row[] }
      ).nodes;
    const one = await createGateway(app, { name: 'one', host: 'one.test' });
    const two = await createGateway(app, { name: 'two', host: 'two.test' });
    const [first, second] = await versions();
    await read(app, 'mutation ($two: String!) { updateGateway(ref: $two, input: { name: "two again" }) { ref } }', {
      two,
    });
    const changes = (since: unknown): readonly Row[] => [
      { update: { ref: one, ifUnchangedSince: first?.['modifiedOn'], gateway: { port: 5090 } } },
      { update: { ref: one, gateway: { port: 5091 } } },
      { delete: { kind: 'Gateway', ref: two, ifUnchangedSince: since } },
    ];
    const conflict = { code: 'CONFLICT', errorCount: 1, errors: [{ path: 'changes[2].delete.name' }] };
    const failed = await failure(app, changes(second?.['modifiedOn']));
    expect(failed).toMatchObject(conflict);
    expect(failed.message).toContain('was changed from "two" to "two again" by admin at ');
    expect(await failure(app, changes(undefined), { since: second?.['modifiedOn'] })).toMatchObject(conflict);
    expect((await versions())[0]).toEqual(first);
    await apply(app, changes((await versions())[1]?.['modifiedOn']));
    expect(await versions()).toHaveLength(1);
  });

  test('is made once if it is sent again with the same key', async () => {
    const { app } = subject();
    const changes = [{ create: { localRef: 'k', gateway: gateway() } }];
    const caller = { headers: { 'idempotency-key': 'a-set' } };
    const [one, two] = [await send(app, changes, {}, caller), await send(app, changes, {}, caller)];
    expect(two.errors).toBeUndefined();
    expect(two.data.applied).toEqual({
      request: one.data.applied.request,
      changes: one.data.applied.changes.map((each) => ({ ...each, changes: [] })),
    });
    const other = await send(app, [{ create: { gateway: gateway() } }], {}, caller);
    expect(other.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: ['Idempotency-Key'] } }]);
  });

  test('of 1000 changes that all fail is answered with a short error, and one of 1000 changes is made', async () => {
    const { app } = subject();
    await createGateway(app, { host: 'taken.test' });
    const failing: readonly (() => Row)[] = [
      () => ({ create: { gateway: gateway({ host: 'x'.repeat(70) }) } }),
      () => ({ create: { gateway: gateway({ host: 'taken.test' }) } }),
      () => ({ create: { did: { gatewayRef: '#a', telUrl: 'tel:+1', aorLink: 'sip:a@b.c' } } }),
      () => ({ update: { ref: 'none', ifUnchangedSince: '2026-01-01T00:00:00.000Z', peer: { name: 'x' } } }),
    ];
    const expectShort = async (changes: readonly Row[], more: Row = {}): Promise<void> => {
      const failed = await failure(app, changes, more);
      expect(failed.errorCount).toBeGreaterThanOrEqual(1000);
      expect(failed.errors).toHaveLength(100);
      expect(JSON.stringify(failed).length).toBeLessThan(50_000);
    };
    for (const make of failing) await expectShort(Array.from({ length: 1000 }, make));
    const made = await apply(
      app,
      Array.from({ length: 1000 }, () => ({ create: { gateway: gateway() } })),
    );
    const deletes = made.changes.map(({ ref }) => ({ delete: { kind: 'Gateway', ref } }));
    await expectShort(deletes, { since: '2020-01-01T00:00:00.000Z' });
    const deleted = await apply(app, deletes);
    expect(deleted.changes.every(({ outcome }) => outcome === 'DELETED')).toBe(true);
  });

  test('of 20 clients at once is made for each, in any order of the resources', async () => {
    const { app } = subject();
    const refs: string[] = [];
    for (let n = 0; n < 8; n++) refs.push(await createGateway(app));
    const tokens = await Promise.all(Array.from({ length: 4 }, () => operatorToken(app)));
    const codes = new Set<unknown>();
    const client = async (n: number): Promise<void> => {
      for (let round = 0; round < 2; round++) {
        const own = n % 2 === 0 ? refs : [...refs].reverse();
        const updates = own.map((ref) => ({ update: { ref, gateway: { name: `${String(n)} ${String(round)}` } } }));
        const uses = { gatewayRef: own[0], aorLink: 'sip:a@b.test' };
        const creates = [0, 1, 2].map((each) => ({
          create: { did: { ...uses, telUrl: `tel:+77${String(n)}9${String(round)}${String(each)}` } },
        }));
        const changes = [...updates, ...creates, ...updates.slice(4)];
        const headers = { 'idempotency-key': `client-${String(n)}-${String(round)}` };
        await eventually(60, async () => {
          const { errors = [] } = await send(app, changes, {}, { token: tokens[n % 4], headers });
          for (const { extensions } of errors) codes.add(extensions['code']);
          expect(errors).toEqual([]);
        });
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, n) => client(n)));
    // A loaded server tells those to try again that wait for locks for too long.
    expect([...codes].filter((code) => code !== 'UNAVAILABLE')).toEqual([]);
    const { gateways } = await read(
      app,
      'query ($refs: [String!]) { gateways(where: { ref: { in: $refs } }) { nodes { name } } }',
      { refs },
    );
    expect(new Set((gateways as { nodes: Row[] }).nodes.map(({ name }) => name)).size).toBe(1);
    const { dids } = await read(app, '{ dids(where: { telUrl: { startsWith: "tel:+77" } }) { totalCount } }');
    expect(dids).toEqual({ totalCount: 120 });
  });
};

// A loaded machine may need more than 30 s for thousands of statements.
onEachDatabase('A set of changes', tests, { REQUEST_TIMEOUT: '120' });
