import { fill } from '../support/many';
import { COUNTING, metric } from '../support/metrics';
import { CHAINS, createChains } from '../support/numbers';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

interface Flow {
  readonly count: number;
  readonly state: string;
  readonly host: string | null;
  readonly addressOfRecord: string | null;
  readonly gateway: { readonly name: string } | null;
  readonly domain: { readonly domainUri: string } | null;
  readonly target: { readonly __typename: string; readonly username: string } | null;
}

interface Flows {
  readonly flows: readonly Flow[];
  readonly by: string;
  readonly gateways: number;
  readonly ends: number;
  readonly examined: number;
  readonly hasNextPage: boolean;
  readonly endCursor: string;
}

const QUERY = `query($by: NumberFlowEnd, $first: Int, $after: String, $states: [NumberState!], $gatewayRef: String,
  $domainRef: String) {
  numberFlows(by: $by, first: $first, after: $after, states: $states, gatewayRef: $gatewayRef, domainRef: $domainRef) {
    flows {
      count state host addressOfRecord gateway { name } domain { domainUri }
      target { __typename ... on Agent { username } ... on Peer { username } }
    }
    by gateways ends examined hasNextPage endCursor
  }
}`;

/** A flow in a line. */
function line({ count, state, host, addressOfRecord, gateway, domain, target }: Flow): string {
  const to = addressOfRecord ?? host ?? 'others';
  const found = target && `${target.__typename} ${target.username}`;
  return `${String(count)} ${gateway?.name ?? 'others'} > ${to} (${found ?? domain?.domainUri ?? '-'}) ${state}`;
}

onEachDatabase(
  'numberFlows',
  (subject) => {
    let gateways: Readonly<Record<string, string>>;
    let domainRef: string;

    beforeAll(async () => {
      const { app, url } = subject();
      gateways = await createChains(app, url);
      domainRef = String((await runSql(url, "SELECT ref FROM domains WHERE domain_uri = 'one.test'"))[0]?.[0]);
    });

    const ask = async (variables: Readonly<Record<string, unknown>> = {}): Promise<Flows> => {
      const { data, errors } = await subject().app.graphql<{ numberFlows: Flows }>(QUERY, variables);
      if (errors) throw new Error(JSON.stringify(errors));
      return data.numberFlows;
    };

    test('sums up numbers by gateway, address of record and state, first the most numbers', async () => {
      const { flows, ...rest } = await ask();
      expect(flows.map(line).sort()).toEqual([
        '1 Dead > sip:anna@one.test (Agent anna) GATEWAY_NOT_REGISTERED',
        '1 Lapsed > sip:anna@one.test (Agent anna) GATEWAY_EXPIRED',
        '1 Open > sip:anan@one.test (one.test) TARGET_MISSING',
        '1 Open > sip:anna@one.tset (-) DOMAIN_MISSING',
        '1 Open > sip:anna@quite-another.example (-) DOMAIN_MISSING',
        '1 Open > sip:ben@one.test (Agent ben) NOT_REGISTERED',
        '1 Open > sip:cleo@one.test (Agent cleo) EXPIRED',
        '1 Open > sip:dora@one.test (one.test) TARGET_FORBIDDEN',
        '1 Open > sip:pbx@10.9.9.9 (Peer pbx) REACHABLE',
        '1 Refused > sip:anna@one.test (Agent anna) GATEWAY_REFUSED',
        '1 Registered > sip:anna@one.test (Agent anna) REACHABLE',
        '1 Unasked > sip:anna@one.test (Agent anna) GATEWAY_NOT_REGISTERED',
        '2 Open > sip:anna@one.test (Agent anna) AMBIGUOUS',
        '2 Open > sip:anna@one.test (Agent anna) REACHABLE',
      ]);
      expect(flows.slice(0, 3).map(({ count }) => count)).toEqual([2, 2, 1]);
      expect(rest).toEqual({
        ...{ by: 'TARGET', gateways: 6, ends: 8, examined: CHAINS.length + 2, hasNextPage: false },
        endCursor: expect.any(String) as string,
      });
    });

    test('groups by domain if asked to, or if there are more addresses of record than have flows of their own', async () => {
      const asked = await ask({ by: 'DOMAIN' });
      expect(asked.flows.map(line)).toEqual(
        expect.arrayContaining([
          '2 Open > one.test (one.test) REACHABLE',
          '1 Open > 10.9.9.9 (-) REACHABLE',
          '1 Open > one.tset (-) DOMAIN_MISSING',
        ]),
      );
      expect(asked).toMatchObject({ by: 'DOMAIN', ends: 4 });
      expect(await ask({ first: 7 })).toMatchObject({ by: 'DOMAIN', ends: 4 });
      expect(await ask({ first: 8 })).toMatchObject({ by: 'TARGET', ends: 8 });
      // One domain would be one line.
      expect(await ask({ first: 2, domainRef })).toMatchObject({ by: 'TARGET', ends: 5 });
    });

    test('sums up the gateways and ends that fewer numbers have', async () => {
      const { flows, gateways: all, ends } = await ask({ by: 'TARGET', first: 1 });
      expect(flows.map(line).sort()).toEqual([
        '1 Open > others (-) EXPIRED',
        '1 Open > others (-) NOT_REGISTERED',
        '1 Open > others (-) REACHABLE',
        '1 Open > others (-) TARGET_FORBIDDEN',
        '1 Open > others (-) TARGET_MISSING',
        '1 others > sip:anna@one.test (Agent anna) GATEWAY_EXPIRED',
        '1 others > sip:anna@one.test (Agent anna) GATEWAY_REFUSED',
        '1 others > sip:anna@one.test (Agent anna) REACHABLE',
        '2 Open > others (-) DOMAIN_MISSING',
        '2 Open > sip:anna@one.test (Agent anna) AMBIGUOUS',
        '2 Open > sip:anna@one.test (Agent anna) REACHABLE',
        '2 others > sip:anna@one.test (Agent anna) GATEWAY_NOT_REGISTERED',
      ]);
      expect([all, ends]).toEqual([6, 8]);
    });

    test.each([
      [
        'a state',
        { states: ['REACHABLE'] },
        [
          '2 Open > sip:anna@one.test (Agent anna) REACHABLE',
          '1 Open > sip:pbx@10.9.9.9 (Peer pbx) REACHABLE',
          '1 Registered > sip:anna@one.test (Agent anna) REACHABLE',
        ],
      ],
      ['no state', { states: [] }, []],
      ['a gateway', { gateway: 'Refused' }, ['1 Refused > sip:anna@one.test (Agent anna) GATEWAY_REFUSED']],
    ] as [string, { states?: string[]; gateway?: string }, string[]][])(
      'of %s returns only flows of these numbers',
      async (_, { states, gateway }, expected) => {
        const gatewayRef = gateway === undefined ? undefined : gateways[gateway];
        const { flows, examined } = await ask({ states, gatewayRef });
        expect(flows.map(line)).toEqual(expected);
        expect(examined).toBe(gateway === undefined ? CHAINS.length + 2 : 1);
      },
    );

    test('continues after its cursor', async () => {
      const { endCursor } = await ask();
      const nothing = { flows: [], by: 'TARGET', gateways: 0, ends: 0, examined: 0, hasNextPage: false, endCursor };
      expect(await ask({ after: endCursor })).toEqual(nothing);
    });

    test('takes a fixed number of statements', async () => {
      const statements = async (): Promise<number> =>
        metric(subject().app.url, await subject().app.token(), 'sipgraph_sql_statements_total');
      const cost = async (variables: Readonly<Record<string, unknown>>): Promise<number> => {
        const before = await statements();
        await ask(variables);
        return (await statements()) - before;
      };
      await cost({});
      expect(await cost({ first: 30 })).toBe(await cost({ first: 2, by: 'TARGET' }));
    });

    test.each([
      [{ first: 0 }, { code: 'BAD_USER_INPUT', fields: ['first'] }],
      [{ first: 31 }, { code: 'BAD_USER_INPUT', fields: ['first'] }],
      [{ after: 'x' }, { code: 'BAD_USER_INPUT', fields: ['after'] }],
      [{ gatewayRef: 'nope' }, { code: 'NOT_FOUND', fields: ['gatewayRef'] }],
      [{ by: 'GATEWAY' }, { code: 'BAD_USER_INPUT' }],
    ])('rejects %j', async (variables, extensions) => {
      const { errors } = await subject().app.graphql(QUERY, variables);
      expect(errors?.[0]?.extensions).toMatchObject(extensions);
    });
  },
  COUNTING,
);

