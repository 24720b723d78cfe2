import { actionsOn } from '../support/browser/actions';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from '../support/factories';
import { runCommand } from '../support/command-line';
import { COUNTING, metric } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import {
  measureDestination,
  measureGateway,
  registerGateway,
  runSql,
  storeCall,
  storeRegistrar,
  storeRegistrationEvent,
} from '../support/databases/sql';
import { transports } from '../support/subscriptions';

interface Named {
  readonly ref: string;
  readonly name: string;
}

interface Former extends Named {
  readonly kind: string;
}

type Links = Readonly<Record<'gateway' | 'caller' | 'callee' | 'domain' | 'route', Named | null>> & {
  readonly number: { readonly telUrl: string } | null;
  readonly attempts: readonly { readonly gateway: Named | null }[];
  readonly former: readonly Former[];
};

interface Explained {
  readonly summary: string;
  readonly steps: readonly ({ readonly __typename: string } & Readonly<Record<string, unknown>>)[];
  readonly attempts?: readonly { readonly gateway: Named | null; readonly number: Named | null }[];
  readonly former: readonly Former[];
}

const LINKS = `gateway { ref name } caller { ... on Agent { ref name } ... on Peer { ref name } }
  callee { ... on Agent { ref name } ... on Peer { ref name } } domain { ref name } route { ref name }
  number { ... on DID { telUrl } ... on Number { telUrl } } attempts { gateway { ref name } } former { kind ref name }`;
const STEPS = `summary former { kind ref name } steps { __typename
  ... on NumberStep { number { __typename ... on DID { ref geoInfo { city } telUrl gateway { name } } ... on Number { ref telUrl gateway { name } } } }
  ... on GatewayStep { gateway { ref name host numbers(first: 5) { nodes { ref } } } registration { state } }
  ... on DomainStep { domain { ref name domainUri } }
  ... on CallerStep { target { ... on Agent { ref name username } } }
  ... on TargetStep { target { ... on Agent { ref name username } } } }`;

let count = 0;

