import { createAgent, createDid, createDomain, createGateway, createNumber } from '../support/factories';
import { COUNTING, metric } from '../support/metrics';
import { CHAINS, createChains } from '../support/numbers';
import { onEachDatabase } from '../support/databases/on-each-database';
import { registerContact, runSql } from '../support/databases/sql';

interface Health {
  readonly telUrl: string;
  readonly state: string;
  readonly summary: string;
}

interface Answer {
  readonly numberHealth: {
    readonly totalCount: number;
    readonly nodes: readonly Health[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
  };
}

// The ambiguous DID has a conflicting DID; another one has a Number with the same spelling and destination.
const EXPECTED = [
  ...CHAINS.map(({ telUrl, state }) => [telUrl, state]),
  ['tel:+1-013', 'AMBIGUOUS'],
  ['tel:+1014', 'REACHABLE'],
];

onEachDatabase(
  'numberHealth',
  (subject) => {
    let gateways: Readonly<Record<string, string>>;

    beforeAll(async () => {
      const { app, url } = subject();
      gateways = await createChains(app, url);
    });

    const QUERY = `query($states: [NumberState!], $gatewayRef: String, $first: Int, $after: String, $last: Int, $before: String) {
    numberHealth(states: $states, gatewayRef: $gatewayRef, first: $first, after: $after, last: $last, before: $before) {
      totalCount nodes { telUrl state summary } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;
    const ask = async (variables: Readonly<Record<string, unknown>>): Promise<Answer['numberHealth']> => {
      const { data, errors } = await subject().app.graphql<Answer>(QUERY, variables);
      if (errors) throw new Error(JSON.stringify(errors));
      return data.numberHealth;
    };
    const pairs = (nodes: readonly Health[]): string[][] => nodes.map(({ telUrl, state }) => [telUrl, state]);

    test('returns the states of explainNumber for all numbers, without suggestions', async () => {
      const { nodes, totalCount } = await ask({});
      expect(totalCount).toBe(EXPECTED.length);
      expect([...pairs(nodes)].sort()).toEqual([...EXPECTED].sort());
      for (const { telUrl, summary } of CHAINS) {
        const told = nodes.find((node) => node.telUrl === telUrl)?.summary;
        const expected =
          typeof summary === 'string' ? summary.replace(/; did you mean.*/, '') : expect.stringMatching(summary);
        expect(told).toEqual(expected);
      }
    });

    test.each([...new Set(CHAINS.map(({ state }) => state))])(
      'with the state %s returns only numbers in that state',
      async (state) => {
        const { nodes, totalCount } = await ask({ states: [state] });
        const expected = EXPECTED.filter((pair) => pair[1] === state);
        expect([...pairs(nodes)].sort()).toEqual([...expected].sort());
        expect(totalCount).toBe(expected.length);
      },
    );

    test.each([{ states: [] }, { states: ['MISSING'] }])('with %j returns no numbers', async (variables) => {
      expect(await ask(variables)).toMatchObject({ nodes: [], totalCount: 0 });
    });

    test('of a gateway returns only its numbers, also with states', async () => {
      const gatewayRef = gateways['Refused'];
      expect(pairs((await ask({ gatewayRef })).nodes)).toEqual([['tel:+1012', 'GATEWAY_REFUSED']]);
      expect((await ask({ gatewayRef, states: ['REACHABLE'] })).nodes).toEqual([]);
      const { errors } = await subject().app.graphql(QUERY, { gatewayRef: 'nope' });
      expect(errors?.[0]).toMatchObject({
        message: 'Gateway "nope" does not exist',
        extensions: { code: 'NOT_FOUND', status: 404, fields: ['gatewayRef'] },
      });
    });

    test.each([
      ['all', {}],
      ['some states', { states: ['REACHABLE', 'AMBIGUOUS'] }],
      ['a gateway', { gateway: true }],
    ] as [string, { states?: string[]; gateway?: boolean }][])(
      'in pages of two, of %s, forwards and backwards, returns all numbers',
      async (_, { gateway, ...rest }) => {
        const filter = { ...rest, ...(gateway && { gatewayRef: gateways['Open'] }) };
        const whole = (await ask({ ...filter, first: 100 })).nodes;
        const forwards: Health[] = [];
        for (let after: string | null = null, more = true; more;) {
          const { nodes, pageInfo } = await ask({ ...filter, first: 2, after });
          forwards.push(...nodes);
          [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
        }
        const backwards: Health[] = [];
        for (let before: string | null = null, more = true; more;) {
          const { nodes, pageInfo } = await ask({ ...filter, last: 2, before });
          backwards.unshift(...nodes);
          [before, more] = [pageInfo.startCursor, pageInfo.hasPreviousPage];
        }
        expect([forwards, backwards]).toEqual([whole, whole]);
      },
    );

    test('numberHealthCounts counts the numbers by state, of all gateways and of one', async () => {
      const { data } = await subject().app.graphql<
        Record<string, { states: { state: string; count: number }[]; examined: number; hasNextPage: boolean }>
      >(
        `query($ref: String) {
        all: numberHealthCounts { examined hasNextPage states { state count } }
        one: numberHealthCounts(gatewayRef: $ref) { examined hasNextPage states { state count } }
      }`,
        { ref: gateways['Refused'] },
      );
      const expected = new Map<string, number>();
      for (const [, state = ''] of EXPECTED) expected.set(state, (expected.get(state) ?? 0) + 1);
      const counted = ({ states }: { states: { state: string; count: number }[] } = { states: [] }): unknown =>
        new Map(states.filter(({ count }) => count > 0).map(({ state, count }) => [state, count]));
      expect(counted(data['all'])).toEqual(expected);
      expect(data['all']).toMatchObject({ examined: EXPECTED.length, hasNextPage: false });
      expect(counted(data['one'])).toEqual(new Map([['GATEWAY_REFUSED', 1]]));
    });

    test('numberHealthCounts groups the numbers that do not ring by their cause, first what concerns the most', async () => {
      const { app, url } = subject();
      const more = ['tel:+1101', 'tel:+1102', 'tel:+1103'];
      const refused = gateways['Refused'];
      const refs = await Promise.all(
        more.map((telUrl) => createDid(app, { telUrl, gatewayRef: refused, aorLink: 'sip:nobody@one.test' })),
      );
      const unregistered = await createDid(app, { gatewayRef: gateways['Open'], aorLink: 'sip:ben@one.test' });
      const ended = Date.parse('2026-01-02T03:04:05.000Z');
      await runSql(url, 'UPDATE gateway_registrations SET expires_at = ? WHERE gw_ref = ?', [ended, refused ?? '']);
      const { data, errors } = await app.graphql<{ numberHealthCounts: { causes: unknown[] } }>(
        `{ numberHealthCounts { causes(first: 100) {
          state count since first { telUrl summary gateway { name registration { state lastResponse } } }
        } } }`,
      );
      expect(errors).toBeUndefined();
      const { causes } = data.numberHealthCounts;
      // The two DIDs with the same digits, those that lead to ben, and one for each other cause.
      expect(causes.map((cause) => [(cause as { state: string }).state, (cause as { count: number }).count])).toEqual([
        ['GATEWAY_REFUSED', 4],
        ['NOT_REGISTERED', 2],
        ['AMBIGUOUS', 2],
        ['EXPIRED', 1],
        ['DOMAIN_MISSING', 1],
        ['DOMAIN_MISSING', 1],
        ['TARGET_MISSING', 1],
        ['TARGET_FORBIDDEN', 1],
        ['GATEWAY_NOT_REGISTERED', 1],
        ['GATEWAY_NOT_REGISTERED', 1],
        ['GATEWAY_EXPIRED', 1],
      ]);
      expect(causes[0]).toEqual({
        state: 'GATEWAY_REFUSED',
        count: 4,
        since: new Date(ended).toISOString(),
        first: {
          telUrl: 'tel:+1012',
          summary: 'gateway Refused is refused by refused.test: 403 Forbidden',
          gateway: { name: 'Refused', registration: { state: 'REFUSED', lastResponse: '403 Forbidden' } },
        },
      });
      expect(causes[1]).toMatchObject({ since: null, first: { telUrl: 'tel:+1003' } });
      expect(causes[3]).toMatchObject({ since: expect.stringMatching(/^\d{4}-/) as string });
      await runSql(url, 'UPDATE gateway_registrations SET expires_at = 0 WHERE gw_ref = ?', [refused ?? '']);
      for (const ref of [...refs, unregistered])
        await app.graphql('mutation($ref: String!) { deleteDID(ref: $ref) }', { ref });
    });

    test('numberHealthCounts has one cause for a domain whose numbers all lack a device, and several while one rings', async () => {
      const { app, url } = subject();
      const gatewayRef = gateways['Open'];
      const domain = await createDomain(app, { domainUri: 'lost.test' });
      const users = ['lena', 'lars', 'lilo'];
      for (const username of users) await createAgent(app, { username, domains: ['lost.test'] });
      const refs: string[] = [];
      for (const [n, user] of ['lena', 'lars', 'lilo', 'lilo'].entries())
        refs.push(
          await createDid(app, { telUrl: `tel:+120${String(n)}`, gatewayRef, aorLink: `sip:${user}@lost.test` }),
        );
      const register = (username: string, secondsLeft: number): Promise<void> =>
        registerContact(url, { username, domain: 'lost.test', contact: `sip:${username}@10.0.0.9`, secondsLeft });
      const causes = async (): Promise<readonly unknown[]> => {
        const { data } = await app.graphql<{
          numberHealthCounts: { causes: { first: { aorLink: string } }[] };
        }>(
          `query ($ref: String) { numberHealthCounts(domainRef: $ref) {
            causes { state count since domain { ref domainUri } first { aorLink } } } }`,
          { ref: domain },
        );
        return data.numberHealthCounts.causes;
      };
      const lost = { state: 'NOT_REGISTERED', since: null, domain: { ref: domain, domainUri: 'lost.test' } };
      expect(await causes()).toEqual([{ ...lost, count: 4, first: { aorLink: 'sip:lena@lost.test' } }]);
      await register('lilo', -60);
      expect(await causes()).toMatchObject([
        { ...lost, count: 2 },
        { ...lost, state: 'EXPIRED', count: 2 },
      ]);
      await register('lena', 3600);
      expect(await causes()).toMatchObject([
        { state: 'EXPIRED', count: 2, domain: null },
        { state: 'NOT_REGISTERED', count: 1, domain: null, first: { aorLink: 'sip:lars@lost.test' } },
      ]);
      for (const ref of refs) await app.graphql('mutation($ref: String!) { deleteDID(ref: $ref) }', { ref });
    });

    test('numberHealthCounts has a bounded number of causes, also of one gateway, in a fixed number of statements', async () => {
      const { app } = subject();
      const query = (first: number): string => `query($ref: String) {
        all: numberHealthCounts { causes(first: ${String(first)}) { count first { telUrl gateway { name } } } }
        one: numberHealthCounts(gatewayRef: $ref) { causes(first: ${String(first)}) { count first { telUrl } } }
      }`;
      const ref = gateways['Refused'];
      const cost = async (first: number): Promise<[number, Record<string, { causes: { count: number }[] }>]> => {
        const statements = async (): Promise<number> =>
          metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
        await app.graphql(query(first), { ref });
        const before = await statements();
        const { data } = await app.graphql<Record<string, { causes: { count: number }[] }>>(query(first), { ref });
        return [(await statements()) - before, data];
      };
      const [[few, some], [many, all]] = [await cost(3), await cost(100)];
      expect(few).toBe(many);
      expect([some, all].map(({ all: { causes } = { causes: [] } }) => causes.length)).toEqual([3, 11]);
      expect(all['one']).toEqual({ causes: [{ count: 1, first: { telUrl: 'tel:+1012' } }] });
      for (const first of [0, 101]) {
        const { errors } = await app.graphql(query(first), { ref });
        expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: ['first'] });
      }
    });

    test('numberHealthCounts continues after its cursor', async () => {
      const query = 'query($after: String) { numberHealthCounts(after: $after) { examined endCursor hasNextPage } }';
      const read = async (after: string | null): Promise<{ examined: number; endCursor: string }> =>
        (await subject().app.graphql<{ numberHealthCounts: { examined: number; endCursor: string } }>(query, { after }))
          .data.numberHealthCounts;
      const { endCursor } = await read(null);
      expect(await read(endCursor)).toEqual({ examined: 0, endCursor, hasNextPage: false });
      const { errors } = await subject().app.graphql(query, { after: 'x' });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: ['after'] });
    });

    test('links to the number, its gateway and numbers with the same digits, in a fixed number of statements', async () => {
      const { app } = subject();
      const query = `query($last: Int) { numberHealth(last: $last) { nodes {
      number { ... on DID { ref telUrl target { ... on Agent { username } } } ... on Number { ref telUrl } }
      gateway { name registration { state } } others { ... on DID { telUrl } ... on Number { telUrl } }
    } } }`;
      const statements = async (): Promise<number> =>
        metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const cost = async (last: number): Promise<[number, unknown]> => {
        const before = await statements();
        const { data } = await app.graphql(query, { last });
        return [(await statements()) - before, data];
      };
      await cost(1);
      // The last three cover all cases.
      const [[few], [many, data]] = [await cost(3), await cost(100)];
      expect(many).toBe(few);
      expect(data).toMatchObject({
        numberHealth: {
          nodes: expect.arrayContaining([
            {
              number: { ref: expect.any(String) as string, telUrl: 'tel:+1013', target: { username: 'anna' } },
              gateway: { name: 'Open', registration: null },
              others: [{ telUrl: 'tel:+1-013' }],
            },
          ]) as unknown[],
        },
      });
    });
  },
  COUNTING,
);

onEachDatabase('numberHealth of a DID and a Number with the same spelling, and a DID with another one', (subject) => {
  test('counts three numbers for each of them', async () => {
    const { app } = subject();
    const common = { gatewayRef: await createGateway(app), aorLink: 'sip:anna@one.test' };
    await createDid(app, { ...common, telUrl: 'tel:+100' });
    await createNumber(app, { ...common, telUrl: 'tel:+100' });
    await createDid(app, { ...common, telUrl: 'tel:100' });
    const { data } = await app.graphql('{ numberHealth { nodes { summary others { __typename } } } }');
    const summary = '3 numbers have the digits 100 but differ in spelling or destination';
    const [did, number] = [{ __typename: 'DID' }, { __typename: 'Number' }];
    const nodes = [
      { summary, others: [number, did] },
      { summary, others: [did, did] },
      { summary, others: [did, number] },
    ];
    expect(data).toEqual({ numberHealth: { nodes } });
  });
});

onEachDatabase('numberHealth among 5,000 numbers', (subject) => {
  beforeAll(async () => {
    const { app, url } = subject();
    const gateways = await createChains(app, url);
    await insertDids(url, gateways['Open'] ?? '', (n) => [`tel:+${2_000_000 + n}`, `${2_000_000 + n}`]);
  });

  test('finds a rare state, in pages that examine at most 2,000 numbers and continue to the end', async () => {
    const sizes: number[] = [];
    const found: string[] = [];
    let after: string | null = null;
    for (let more = true; more;) {
      const { numberHealth }: Answer = (
        await subject().app.graphql<Answer>(
          `query($after: String) { numberHealth(states: [GATEWAY_REFUSED, TARGET_MISSING], first: 10, after: $after) {
          totalCount nodes { telUrl state summary } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
          { after },
        )
      ).data;
      const { nodes, pageInfo, totalCount }: Answer['numberHealth'] = numberHealth;
      expect(totalCount).toBe(2);
      sizes.push(nodes.length);
      found.push(...nodes.map(({ telUrl }) => telUrl));
      [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    expect([sizes, found]).toEqual([
      [2, 0, 0],
      ['tel:+1007', 'tel:+1012'],
    ]);
  });

  test('numberHealthCounts returns the 100 causes of the most numbers among 5,000 causes, and counts all numbers', async () => {
    const { app, url } = subject();
    await runSql(url, "UPDATE numbers SET aor_user = CONCAT('user', id)");
    await runSql(url, "UPDATE numbers SET aor_user = 'most' WHERE tel_digits IN ('2004998', '2004999')");
    const { data, errors } = await app.graphql<{
      numberHealthCounts: {
        examined: number;
        states: readonly { count: number }[];
        causes: readonly { count: number; first: { telUrl: string } }[];
      };
    }>('{ numberHealthCounts { examined states { count } causes(first: 100) { count first { telUrl } } } }');
    expect(errors).toBeUndefined();
    const { examined, states, causes } = data.numberHealthCounts;
    expect(examined).toBeGreaterThan(5000);
    expect(states.reduce((sum, { count }) => sum + count, 0)).toBe(examined);
    expect(causes).toHaveLength(100);
    // Two numbers lead to `most`; 1013 and 1014 are ambiguous.
    expect(causes.filter(({ count }) => count > 1).map(({ first }) => first.telUrl)).toEqual([
      'tel:+1013',
      'tel:+1014',
      'tel:+2004998',
    ]);
  });

  test('the causes of numberHealthCounts count for the size of an operation', async () => {
    const ask = async (first: number): Promise<unknown> => {
      const fields = Array.from(
        { length: 30 },
        (_, index) =>
          `a${String(index)}: numberHealthCounts(after: "x") { causes(first: ${String(first)}) { first { gateway { ref } number { __typename } others { __typename } } } }`,
      );
      const { errors } = await subject().app.graphql(`{ ${fields.join(' ')} }`);
      return errors?.[0]?.message;
    };
    expect(await ask(1)).toContain('after');
    expect(await ask(100)).toMatch(/^The query may return 12\d{3} objects/);
  });
});

