import { createAgent, createDomain, createGateway, createNumber, createRoute } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const HOST = '198.51.100.7';
const [SECOND, THIRD] = ['198.51.100.8', 'sip.third.test'];
const DESTINATIONS = [
  { host: SECOND, port: 5070, transport: 'TCP', priority: 2, weight: 30, enabled: true },
  { host: THIRD },
  { host: '198.51.100.9', priority: 1, weight: 30 },
  { host: '198.51.100.10', enabled: false },
];
const FIELDS = 'destinations { host port transport priority weight enabled draining }';
const EMPTY = { port: null, transport: null, priority: null, weight: null, enabled: null, draining: null };
const SHOWN = DESTINATIONS.map((each) => ({ ...EMPTY, ...each }));

interface Explained {
  readonly explainCall: {
    readonly outcome: string;
    readonly summary: string;
    readonly steps: readonly { readonly summary: string }[];
    readonly attempts: readonly { readonly requestUri: string; readonly health: string }[];
  };
}

const EXPLAIN = `query ($from: String!, $to: String!, $source: String) {
  explainCall(from: $from, to: $to, sourceAddress: $source) { outcome summary steps { summary } attempts { requestUri health } }
}`;

onEachDriver('Destinations of a gateway', (subject) => {
  let ref: string;

  beforeAll(async () => {
    const { app } = subject();
    ref = await createGateway(app, { name: 'Four', host: HOST, destinations: DESTINATIONS });
    const number = await createNumber(app, { telUrl: 'tel:+49301', gatewayRef: ref, aorLink: 'sip:anna@one.test' });
    const domainRef = await createDomain(app, { domainUri: 'one.test' });
    await createRoute(app, { domainRef, prefix: '+33', numberRefs: [number] });
    await createAgent(app, { username: 'anna', domains: ['one.test'] });
  });

  const explain = async (from: string, to: string, source?: string): Promise<Explained['explainCall']> => {
    const { data, errors } = await subject().app.graphql<Explained>(EXPLAIN, { from, to, source });
    if (errors) throw new Error(JSON.stringify(errors));
    return data.explainCall;
  };

  test('are read as they were written, in GraphQL and in documents', async () => {
    const { app } = subject();
    const { data } = await app.graphql(`query ($ref: String!) { gateway(ref: $ref) { ${FIELDS} } }`, { ref });
    expect(data).toEqual({ gateway: { destinations: SHOWN } });
    const { body } = await app.rest('GET', `/gateways/${ref}`);
    const stored = DESTINATIONS.map((each) => ({ ...each, ...(each.transport && { transport: 'tcp' }) }));
    expect(body).toMatchObject({ data: { spec: { destinations: stored } } });
    const other = await createGateway(app);
    expect((await app.rest('GET', `/gateways/${other}`)).text).not.toContain('destinations');
  });

  test('are written by documents and by CSV, and null removes them', async () => {
    const { app } = subject();
    const spec = { host: 'a.document.test', transport: 'udp', destinations: [{ host: 'B.document.test', weight: 5 }] };
    const document = { apiVersion: 'v1beta1', kind: 'Gateway', metadata: { name: 'Document' }, spec };
    const created = await app.rest<string>('POST', '/gateways', { body: document });
    expect(created.status).toBe(201);
    const csv = `name,host,transport,destinations\nRow,a.row.test,UDP,"[{""host"":""b.row.test"",""port"":5062}]"\n`;
    const imported = await app.graphql(
      'mutation ($csv: String!) { importCsv(kind: Gateway, csv: $csv) { imported } }',
      { csv },
    );
    expect(imported.data).toEqual({ importCsv: { imported: true } });
    const read = (name: string) =>
      app.graphql<{ readonly gateways: { readonly nodes: readonly { readonly ref: string }[] } }>(
        `query ($name: String!) { gateways(where: { name: { eq: $name } }) { nodes { ref ${FIELDS} } } }`,
        { name },
      );
    expect((await read('Document')).data).toMatchObject({
      gateways: { nodes: [{ destinations: [{ ...EMPTY, host: 'b.document.test', weight: 5 }] }] },
    });
    const found = await read('Row');
    expect(found.data).toMatchObject({
      gateways: { nodes: [{ destinations: [{ ...EMPTY, host: 'b.row.test', port: 5062 }] }] },
    });
    const { data } = await app.graphql(
      `mutation ($ref: String!) { updateGateway(ref: $ref, input: { destinations: null }) { ${FIELDS} } }`,
      { ref: found.data.gateways.nodes[0]?.ref },
    );
    expect(data).toEqual({ updateGateway: { destinations: null } });
  });

  test.each([
    [`{ destinations: { host: { contains: "${SECOND}" } } }`, true],
    [`{ destinations: { host: { containsAny: ["x.test", "${THIRD}"] } } }`, true],
    [`{ destinations: { host: { containsAll: ["${SECOND}", "${THIRD}"] } } }`, true],
    ['{ destinations: { host: { contains: "x.test" } } }', false],
    ['{ destinations: { isEmpty: false } }', true],
    ['{ destinations: { port: { contains: 5070 } } }', true],
    ['{ destinations: { port: { containsAny: [5060, 5070] } } }', true],
    ['{ destinations: { port: { contains: 5071 } } }', false],
    ['{ destinations: { transport: { contains: TCP } } }', true],
    ['{ destinations: { transport: { containsAny: [TLS, WS] } } }', false],
    ['{ destinations: { priority: { containsAll: [1, 2] } } }', true],
    ['{ destinations: { priority: { containsAll: [1, 3] } } }', false],
    ['{ destinations: { weight: { contains: 30 } } }', true],
    ['{ destinations: { draining: { contains: true } } }', false],
    ['{ destinations: { enabled: { contains: false } } }', true],
    ['{ destinations: { enabled: { containsAny: [true] } } }', true],
    ['{ not: { destinations: { weight: { contains: 30 } } } }', false],
    ['{ destinations: { isNull: true } }', false],
  ])('are found by where: %s', async (where, isFound) => {
    const { data } = await subject().app.graphql<{ readonly gateways: { readonly nodes: readonly object[] } }>(
      `{ gateways(where: { and: [{ name: { eq: "Four" } }, ${where}] }) { nodes { ref } } }`,
    );
    expect(data.gateways.nodes).toEqual(isFound ? [{ ref }] : []);
  });

  test.each([
    ['$.spec.destinations[1].host', 'sip.third.test', true],
    ['$.spec.destinations[0].port', 5070, true],
    ['$.spec.destinations[0].host', 'x', false],
  ])('are found by the filter %s', async (path, value, isFound) => {
    const filter = `@.metadata.name == 'Four' && ${path.replace('$', '@')} == ${JSON.stringify(value).replaceAll('"', "'")}`;
    const { data } = await subject().app.graphql<{ readonly gateways: { readonly nodes: readonly object[] } }>(
      'query ($filter: String!) { gateways(filter: $filter) { nodes { ref } } }',
      { filter },
    );
    expect(data.gateways.nodes).toEqual(isFound ? [{ ref }] : []);
  });

  test('are in the history', async () => {
    const { app } = subject();
    const gateway = await createGateway(app, { destinations: [{ host: 'old.test' }] });
    await app.graphql(
      'mutation ($ref: String!) { updateGateway(ref: $ref, input: { destinations: [{ host: "new.test" }] }) { ref } }',
      { ref: gateway },
    );
    const { data } = await app.graphql(
      'query ($ref: String!) { history(where: { ref: $ref }) { nodes { changes { field before after } } } }',
      { ref: gateway },
    );
    expect(JSON.stringify(data)).toContain(JSON.stringify(JSON.stringify([{ host: 'new.test' }])).slice(1, -1));
  });

  test.each([
    ['no list', 'x.test', 'spec.destinations: "x.test" is not a list'],
    ['an entry that is a text', ['x.test'], 'spec.destinations[0]: "x.test" is not an object'],
    ['an entry without a host', [{ host: 'a.test' }, { port: 1 }], 'spec.destinations[1].host: is required'],
    [
      'a port that is none',
      [{ host: 'a.test' }, { host: 'b.test', port: 70_000 }],
      'spec.destinations[1].port: 70000 is not a whole number from 1 to 65535',
    ],
    ['a host that is none', [{ host: 'a b' }], 'spec.destinations[0].host: "a b" is not a host name or IP address'],
    [
      'a weight of 0',
      [{ host: 'a.test', weight: 0 }],
      'spec.destinations[0].weight: 0 is not a whole number from 1 to 65535',
    ],
    ['an unknown member', [{ host: 'a.test', secret: 'x' }], 'spec.destinations[0]: has the unknown member "secret"'],
    ['an entry twice', [{ host: 'a.test' }, { host: 'A.test' }], 'spec.destinations[1]: is the same as entry 0'],
    [
      'its own host',
      [{ host: 'own.test', transport: 'udp' }],
      'spec.destinations: contains the host of the gateway, which is its first destination',
    ],
    [
      'the address of the host with the default port',
      [{ host: '198.51.100.1', port: 5060 }],
      'spec.destinations: contains the host of the gateway, which is its first destination',
      '198.51.100.1',
    ],
    [
      'an address twice, once with the default port',
      [{ host: '198.51.100.9', port: 5060 }, { host: '198.51.100.9' }],
      'spec.destinations: names one place twice: an address without a port has the default port of its transport',
    ],
    [
      'an address twice, once with the default port of TLS',
      [
        { host: '[2001:db8::9]', transport: 'tls' },
        { host: '[2001:db8::9]', port: 5061, transport: 'tls' },
      ],
      'spec.destinations: names one place twice: an address without a port has the default port of its transport',
    ],
    [
      'an IPv6 address twice, written differently',
      [{ host: '[2001:db8::9]' }, { host: '[2001:0DB8:0::9]' }],
      'spec.destinations: names one place twice: an address without a port has the default port of its transport',
    ],
    [
      'the host with a final dot',
      [{ host: 'own.test.' }],
      'spec.destinations: contains the host of the gateway, which is its first destination',
    ],
    [
      'too many',
      Array.from({ length: 17 }, (_, n) => ({ host: `h${String(n)}.test` })),
      'spec.destinations: has more than 16 entries',
    ],
  ] as readonly (readonly [string, unknown, string, string?])[])(
    'with %s are refused',
    async (_what, destinations, message, host = 'own.test') => {
      const spec = { host, transport: 'udp', destinations };
      const body = { apiVersion: 'v1beta1', kind: 'Gateway', metadata: { name: 'Refused' }, spec };
      const answer = await subject().app.rest('POST', '/gateways', { body });
      expect(answer.body).toMatchObject({ status: '400', data: [message] });
    },
  );

  test('are called by priority and weight, and those that are down last', async () => {
    const { url } = subject();
    const uri = (place: string, transport = 'udp'): string => `sip:+33123@${place};transport=${transport}`;
    const attempts = async (): Promise<readonly string[]> =>
      (await explain('anna@one.test', '+33123')).attempts.map((each) => each.requestUri);
    const usual = [uri(HOST), uri('198.51.100.9'), uri(THIRD), uri(`${SECOND}:5070`, 'tcp')];
    expect(await attempts()).toEqual(usual);
    await runSql(
      url,
      `INSERT INTO destination_health (gw_ref, host, port, transport, state, since, checked_on, misses, answers, expires_at)
       VALUES (?, '198.51.100.9', 0, 'udp', 'DOWN', 1, 1, 3, 0, ?)`,
      [ref, Date.now() + 60_000],
    );
    expect(await attempts()).toEqual([uri(HOST), uri(THIRD), uri(`${SECOND}:5070`, 'tcp'), uri('198.51.100.9')]);
    await runSql(url, 'DELETE FROM destination_health', []);
    const { steps, summary: first } = await explain('anna@one.test', '+33123');
    const summary = 'leaves through gateway Four at 198.51.100.9, by weight first in 75 % of the calls';
    expect(steps.map((step) => step.summary)).toContain(summary);
    // What is tried first, not last.
    expect(first).toBe(`leaves through gateway Four at ${HOST}`);
  });

  test('of one name with and without a port are two, because SRV records may lead elsewhere', async () => {
    await createGateway(subject().app, { destinations: [{ host: 'srv.test' }, { host: 'srv.test', port: 5060 }] });
  });

  test('that are draining take no new call, but those to emergency numbers', async () => {
    const { app } = subject();
    const domainUri = 'draining.test';
    const destinations = [{ host: SECOND, draining: true }, { host: THIRD }];
    const gatewayRef = await createGateway(app, { name: 'Drained', host: '198.51.100.20', destinations });
    const number = await createNumber(app, { telUrl: 'tel:+49302', gatewayRef, aorLink: `sip:emil@${domainUri}` });
    const domainRef = await createDomain(app, { domainUri, egressPolicy: { rule: '^[+]44', numberRef: number } });
    await createRoute(app, { domainRef, prefix: '+33', numberRefs: [number] });
    await createRoute(app, { domainRef, prefix: '112', emergency: true, numberRefs: [number] });
    await createAgent(app, { username: 'emil', domains: [domainUri] });
    const hosts = async (to: string): Promise<readonly string[]> => {
      const { outcome, attempts, steps } = await explain(`emil@${domainUri}`, to);
      expect(outcome).toBe('LEAVES');
      const summary = `destination ${SECOND} of gateway Drained is draining: no new call goes there`;
      expect(steps.some((step) => step.summary === summary)).toBe(to !== '112');
      return attempts.map(({ requestUri }) => /@([^;]*)/.exec(requestUri)?.[1] ?? '');
    };
    expect(await hosts('+33123')).toEqual(['198.51.100.20', THIRD]);
    expect(await hosts('+44123')).toEqual(['198.51.100.20', THIRD]);
    expect(await hosts('112')).toEqual(['198.51.100.20', SECOND, THIRD]);
    const { body } = await app.rest('GET', `/gateways/${gatewayRef}`);
    expect(body).toMatchObject({ data: { spec: { destinations } } });
  });

  test('have a health of their own, by which gateways are found', async () => {
    const { app, url } = subject();
    const checked = await createGateway(app, {
      transport: 'TCP',
      destinations: [
        { host: 'one.place.test' },
        { host: 'two.place.test', port: 5070, transport: 'UDP' },
        { host: 'three.place.test' },
      ],
    });
    const insert = (host: string, port: number, transport: string, state: string, until: number): Promise<unknown> =>
      runSql(
        url,
        `INSERT INTO destination_health
           (gw_ref, host, port, transport, state, since, checked_on, round_trip, last_status, misses, answers, expires_at)
         VALUES (?, ?, ?, ?, ?, 1000, 2000, ?, ?, 0, 2, ?)`,
        [checked, host, port, transport, state, ...(state === 'UP' ? [12, 404] : [null, null]), until],
      );
    const soon = Date.now() + 60_000;
    await insert('one.place.test', 0, 'tcp', 'UP', soon);
    await insert('two.place.test', 5070, 'udp', 'DOWN', soon);
    await insert('three.place.test', 0, 'udp', 'UP', soon);
    const { data } = await app.graphql(
      `query ($refs: [String!]) { gateways(where: { ref: { in: $refs } }) { nodes {
        destinations { host health { state since roundTrip lastStatus checkedOn } } } } }`,
      { refs: [ref, checked] },
    );
    const none = { state: 'UNKNOWN', since: null, roundTrip: null, lastStatus: null, checkedOn: null };
    const [since, checkedOn] = ['1970-01-01T00:00:01.000Z', '1970-01-01T00:00:02.000Z'];
    expect(data).toEqual({
      gateways: {
        nodes: [
          { destinations: DESTINATIONS.map(({ host }) => ({ host, health: none })) },
          {
            destinations: [
              { host: 'one.place.test', health: { state: 'UP', since, roundTrip: 12, lastStatus: 404, checkedOn } },
              {
                host: 'two.place.test',
                health: { state: 'DOWN', since, roundTrip: null, lastStatus: null, checkedOn },
              },
              // It was measured with another transport.
              { host: 'three.place.test', health: none },
            ],
          },
        ],
      },
    });
    const found = async (where: string): Promise<boolean> => {
      const { data: answer } = await app.graphql<{ readonly gateways: { readonly nodes: readonly { ref: string }[] } }>(
        `{ gateways(where: { destinationHealth: ${where} }) { nodes { ref } } }`,
      );
      return answer.gateways.nodes.some((each) => each.ref === checked);
    };
    // The third one was measured with another transport, and so is UNKNOWN.
    expect([await found('{ eq: DOWN }'), await found('{ in: [UNKNOWN] }')]).toEqual([true, true]);
    await runSql(url, "UPDATE destination_health SET transport = 'tcp' WHERE host = 'three.place.test'");
    expect([await found('{ eq: UP }'), await found('{ eq: UNKNOWN }')]).toEqual([true, false]);
    await runSql(url, 'UPDATE destination_health SET expires_at = 1 WHERE gw_ref = ?', [checked]);
    expect([await found('{ eq: DOWN }'), await found('{ eq: UP }'), await found('{ eq: UNKNOWN }')]).toEqual([
      false,
      false,
      true,
    ]);
    // A gateway without destinations has none in any state.
    await app.graphql('mutation ($ref: String!) { updateGateway(ref: $ref, input: { destinations: null }) { ref } }', {
      ref: checked,
    });
    expect(await found('{ eq: UNKNOWN }')).toBe(false);
    await runSql(url, 'DELETE FROM destination_health', []);
  });

  test('are addresses from which the gateway calls', async () => {
    const { outcome, steps } = await explain('+33123', '+49301', SECOND);
    expect([outcome, steps[0]?.summary]).toEqual(['REFUSED', `${SECOND} is the host of gateway Four`]);
  });

  const refused = (address: string): string =>
    `${address} is a destination of gateway Off that is disabled, so calls from there are refused`;

  test.each([
    ['is disabled', 31, [{ enabled: false }], [], 503, refused],
    ['is draining', 32, [{ draining: true }], [], 404, (at: string) => `${at} is the host of gateway Off`],
    [
      'is disabled, and has another port that is enabled',
      33,
      [{ enabled: false }, { port: 5070 }],
      [],
      404,
      (at: string) => `${at} is the host of gateway Off`,
    ],
    [
      'is disabled, and one of the sources',
      34,
      [{ enabled: false }],
      ['198.51.100.32/29'],
      404,
      (at: string) => `${at} is in 198.51.100.32/29, a source of gateway Off`,
    ],
  ])('refuse a call from an address that %s only if nothing else has it', async (...given) => {
    const [, part, places, sources, status, summary] = given;
    const { app } = subject();
    const host = `198.51.100.${String(part)}`;
    const destinations = places.map((each) => ({ ...each, host }));
    const gatewayRef = await createGateway(app, {
      name: 'Off',
      host: `192.0.2.${String(part)}`,
      destinations,
      sources,
    });
    const telUrl = `tel:+493030${String(part)}`;
    await createNumber(app, { telUrl, gatewayRef, aorLink: 'sip:nobody@one.test' });
    const { data, errors } = await app.graphql<{
      readonly explainCall: { readonly status: number | null; readonly steps: readonly { readonly summary: string }[] };
    }>(
      'query ($to: String!, $at: String!) { explainCall(from: "+33123", to: $to, sourceAddress: $at) { status steps { summary } } }',
      {
        to: telUrl,
        at: host,
      },
    );
    expect(errors).toBeUndefined();
    expect([data.explainCall.status, data.explainCall.steps[0]?.summary]).toEqual([status, summary(host)]);
  });
});
