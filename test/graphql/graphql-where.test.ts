import { readFile } from 'node:fs/promises';

import { buildSchema, GraphQLInputObjectType } from 'graphql';

import { createGateways } from '../filter/gateways';
import { createAgent, createDid, createDomain, createNumber, createPeer } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { registerContact, registerGateway } from '../support/databases/sql';

/** A list, its arguments, and the refs that it returns. */
type Case = readonly [list: string, args: string, refs: string];

/** The longest note. */
const NOTE = `Rack 7${'.'.repeat(985)}Call Anna`;

const WHERE: readonly Case[] = [
  ['gateways', 'where: {}', 'one two three four'],
  ['gateways', 'where: { ref: { eq: "two" } }', 'two'],
  ['gateways', 'where: { host: { eq: "sip.one.net" } }', 'one'],
  ['gateways', 'where: { host: { eq: "SIP.One.net" } }', 'one'],
  ['gateways', 'where: { host: { in: ["SIP.One.net", "x"] } }', 'one'],
  ['gateways', 'where: { host: { ne: "sip.one.net" } }', 'two three four'],
  ['gateways', 'where: { host: { in: ["sip.one.net", "10.0.0.3"] } }', 'one three'],
  ['gateways', 'where: { host: { notIn: ["sip.one.net", "10.0.0.3"] } }', 'two four'],
  ['gateways', 'where: { host: { startsWith: "sip.t" } }', 'two'],
  ['gateways', 'where: { host: { startsWith: "" } }', 'one two three four'],
  ['gateways', 'where: { host: { endsWith: ".net" } }', 'one two four'],
  ['gateways', 'where: { host: { contains: "o" } }', 'one two four'],
  ['gateways', 'where: { name: { contains: "%_" } }', 'three'],
  ['gateways', 'where: { name: { startsWith: "100%" } }', ''],
  ['gateways', 'where: { name: { eqIgnoreCase: "PROVIDER one" } }', 'one'],
  ['gateways', 'where: { name: { containsIgnoreCase: "ÜNÏ" } }', 'three'],
  ['gateways', 'where: { name: { startsWithIgnoreCase: "PROVIDER" } }', 'one two'],
  ['gateways', 'where: { name: { endsWithIgnoreCase: "E" } }', 'one'],
  ['gateways', 'where: { host: { matches: "sip\\\\.(one|two)\\\\.net" } }', 'one two'],
  ['gateways', 'where: { host: { gte: "sip.one.net", lt: "sip.p" } }', 'one'],
  ['gateways', 'where: { username: { isNull: true } }', 'two'],
  ['gateways', 'where: { username: { isNull: false } }', 'one three four'],
  ['gateways', 'where: { username: { eq: "1001" } }', 'one'],
  ['gateways', 'where: { username: { ne: "1001" } }', 'three four'],
  ['gateways', 'where: { port: { eq: 5060 } }', 'one'],
  ['gateways', 'where: { port: { gt: 5060, lte: 5080 } }', 'three four'],
  ['gateways', 'where: { port: { in: [5060, 5061] } }', 'one three'],
  ['gateways', 'where: { port: { notIn: [5060] } }', 'three four'],
  ['gateways', 'where: { port: { isNull: true } }', 'two'],
  ['gateways', 'where: { sendRegister: { eq: true } }', 'one'],
  ['gateways', 'where: { sendRegister: { eq: false } }', 'two'],
  ['gateways', 'where: { sendRegister: { isNull: true } }', 'three four'],
  ['gateways', 'where: { transport: { eq: UDP } }', 'one four'],
  ['gateways', 'where: { transport: { ne: UDP } }', 'two three'],
  ['gateways', 'where: { transport: { in: [TCP, TLS] } }', 'two three'],
  ['gateways', 'where: { registries: { contains: "a.one.net" } }', 'one'],
  ['gateways', 'where: { registries: { containsAny: ["x", "a.one.net"] } }', 'one'],
  ['gateways', 'where: { registries: { containsAll: ["b.one.net:5061", "a.one.net"] } }', 'one'],
  ['gateways', 'where: { registries: { containsAll: ["x", "a.one.net"] } }', ''],
  ['gateways', 'where: { registries: { isEmpty: true } }', 'three'],
  ['gateways', 'where: { registries: { isNull: true } }', 'two four'],
  ['gateways', 'where: { createdOn: { gt: "2020-01-01T00:00:00Z" } }', 'one two three four'],
  ['gateways', 'where: { modifiedOn: { lt: "2020-01-01T00:00:00Z" } }', ''],
  ['gateways', 'where: { createdOn: { lte: "9999-12-31T23:59:59-05:00" } }', 'one two three four'],
  ['gateways', 'where: { createdOn: { gt: "9999-12-31T23:59:59-05:00" } }', ''],
  ['gateways', 'where: { createdOn: { gt: "0000-01-01T00:00:00+05:00" } }', 'one two three four'],
  ['gateways', 'where: { port: { eq: 5060 }, transport: { eq: TCP } }', ''],
  ['gateways', 'where: { and: [{ port: { gt: 1 } }, { transport: { eq: UDP } }] }', 'one four'],
  ['gateways', 'where: { or: [{ port: { eq: 5060 } }, { transport: { eq: TCP } }] }', 'one two'],
  ['gateways', 'where: { or: [] }', ''],
  ['gateways', 'where: { and: [] }', 'one two three four'],
  ['gateways', 'where: { not: { port: { eq: 5060 } } }', 'two three four'],
  ['gateways', 'where: { not: { or: [{ port: { eq: 5060 } }, { not: { host: { contains: "t" } } }] } }', 'two four'],
  ['gateways', 'where: { registered: true }', 'one'],
  ['gateways', 'where: { registered: false }', 'two three four'],
  ['gateways', 'where: { dids: {} }', 'one two'],
  ['gateways', 'where: { dids: { telUrl: { startsWith: "tel:+1" } } }', 'one'],
  ['gateways', 'where: { dids: { geoInfo: { city: { eq: "Berlin" } } } }', 'two'],
  ['gateways', 'where: { not: { dids: {} }, numbers: {} }', 'three'],
  ['gateways', 'where: { dids: { target: { registered: true } } }', 'one'],
  ['gateways', 'filter: "@.spec.port > 5060", where: { transport: { eq: UDP } }', 'four'],
  ['dids', 'where: { gateway: { host: { eq: "sip.one.net" } } }', 'd1 d2'],
  ['dids', 'where: { gatewayRef: { eq: "one" } }', 'd1 d2'],
  ['dids', 'where: { gatewayRef: { startsWith: "t" } }', 'd3'],
  ['dids', 'where: { gatewayRef: { ne: "one" } }', 'd3'],
  ['dids', 'where: { gateway: { registered: true } }', 'd1 d2'],
  ['dids', 'where: { not: { gateway: { registered: true } } }', 'd3'],
  ['dids', 'where: { target: { registered: true } }', 'd1 d2'],
  ['dids', 'where: { target: { registered: false } }', 'd3'],
  ['dids', 'where: { target: { exists: true } }', 'd1 d2'],
  ['dids', 'where: { target: { exists: false } }', 'd3'],
  ['dids', 'where: { target: { agent: { username: { eq: "1001" } } } }', 'd1'],
  ['dids', 'where: { target: { peer: {} } }', 'd2'],
  ['dids', 'where: { target: { agent: { domains: { domainUri: { eq: "b.test" } } } } }', 'd1'],
  ['dids', 'where: { not: { target: { agent: { domains: { domainUri: { eq: "b.test" } } } } } }', 'd2 d3'],
  ['dids', 'where: { target: { peer: { callerNumbers: {} } } }', ''],
  ['dids', 'where: { geoInfo: { city: { isNull: false } } }', 'd3'],
  ['dids', 'filter: "@.metadata.gwRef==\'one\'"', 'd1 d2'],
  ['dids', 'filter: "@.metadata.gwRef!=\'one\'"', 'd3'],
  ['dids', 'filter: "@.metadata.gwRef =~ /o.*/"', 'd1 d2'],
  ['dids', "filter: \"@.metadata.gwRef in ['one','three']\"", 'd1 d2'],
  ['dids', 'filter: "@.metadata.gwRef == @.metadata.gwRef"', 'd1 d2 d3'],
  ['dids', 'where: { geoInfo: { city: { isNull: true } } }', 'd1 d2'],
  ['dids', 'filter: "@.metadata.geoInfo.city==\'\'"', 'd1 d2'],
  ['dids', 'filter: "@.metadata.geoInfo"', 'd1 d2 d3'],
  ['dids', 'filter: "@.kind==\'Number\'"', ''],
  ['dids', 'filter: "@.metadata.ref==\'n1\'"', ''],
  ['numbers', 'where: { gateway: { dids: { ref: { eq: "d3" } } } }', ''],
  ['numbers', 'where: { gateway: { ref: { eq: "three" } } }', 'n1'],
  ['agents', 'where: { domains: { domainUri: { eq: "b.test" } } }', 'a1 a2'],
  ['agents', 'where: { domains: { domainUri: { in: ["a.test", "b.test"] } } }', 'a1 a2'],
  ['agents', 'where: { domains: { domainUri: { eq: "A.Test" } } }', 'a1'],
  ['agents', 'filter: "@.spec.domains contains \'A.Test\'"', 'a1'],
  ['agents', 'where: { domains: { egressNumber: { ref: { eq: "n1" } } } }', 'a1'],
  ['agents', 'where: { registered: true }', 'a1'],
  ['agents', 'where: { registered: false }', 'a2'],
  ['agents', 'where: { dids: {} }', 'a1'],
  ['agents', 'filter: "@.spec.domains contains \'b.test\'"', 'a1 a2'],
  ['agents', 'filter: "@.spec.domains[0]==\'a.test\'"', 'a1'],
  ['agents', 'filter: "@.spec.domains[-1]==\'b.test\'"', 'a1 a2'],
  ['agents', 'filter: "@.spec.domains size 2"', 'a1'],
  ['agents', 'filter: "count(@.spec.domains[*])==1"', 'a2'],
  ['agents', 'filter: "@.spec.domains subsetof [\'b.test\']"', 'a2'],
  ['agents', "filter: \"@.spec.domains == ['a.test','b.test']\"", 'a1'],
  ['agents', 'filter: "@.spec.domains noneof [\'a.test\']"', 'a2'],
  ['agents', 'filter: "@.spec.domains =~ /a.*/"', 'a1'],
  ['agents', 'filter: "@.spec.credentials.secret"', ''],
  ['peers', 'where: { registered: true }', 'p1'],
  ['peers', 'where: { not: { registered: true } }', 'p2'],
  ['peers', 'where: { dids: {} }', 'p1'],
  ['peers', 'where: { name: { eqIgnoreCase: "ΟΔΟΣ GROẞ" } }', 'p1 p2'],
  ['peers', 'where: { name: { eqIgnoreCase: "οδος groß" } }', 'p1 p2'],
  ['peers', 'where: { name: { containsIgnoreCase: "οσ g" } }', 'p1 p2'],
  ['peers', 'filter: "@.metadata.name =~ /.*[Σ] GRO[ẞ]/i"', 'p1 p2'],
  ['domains', 'where: { agents: { username: { eq: "1002" } } }', 'b'],
  ['domains', 'where: { agents: { registered: true } }', 'a b'],
  ['domains', 'where: { egressNumber: {} }', 'a'],
  ['domains', 'where: { egressPolicy: { numberRef: { eq: "n1" } } }', 'a'],
  ['domains', 'where: { egressPolicy: { rule: { isNull: true } } }', 'b'],
  ['domains', 'where: { note: { contains: "Anna" } }', 'b'],
  ['domains', 'where: { note: { containsIgnoreCase: "anna" } }', 'b'],
  ['domains', 'where: { not: { note: { containsIgnoreCase: "anna" } } }', 'a'],
  ['domains', 'where: { note: { startsWithIgnoreCase: "RACK" } }', 'b'],
  ['domains', 'where: { note: { endsWith: "Anna" } }', 'b'],
  ['domains', 'where: { note: { endsWithIgnoreCase: "ANNA" } }', 'b'],
  ['domains', `where: { note: { eqIgnoreCase: "${NOTE.toUpperCase()}" } }`, 'b'],
  ['domains', 'where: { note: { matches: "Rack.*Anna" } }', ''], // longer than 300 characters
  ['domains', 'where: { accessControlList: { deny: { contains: "0.0.0.0/1" } } }', 'b'],
  ['domains', 'filter: "@.spec.context.accessControlList.deny contains \'0.0.0.0/1\'"', 'b'],
  ['domains', 'filter: "@.spec.context.egressPolicy.numberRef==\'n1\'"', 'a'],
  ['domains', 'filter: "@.spec.context.egressPolicy"', 'a'],
  ['domains', 'filter: "!@.spec.context.accessControlList"', 'a'],
  ['gateway(ref: "one") { dids', 'where: { telUrl: { eq: "tel:+12" } }', 'd2'],
  ['gateway(ref: "one") { dids', 'filter: "@.spec.location.telUrl==\'tel:+12\'"', 'd2'],
  ['gateway(ref: "one") { dids', 'orderBy: [{ field: TEL_URL, direction: DESC }]', 'd2 d1'],
  ['domain(ref: "b") { agents', 'where: { registered: false }', 'a2'],
  ['domain(ref: "b") { agents', 'orderBy: [{ field: USERNAME, direction: DESC }]', 'a2 a1'],
];

