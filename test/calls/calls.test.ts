import { sql, useIndex } from '../../src/database/fragment';
import { ofDomain, ofNumber, ofRoute } from '../../src/sip/calls/call-query';
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
import { runCommand } from '../support/command-line';
import { eventually } from '../support/eventually';
import { COUNTING, metric, newMetrics } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { ageHistory, runSql, storeCall } from '../support/databases/sql';

interface Owner {
  readonly calls: Calls;
}

interface Calls {
  readonly totalCount?: number;
  readonly nodes: readonly Readonly<Record<string, unknown>>[];
  readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NEW = Date.now() - HOUR;

const STATES = { CALLING: 1, RINGING: 2, ANSWERED: 3, LOST: 4, FAILED: 5, ENDED: 6 };

onEachDatabase(
  'Calls',
  (subject) => {
    const refs: Record<string, string> = {};

    beforeAll(async () => {
      const { app, url } = subject();
      refs['domain'] = await createDomain(app, { domainUri: 'one.test' });
      refs['anna'] = await createAgent(app, { username: 'anna', domains: ['one.test'] });
      refs['bert'] = await createAgent(app, { username: 'bert', domains: ['one.test'] });
      refs['pbx'] = await createPeer(app, { username: 'pbx' });
      refs['trunk'] = await createGateway(app, { name: 'trunk', host: 'trunk.test' });
      refs['other'] = await createGateway(app, { name: 'other', host: 'other.test' });
      refs['did'] = await createDid(app, { telUrl: 'tel:+4930100', gatewayRef: refs['trunk'] });
      refs['number'] = await createNumber(app, { telUrl: 'tel:+4930200', gatewayRef: refs['other'] });
      refs['route'] = await createRoute(app, {
        name: 'abroad',
        domainRef: refs['domain'],
        numberRefs: [refs['number']],
      });
      // They existed when the calls began.
      await ageHistory(url, DAY);
      const [anna, bert, pbx] = [`agent:${refs['anna']}`, `agent:${refs['bert']}`, `peer:${refs['pbx']}`];
      const seconds = (after: number): number => NEW + after * 1000;
      // From the oldest to the newest. Two begin in the same millisecond.
      await storeCall(url, {
        callId: 'ended',
        state: STATES.ENDED,
        begun: seconds(0),
        direction: 'IN',
        from_uri: 'sip:+491771234567@provider.test',
        to_uri: 'sip:+4930100@203.0.113.10',
        called: 'sip:anna@one.test',
        callee: anna,
        number: '4930100',
        gateway_ref: refs['trunk'],
        source: '203.0.113.10',
        ringing: seconds(2),
        answered: seconds(6),
        ended: seconds(66),
        ended_by: 'CALLER',
        status: 200,
        reason: 'OK',
        reason_header: 'Q.850;cause=16',
      });
      const failed = { state: STATES.FAILED, ended_by: 'CALLEE', direction: 'OUT', from_uri: 'sip:anna@one.test' };
      await storeCall(url, {
        ...failed,
        callId: 'busy',
        begun: seconds(10),
        caller: anna,
        called: '+4940555000',
        domain_ref: refs['domain'],
        route_ref: refs['route'],
        to_uri: 'sip:+4940555000@one.test',
        number: '4930200',
        gateway_ref: refs['other'],
        ringing: seconds(14),
        ended: seconds(20),
        status: 486,
        // A provider may send anything: characters that write from right to left, and a line break.
        reason: 'Busy \u202Eereh\n',
        attempts: JSON.stringify({
          10: ['gone', 'sip:198.51.100.9:5060;transport=udp', seconds(19), null, null, null, null],
          1: [refs['other'], 'sip:198.51.100.8:5060;transport=udp', seconds(12), seconds(20), 486, 'Busy \u202E', null],
          0: [
            refs['trunk'],
            'sip:198.51.100.7:5060;transport=udp',
            seconds(10),
            seconds(12),
            503,
            'No',
            'Q.850;cause=34',
          ],
        }),
      });
      await storeCall(url, {
        callId: 'own',
        state: STATES.ENDED,
        begun: seconds(20),
        caller: pbx,
        callee: pbx,
        status: 200,
      });
      await storeCall(url, {
        callId: 'internal',
        state: STATES.ANSWERED,
        begun: seconds(20),
        direction: 'INTERNAL',
        domain_ref: refs['domain'],
        caller: anna,
        callee: bert,
        number: '4930100',
        answered: seconds(25),
        status: 200,
      });
      await storeCall(url, {
        callId: 'gone',
        state: STATES.LOST,
        begun: seconds(30),
        callee: 'agent:gone',
        gateway_ref: 'gone',
      });
      await storeCall(url, { callId: 'ringing', state: STATES.RINGING, begun: seconds(40), caller: bert, callee: pbx });
      // The nodes of these calls report.
      await runSql(
        url,
        'INSERT INTO call_nodes (node, seen_on, begun, answered, failed, busy, unrecorded) VALUES (?, ?, 7, 2, 1, 1, 3)',
        ['127.0.0.1:5060', Date.now() + DAY],
      );
    });

    const ask = async (args: string, fields = 'nodes { callId }', token?: string): Promise<Calls> => {
      const { data, errors } = await subject().app.graphql<{ calls: Calls }>(
        `{ calls${args} { ${fields} } }`,
        {},
        { token },
      );
      if (errors) throw new Error(errors[0]?.message);
      return data.calls;
    };
    const ids = ({ nodes }: Calls): unknown[] => nodes.map(({ callId }) => callId);
    const ALL = ['ringing', 'gone', 'internal', 'own', 'busy', 'ended'];

    test('are listed with what the SIP server recorded, and with links to what still exists', async () => {
      const fields = `callId fromTag state direction from to called digits gatewayRef domainRef routeRef source node begunOn ringingOn answeredOn
        endedOn endedBy status reason reasonHeader gateway { name } domain { domainUri } route { name }
        caller { ... on Agent { username } ... on Peer { username } } callee { ... on Agent { username } ... on Peer { username } }
        number { ... on DID { telUrl } ... on Number { telUrl } }`;
      const { nodes } = await ask('', `nodes { ${fields} }`);
      const nothing = {
        fromTag: 't',
        direction: null,
        from: null,
        to: null,
        called: null,
        digits: null,
        gatewayRef: null,
        domainRef: null,
        routeRef: null,
        source: null,
        node: '127.0.0.1:5060',
        ringingOn: null,
        answeredOn: null,
        endedOn: null,
        endedBy: null,
        status: null,
        reason: null,
        reasonHeader: null,
        gateway: null,
        domain: null,
        route: null,
        caller: null,
        callee: null,
        number: null,
      };
      const time = (after: number): string => new Date(NEW + after * 1000).toISOString();
      expect(nodes).toEqual([
        {
          ...nothing,
          callId: 'ringing',
          state: 'RINGING',
          begunOn: time(40),
          caller: { username: 'bert' },
          callee: { username: 'pbx' },
        },
        { ...nothing, callId: 'gone', state: 'LOST', begunOn: time(30), gatewayRef: 'gone' },
        {
          ...nothing,
          callId: 'internal',
          state: 'ANSWERED',
          direction: 'INTERNAL',
          domainRef: refs['domain'],
          domain: { domainUri: 'one.test' },
          begunOn: time(20),
          answeredOn: time(25),
          caller: { username: 'anna' },
          callee: { username: 'bert' },
          digits: '4930100',
          number: { telUrl: 'tel:+4930100' },
          status: 200,
        },
        {
          ...nothing,
          callId: 'own',
          state: 'ENDED',
          begunOn: time(20),
          caller: { username: 'pbx' },
          callee: { username: 'pbx' },
          status: 200,
        },
        {
          ...nothing,
          callId: 'busy',
          state: 'FAILED',
          direction: 'OUT',
          from: 'sip:anna@one.test',
          to: 'sip:+4940555000@one.test',
          called: '+4940555000',
          begunOn: time(10),
          ringingOn: time(14),
          endedOn: time(20),
          endedBy: 'CALLEE',
          status: 486,
          reason: 'Busy \uFFFDereh\uFFFD',
          gatewayRef: refs['other'],
          gateway: { name: 'other' },
          domainRef: refs['domain'],
          domain: { domainUri: 'one.test' },
          routeRef: refs['route'],
          route: { name: 'abroad' },
          caller: { username: 'anna' },
          digits: '4930200',
          number: { telUrl: 'tel:+4930200' },
        },
        {
          ...nothing,
          callId: 'ended',
          state: 'ENDED',
          direction: 'IN',
          from: 'sip:+491771234567@provider.test',
          to: 'sip:+4930100@203.0.113.10',
          called: 'sip:anna@one.test',
          source: '203.0.113.10',
          begunOn: time(0),
          ringingOn: time(2),
          answeredOn: time(6),
          endedOn: time(66),
          endedBy: 'CALLER',
          status: 200,
          reason: 'OK',
          reasonHeader: 'Q.850;cause=16',
          gatewayRef: refs['trunk'],
          gateway: { name: 'trunk' },
          callee: { username: 'anna' },
          digits: '4930100',
          number: { telUrl: 'tel:+4930100' },
        },
      ]);
    });

    test.each([
      ['{ state: RINGING }', ['ringing']],
      ['{ states: [CALLING, RINGING, ANSWERED] }', ['ringing', 'internal']],
      ['{ state: ANSWERED, states: [CALLING, RINGING] }', []],
      ['{ states: [] }', []],
      ['{ direction: OUT }', ['busy']],
      ['{ callId: "own" }', ['own']],
      ['{ agentRef: "$anna" }', ['internal', 'busy', 'ended']],
      ['{ agentRef: "$anna", states: [FAILED, ENDED] }', ['busy', 'ended']],
      ['{ agentRef: "$anna", gatewayRef: "$trunk" }', ['ended']],
      ['{ agentRef: "$pbx" }', []],
      ['{ peerRef: "$pbx" }', ['ringing', 'own']],
      ['{ agentRef: "$bert", peerRef: "$pbx" }', ['ringing']],
      ['{ gatewayRef: "gone" }', ['gone']],
      ['{ domainRef: "$domain" }', ['internal', 'busy']],
      ['{ domainRef: "$domain", state: FAILED }', ['busy']],
      ['{ routeRef: "$route" }', ['busy']],
      ['{ routeRef: "$route", domainRef: "gone" }', []],
      ['{ digits: "4930100" }', ['internal', 'ended']],
      ['{ status: 486 }', ['busy']],
      ['{ search: "771234" }', ['ended']],
      ['{ search: "ANNA@one" }', ['busy', 'ended']],
      ['{ search: "%" }', []],
      // Numbers in any spelling.
      ['{ digits: "+49 (30) 100" }', ['internal', 'ended']],
      ['{ search: "77-12 34" }', ['ended']],
      ['{ search: "+77 12 34" }', ['ended']],
      ['{ from: "$from", to: "$to" }', ['gone', 'internal', 'own', 'busy']],
      ['{ from: "$from", state: FAILED }', ['busy']],
      ['{}', ALL],
    ])('are selected, and counted: where %s', async (where, expected) => {
      const values = { ...refs, from: new Date(NEW + 10_000).toISOString(), to: new Date(NEW + 30_000).toISOString() };
      const filled = where.replace(/\$(\w+)/g, (_, name: keyof typeof values) => values[name]);
      const found = await ask(`(where: ${filled})`, 'totalCount nodes { callId }');
      expect([ids(found), found.totalCount]).toEqual([expected, expected.length]);
    });

    test.each([
      ['{ digits: "4930100", gatewayRef: "$trunk" }', ['ended']],
      ['{ digits: "4930100", gatewayRef: "gone" }', []],
    ])('of a number through a gateway are selected: where %s', async (where, expected) => {
      const filled = where.replace('$trunk', refs['trunk'] ?? '');
      const found = await ask(`(where: ${filled})`, 'totalCount nodes { callId }');
      expect([ids(found), found.totalCount]).toEqual([expected, expected.length]);
    });

    test.each([['trunk'], [null]])(
      'of a number through a gateway (%s) are read in order from an index',
      async (gateway) => {
        const { url } = subject();
        const isSqlite = url.startsWith('sqlite:');
        const [way] = ofNumber('4930100', gateway);
        if (!way) throw new Error('there is a way');
        const { text, values } = sql`SELECT id FROM calls ${useIndex(isSqlite ? 'sqlite' : 'mysql', way.index)}
        WHERE ${way.condition} ORDER BY begun DESC, id DESC LIMIT 31`;
        const explain = isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN FORMAT=TRADITIONAL';
        const plan = JSON.stringify(await runSql(url, `${explain} ${text}`, values));
        expect(plan).toMatch(
          isSqlite ? /calls_number_gateway \(number=\? AND gateway_ref=\?\)/ : /"calls_number_gateway"/,
        );
        expect(plan).not.toMatch(/filesort|TEMP B-TREE/i);
      },
    );

    test.each([
      ['calls_domain', ofDomain],
      ['calls_route', ofRoute],
    ] as const)('of a domain or route are read in order from an index: %s', async (index, waysOf) => {
      const { url } = subject();
      const isSqlite = url.startsWith('sqlite:');
      const [way] = waysOf('x');
      if (!way) throw new Error('there is a way');
      const { text, values } = sql`SELECT id FROM calls ${useIndex(isSqlite ? 'sqlite' : 'mysql', way.index)}
        WHERE ${way.condition} ORDER BY begun DESC, id DESC LIMIT 31`;
      const explain = isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN FORMAT=TRADITIONAL';
      const plan = JSON.stringify(await runSql(url, `${explain} ${text}`, values));
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/filesort|TEMP B-TREE|SCAN calls|"ALL"/);
    });

    test.each(['NEWEST', 'OLDEST'])('are returned in pages, %s first', async (order) => {
      const all: unknown[] = [];
      for (let after = '', more = true; more;) {
        const page: Calls = await ask(
          `(first: 1, orderBy: ${order}${after})`,
          'nodes { callId } pageInfo { hasNextPage endCursor }',
        );
        all.push(...ids(page));
        after = `, after: "${page.pageInfo?.endCursor ?? ''}"`;
        more = page.pageInfo?.hasNextPage ?? false;
      }
      expect(all).toEqual(order === 'NEWEST' ? ALL : ALL.toReversed());
      expect(ids(await ask(`(last: 2, orderBy: ${order})`))).toEqual(all.slice(-2));
    });

    test('are found by their id, as long as they are kept', async () => {
      const [{ id } = {}] = (await ask('(where: { callId: "busy" })', 'nodes { id }')).nodes;
      const { data } = await subject().app.graphql('query ($id: ID!) { call(id: $id) { callId } }', { id });
      expect(data).toEqual({ call: { callId: 'busy' } });
      const other = Buffer.from('Call:999999').toString('base64url');
      expect((await subject().app.graphql(`{ call(id: "${other}") { callId } }`)).data).toEqual({ call: null });
    });

    test.each([
      ['agents', ['internal', 'ringing', 'internal', 'busy', 'ended'], [2, 3]],
      ['peers', ['ringing', 'own'], [2]],
      ['gateways', ['busy', 'ended'], [1, 1]],
      ['dids', ['internal', 'ended'], [2]],
      ['numbers', ['busy'], [1]],
      ['domains', ['busy', 'internal'], [2]],
      ['routes', ['busy'], [1]],
    ])('of %s are connections, for a page in a fixed number of statements', async (kinds, expected, counts) => {
      const { app } = subject();
      const read = async (fields: string): Promise<readonly Owner[]> => {
        const { data, errors } = await app.graphql<Record<string, { nodes: readonly Owner[] }>>(
          `{ ${kinds}(first: 100) { nodes { ref ${fields} } } }`,
        );
        expect(errors).toBeUndefined();
        return data[kinds]?.nodes ?? [];
      };
      const owners = await read('calls { totalCount nodes { callId } }');
      expect(owners.flatMap(({ calls }) => ids(calls)).toSorted()).toEqual([...expected].toSorted());
      expect(owners.map(({ calls }) => calls.totalCount).toSorted()).toEqual(counts.toSorted());
      const sent = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const costOf = async (fields: string): Promise<number> => {
        const before = await sent();
        await read(fields);
        return (await sent()) - before;
      };
      expect((await costOf('calls(first: 1) { nodes { callId } }')) - (await costOf(''))).toBe(5);
    });

    test('of a resource are returned in pages', async () => {
      const page = async (after: string): Promise<Calls> => {
        const { data } = await subject().app.graphql<{ agent: { calls: Calls } }>(
          `{ agent(ref: "${refs['anna'] ?? ''}") { calls(first: 2${after}) { nodes { callId } pageInfo { hasNextPage endCursor } } } }`,
        );
        return data.agent.calls;
      };
      const first = await page('');
      expect(ids(first)).toEqual(['internal', 'busy']);
      expect(ids(await page(`, after: "${first.pageInfo?.endCursor ?? ''}"`))).toEqual(['ended']);
    });

    test('have their attempts, in the order in which they were made', async () => {
      const fields = 'attempts { gatewayRef gateway { name } destination at duration status reason reasonHeader }';
      const time = (after: number): string => new Date(NEW + after * 1000).toISOString();
      const { nodes } = await ask('(where: { callId: "busy" })', `nodes { ${fields} }`);
      const [first, second, last] = [
        {
          gatewayRef: refs['trunk'],
          gateway: { name: 'trunk' },
          destination: 'sip:198.51.100.7:5060;transport=udp',
          at: time(10),
          duration: 2000,
          status: 503,
          reason: 'No',
          reasonHeader: 'Q.850;cause=34',
        },
        {
          gatewayRef: refs['other'],
          gateway: { name: 'other' },
          destination: 'sip:198.51.100.8:5060;transport=udp',
          at: time(12),
          duration: 8000,
          status: 486,
          reason: 'Busy \uFFFD',
          reasonHeader: null,
        },
        {
          gatewayRef: 'gone',
          gateway: null,
          destination: 'sip:198.51.100.9:5060;transport=udp',
          at: time(19),
          duration: null,
          status: null,
          reason: null,
          reasonHeader: null,
        },
      ];
      expect(nodes).toEqual([{ attempts: [first, second, last] }]);
      expect((await ask('(where: { callId: "own" })', `nodes { ${fields} }`)).nodes).toEqual([{ attempts: [] }]);
    });

    test('are printed by the command line, by id or Call-ID, with their attempts', async () => {
      const { url } = subject();
      const [{ id } = {}] = (await ask('(where: { callId: "busy" })', 'nodes { id }')).nodes;
      for (const argument of ['busy', String(id)]) {
        const { out, code } = await runCommand({ DATABASE_URL: url }, 'call', argument);
        expect([code, out]).toEqual([0, expect.stringMatching(/^callId +busy$/m)]);
        expect(out).toMatch(/ 503 No +Q\.850;cause=34 +2000 ms\n.* 486 Busy/);
      }
      const { code, err } = await runCommand({ DATABASE_URL: url }, 'call', 'unknown');
      expect([code, err]).toEqual([1, expect.stringContaining('call "unknown" does not exist')]);
    });

    test('of a domain and by a route are printed by the command line', async () => {
      const print = async (...args: readonly string[]): Promise<readonly unknown[]> => {
        const { out } = await runCommand({ DATABASE_URL: subject().url }, 'calls', '--json', ...args);
        return (JSON.parse(out) as { readonly calls: Calls['nodes'] }).calls.map(({ callId }) => callId);
      };
      expect(await print('--domain', refs['domain'] ?? '')).toEqual(['internal', 'busy']);
      expect(await print('--route', refs['route'] ?? '')).toEqual(['busy']);
    });

    test('take as many statements for many as for one, and one for each of their links', async () => {
      const { app } = subject();
      const sent = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const costOf = async (first: number, fields: string): Promise<number> => {
        const before = await sent();
        await ask(`(first: ${String(first)})`, `nodes { ${fields} }`);
        return (await sent()) - before;
      };
      const one = await costOf(1, 'callId');
      expect(await costOf(100, 'callId')).toBe(one);
      expect(await costOf(100, 'callId gateway { name }')).toBe(one + 4);
      // Whether they are still the same is asked of all links together.
      expect(await costOf(100, 'callId gateway { name } domain { name } route { name }')).toBe(one + 6);
      expect(await costOf(100, 'callId attempts { status }')).toBe(one + 1);
      expect(await costOf(100, 'callId attempts { gateway { name } }')).toBe(one + 5);
    });

    test('are counted by status, gateway and hour, with their ratios and averages', async () => {
      const count = async (by: string): Promise<unknown> => {
        const { data, errors } = await subject().app.graphql<{ callCounts: unknown }>(
          `{ callCounts(by: ${by}) { status gatewayRef calls answered answerSeizureRatio averageDuration averagePostDialDelay
            postDialDelayP50 postDialDelayP95 gateway { name } } }`,
        );
        expect(errors).toBeUndefined();
        return data.callCounts;
      };
      const none = {
        status: null,
        gatewayRef: null,
        gateway: null,
        averageDuration: null,
        averagePostDialDelay: null,
        postDialDelayP50: null,
        postDialDelayP95: null,
      };
      expect(await count('STATUS')).toEqual([
        {
          ...none,
          status: 200,
          calls: 3,
          answered: 2,
          answerSeizureRatio: 2 / 3,
          averageDuration: 60,
          averagePostDialDelay: 3.5,
          postDialDelayP50: 2,
          postDialDelayP95: 5,
        },
        { ...none, calls: 2, answered: 0, answerSeizureRatio: 0 },
        {
          ...none,
          status: 486,
          calls: 1,
          answered: 0,
          answerSeizureRatio: 0,
          averagePostDialDelay: 4,
          postDialDelayP50: 4,
          postDialDelayP95: 4,
        },
      ]);
      expect(await count('GATEWAY')).toContainEqual({
        ...none,
        gatewayRef: refs['trunk'],
        gateway: { name: 'trunk' },
        calls: 1,
        answered: 1,
        answerSeizureRatio: 1,
        averageDuration: 60,
        averagePostDialDelay: 2,
        postDialDelayP50: 2,
        postDialDelayP95: 2,
      });
      const { data } = await subject().app.graphql<{ callCounts: readonly { hour: string; calls: number }[] }>(
        '{ callCounts(by: HOUR) { hour calls } }',
      );
      const hours = data.callCounts.map(({ hour }) => hour);
      expect(hours).toEqual(hours.toSorted());
      expect(hours[0]).toMatch(/:00:00\.000Z$/);
      expect(data.callCounts.reduce((sum, { calls }) => sum + calls, 0)).toBe(ALL.length);
    });

    test.each([
      ['calls(after: "x") { totalCount }', 'after: "x" is not a cursor of a list in this order', ['after']],
      ['calls(first: 101) { totalCount }', 'first: 101 is not a number from 1 to 100', ['first']],
      [
        `calls(where: { search: "${'x'.repeat(101)}" }) { totalCount }`,
        'search: is longer than 100 characters',
        ['search'],
      ],
      ['calls(where: { digits: "anna" }) { totalCount }', 'digits: "anna" is not a telephone number', ['digits']],
      ['call(id: "x") { callId }', 'id: "x" is not an id of a call', ['id']],
      [
        'callCounts(by: HOUR, from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z") { calls }',
        'from: is not before to',
        ['from'],
      ],
      [
        'callCounts(by: HOUR, from: "2026-01-01T00:00:00Z", to: "2026-02-02T00:00:00Z") { calls }',
        'from: is more than 31 days before to',
        ['from'],
      ],
      ['callCounts(by: STATUS, first: 1001) { calls }', 'first: 1001 is not a number from 1 to 1000', ['first']],
      [
        'callCounts(by: GATEWAY, first: 1000) { gateway { calls(first: 100) { nodes { from } } } }',
        expect.stringContaining('request smaller pages'),
        undefined,
      ],
    ])('are not read with bad arguments: %s', async (field, message, fields) => {
      const { errors } = await subject().app.graphql(`{ ${field} }`);
      expect(errors?.[0]).toMatchObject({ message, extensions: fields ? { code: 'BAD_USER_INPUT', fields } : {} });
    });

    test('are in the metrics: those in progress, and what the nodes counted', async () => {
      const { app } = subject();
      const text = await newMetrics(app.url, await app.token());
      for (const line of [
        'sipgraph_calls_in_progress 2',
        'sipgraph_calls_total{event="begun"} 7',
        'sipgraph_calls_total{event="answered"} 2',
        'sipgraph_calls_total{event="failed"} 1',
        'sipgraph_calls_failed_total{class="busy"} 1',
        'sipgraph_calls_failed_total{class="other"} 0',
        'sipgraph_calls_lost_events_total 3',
      ])
        expect(text.split('\n')).toContain(line);
    });

    test('need a token, and are no part of REST', async () => {
      const { app } = subject();
      const { errors } = await app.graphql('{ calls { totalCount } }', {}, { token: null });
      expect(errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
      const { body } = await app.rest('GET', `/agents/${refs['anna'] ?? ''}`);
      expect(JSON.stringify(body)).not.toContain('calls');
    });
  },
  COUNTING,
);

onEachDatabase(
  'With CALLS_PRIVACY=on, calls',
  (subject) => {
    let viewer: string;

    beforeAll(async () => {
      const { app, url } = subject();
      viewer = (await createUser(app, 'VIEWER')).token;
      await storeCall(url, {
        from_uri: 'sip:+49-177-1234567@203.0.113.10',
        to_uri: 'sip:1001@one.test',
        called: '+4940555000',
        number: '4930100200',
        source: '203.0.113.10',
        call_id: 'a1b2@203.0.113.10',
        reason: 'No user 4930100200',
        attempts: JSON.stringify({ 0: [null, 'sip:192.0.2.7:5060', 1, 2, 404, 'No user 4930100200', null] }),
      });
    });

    const FIELDS =
      '{ calls { nodes { from to called digits source callId fromTag reason attempts { destination reason reasonHeader } } } }';

    test('are shortened for viewers, without addresses', async () => {
      const { data } = await subject().app.graphql(FIELDS, {}, { token: viewer });
      const shown = {
        from: 'sip:+49-177-123…@…',
        to: 'sip:1001@one.test',
        called: '+494055…',
        // A number of ours is not personal data of a caller: viewers read all DIDs and Numbers.
        digits: '4930100200',
        source: null,
        callId: '…',
        fromTag: '…',
        reason: 'No user 493010…',
        attempts: [{ destination: null, reason: 'No user 493010…', reasonHeader: null }],
      };
      expect(data).toEqual({ calls: { nodes: [shown] } });
    });

    test('are complete for operators', async () => {
      const { token } = await createUser(subject().app, 'OPERATOR');
      const { data } = await subject().app.graphql(FIELDS, {}, { token });
      expect(data).toMatchObject({
        calls: { nodes: [{ from: 'sip:+49-177-1234567@203.0.113.10', source: '203.0.113.10' }] },
      });
    });

    test.each([
      ['search: "4567"', 'numbers'],
      ['reason: "4567"', 'numbers'],
      ['callId: "a1b2@203.0.113.10"', 'Call-IDs'],
    ])('cannot be searched by viewers: %s', async (where, what) => {
      const { app } = subject();
      const documents = [
        `{ calls(where: { ${where} }) { totalCount } }`,
        `mutation { startExport(of: { calls: { ${where} } }) { ref } }`,
      ];
      for (const document of documents) {
        const { errors } = await app.graphql(document, {}, { token: viewer });
        expect(errors?.[0]).toMatchObject({
          message: `where: viewers cannot search for ${what} while CALLS_PRIVACY is on`,
          extensions: { code: 'FORBIDDEN' },
        });
      }
    });

    test('of a number of ours are found by viewers, like those of its page', async () => {
      const { data } = await subject().app.graphql(
        '{ calls(where: { digits: "4930100200" }) { nodes { digits } } }',
        {},
        { token: viewer },
      );
      expect(data).toEqual({ calls: { nodes: [{ digits: '4930100200' }] } });
    });

    test.each([
      ['sip:anna.maria@one.test', 'sip:anna.maria@one.test'],
      ['sip:%34%39%33%30%31@one.test', 'sip:…@one.test'],
      ['sip:49_30_12_34_56_78_9@one.test', 'sip:…@one.test'],
      ['sip:192.168.10.20@one.test', 'sip:…@one.test'],
      ['sip:10.1.2.3@one.test', 'sip:…@one.test'],
      ['sip:c0a80a14@one.test', 'sip:…@one.test'],
      ['sip:bob:4930123456@one.test', 'sip:…@one.test'],
      ['sip:bob@one.test;maddr=203.0.113.9;x-tel=+4930123456789', 'sip:bob@one.test…'],
      ['sip:bob@one.test:5060?x-tel=4930123456', 'sip:bob@one.test…'],
      ['sip:bob@0xcb007107', 'sip:bob@…'],
      ['sip:bob@3405803783', 'sip:bob@…'],
      ['sip:bob@[2001:db8::1]', 'sip:bob@…'],
      ['sip:bob@4930123456789.e164.arpa', 'sip:bob@…'],
      ['sip:bob@3.2.1.0.3.9.4.e164.arpa', 'sip:bob@…'],
      ['sip:bob@host-10-1-2-3.provider.test', 'sip:bob@…'],
      ['sip:203.0.113.7', 'sip:…'],
      ['tel:+4930123456;ext=12', 'tel:…'],
    ])('show viewers of %s only what is harmless', async (from, shown) => {
      const { app, url } = subject();
      const callId = `uri ${from}`;
      await storeCall(url, { callId, from_tag: 'as203.0.113.7', from_uri: from, to_uri: from, called: from });
      const { data } = await app.graphql(
        '{ calls(first: 1) { nodes { callId fromTag from to called } } }',
        {},
        { token: viewer },
      );
      expect(data).toEqual({
        calls: { nodes: [{ callId: '…', fromTag: '…', from: shown, to: shown, called: shown }] },
      });
    });

    test.each([
      ['Busy Here', 'Busy Here'],
      ['SIP ;cause=487 ;text="Request Terminated"', 'SIP ;cause=487 ;text="Request Terminated"'],
      ['No user 49 30 12 34 56 78 9', 'No user …'],
      ['No user %34%39%33%30', 'No user %…'],
      ['No user x4930123456', 'No user …'],
      ['At 2001:db8::1234', 'At …'],
      ['At 203.0.113.7:5060', 'At …'],
    ])('show viewers of the reason %s only what is harmless', async (reason, shown) => {
      const { app, url } = subject();
      const attempts = JSON.stringify({ 0: [null, null, 1, 2, 404, reason, reason] });
      await storeCall(url, { callId: `reason ${reason}`, reason, reason_header: reason, attempts });
      const { data } = await app.graphql(
        '{ calls(first: 1) { nodes { reason reasonHeader attempts { reason reasonHeader } } } }',
        {},
        { token: viewer },
      );
      const both = { reason: shown, reasonHeader: shown };
      expect(data).toEqual({ calls: { nodes: [{ ...both, attempts: [both] }] } });
    });
  },
  { CALLS_PRIVACY: 'on' },
);

onEachDatabase(
  'The upkeep of calls',
  (subject) => {
    test('deletes those that are older than CALLS_DAYS, and closes those of nodes that are gone', async () => {
      const { url } = subject();
      const now = Date.now();
      const node = (name: string, ago: number): Promise<unknown> =>
        runSql(
          url,
          'INSERT INTO call_nodes (node, seen_on, begun, answered, failed, unrecorded) VALUES (?, ?, 0, 0, 0, 0)',
          [name, now - ago],
        );
      await node('there', MINUTE);
      await node('gone', HOUR);
      await storeCall(url, { callId: 'old', begun: now - 3 * DAY });
      await storeCall(url, { callId: 'kept', begun: now - DAY });
      await storeCall(url, { callId: 'there', node: 'there', state: STATES.ANSWERED, begun: now - HOUR });
      await storeCall(url, {
        callId: 'gone',
        node: 'gone',
        state: STATES.ANSWERED,
        begun: now - HOUR,
        answered: now - HOUR,
      });
      await storeCall(url, { callId: 'unknown', node: 'unknown', state: STATES.CALLING, begun: now - HOUR });
      await storeCall(url, { callId: 'new', node: 'unknown', state: STATES.CALLING, begun: now });
      await eventually(75, async () =>
        expect(await runSql(url, 'SELECT call_id, state, ended FROM calls ORDER BY id')).toEqual([
          ['kept', STATES.ENDED, null],
          ['there', STATES.ANSWERED, null],
          ['gone', STATES.LOST, null],
          ['unknown', STATES.LOST, null],
          ['new', STATES.CALLING, null],
        ]),
      );
    });
  },
  { CALLS_DAYS: '2' },
  { callsMaintainedEvery: 200 },
);