onEachDatabase('numberHealth among 5,000 numbers with the same digits', (subject) => {
  beforeAll(async () => {
    const { app, url } = subject();
    await insertDids(url, await createGateway(app, { ref: 'many' }), (n) => [`tel:+1706;ext=${n}`, '1706']);
  });

  const NODE = 'state summary others { ... on DID { telUrl } ... on Number { telUrl } }';
  const expected = (n: number): unknown => ({
    state: 'AMBIGUOUS',
    summary: '5000 numbers have the digits 1706 but differ in spelling or destination',
    others: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
      .filter((other) => other !== n)
      .slice(0, 10)
      .map((other) => ({ telUrl: `tel:+1706;ext=${other}` })),
  });

  test.each(['', ', states: [AMBIGUOUS]', ', gatewayRef: "many"'])('returns a page of them%s', async (filter) => {
    const { data } = await subject().app.graphql<{ numberHealth: unknown }>(
      `{ numberHealth(first: 50${filter}) { totalCount nodes { ${NODE} } } }`,
    );
    expect(data.numberHealth).toEqual({ totalCount: 5000, nodes: Array.from({ length: 50 }, (_, n) => expected(n)) });
  });

  test('finds none in another state', async () => {
    const { data } = await subject().app.graphql(
      '{ numberHealth(states: [REACHABLE]) { totalCount nodes { state } pageInfo { hasNextPage } } }',
    );
    expect(data).toEqual({ numberHealth: { totalCount: 0, nodes: [], pageInfo: { hasNextPage: true } } });
  });

  test('has the same state and summary as explainNumber', async () => {
    const { data } = await subject().app.graphql(`{ explainNumber(telUrl: "1706") { ${NODE} } }`);
    expect(data).toEqual({ explainNumber: expected(0) });
  });
});