onEachDatabase('A resource that was deleted, and another one with its reference', (subject) => {
  const { act, input, moment } = actionsOn(subject);
  const graphql = async <T>(document: string, variables: object = {}): Promise<T> => {
    const { data, errors } = await subject().app.graphql<T>(document, { ...variables });
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  /** Creates a resource with this reference, as if it had existed for years. */
  const importOne = async (kind: string, ref: string, name: string, spec: object): Promise<void> => {
    const metadata = { ref, name, createdOn: '2020-01-01T00:00:00Z', modifiedOn: '2020-01-01T00:00:00Z' };
    const text = JSON.stringify({ apiVersion: 'v1beta1', kind, metadata, spec });
    const { importDocuments: done } = await graphql<{ importDocuments: { imported: boolean; rows: unknown } }>(
      'mutation ($text: String!) { importDocuments(text: $text) { imported rows { errors { field message } } } }',
      { text },
    );
    if (!done.imported) throw new Error(JSON.stringify(done.rows));
  };
  const importGateway = (ref: string, name: string, host: string): Promise<void> =>
    importOne('Gateway', ref, name, { host, transport: 'udp' });
  const importAgent = (ref: string, name: string, username: string, domain: string): Promise<void> =>
    importOne('Agent', ref, name, { credentials: { username, secret: 'another secret' }, domains: [domain] });
  const callWith = async (callId: string): Promise<Links> => {
    const { calls } = await graphql<{ calls: { nodes: readonly Links[] } }>(
      `query ($callId: String) { calls(where: { callId: $callId }) { nodes { ${LINKS} } } }`,
      { callId },
    );
    const [call] = calls.nodes;
    if (!call) throw new Error('there is no such call');
    return call;
  };
  const callsOf = async (query: string, ref: string): Promise<readonly unknown[]> => {
    const { of } = await graphql<{ of: { calls: { totalCount: number; nodes: readonly { callId: string }[] } } }>(
      `query ($ref: String!) { of: ${query}(ref: $ref) { calls { totalCount nodes { callId } } } }`,
      { ref },
    );
    expect(of.calls.totalCount).toBe(of.calls.nodes.length);
    return of.calls.nodes.map(({ callId }) => callId);
  };
  const lastEntry = async (kind: string, ref: string, event: string): Promise<string> => {
    const { history } = await graphql<{ history: { nodes: readonly { entry: string }[] } }>(
      'query ($where: HistoryWhere) { history(first: 1, where: $where) { nodes { entry } } }',
      { where: { kind, ref, event } },
    );
    return history.nodes[0]?.entry ?? '';
  };

  test('a call is not linked to another gateway with its reference, whose calls it is not among', async () => {
    const { app, url } = subject();
    const host = `namesake${String(++count)}.test`;
    const ref = await createGateway(app, { name: 'Former', host });
    const attempts = JSON.stringify({ 0: [ref, null, Date.now(), null, null, null, null] });
    const [callId, later] = [`gateway ${host}`, `later ${host}`];
    await storeCall(url, { callId, gateway_ref: ref, attempts });
    await moment();
    expect(await callWith(callId)).toMatchObject({ gateway: { name: 'Former' }, former: [] });
    await input('Gateway', ref, 'name: "Renamed"');
    await act(`deleteGateway(ref: "${ref}")`);
    // Its name when the call began, once.
    const former = [{ kind: 'Gateway', ref, name: 'Former' }];
    const gone = { gateway: null, attempts: [{ gateway: null }], former };
    expect(await callWith(callId)).toMatchObject(gone);
    await importGateway(ref, 'Another', host);
    expect(await callWith(callId)).toMatchObject(gone);
    await moment();
    await storeCall(url, { callId: later, gateway_ref: ref });
    expect(await callWith(later)).toMatchObject({ gateway: { name: 'Another' }, former: [] });
    expect(await callsOf('gateway', ref)).toEqual([later]);
    const printed = await runCommand({ DATABASE_URL: url }, 'calls', '--gateway', ref, '--json');
    expect((JSON.parse(printed.out) as { calls: unknown[] }).calls).toHaveLength(2);
  });

  test('a call is linked again after the deletion was reverted, unless another one had the reference meanwhile', async () => {
    const { app, url } = subject();
    const host = `namesake${String(++count)}.test`;
    const ref = await createGateway(app, { name: 'Same', host });
    const callId = `reverted ${host}`;
    await storeCall(url, { callId, gateway_ref: ref });
    await moment();
    await act(`deleteGateway(ref: "${ref}")`);
    const deletion = await lastEntry('Gateway', ref, 'DELETED');
    await act(`revert(entry: "${deletion}") { event }`);
    expect(await callWith(callId)).toMatchObject({ gateway: { name: 'Same' }, former: [] });
    expect(await callsOf('gateway', ref)).toEqual([callId]);
    await act(`deleteGateway(ref: "${ref}")`);
    await importGateway(ref, 'Another', host);
    await act(`deleteGateway(ref: "${ref}")`);
    const second = await lastEntry('Gateway', ref, 'DELETED');
    await act(`revert(entry: "${second}") { event }`);
    expect(await callWith(callId)).toMatchObject({ gateway: null, former: [{ name: 'Same' }] });
    expect(await callsOf('gateway', ref)).toEqual([]);
  });

  test('a call is not linked to another agent, peer, domain, route or number either', async () => {
    const { app, url } = subject();
    const n = String(++count);
    const domainUri = `namesake${n}.test`;
    const gatewayRef = await createGateway(app, { name: 'Trunk', host: `trunk${n}.test` });
    const domain = await createDomain(app, { name: 'Domain then', domainUri });
    const agent = await createAgent(app, { name: 'Agent then', username: `user${n}`, domains: [domainUri] });
    const peer = await createPeer(app, { name: 'Peer then', username: `peer${n}` });
    const telUrl = `tel:+49305${n.padStart(4, '0')}`;
    const number = await createNumber(app, { telUrl, gatewayRef });
    const route = await createRoute(app, {
      name: 'Route then',
      domainRef: domain,
      numberRefs: [number],
      prefix: '+44',
    });
    await moment();
    const callId = `all ${n}`;
    await storeCall(url, {
      callId,
      caller: `agent:${agent}`,
      callee: `peer:${peer}`,
      domain_ref: domain,
      route_ref: route,
      number: telUrl.slice(5),
      gateway_ref: gatewayRef,
    });
    const linked = {
      caller: { name: 'Agent then' },
      callee: { name: 'Peer then' },
      domain: { name: 'Domain then' },
      route: { name: 'Route then' },
      number: { telUrl },
    };
    expect(await callWith(callId)).toMatchObject({ ...linked, former: [] });
    const owners = { agent, peer, domain, route, number };
    for (const [query, ref] of Object.entries(owners)) expect(await callsOf(query, ref)).toEqual([callId]);
    await moment();
    for (const [kind, ref] of [
      ['Route', route],
      ['Number', number],
      ['Agent', agent],
      ['Peer', peer],
      ['Domain', domain],
    ])
      await act(`delete${kind}(ref: "${ref}")`);
    await importOne('Domain', domain, 'Another', { context: { domainUri } });
    await importAgent(agent, 'Another', `user${n}`, domainUri);
    await importOne('Peer', peer, 'Another', { credentials: { username: `peer${n}`, secret: 'another secret' } });
    // A number is known by its digits, and has another reference.
    const other = await createDid(app, { telUrl, gatewayRef });
    const another = await createRoute(app, { domainRef: domain, numberRefs: [await createNumber(app)], prefix: '+44' });
    const nothing = { caller: null, callee: null, domain: null, route: null, number: null };
    const former = [
      { kind: 'Agent', ref: agent, name: 'Agent then' },
      { kind: 'Peer', ref: peer, name: 'Peer then' },
      { kind: 'Domain', ref: domain, name: 'Domain then' },
      { kind: 'Route', ref: route, name: 'Route then' },
    ];
    expect(await callWith(callId)).toMatchObject({ ...nothing, gateway: { name: 'Trunk' }, former });
    const now = { agent, peer, domain, route: another, dID: other };
    for (const [query, ref] of Object.entries(now))
      expect(await callsOf(query === 'dID' ? 'did' : query, ref)).toEqual([]);
  });

  test('transitions of registrations are not linked to another agent with the reference, nor among its own', async () => {
    const { app, url } = subject();
    await storeRegistrar(url, Date.now() - 60_000);
    const n = String(++count);
    const domainUri = `namesake${n}.test`;
    await createDomain(app, { domainUri });
    const ref = await createAgent(app, { username: `user${n}`, domains: [domainUri] });
    const of = `user${n}@${domainUri}`;
    await storeRegistrationEvent(url, { of, owner: `agent:${ref}` });
    await moment();
    const read = async (): Promise<unknown> =>
      graphql(
        `
          query ($ref: String!, $of: String) {
            registrationEvents(where: { addressOfRecord: $of }) {
              nodes {
                target {
                  ... on Agent {
                    ref
                  }
                }
              }
            }
            agent(ref: $ref) {
              registrationEvents {
                totalCount
                nodes {
                  event
                }
              }
            }
          }
        `,
        { ref, of: `sip:${of}` },
      );
    expect(await read()).toEqual({
      registrationEvents: { nodes: [{ target: { ref } }] },
      agent: { registrationEvents: { totalCount: 1, nodes: [{ event: 'REGISTERED' }] } },
    });
    await act(`deleteAgent(ref: "${ref}")`);
    await importAgent(ref, 'Another', `user${n}`, domainUri);
    expect(await read()).toEqual({
      registrationEvents: { nodes: [{ target: null }] },
      agent: { registrationEvents: { totalCount: 0, nodes: [] } },
    });
  });

  test('without the history of a call, a resource that was created after it is another one', async () => {
    const { app, url } = subject();
    const host = `namesake${String(++count)}.test`;
    const ref = await createGateway(app, { name: 'Another', host });
    const begun = Date.now() - 60_000;
    for (const [callId, at] of [
      [`before ${host}`, begun],
      [`after ${host}`, Date.now() + 5],
    ] as const)
      await storeCall(url, { callId, begun: at, gateway_ref: ref });
    await runSql(url, 'UPDATE history_head SET trimmed_at = ? WHERE id = 1', [begun + 1]);
    const [before, after, listed] = [
      await callWith(`before ${host}`),
      await callWith(`after ${host}`),
      await callsOf('gateway', ref),
    ];
    await runSql(url, 'UPDATE history_head SET trimmed_at = 0 WHERE id = 1');
    expect(before).toMatchObject({ gateway: null, former: [{ kind: 'Gateway', ref, name: null }] });
    expect(after).toMatchObject({ gateway: { name: 'Another' }, former: [] });
    expect(listed).toEqual([`after ${host}`]);
  });

  test('entries of the history lead to the resource that they are about, and not to another one with its reference', async () => {
    const { app } = subject();
    const host = `namesake${String(++count)}.test`;
    const ref = await createGateway(app, { name: 'Former', host });
    interface Told {
      readonly event: string;
      readonly resource: Named | null;
      readonly former: Former | null;
    }
    const RESOURCE = 'resource { ... on Gateway { ref name } } former { kind ref name }';
    const read = async (): Promise<readonly (readonly Told[])[]> => {
      const { history, historyRequests } = await graphql<{
        readonly history: { readonly nodes: readonly Told[] };
        readonly historyRequests: { readonly nodes: readonly { readonly parts: readonly Told[] }[] };
      }>(
        `query ($where: HistoryWhere) {
          history(where: $where) { nodes { event ${RESOURCE} } }
          historyRequests(where: $where) { nodes { parts { event ${RESOURCE} } } }
        }`,
        { where: { kind: 'Gateway', ref } },
      );
      return [history.nodes, historyRequests.nodes.flatMap(({ parts }) => parts)];
    };
    const own = async (): Promise<readonly string[]> => {
      const { gateway } = await graphql<{
        readonly gateway: { readonly history: { readonly totalCount: number; readonly nodes: readonly Told[] } };
      }>('query ($ref: String!) { gateway(ref: $ref) { history { totalCount nodes { event } } } }', { ref });
      expect(gateway.history.totalCount).toBe(gateway.history.nodes.length);
      return gateway.history.nodes.map(({ event }) => event);
    };
    const is = (event: string, name: string): Told => ({ event, resource: { ref, name }, former: null });
    const was = (event: string, name: string): Told => ({
      event,
      resource: null,
      former: { kind: 'Gateway', ref, name },
    });
    await input('Gateway', ref, 'name: "Renamed"');
    for (const told of await read()) expect(told).toEqual([is('UPDATED', 'Renamed'), is('CREATED', 'Renamed')]);
    await act(`deleteGateway(ref: "${ref}")`);
    const deletion = await lastEntry('Gateway', ref, 'DELETED');
    // What it was called after each change.
    const gone = [was('DELETED', 'Renamed'), was('UPDATED', 'Renamed'), was('CREATED', 'Former')];
    for (const told of await read()) expect(told).toEqual(gone);
    await importGateway(ref, 'Another', host);
    for (const told of await read()) expect(told).toEqual([is('CREATED', 'Another'), ...gone]);
    expect(await own()).toEqual(['CREATED']);
    // The former one comes back.
    await act(`deleteGateway(ref: "${ref}")`);
    await act(`revert(entry: "${deletion}") { event }`);
    for (const told of await read())
      expect(told).toEqual([
        is('CREATED', 'Renamed'),
        was('DELETED', 'Another'),
        was('CREATED', 'Another'),
        ...['DELETED', 'UPDATED', 'CREATED'].map((event) => is(event, 'Renamed')),
      ]);
    expect(await own()).toEqual(['CREATED', 'DELETED', 'UPDATED', 'CREATED']);
  });

  test('a request is told with the resource that was asked for, also if it changed another one that no longer exists', async () => {
    const { app } = subject();
    const refs = [await createGateway(app, { name: 'Gone' }), await createGateway(app, { name: 'Kept' })];
    const [gone = '', kept = ''] = refs;
    const changes = refs.map((ref) => `{ update: { ref: "${ref}", gateway: { maxCalls: 7 } } }`);
    await act(`applyChanges(changes: [${changes.join(', ')}]) { request }`);
    await act(`deleteGateway(ref: "${gone}")`);
    const told = async (ref: string): Promise<readonly unknown[]> => {
      const { historyRequests } = await graphql<{
        readonly historyRequests: { readonly nodes: readonly { readonly parts: readonly object[] }[] };
      }>(
        `
          query ($where: HistoryWhere) {
            historyRequests(where: $where) {
              nodes {
                parts {
                  event
                  count
                  ref
                  former {
                    name
                  }
                }
              }
            }
          }
        `,
        { where: { kind: 'Gateway', ref, event: 'UPDATED' } },
      );
      return historyRequests.nodes.flatMap(({ parts }) => parts);
    };
    expect(await told(kept)).toEqual([{ event: 'UPDATED', count: 2, ref: kept, former: null }]);
    expect(await told(gone)).toEqual([{ event: 'UPDATED', count: 2, ref: gone, former: { name: 'Gone' } }]);
  });

  test('alerts lead to what they were about, and not to another one with its reference', async () => {
    const { app, url } = subject();
    const n = String(++count);
    const domainUri = `namesake${n}.test`;
    const domain = await createDomain(app, { name: 'Domain then', domainUri });
    const agent = await createAgent(app, { name: 'Agent then', username: `user${n}`, domains: [domainUri] });
    const gateway = await createGateway(app, { name: 'Gateway then', host: domainUri });
    const { changeCursor: since } = await graphql<{ changeCursor: string }>('{ changeCursor }');
    const at = await moment();
    const columns = ['at', 'event', 'node', 'kind', 'ref', 'domain', 'caller', 'number', 'gateway_ref'];
    const values = [at, 'EMERGENCY_CALL', 'n', 'Domain', domain, domainUri, `agent:${agent}`, '112', gateway];
    await runSql(
      url,
      `INSERT INTO call_alerts (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      values,
    );
    const [transport] = transports;
    // Equal documents share what was read for an event.
    const told = async (fields = ''): Promise<unknown> => {
      const subscription = await transport.subscribe(
        app.url,
        await app.token(),
        `subscription ($since: String) { callAlert(since: $since) { alert {
          resource { ref } gateway { ref name } agentRef former { kind ref name } ${fields} } } }`,
        { since },
      );
      const { data } = await subscription.next();
      await subscription.close();
      return (data?.['callAlert'] as { readonly alert: unknown }).alert;
    };
    expect(await told()).toEqual({
      resource: { ref: domain },
      gateway: { ref: gateway, name: 'Gateway then' },
      agentRef: agent,
      former: [],
    });
    await moment();
    for (const [kind, ref] of [
      ['Agent', agent],
      ['Domain', domain],
      ['Gateway', gateway],
    ])
      await act(`delete${kind}(ref: "${ref}")`);
    await importOne('Domain', domain, 'Another', { context: { domainUri } });
    await importGateway(gateway, 'Another', domainUri);
    expect(await told('at')).toMatchObject({
      ...{ resource: null, gateway: null, agentRef: agent },
      former: [
        { kind: 'Domain', ref: domain, name: 'Domain then' },
        { kind: 'Agent', ref: agent, name: 'Agent then' },
        { kind: 'Gateway', ref: gateway, name: 'Gateway then' },
      ],
    });
  });

  describe('replayed events', () => {
    interface Replay {
      readonly gateway?: Named | null;
      readonly resource?: Named | null;
      readonly former: Former | null;
    }
    const [transport] = transports;
    /** The first event of the gateway after the cursor. Equal documents share what was read for an event. */
    const replay = async (field: string, ref: string, since: string, extra = ''): Promise<Replay> => {
      const { app } = subject();
      const [link, refs] =
        field === 'resourceChanged'
          ? ['resource { ... on Gateway { ref name } }', `, refs: ["${ref}"]`]
          : ['gateway { ref name }', ''];
      const subscription = await transport.subscribe(
        app.url,
        await app.token(),
        `subscription ($since: String) { ${field}(since: $since${refs}) {
          ${field === 'resourceChanged' ? 'ref' : 'ref: gatewayRef'} ${link} former { kind ref name } ${extra} } }`,
        { since },
      );
      for (;;) {
        const { data, errors } = await subscription.next();
        if (errors) throw new Error(JSON.stringify(errors));
        const { ref: of, ...told } = data?.[field] as Replay & { readonly ref: string };
        if (of !== ref) continue;
        await subscription.close();
        return told;
      }
    };
    const here = async (): Promise<string> =>
      (await graphql<{ changeCursor: string }>('{ changeCursor }')).changeCursor;

    test.each([
      ['resourceChanged', 'resource', (ref: string) => input('Gateway', ref, 'maxCalls: 7')],
      ['registrationsChanged', 'gateway', (ref: string) => registerGateway(subject().url, ref)],
      ['gatewayHealthChanged', 'gateway', (ref: string, host: string) => measureGateway(subject().url, ref, { host })],
      [
        'destinationHealthChanged',
        'gateway',
        (ref: string, host: string) => measureDestination(subject().url, ref, { host }),
      ],
    ] as const)('of %s lead to the gateway, and not to another one with its reference', async (field, link, change) => {
      const { app } = subject();
      const host = `namesake${String(++count)}.test`;
      const ref = await createGateway(app, { name: 'Former', host });
      // The tables of the SIP server are watched from here.
      const since = await here();
      await change(ref, host);
      const former = { kind: 'Gateway', ref, name: 'Former' };
      expect(await replay(field, ref, since)).toEqual({ [link]: { ref, name: 'Former' }, former: null });
      await input('Gateway', ref, 'name: "Renamed"');
      expect(await replay(field, ref, since, 'at')).toMatchObject({ [link]: { name: 'Renamed' }, former: null });
      await act(`deleteGateway(ref: "${ref}")`);
      const deletion = await lastEntry('Gateway', ref, 'DELETED');
      expect(await replay(field, ref, since, 'cursor')).toMatchObject({ [link]: null, former });
      await importGateway(ref, 'Another', host);
      expect(await replay(field, ref, since, 'at cursor')).toMatchObject({ [link]: null, former });
      const later = await here();
      await input('Gateway', ref, 'maxCalls: 9');
      expect(await replay('resourceChanged', ref, later)).toEqual({ resource: { ref, name: 'Another' }, former: null });
      // The former one comes back.
      await act(`deleteGateway(ref: "${ref}")`);
      await act(`revert(entry: "${deletion}") { event }`);
      expect(await replay(field, ref, since, 'cursor at')).toMatchObject({ [link]: { name: 'Renamed' }, former: null });
    });

    test('of deletions have what was deleted, with its last name', async () => {
      const { app } = subject();
      const ref = await createGateway(app, { name: 'Former', host: `namesake${String(++count)}.test` });
      await input('Gateway', ref, 'name: "Renamed"');
      const since = await here();
      await act(`deleteGateway(ref: "${ref}")`);
      await importGateway(ref, 'Another', `namesake${String(++count)}.test`);
      const former = { kind: 'Gateway', ref, name: 'Renamed' };
      expect(await replay('resourceChanged', ref, since, 'event')).toEqual({
        resource: null,
        former,
        event: 'DELETED',
      });
    });
  });

  test("the states of a trunk begin with it, and are no other one's with its reference", async () => {
    const { app, url } = subject();
    const host = `namesake${String(++count)}.test`;
    const ref = await createGateway(app, { name: 'Former', host });
    const store = (state: string, since: number, until: number): Promise<unknown> =>
      runSql(url, 'INSERT INTO trunk_states (gw_ref, state, since_on, until_on) VALUES (?, ?, ?, ?)', [
        ...[ref, state, since, until],
      ]);
    const hour = 3_600_000;
    const start = Date.now() - hour;
    const end = Date.now() + hour;
    // The last state is known until now.
    await runSql(url, 'DELETE FROM samples');
    await runSql(
      url,
      `INSERT INTO samples (step, at, devices, trunks_registered, trunks_refused, trunks_unreachable, trunks_expired,
         trunks_unknown, changes) VALUES (60000, ?, 0, 0, 0, 0, 0, 0, 0)`,
      [end],
    );
    await store('DOWN', start, start + 1000);
    await store('UP', start + 1000, end);
    const states = async (): Promise<readonly { readonly state: string; readonly from: string }[] | undefined> => {
      const { gateway } = await graphql<{
        readonly gateway: {
          readonly availability: {
            readonly periods: readonly { readonly state: string; readonly from: string }[];
          } | null;
        };
      }>('query ($ref: String!) { gateway(ref: $ref) { availability { periods { state from } } } }', { ref });
      return gateway.availability?.periods;
    };
    expect(await states()).toMatchObject([{ state: 'DOWN' }, { state: 'UP' }]);
    await act(`deleteGateway(ref: "${ref}")`);
    const deleted = await moment();
    await importGateway(ref, 'Another', host);
    await moment();
    const [first, ...others] = (await states()) ?? [];
    expect(first?.state).toBe('UP');
    expect(Date.parse(first?.from ?? '')).toBeGreaterThan(deleted - hour / 2);
    expect(others).toEqual([]);
  });

  /** A number that rings a user, and what explanations lead to. */
  const line = async () => {
    const { app } = subject();
    const n = String(++count).padStart(3, '0');
    const [host, user, provider] = [`then${n}.test`, `user${n}`, `203.0.113.${String(count)}`];
    const gatewayRef = await createGateway(app, { name: 'Trunk then', host: provider });
    const domainRef = await createDomain(app, { name: 'Domain then', domainUri: host });
    const agentRef = await createAgent(app, { name: 'Agent then', username: user, domains: [host] });
    const tel = `+4930900${n}`;
    const aorLink = `sip:${user}@${host}`;
    const numberRef = await createDid(app, { telUrl: `tel:${tel}`, aorLink, gatewayRef, geoInfo: { city: 'Then' } });
    return { host, user, provider, gatewayRef, domainRef, agentRef, numberRef, tel };
  };
  const stepsOf = ({ steps }: Explained): Readonly<Record<string, unknown>> =>
    Object.fromEntries(steps.map(({ __typename: type, ...links }) => [type, links]));

  test('an explanation of an earlier time leads to the resources as they were, and tells which ones are gone', async () => {
    const { app } = subject();
    const { host, user, provider, gatewayRef, domainRef, agentRef, numberRef, tel } = await line();
    const at = new Date(await moment()).toISOString();
    const ask = async (time = at): Promise<Explained> =>
      (
        await graphql<{ explainNumber: Explained }>(
          `query ($tel: String!, $at: DateTimeISO) { explainNumber(telUrl: $tel, at: $at) { ${STEPS} } }`,
          { tel, at: time },
        )
      ).explainNumber;
    const links = {
      NumberStep: {
        number: {
          __typename: 'DID',
          ref: numberRef,
          geoInfo: { city: 'Then' },
          telUrl: `tel:${tel}`,
          gateway: { name: 'Trunk then' },
        },
      },
      GatewayStep: { gateway: { ref: gatewayRef, name: 'Trunk then', host: provider }, registration: null },
      DomainStep: { domain: { ref: domainRef, name: 'Domain then', domainUri: host } },
      TargetStep: { target: { ref: agentRef, name: 'Agent then', username: user } },
    };
    expect(stepsOf(await ask())).toMatchObject(links);
    await input('Gateway', gatewayRef, 'name: "Trunk now"');
    await input('Domain', domainRef, 'name: "Domain now"');
    await input('DID', numberRef, 'geoInfo: { city: "Now" }');
    await input('Agent', agentRef, 'name: "Agent now"');
    expect(await ask()).toMatchObject({ former: [] });
    expect(stepsOf(await ask())).toMatchObject(links);
    await act(`deleteDID(ref: "${numberRef}")`);
    await act(`deleteGateway(ref: "${gatewayRef}")`);
    await act(`deleteAgent(ref: "${agentRef}")`);
    const deletion = await lastEntry('Agent', agentRef, 'DELETED');
    const former = [
      { kind: 'Agent', ref: agentRef, name: 'Agent then' },
      { kind: 'DID', ref: numberRef, name: `tel:${tel}` },
      { kind: 'Gateway', ref: gatewayRef, name: 'Trunk then' },
    ];
    const gone = async (time?: string): Promise<readonly Former[]> =>
      (await ask(time)).former.toSorted((one, other) => one.kind.localeCompare(other.kind));
    expect(await gone()).toEqual(former);
    const { out } = await runCommand({ DATABASE_URL: subject().url }, 'explain', tel, '--at', at, '--json');
    const { former: printed } = JSON.parse(out) as { readonly former: readonly Former[] };
    expect(printed.map(({ name }) => name).toSorted()).toEqual(former.map(({ name }) => name).toSorted());
    expect(stepsOf(await ask())).toMatchObject(links);
    // Another gateway with the same reference, and numbers.
    await importGateway(gatewayRef, 'Another', provider);
    await createDid(app, { telUrl: `tel:${tel}`, aorLink: `sip:${user}@${host}`, gatewayRef });
    await act(`revert(entry: "${deletion}", secrets: [{ field: "secret", value: "the secret" }]) { event }`);
    expect(await gone()).toEqual(former.slice(1));
    const found = await ask();
    expect(stepsOf(found)).toMatchObject(links);
    expect(stepsOf(found)).toMatchObject({ GatewayStep: { gateway: { numbers: { nodes: [] } } } });
    expect(JSON.stringify(found)).not.toMatch(/Another/);
    // That gateway, when it was there.
    const later = new Date(await moment()).toISOString();
    expect(stepsOf(await ask(later))).toMatchObject({ GatewayStep: { gateway: { name: 'Another' } } });
    expect(await gone(later)).toEqual([]);
  });

  test('an explanation of an earlier time does not blame what was done to another gateway, nor its registration', async () => {
    const { app, url } = subject();
    const { host, user, provider, gatewayRef, numberRef, tel } = await line();
    const secret = 'trunk secret';
    await storeRegistrar(url, Date.now() - 60_000, 'another:5060');
    await input('Gateway', gatewayRef, `username: "trunk", secret: "${secret}"`);
    const refused = { event: 'REFUSED', owner: `gateway:${gatewayRef}`, status: 403, reason: 'Forbidden' };
    await storeRegistrationEvent(url, refused);
    const ask = async () => {
      const at = new Date(await moment()).toISOString();
      const { explainNumber: explained } = await graphql<{
        readonly explainNumber: {
          readonly state: string;
          readonly change: object | null;
          readonly event: object | null;
        };
      }>(
        `
          query ($tel: String!, $at: DateTimeISO) {
            explainNumber(telUrl: $tel, at: $at) {
              state
              change {
                entry
              }
              event {
                event
              }
            }
          }
        `,
        { tel, at },
      );
      return explained;
    };
    expect(await ask()).toMatchObject({ state: 'GATEWAY_REFUSED', event: { event: 'REFUSED' } });
    await input('Gateway', gatewayRef, 'enabled: false');
    expect(await ask()).toMatchObject({ state: 'GATEWAY_DISABLED', change: { entry: expect.any(String) as string } });
    await act(`deleteDID(ref: "${numberRef}")`);
    await act(`deleteGateway(ref: "${gatewayRef}")`);
    const spec = { host: provider, transport: 'udp', credentials: { username: 'trunk', secret } };
    await importOne('Gateway', gatewayRef, 'Another', { ...spec, enabled: false });
    await createDid(app, { telUrl: `tel:${tel}`, aorLink: `sip:${user}@${host}`, gatewayRef });
    expect(await ask()).toMatchObject({ state: 'GATEWAY_DISABLED', change: null, event: null });
    await input('Gateway', gatewayRef, 'enabled: null');
    // Whether it was registered is not known, and of the devices that there are none.
    expect(await ask()).toEqual({ state: 'NOT_REGISTERED', change: null, event: null });
  });

  test('other numbers with the same digits are those of then', async () => {
    const { app } = subject();
    const { tel, numberRef } = await line();
    const other = await createNumber(app, { telUrl: `tel:${tel}`, aorLink: 'sip:x@y.test' });
    const at = new Date(await moment()).toISOString();
    await act(`deleteNumber(ref: "${other}")`);
    const later = await createNumber(app, { telUrl: `tel:${tel}`, aorLink: 'sip:z@y.test' });
    // The explained number, and the others.
    const found = async (time: string | null): Promise<readonly unknown[]> => {
      const { explainNumber: explained } = await graphql<{
        readonly explainNumber: {
          readonly steps: readonly { readonly number?: { readonly ref: string } }[];
          readonly others: readonly { readonly ref: string }[];
        };
      }>(
        `
          query ($tel: String!, $at: DateTimeISO) {
            explainNumber(telUrl: $tel, at: $at) {
              steps {
                ... on NumberStep {
                  number {
                    ... on DID {
                      ref
                    }
                    ... on Number {
                      ref
                    }
                  }
                }
              }
              others {
                ... on DID {
                  ref
                }
                ... on Number {
                  ref
                }
              }
            }
          }
        `,
        { tel, at: time },
      );
      return [explained.steps[0]?.number?.ref, ...explained.others.map(({ ref }) => ref)].toSorted();
    };
    expect(await found(at)).toEqual([numberRef, other].toSorted());
    expect(await found(null)).toEqual([numberRef, later].toSorted());
  });

  test('an explained call, at a time or on record, leads to the callers, gateways and numbers of then', async () => {
    const { app, url } = subject();
    const { host, user, provider, agentRef, domainRef } = await line();
    const gatewayRef = await createGateway(app, { name: 'Way then', host: provider, port: 5080 });
    const numberRef = await createNumber(app, { telUrl: `tel:+4931${String(++count).padStart(6, '0')}`, gatewayRef });
    const routeRef = await createRoute(app, { name: 'Route then', domainRef, numberRefs: [numberRef], prefix: '+44' });
    await moment();
    const rowId = await storeCall(url, {
      state: 5,
      direction: 'OUT',
      from_uri: `sip:${user}@${host}`,
      to_uri: `sip:+44123@${host}`,
      called: '+44123',
      caller: `agent:${agentRef}`,
      gateway_ref: gatewayRef,
      status: 503,
      attempts: JSON.stringify({ 0: [gatewayRef, null, Date.now(), Date.now(), 503, 'No', null] }),
    });
    const at = new Date(await moment()).toISOString();
    await input('Gateway', gatewayRef, 'name: "Renamed"');
    await act(`deleteRoute(ref: "${routeRef}")`);
    await act(`deleteNumber(ref: "${numberRef}")`);
    await act(`deleteGateway(ref: "${gatewayRef}")`);
    await importGateway(gatewayRef, 'Another', `another-${host}`);
    await act(`deleteAgent(ref: "${agentRef}")`);
    await importAgent(agentRef, 'Another', user, host);
    const fields = `${STEPS.replace(/ }$/, ' ... on RouteStep { route { ref name } domain { ref name } } }')}
      attempts { gateway { ref name } number { ref telUrl } }`;
    const id = Buffer.from(`Call:${String(rowId)}`).toString('base64url');
    const asked: readonly (readonly [string, object])[] = [
      ['from: $from, to: $to, at: $at', { from: `${user}@${host}`, to: '+44123', at }],
      ['call: $call', { call: id }],
    ];
    for (const [args, variables] of asked) {
      const { explainCall } = await graphql<{ explainCall: Explained }>(
        `query ($from: String, $to: String, $at: DateTimeISO, $call: ID) { explainCall(${args}) { ${fields} } }`.replace(
          /\(\$from.*?\) \{/,
          args.startsWith('call') ? '($call: ID) {' : '($from: String, $to: String, $at: DateTimeISO) {',
        ),
        variables,
      );
      expect(stepsOf(explainCall)).toMatchObject({
        CallerStep: { target: { ref: agentRef, name: 'Agent then' } },
        RouteStep: { route: { ref: routeRef, name: 'Route then' }, domain: { ref: domainRef } },
        GatewayStep: { gateway: { ref: gatewayRef, name: 'Way then' } },
      });
      expect(explainCall.attempts).toMatchObject([{ gateway: { name: 'Way then' }, number: { ref: numberRef } }]);
      expect(JSON.stringify(explainCall)).not.toMatch(/Another|Renamed/);
    }
  });
});

onEachDatabase(
  'The statements for references of calls',
  (subject) => {
    test('are as many for many calls as for one', async () => {
      const { app, url } = subject();
      const { act } = actionsOn(subject);
      const sent = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const cost = async (first: number): Promise<number> => {
        const before = await sent();
        const { errors } = await app.graphql(`{ calls(first: ${String(first)}) { nodes { ${LINKS} } } }`);
        expect(errors).toBeUndefined();
        return (await sent()) - before;
      };
      for (let n = 0; n < 6; n++) {
        const ref = await createGateway(app, { host: `many${String(n)}.test` });
        const agent = await createAgent(app);
        await storeCall(url, { gateway_ref: ref, caller: `agent:${agent}`, domain_ref: 'gone', route_ref: 'gone' });
        await act(`deleteGateway(ref: "${ref}")`);
      }
      const one = await cost(1);
      expect(await cost(6)).toBe(one);
    });
  },
  COUNTING,
);
