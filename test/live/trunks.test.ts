import { runCommand } from '../support/command-line';
import { createGateway, createPeer, createUser } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { measureGateway, registerGateway, runSql } from '../support/databases/sql';

interface Trunk {
  readonly state: string;
  readonly since: string | null;
  readonly gateway: { readonly name: string };
  readonly registration: { readonly state: string; readonly lastResponse: string | null } | null;
}

interface Answer {
  readonly trunks: {
    readonly totalCount: number;
    readonly nodes: readonly Trunk[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

const REGISTERING = ['REGISTERED', 'REFUSED', 'UNREACHABLE', 'EXPIRED', 'UNKNOWN'];
const RESPONDING = ['UP', 'DOWN'] as const;
const STATES = [...REGISTERING, ...RESPONDING];

onEachDatabase('trunks', (subject) => {
  beforeAll(async () => {
    const { app, url } = subject();
    for (const state of REGISTERING) {
      const name = `Trunk ${state}`;
      const ref = await createGateway(app, { name, host: `${state}.test`, username: 'us%er', secret: 'trunk-secret' });
      // Of a trunk that registers, the health is no state.
      await measureGateway(url, ref, { state: 'DOWN', host: `${state.toLowerCase()}.test` });
      if (state === 'UNKNOWN') continue;
      await registerGateway(url, ref, { secondsLeft: state === 'REGISTERED' ? 300 : -60 });
      // A provider may send anything, such as characters that write from right to left.
      const answer = { REFUSED: '403 Forb\u202Eidden', UNREACHABLE: '408 Request Timeout' }[state] ?? '200 OK';
      await runSql(url, 'UPDATE gateway_registrations SET last_response = ? WHERE gw_ref = ?', [answer, ref]);
    }
    for (const state of RESPONDING) {
      const host = `${state.toLowerCase()}.test`;
      const ref = await createGateway(app, { name: `Trunk ${state}`, host });
      await measureGateway(url, ref, { state, host, since: Date.now() - 90_000 });
    }
    const expired = await createGateway(app, { name: 'Trunk that is not checked any more', host: 'address.test' });
    await measureGateway(url, expired, { host: 'address.test', secondsLeft: -1 });
    await createGateway(app, { name: 'Trunk by its address', host: 'other.test' });
    await createGateway(app, { name: 'Trunk', host: 'x.test', username: 'u', secret: 'secret', sendRegister: false });
  });

  const ask = async (variables: Readonly<Record<string, unknown>> = {}): Promise<Answer['trunks']> => {
    const { data, errors } = await subject().app.graphql<Answer>(
      `query($states: [TrunkState!], $search: String, $first: Int, $after: String) {
        trunks(states: $states, search: $search, first: $first, after: $after) {
          totalCount nodes { state since gateway { name } registration { state lastResponse } }
          pageInfo { hasNextPage endCursor }
        }
      }`,
      variables,
    );
    if (errors) throw new Error(JSON.stringify(errors));
    return data.trunks;
  };
  const names = ({ nodes }: Answer['trunks']): string[] => nodes.map(({ gateway }) => gateway.name);

  test('are the gateways that register, and those whose health is known, with their state, and since when', async () => {
    const { nodes, totalCount } = await ask();
    expect(totalCount).toBe(STATES.length);
    expect(nodes.map(({ state }) => state)).toEqual(STATES);
    expect(nodes.map(({ registration }) => registration?.state)).toEqual([
      ...REGISTERING.slice(0, 4),
      ...[undefined, undefined, undefined],
    ]);
    expect(nodes[1]?.registration?.lastResponse).toBe('403 Forb\uFFFDidden');
    const ages = nodes.map(({ since }) => (since === null ? null : Date.now() - Date.parse(since)));
    expect(ages[4]).toBeNull();
    for (const age of [...ages.slice(1, 4), ...ages.slice(5)]) expect(age).toBeGreaterThanOrEqual(60_000);
    expect(ages[0]).toBeLessThan(60_000);
  });

  test.each(STATES)('in the state %s can be filtered', async (state) => {
    const found = await ask({ states: [state] });
    expect([names(found), found.totalCount]).toEqual([[`Trunk ${state}`], 1]);
  });

  test.each([
    ['a name', 'trunk ref', ['Trunk REFUSED']],
    ['a host', 'Expired.test', ['Trunk EXPIRED']],
    ['a user name, in which % is a normal character', 'US%', REGISTERING.map((state) => `Trunk ${state}`)],
    ['the host of one without a user name', 'up.test', ['Trunk UP']],
    ['nothing', 'nowhere', []],
  ])('are found by part of %s', async (_what, search, expected) => {
    expect(names(await ask({ search }))).toEqual(expected);
  });

  test('in none of the states are none', async () => {
    expect(await ask({ states: [] })).toMatchObject({ nodes: [], totalCount: 0 });
  });

  test('are returned in pages', async () => {
    const all: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const page: Answer['trunks'] = await ask({ first: 2, after });
      all.push(...names(page));
      [after, more] = [page.pageInfo.endCursor, page.pageInfo.hasNextPage];
    }
    expect(all).toEqual(names(await ask()));
  });

  test('are counted by state', async () => {
    const { data } = await subject().app.graphql('{ trunkCounts { state count } }');
    expect(data).toEqual({ trunkCounts: STATES.map((state) => ({ state, count: 1 })) });
  });

  test('are counted by state with those whose host does not respond, also if they are registered', async () => {
    const { data } = await subject().app.graphql('{ trunkCounts { state count silent } }');
    expect(data).toEqual({
      trunkCounts: STATES.map((state) => ({ state, count: 1, silent: state === 'UP' ? 0 : 1 })),
    });
  });

  test('with a search of more than 100 characters are refused', async () => {
    const { errors } = await subject().app.graphql(
      'query($search: String) { trunks(search: $search) { totalCount } }',
      {
        search: 'x'.repeat(101),
      },
    );
    expect(errors?.[0]).toMatchObject({
      message: 'search: is longer than 100 characters',
      extensions: { code: 'BAD_USER_INPUT', fields: ['search'] },
    });
  });
});

onEachDatabase('refusedCallers', (subject) => {
  const DAY = 86_400_000;
  let place = 0;
  /** Stores a refused caller as the SIP server does. */
  const refuse = (gatewayRef: string, ip: string, agoMilliseconds = 0): Promise<unknown> => {
    const at = Date.now() - agoMilliseconds;
    return runSql(
      subject().url,
      'INSERT INTO refused_callers (place, gw_ref, ip, did, calls, first_at, last_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [place++, gatewayRef, ip, '4930100', 7, at - DAY, at],
    );
  };
  const ips = async (gatewayRef?: string): Promise<readonly string[]> => {
    const { data, errors } = await subject().app.graphql<{ refusedCallers: readonly { ip: string }[] }>(
      'query($gatewayRef: String) { refusedCallers(gatewayRef: $gatewayRef) { ip digits calls firstOn lastOn gateway { ref } } }',
      { gatewayRef },
    );
    if (errors) throw new Error(JSON.stringify(errors));
    return data.refusedCallers.map(({ ip }) => ip);
  };

  test('are those of the last 30 days, newest first, that are none of the sources of their gateway', async () => {
    const { app } = subject();
    const [one, other] = [
      await createGateway(app, { host: 'one.test', sources: ['192.0.2.0/30', '2001:db8:1::/48', '198.51.100.7'] }),
      await createGateway(app, { host: 'other.test' }),
    ];
    const of = ['192.0.2.3', '192.0.2.4', '198.51.100.7', '198.51.100.8', '2001:db8:1::5', '2001:db8:2::5'];
    for (const [minutes, ip] of of.entries()) await refuse(one, ip, minutes * 60_000);
    await refuse(other, '192.0.2.3', DAY);
    await refuse(other, '192.0.2.9', 31 * DAY);
    await refuse('deleted', '192.0.2.9');
    expect(await ips()).toEqual(['192.0.2.4', '198.51.100.8', '2001:db8:2::5', '192.0.2.3']);
    expect(await ips(one)).toEqual(['192.0.2.4', '198.51.100.8', '2001:db8:2::5']);
    expect(await ips('nobody')).toEqual([]);
    await app.graphql(
      'mutation($ref: String!) { updateGateway(ref: $ref, input: { sources: ["2001::/16"] }) { ref } }',
      {
        ref: one,
      },
    );
    expect(await ips(one)).toEqual(['192.0.2.3', '192.0.2.4', '198.51.100.7', '198.51.100.8']);
  });

  test('are among the sources, whatever was called, until these are of a gateway or a peer', async () => {
    const { app, url } = subject();
    await runSql(url, 'DELETE FROM refused_callers');
    const one = await createGateway(app, { host: 'sources.test', sources: ['198.51.100.0/30'] });
    const stored = async (gatewayRef: string, ip: string, minutes: number, did = ''): Promise<void> => {
      const at = Date.now() - minutes * 60_000;
      await runSql(
        url,
        'INSERT INTO refused_callers (place, gw_ref, ip, did, calls, first_at, last_at) VALUES (?, ?, ?, ?, 3, ?, ?)',
        [place++, gatewayRef, ip, did, at, at],
      );
    };
    await stored('', '203.0.113.9', 1);
    await stored('', '2a00:db8:9::9', 2);
    await stored(one, '203.0.113.9', 3, '4930100');
    await stored('', '198.51.100.2', 4);
    await stored('deleted', '203.0.113.10', 5, '4930100');
    const query = '{ refusedSources { ip calls digits gateway { ref } } }';
    const shown = async () => (await app.graphql<{ refusedSources: unknown }>(query)).data.refusedSources;
    const caller = { calls: 3, digits: null, gateway: null };
    const ofGateway = { calls: 3, digits: '4930100', gateway: { ref: one }, ip: '203.0.113.9' };
    expect(await shown()).toEqual([{ ...caller, ip: '203.0.113.9' }, { ...caller, ip: '2a00:db8:9::9' }, ofGateway]);
    expect(await ips(one)).toEqual(['203.0.113.9']);
    const { out } = await runCommand({ DATABASE_URL: url }, 'refused', '--json');
    expect(JSON.parse(out)).toMatchObject({
      sources: [{ ip: '203.0.113.9', gateway: null }, { ip: '2a00:db8:9::9' }, { gateway: one, digits: '4930100' }],
    });
    const { token } = await createUser(app, 'VIEWER');
    expect((await app.graphql(query, {}, { token })).data).toMatchObject({
      refusedSources: [{ ip: null }, { ip: null }, { ip: null, digits: '4930100' }],
    });
    await createPeer(app, { username: 'refused', secret: 'secret', sources: ['2a00:db8::/32'] });
    expect(await shown()).toEqual([{ ...caller, ip: '203.0.113.9' }, ofGateway]);
    const add = 'mutation($ref: String!) { updateGateway(ref: $ref, input: { sources: ["203.0.113.8/29"] }) { ref } }';
    await app.graphql(add, { ref: one });
    expect(await shown()).toEqual([{ ...caller, ip: '198.51.100.2' }]);
  });

  test('have no addresses for viewers', async () => {
    const { app } = subject();
    const gatewayRef = await createGateway(app, { host: 'viewed.test' });
    await refuse(gatewayRef, '203.0.113.200');
    const shown = async (role: 'VIEWER' | 'OPERATOR') =>
      (
        await app.graphql(
          'query($gatewayRef: String) { refusedCallers(gatewayRef: $gatewayRef) { ip digits calls } }',
          { gatewayRef },
          { token: (await createUser(app, role)).token },
        )
      ).data;
    const caller = { digits: '4930100', calls: 7 };
    expect(await shown('VIEWER')).toEqual({ refusedCallers: [{ ...caller, ip: null }] });
    expect(await shown('OPERATOR')).toEqual({ refusedCallers: [{ ...caller, ip: '203.0.113.200' }] });
  });

  test('are at most 100', async () => {
    const gatewayRef = await createGateway(subject().app, { host: 'many.test' });
    for (let last = 0; last < 101; last++) await refuse(gatewayRef, `203.0.113.${String(last)}`, last * 1000);
    const shown = await ips(gatewayRef);
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([100, '203.0.113.0', '203.0.113.99']);
  });
});