/** Inserts 5,000 DIDs of a gateway into the database, each with a tel URI and its digits. */
async function insertDids(
  url: string,
  gatewayRef: string,
  written: (n: number) => readonly [string, string],
): Promise<void> {
  const [row] = await runSql(url, 'SELECT id FROM gateways WHERE ref = ?', [gatewayRef]);
  for (let from = 0; from < 5000; from += 500) {
    const rows = Array.from({ length: 500 }, (_, n) => from + n);
    await runSql(
      url,
      `INSERT INTO numbers (ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host)
       VALUES ${rows.map(() => "(?, 0, 0, 'DID', ?, ?, 'sip:anna@one.test', ?, 'anna', 'one.test')").join(', ')}`,
      rows.flatMap((n) => [`m${n}`, Number(row?.[0]), ...written(n)]),
    );
  }
}

onEachDatabase('A DID and a Number with the same digits at two gateways', (subject) => {
  test('ring for the calls of each, and a simulation says which of them stop', async () => {
    const { app, url } = subject();
    await createDomain(app, { domainUri: 'one.test' });
    await createAgent(app, { username: 'anna', domains: ['one.test'] });
    await registerContact(url, { username: 'anna', domain: 'one.test', contact: 'sip:anna@192.0.2.1' });
    const called = { telUrl: 'tel:+4930', aorLink: 'sip:anna@one.test' };
    await createDid(app, { ...called, gatewayRef: await createGateway(app, { ref: 'first' }) });
    await createNumber(app, { ...called, gatewayRef: await createGateway(app, { ref: 'second' }) });
    const read = `{ explainNumber(telUrl: "tel:+4930") { state } numberHealth { nodes { state } } }`;
    expect((await app.graphql(read)).data).toEqual({
      explainNumber: { state: 'REACHABLE' },
      numberHealth: { nodes: [{ state: 'REACHABLE' }, { state: 'REACHABLE' }] },
    });
    const draining = 'update: { ref: "first", gateway: { draining: true } }';
    const { data } = await app.graphql(
      `mutation { simulate(changes: [{ ${draining} }]) { calls { numbers(first: 9) { effect kind after { state } } } } }`,
    );
    const stops = [{ effect: 'STOPS', kind: 'DID', after: { state: 'GATEWAY_DRAINING' } }];
    expect(data).toEqual({ simulate: { calls: { numbers: stops } } });
  });
});