const ORDERS: readonly Case[] = [
  ['gateways', 'orderBy: [{ field: NAME }]', 'four one two three'],
  ['gateways', 'orderBy: [{ field: NAME, direction: DESC }]', 'three two one four'],
  ['gateways', 'orderBy: [{ field: PORT }]', 'two one three four'],
  ['gateways', 'orderBy: [{ field: PORT, direction: DESC }]', 'four three one two'],
  ['gateways', 'orderBy: [{ field: TRANSPORT }, { field: PORT, direction: DESC }]', 'two three four one'],
  ['gateways', 'orderBy: [{ field: TRANSPORT, direction: DESC }, { field: PORT }]', 'one four three two'],
  ['gateways', 'orderBy: [{ field: SEND_REGISTER }, { field: HOST, direction: DESC }]', 'four three two one'],
  ['gateways', 'orderBy: [{ field: CREATED_ON }]', 'one two three four'],
  ['gateways', 'orderBy: []', 'one two three four'],
  ['dids', 'orderBy: [{ field: GATEWAY_REF, direction: DESC }, { field: TEL_URL }]', 'd3 d1 d2'],
  ['dids', 'orderBy: [{ field: TEL_URL, direction: DESC }]', 'd3 d2 d1'],
  ['dids', 'orderBy: [{ field: REF }, { field: TEL_URL }]', 'd1 d2 d3'],
  ['dids', 'orderBy: [{ field: GEO_INFO_CITY, direction: DESC }]', 'd3 d2 d1'],
];