onEachDatabase('numberFlows of 20,016 numbers, 300 gateways and 5,000 addresses of record', (subject) => {
  beforeAll(async () => {
    const { app, url } = subject();
    await createChains(app, url);
    await fill(url, 'gateways', 'ref, created_on, modified_on, name, host, transport, identity', 300, (n) => [
      ...[`g${String(n)}`, 0, 0, `Gateway ${String(n)}`, `g${String(n)}.test`, 'udp', `g${String(n)}`],
    ]);
    const [row] = await runSql(url, "SELECT MIN(id) FROM gateways WHERE ref LIKE 'g%' AND name LIKE 'Gateway %'");
    const first = Number(row?.[0]);
    const columns = 'ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host';
    await fill(url, 'numbers', columns, 20_000, (n) => {
      const digits = `7${String(n).padStart(6, '0')}`;
      const [user, host] = [`user${String(n % 5000)}`, `${['one', 'two'][n % 2] ?? ''}.test`];
      return [
        `n${String(n)}`,
        0,
        0,
        'DID',
        first + (n % 300),
        `tel:+${digits}`,
        `sip:${user}@${host}`,
        digits,
        user,
        host,
      ];
    });
  });

  test('are a bounded number, and say how many gateways and ends there are', async () => {
    const { data, errors } = await subject().app.graphql<{ numberFlows: Flows }>(QUERY);
    expect(errors).toBeUndefined();
    const { flows, by, gateways, ends, examined, hasNextPage } = data.numberFlows;
    expect({ by, examined, hasNextPage }).toEqual({ by: 'DOMAIN', examined: 20_000, hasNextPage: true });
    expect(gateways).toBeGreaterThan(300);
    expect(ends).toBe(5);
    expect(flows.length).toBeLessThan(16 * 16);
    expect(flows.reduce((sum, { count }) => sum + count, 0)).toBe(examined);
    expect(new Set(flows.map(({ gateway }) => gateway?.name)).size).toBe(16);
    const rest = (await subject().app.graphql<{ numberFlows: Flows }>(QUERY, { after: data.numberFlows.endCursor }))
      .data;
    expect(rest.numberFlows).toMatchObject({ examined: 16, hasNextPage: false });
  });

  test.each(['numberFlows', 'numberHealthCounts'])('%s of exactly as many numbers have no next page', async (field) => {
    const { app } = subject();
    const first = '{ numberHealth(first: 16) { pageInfo { endCursor } } }';
    const { data } = await app.graphql<{ numberHealth: { pageInfo: { endCursor: string } } }>(first);
    const query = `query ($after: String) { found: ${field}(after: $after) { examined hasNextPage } }`;
    const rest = await app.graphql<{ found: object }>(query, { after: data.numberHealth.pageInfo.endCursor });
    expect(rest.errors).toBeUndefined();
    expect(rest.data.found).toEqual({ examined: 20_000, hasNextPage: false });
  });
});
