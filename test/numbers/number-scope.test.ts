import { NumberDiagnosis, type HealthQuery } from '../../src/sip/diagnosis/number-diagnosis';
import { readsWithin, type Reads, type Row, type SqlValue } from '../../src/database/sql';
import { createAgent, createDid, createGateway, createPeer } from '../support/factories';
import { fill } from '../support/many';
import { COUNTING, metric } from '../support/metrics';
import { createChains } from '../support/numbers';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

type Variables = Readonly<Record<string, unknown>>;

const SCOPE = '$gatewayRef: String, $agentRef: String, $peerRef: String, $domainRef: String, $addressOfRecord: String';
const PASSED =
  'gatewayRef: $gatewayRef, agentRef: $agentRef, peerRef: $peerRef, domainRef: $domainRef, addressOfRecord: $addressOfRecord';
const LIST = `query($states: [NumberState!], $first: Int, $after: String, ${SCOPE}) {
  numberHealth(states: $states, first: $first, after: $after, ${PASSED}) {
    totalCount nodes { kind telUrl state } pageInfo { hasNextPage endCursor }
  }
}`;
const COUNT = `query(${SCOPE}) { numberHealthCounts(${PASSED}) { examined hasNextPage states { state count } } }`;

interface List {
  readonly totalCount: number;
  readonly nodes: readonly { readonly kind: string; readonly telUrl: string; readonly state: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface Counts {
  readonly examined: number;
  readonly hasNextPage: boolean;
  readonly states: readonly { readonly state: string; readonly count: number }[];
}

onEachDatabase(
  'The health of the numbers',
  (subject) => {
    const refs = { agent: '', both: '', peer: '', domain: '', gateway: '' };

    const ask = async <Data>(query: string, variables: Variables): Promise<Data> => {
      const { data, errors } = await subject().app.graphql<Record<string, Data>>(query, variables);
      const [found] = Object.values(data);
      if (errors || !found) throw new Error(JSON.stringify(errors));
      return found;
    };
    const telUrls = async (variables: Variables): Promise<readonly string[]> =>
      (await ask<List>(LIST, variables)).nodes.map(({ telUrl }) => telUrl);
    const statements = async (): Promise<number> =>
      metric(subject().app.url, await subject().app.token(), 'sipgraph_sql_statements_total');

    beforeAll(async () => {
      const { app, url } = subject();
      const gateways = await createChains(app, url);
      const refOf = async (text: string): Promise<string> => String((await runSql(url, text))[0]?.[0]);
      refs.gateway = gateways['Open'] ?? '';
      refs.agent = await refOf("SELECT ref FROM agents WHERE username = 'ben'");
      refs.domain = await refOf("SELECT ref FROM domains WHERE domain_uri = 'one.test'");
      refs.both = await createAgent(app, { username: 'both', domains: ['one.test', 'two.test'] });
      // A peer with the user name of an agent gets the calls to other hosts.
      refs.peer = await createPeer(app, { username: 'both' });
      const to = (telUrl: string, host: string): Promise<string> =>
        createDid(app, { telUrl, gatewayRef: refs.gateway, aorLink: `sip:both@${host}` });
      await to('tel:+2001', 'one.test');
      await to('tel:+2002', 'elsewhere.test');
      await to('tel:+2003', 'two.test');
    });

    test.each([
      ['an agent', () => ({ agentRef: refs.agent }), ['tel:+1003']],
      ['an agent in two domains', () => ({ agentRef: refs.both }), ['tel:+2001', 'tel:+2003']],
      ['a peer whose name an agent has, too', () => ({ peerRef: refs.peer }), ['tel:+2002']],
      [
        'a domain, also those without a target, in a state',
        () => ({ domainRef: refs.domain, states: ['TARGET_MISSING', 'TARGET_FORBIDDEN', 'EXPIRED'] }),
        ['tel:+1004', 'tel:+1007', 'tel:+1008'],
      ],
      [
        'an agent and a domain',
        () => ({ agentRef: refs.both, domainRef: refs.domain, gatewayRef: refs.gateway }),
        ['tel:+2001'],
      ],
    ] as [string, () => Variables, string[]][])('of %s are listed and counted', async (_what, variables, expected) => {
      expect(await telUrls(variables())).toEqual(expected);
      const { totalCount, nodes } = await ask<List>(LIST, variables());
      expect(totalCount).toBe(expected.length);
      const { states, ...scope } = variables() as { states?: readonly string[] };
      const counts = await ask<Counts>(COUNT, scope);
      const wanted = states ?? [...new Set(nodes.map(({ state }) => state))];
      const counted = counts.states.filter(({ state }) => wanted.includes(state));
      expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
      if (!states) expect(counts).toMatchObject({ examined: expected.length, hasNextPage: false });
    });

    test.each(['agent', 'peer', 'domain'])('of an unknown %s are an error', async (kind) => {
      for (const query of [LIST, COUNT]) {
        const { errors } = await subject().app.graphql(query, { [`${kind}Ref`]: 'nope' });
        expect(errors?.[0]).toMatchObject({
          message: `${kind.charAt(0).toUpperCase()}${kind.slice(1)} "nope" does not exist`,
          extensions: { code: 'NOT_FOUND', status: 404, fields: [`${kind}Ref`] },
        });
      }
    });

    describe('of an agent and a domain with thousands', () => {
      beforeAll(async () => {
        const [gateway] = await runSql(subject().url, 'SELECT id FROM gateways WHERE ref = ?', [refs.gateway]);
        const columns =
          'ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host';
        await fill(subject().url, 'numbers', columns, 4000, (n) => {
          const host = n % 2 === 0 ? 'one.test' : 'two.test';
          const number = `3${String(n).padStart(6, '0')}`;
          const named = [`m${String(n)}`, 0, 0, n % 3 === 0 ? 'DID' : 'Number', Number(gateway?.[0]), `tel:+${number}`];
          return [...named, `sip:both@${host}`, number, 'both', host];
        });
      });

      test.each([
        ['agent', () => ({ agentRef: refs.both }), 4002],
        ['peer', () => ({ peerRef: refs.peer }), 1],
        ['domain', () => ({ domainRef: refs.domain }), 2014],
      ] as const)('%s are listed in pages, counted, and found by state', async (_kind, variables, total) => {
        const [found, list]: [string[], (after: string | null) => Promise<List>] = [
          [],
          (after) => ask(LIST, { ...variables(), first: 100, after }),
        ];
        for (let after: string | null = null, more = true; more;) {
          const { nodes, pageInfo, totalCount } = await list(after);
          expect(totalCount).toBe(total);
          found.push(...nodes.map(({ kind, telUrl }) => kind + telUrl));
          [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
        }
        expect([found.length, new Set(found).size]).toEqual([total, total]);
        expect(await ask<Counts>(COUNT, variables())).toMatchObject({ examined: total, hasNextPage: false });
        const { nodes, totalCount } = await ask<List>(LIST, { ...variables(), states: ['NOT_REGISTERED'], first: 100 });
        expect(nodes).toHaveLength(Math.min(totalCount, 100));
        expect(totalCount).toBeGreaterThan(0);
      });

      test('are counted in as many statements as those of one with few', async () => {
        const costOf = async (variables: Variables): Promise<number> => {
          const before = await statements();
          await ask<Counts>(COUNT, variables);
          return (await statements()) - before;
        };
        await costOf({});
        const ofGateway = await costOf({ gatewayRef: refs.gateway });
        // One more for further targets.
        expect(await costOf({ domainRef: refs.domain })).toBe(ofGateway + 1);
        const ofAgent = await costOf({ agentRef: refs.agent });
        expect(ofAgent).toBe(ofGateway + 1);
        expect(await costOf({ agentRef: refs.both })).toBeLessThanOrEqual(ofAgent);
      });
    });
  },
  COUNTING,
);

onEachDatabase('The health of numbers among ten thousand', (subject) => {
  const isSqlite = (): boolean => subject().url.startsWith('sqlite:');

  beforeAll(async () => {
    const { app, url } = subject();
    await createGateway(app, { ref: 'gw' });
    await createPeer(app, { ref: 'peer', username: 'u7' });
    await createAgent(app, { ref: 'agent', username: 'u7', domains: [await domain('d1'), await domain('d2')] });
    const columns = 'ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host';
    await fill(url, 'numbers', columns, 10_000, (n) => {
      const [user, host] = [`u${String(n % 1000)}`, `d${String(n % 100)}`];
      const named = [`m${String(n)}`, 0, 0, 'DID', 1, `tel:+${String(n)}`, `sip:${user}@${host}.test`];
      return [...named, String(n), user, `${host}.test`];
    });
    await runSql(url, isSqlite() ? 'ANALYZE' : 'ANALYZE TABLE gateways, numbers, agents, peers, domains');
  });

  async function domain(name: string): Promise<string> {
    const input = { ref: name, name, domainUri: `${name}.test` };
    await subject().app.graphql('mutation ($input: CreateDomainInput!) { createDomain(input: $input) { ref } }', {
      input,
    });
    return input.domainUri;
  }

  test.each([
    { gatewayRef: 'gw' },
    { domainRef: 'd1' },
    { agentRef: 'agent' },
    { peerRef: 'peer' },
    { addressOfRecord: 'u7@d7.test', gatewayRef: 'gw' },
  ] as HealthQuery[])('is read through an index with %j', async (query) => {
    const { url } = subject();
    const asked: [string, readonly SqlValue[]][] = [];
    const rows = async (text: string, values: readonly SqlValue[]): Promise<readonly Row[]> => {
      asked.push([text, values]);
      return (await runSql(url, text, values)) as readonly Row[];
    };
    // Heavy reads have a budget of their own.
    const heavy: Reads['heavy'] = async (text, values) => (await runSql(url, text, values)) as readonly Row[];
    const diagnosis = new NumberDiagnosis({ ...readsWithin({ rows }), heavy }, undefined, undefined, () => undefined);
    await diagnosis.page({ limit: 30, backwards: false }, query);
    await diagnosis.page({ limit: 30, backwards: false, after: [5000] }, { ...query, states: ['REACHABLE'] });
    await diagnosis.counts(5000, query);
    for (const [text, values] of asked) {
      const plan = await runSql(url, `EXPLAIN ${isSqlite() ? 'QUERY PLAN' : 'FORMAT=TRADITIONAL'} ${text}`, values);
      const steps = plan.map((row) => row.map(String).join(' '));
      for (const step of steps) expect(step).not.toMatch(isSqlite() ? /SCAN n\b/ : / n (null )?(ALL|index) /);
    }
    expect(asked.length).toBeGreaterThan(4);
  });
});