const MALFORMED = [
  ['where: { secret: { eq: "x" } }', 'Field "secret" is not defined'],
  ['where: { host: { eq: null } }', 'where: host.eq is null'],
  ['where: { host: null }', 'where: host is null'],
  ['where: { not: { host: { matches: "(" } } }', 'where: not.host.matches column 2: unclosed ('],
  ['where: { host: { containsIgnoreCase: "LONG" } }', 'where: host.containsIgnoreCase is longer than 1024'],
  ['orderBy: [{ field: SECRET }]', 'does not exist in "GatewayOrderField"'],
  ['orderBy: [SORTS]', 'orderBy: has more than 8 entries'],
  ['where: NESTED', 'nested more than 16 levels deep'],
  [
    'first: 1, after: "cm93OjE", orderBy: [{ field: NAME }]',
    'after: "cm93OjE" is not a cursor of a list in this order',
  ],
] as const;

const built = readFile('schema/schema.graphql', 'utf8').then((text) => ({ schema: buildSchema(text) }));

/** The values of `where` that lead through links, at most so many. */
function* chainsOf(type: unknown, links: number): Generator<string, void, undefined> {
  if (!(type instanceof GraphQLInputObjectType)) return;
  for (const { name, type: of } of Object.values(type.getFields())) {
    if (['and', 'or', 'not'].includes(name) || !(of instanceof GraphQLInputObjectType)) continue;
    if (!of.name.endsWith('Where') || links === 0) continue;
    yield `{ ${name}: {} }`;
    for (const chain of chainsOf(of, links - 1)) yield `{ ${name}: ${chain} }`;
  }
}

