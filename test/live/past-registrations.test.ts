import { startApp } from '../support/app';
import { createAgent, createDid, createDomain, createGateway, createPeer, createUser } from '../support/factories';
import { eventually } from '../support/eventually';
import { COUNTING, metric, newMetrics } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { ageHistory, runSql, storeRegistrar, storeRegistrationEvent } from '../support/databases/sql';

interface Events {
  readonly totalCount?: number;
  readonly nodes: readonly Readonly<Record<string, unknown>>[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.now() - 60 * MINUTE;
const FIELDS = `event at addressOfRecord host port transport userAgent node devices status reason
  target { ... on Agent { username } ... on Peer { username } } gateway { name }`;

onEachDatabase(
  'Transitions of registrations',
  (subject) => {
    const refs: Record<string, string> = {};

    beforeAll(async () => {
      const { app, url } = subject();
      await createDomain(app, { domainUri: 'one.test' });
      refs['anna'] = await createAgent(app, { username: 'anna', domains: ['one.test'] });
      refs['pbx'] = await createPeer(app, { username: 'pbx' });
      refs['trunk'] = await createGateway(app, { name: 'trunk', host: 'trunk.test' });
      const device = { host: '192.0.2.7', port: 5070, transport: 'udp', user_agent: 'Yealink' };
      const anna = { of: 'anna@one.test', owner: `agent:${refs['anna']}`, ...device };
      const at = (minutes: number): number => START + minutes * MINUTE;
      await storeRegistrationEvent(url, { ...anna, at: at(0), devices: 1 });
      await storeRegistrationEvent(url, { ...anna, at: at(1), event: 'MOVED', host: '192.0.2.8', devices: 1 });
      // In the same millisecond.
      await storeRegistrationEvent(url, { of: 'pbx@two.test', owner: `peer:${refs['pbx']}`, at: at(2), devices: 1 });
      await storeRegistrationEvent(url, { ...anna, at: at(2), event: 'EXPIRED', devices: 0 });
      await storeRegistrationEvent(url, {
        of: 'nobody@one.test',
        at: at(3),
        event: 'REFUSED',
        host: '198.51.100.7',
        port: 9,
        status: 401,
        reason: 'Unknown \u202Euser\n',
      });
      await storeRegistrationEvent(url, { owner: `gateway:${refs['trunk']}`, at: at(4), event: 'LOST', status: 408 });
      await storeRegistrationEvent(url, { of: 'was@one.test', owner: 'agent:gone', at: at(5), devices: 2 });
    });

    const ask = async (args: string, fields = 'nodes { event }', token?: string): Promise<Events> => {
      const { data, errors } = await subject().app.graphql<{ registrationEvents: Events }>(
        `{ registrationEvents${args} { ${fields} } }`,
        {},
        { token },
      );
      if (errors) throw new Error(errors[0]?.message);
      return data.registrationEvents;
    };
    const names = ({ nodes }: Events): unknown[] => nodes.map(({ event }) => event);
    const ALL = ['REGISTERED', 'LOST', 'REFUSED', 'EXPIRED', 'REGISTERED', 'MOVED', 'REGISTERED'];

    test('are listed newest first, with what the SIP server recorded and links to what still exists', async () => {
      const nothing = {
        addressOfRecord: null,
        host: null,
        port: null,
        transport: null,
        userAgent: null,
        node: '127.0.0.1:5060',
        devices: null,
        status: null,
        reason: null,
        target: null,
        gateway: null,
      };
      const time = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();
      const device = { port: 5070, transport: 'udp', userAgent: 'Yealink', target: { username: 'anna' } };
      const anna = { ...nothing, ...device, addressOfRecord: 'sip:anna@one.test', host: '192.0.2.7' };
      const { nodes } = await ask('', `nodes { ${FIELDS} }`);
      expect(nodes).toEqual([
        { ...nothing, event: 'REGISTERED', at: time(5), addressOfRecord: 'sip:was@one.test', devices: 2 },
        { ...nothing, event: 'LOST', at: time(4), status: 408, gateway: { name: 'trunk' } },
        {
          ...nothing,
          event: 'REFUSED',
          at: time(3),
          addressOfRecord: 'sip:nobody@one.test',
          host: '198.51.100.7',
          port: 9,
          status: 401,
          reason: 'Unknown \uFFFDuser\uFFFD',
        },
        { ...anna, event: 'EXPIRED', at: time(2), devices: 0 },
        {
          ...nothing,
          event: 'REGISTERED',
          at: time(2),
          addressOfRecord: 'sip:pbx@two.test',
          devices: 1,
          target: { username: 'pbx' },
        },
        { ...anna, event: 'MOVED', at: time(1), host: '192.0.2.8', devices: 1 },
        { ...anna, event: 'REGISTERED', at: time(0), devices: 1 },
      ]);
    });

    test.each([
      ['addressOfRecord: "anna@one.test"', ['EXPIRED', 'MOVED', 'REGISTERED']],
      ['addressOfRecord: "sip:anna@ONE.test", event: MOVED', ['MOVED']],
      ['event: REGISTERED', ['REGISTERED', 'REGISTERED', 'REGISTERED']],
      ['events: [REFUSED, LOST]', ['LOST', 'REFUSED']],
      ['event: LOST, events: [REFUSED]', []],
      ['events: []', []],
      ['from: "<4>"', ['REGISTERED', 'LOST']],
      ['to: "<1>", event: MOVED', ['MOVED']],
      ['agentRef: "gone"', ['REGISTERED']],
      ['gatewayRef: "nothing"', []],
    ])('are those that meet %s', async (where, expected) => {
      const fields = 'totalCount nodes { event }';
      const filled = where.replace(/<(\d)>/, (_, minutes) => new Date(START + Number(minutes) * MINUTE).toISOString());
      const found = await ask(`(where: { ${filled} })`, fields);
      expect(names(found)).toEqual(expected);
      expect(found.totalCount).toBe(expected.length);
    });

    test.each([
      ['addressOfRecord: "anna"', 'addressOfRecord: "anna" is not an address of record'],
      ['agentRef: "a", peerRef: "b"', 'where: give one of agentRef, peerRef and gatewayRef: an event has one of them'],
    ])('cannot be asked for with %s', async (where, message) => {
      await expect(ask(`(where: { ${where} })`)).rejects.toThrow(message);
    });

    test('are read in pages, in both directions', async () => {
      const fields = 'nodes { event } pageInfo { hasNextPage endCursor }';
      const seen: unknown[] = [];
      let cursor: string | null = null;
      for (let more = true; more;) {
        const after: string = cursor === null ? '' : `, after: "${cursor}"`;
        const page = await ask(`(first: 3${after})`, fields);
        seen.push(...names(page));
        ({ hasNextPage: more, endCursor: cursor } = page.pageInfo);
      }
      expect(seen).toEqual(ALL);
      expect(names(await ask('(last: 2)'))).toEqual(ALL.slice(-2));
      await expect(ask('(after: "x")')).rejects.toThrow('after: "x" is not a cursor of a list in this order');
    });

    test('belong to agents, peers and gateways', async () => {
      const of = 'registrationEvents(first: 2) { totalCount nodes { event } pageInfo { hasNextPage } }';
      const { data } = await subject().app.graphql<Record<string, { nodes: readonly unknown[] }>>(
        `{ agents { nodes { ${of} } } peers { nodes { ${of} } } gateways { nodes { ${of} } } }`,
      );
      const page = (totalCount: number, ...events: readonly string[]) => ({
        registrationEvents: {
          totalCount,
          nodes: events.map((event) => ({ event })),
          pageInfo: { hasNextPage: totalCount > events.length },
        },
      });
      expect(data).toEqual({
        agents: { nodes: [page(3, 'EXPIRED', 'MOVED')] },
        peers: { nodes: [page(1, 'REGISTERED')] },
        gateways: { nodes: [page(1, 'LOST')] },
      });
    });

    test('have no addresses for viewers', async () => {
      const { token } = await createUser(subject().app, 'VIEWER');
      const { nodes } = await ask('(where: { event: REFUSED })', 'nodes { host port reason }', token);
      expect(nodes).toEqual([{ host: null, port: null, reason: 'Unknown \uFFFDuser\uFFFD' }]);
    });

    test('of an agent cost as many statements as those of many', async () => {
      for (let n = 0; n < 5; n++) await createAgent(subject().app, { domains: ['one.test'] });
      const query = (first: number): string =>
        `{ agents(first: ${String(first)}) { nodes { registrationEvents { nodes { event target { ... on Agent { name } } } } } } }`;
      const { url } = subject().app;
      const token = await subject().app.token();
      const statements = (): Promise<number> => metric(url, token, 'sipgraph_sql_statements_total');
      const count = async (first: number): Promise<number> => {
        const before = await statements();
        await subject().app.graphql(query(first));
        return (await statements()) - before;
      };
      await count(1);
      expect(await count(6)).toBe(await count(1));
    });

    test('are counted', async () => {
      await storeRegistrar(subject().url, START);
      // Counts are cached for 15 s.
      const app = await startApp({ DATABASE_URL: subject().url });
      const text = await newMetrics(app.url, await app.token());
      await app.close();
      expect(text).toContain('sipgraph_registration_events_total{event="moved"} 4');
      expect(text).toContain('sipgraph_registration_events_lost_total 6');
    });
  },
  COUNTING,
);

onEachDatabase(
  'The upkeep of transitions',
  (subject) => {
    test('deletes those that are older than LIVE_DAYS', async () => {
      const { url } = subject();
      await storeRegistrationEvent(url, { of: 'old@one.test', at: Date.now() - 3 * DAY });
      await storeRegistrationEvent(url, { of: 'new@one.test', at: Date.now() - DAY });
      await eventually(75, async () =>
        expect(await runSql(url, 'SELECT username FROM registration_events')).toEqual([['new']]),
      );
    }, 90_000);

    test('does not forget what it deleted when LIVE_DAYS is raised', async () => {
      const { app, url } = subject();
      await createDomain(app, { domainUri: 'one.test' });
      await createAgent(app, { username: 'anna', domains: ['one.test'] });
      const gatewayRef = await createGateway(app, { name: 'trunk', host: 'trunk.test' });
      await createDid(app, { telUrl: 'tel:+4930100', gatewayRef, aorLink: 'sip:anna@one.test' });
      await ageHistory(url, 10 * DAY);
      await storeRegistrar(url, Date.now() - 9 * DAY);
      await storeRegistrationEvent(url, { of: 'anna@one.test', at: Date.now() - 3 * DAY, devices: 1 });
      await eventually(75, async () =>
        expect(await runSql(url, "SELECT id FROM registration_events WHERE username = 'anna'")).toEqual([]),
      );
      const other = await startApp({ DATABASE_URL: url, LIVE_DAYS: '7' });
      const { data } = await other.graphql(
        'query ($at: DateTimeISO!) { explainNumber(telUrl: "+4930100", at: $at) { state unknown } }',
        { at: new Date(Date.now() - 2.5 * DAY).toISOString() },
      );
      await other.close();
      expect(data).toEqual({
        explainNumber: {
          state: 'UNKNOWN',
          unknown: [expect.stringMatching(/what was registered is not known: .* on record since 20.* \(LIVE_DAYS\)$/)],
        },
      });
    }, 90_000);
  },
  { LIVE_DAYS: '2' },
  { callsMaintainedEvery: 200 },
);