onEachDatabase('Typed filters and orders', (subject) => {
  beforeAll(async () => {
    const { app, url } = subject();
    await createGateways(app, url);
    await createNumber(app, { ref: 'n1', gatewayRef: 'three', telUrl: 'tel:+3', aorLink: 'sip:nobody@a.test' });
    await createDomain(app, { ref: 'a', domainUri: 'a.test', egressPolicy: { rule: '.*', numberRef: 'n1' } });
    await createDomain(app, { ref: 'b', domainUri: 'b.test', note: NOTE, accessControlList: { deny: ['0.0.0.0/1'] } });
    await createAgent(app, { ref: 'a1', username: '1001', domains: ['a.test', 'b.test'] });
    await createAgent(app, { ref: 'a2', username: '1002', domains: ['b.test'] });
    await createPeer(app, { ref: 'p1', username: 'pbx', name: 'οδος groß' });
    await createPeer(app, { ref: 'p2', username: '1001', name: 'ΟΔΟΣ GROẞ' });
    await createDid(app, { ref: 'd1', gatewayRef: 'one', telUrl: 'tel:+11', aorLink: 'sip:1001@a.test' });
    await createDid(app, { ref: 'd2', gatewayRef: 'one', telUrl: 'tel:+12', aorLink: 'sip:pbx@else.test' });
    await createDid(app, {
      ref: 'd3',
      gatewayRef: 'two',
      telUrl: 'tel:+49',
      aorLink: 'sip:1002@a.test',
      geoInfo: { city: 'Berlin' },
    });
    await registerGateway(url, 'one');
    await registerContact(url, { username: '1001', domain: 'a.test', contact: 'sip:1001@10.0.0.1' });
    await registerContact(url, { username: '1001', domain: 'b.test', contact: 'sip:1001@10.0.0.2' });
    await registerContact(url, { username: 'pbx', domain: 'x.test', contact: 'sip:pbx@10.0.0.3' });
    await registerContact(url, { username: '1002', domain: 'b.test', contact: 'sip:1002@10.0.0.4', secondsLeft: -5 });
  });

  interface Connection {
    readonly totalCount: number;
    readonly nodes: readonly { readonly ref: string }[];
    readonly pageInfo: {
      readonly endCursor: string | null;
      readonly startCursor: string | null;
      readonly hasNextPage: boolean;
    };
  }

  async function listed(list: string, args: string): Promise<Connection> {
    const document = `{ ${list}(${args}) { totalCount nodes { ref } pageInfo { startCursor endCursor hasNextPage } } }${list.includes('{') ? ' }' : ''}`;
    const { data, errors } = await subject().app.graphql<Record<string, unknown>>(document);
    expect(errors).toBeUndefined();
    const [value] = Object.values(data);
    return (list.includes('{') ? Object.values(value as object)[0] : value) as Connection;
  }

  const refsOf = ({ nodes }: Connection): string => nodes.map(({ ref }) => ref).join(' ');

  test('no chain of up to three links is an internal error', async () => {
    const { schema } = await built;
    const failed: string[] = [];
    for (const kind of ['Gateway', 'Agent', 'Peer', 'Domain', 'DID', 'Number', 'Route']) {
      const list = kind === 'DID' ? 'dids' : `${kind.toLowerCase()}s`;
      const chains = [...chainsOf(schema.getType(`${kind}Where`), 3)];
      expect(chains.length).toBeGreaterThan(2);
      for (let at = 0; at < chains.length; at += 5) {
        const fields = chains
          .slice(at, at + 5)
          .map((chain, n) => `l${String(n)}: ${list}(first: 1, where: ${chain}) { nodes { ref } }`);
        const { errors } = await subject().app.graphql(`{ ${fields.join(' ')} }`);
        // A busy machine refuses heavy queries.
        const internal = errors?.filter(({ extensions: { code } }) => code === 'INTERNAL_SERVER_ERROR') ?? [];
        failed.push(...internal.map(({ path }) => fields[Number(String(path?.[0]).slice(1))] ?? ''));
      }
    }
    expect(failed).toEqual([]);
  });

  test.each([...WHERE, ...ORDERS])('%s(%s) returns "%s"', async (list, args, refs) => {
    const found = await listed(list, args);
    expect(refsOf(found)).toBe(refs);
    expect(found.totalCount).toBe(refs === '' ? 0 : refs.split(' ').length);
  });

  test.each(ORDERS.filter(([, args]) => args !== 'orderBy: []'))(
    '%s(%s), in pages of one, forwards and backwards',
    async (list, args, refs) => {
      const walk = async (page: string, cursor: (of: Connection) => string | null): Promise<string[]> => {
        const found: string[] = [];
        for (let bound: string | null = null, turn = 0; turn < 9; turn++) {
          const at: string = bound === null ? '' : `, ${page === 'first' ? 'after' : 'before'}: "${bound}"`;
          const connection: Connection = await listed(list, `${args}, ${page}: 1${at}`);
          if (connection.nodes.length === 0) return found;
          found.push(refsOf(connection));
          bound = cursor(connection);
        }
        return found;
      };
      const forwards = await walk('first', ({ pageInfo }) => pageInfo.endCursor);
      const backwards = await walk('last', ({ pageInfo }) => pageInfo.startCursor);
      expect([forwards.join(' '), backwards.reverse().join(' ')]).toEqual([refs, refs]);
    },
  );

  test.each(MALFORMED)('gateways(%s) is rejected: %s', async (args, complaint) => {
    const written = args
      .replace('LONG', 'x'.repeat(1025))
      .replace('SORTS', '{ field: NAME }, '.repeat(9))
      .replace('NESTED', `${'{ not: '.repeat(17)}{}${' }'.repeat(17)}`);
    const { errors } = await subject().app.graphql(`{ gateways(${written}) { totalCount } }`);
    expect(errors?.[0]?.message).toContain(complaint);
  });

  test('a condition whose variable is missing is ignored', async () => {
    const query =
      'query ($name: String, $where: GatewayWhere) { a: gateways(where: { name: { eq: $name } }) { totalCount } b: gateways(where: $where, filter: null, orderBy: null) { totalCount } }';
    for (let time = 0; time < 5; time++) {
      const { data } = await subject().app.graphql(query);
      expect(data).toEqual({ a: { totalCount: 4 }, b: { totalCount: 4 } });
    }
  });
});
