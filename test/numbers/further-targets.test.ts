import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';

interface Connection {
  readonly totalCount: number;
  readonly nodes: readonly { readonly telUrl: string }[];
}
type Links = Readonly<Record<'dids' | 'numbers' | 'furtherDids' | 'furtherNumbers', Connection>>;

const CONNECTIONS = ['dids', 'numbers', 'furtherDids', 'furtherNumbers'] as const;
const LINKS = CONNECTIONS.map((name) => `${name} { totalCount nodes { telUrl } }`).join(' ');

/** anna is in both domains, ben in a.test; `desk` is a peer, and `ben` a peer, too, whom a.test hides. */
onEachDriver('The further targets of numbers', (subject) => {
  const refs = new Map<string, string>();
  const tel = (n: number): string => `tel:+4977${String(n)}`;

  beforeAll(async () => {
    const { app } = subject();
    const gatewayRef = await createGateway(app, { host: 'further.test' });
    for (const domainUri of ['a.test', 'b.test']) refs.set(domainUri, await createDomain(app, { domainUri }));
    refs.set('anna', await createAgent(app, { username: 'anna', domains: ['a.test', 'b.test'] }));
    refs.set('ben', await createAgent(app, { username: 'ben', domains: ['a.test'] }));
    refs.set('desk', await createPeer(app, { username: 'desk', secret: 's' }));
    refs.set('ben the peer', await createPeer(app, { username: 'ben', secret: 's' }));
    const made: (readonly [typeof createDid, string, readonly string[]])[] = [
      [createDid, 'sip:anna@a.test', ['sip:ben@a.test after 5']],
      [createDid, 'sip:ben@a.test', ['sip:anna@a.test after 5', 'sip:anna@b.test', 'sip:desk@a.test']],
      [createNumber, 'sip:desk@a.test', ['sip:ben@b.test after 5', 'tel:+33123 after 10']],
      [createNumber, 'sip:nobody@a.test', []],
    ];
    for (const [index, [create, aorLink, furtherTargets]] of made.entries())
      await create(app, { gatewayRef, telUrl: tel(index), aorLink, furtherTargets });
  });

  const linksOf = async (kind: 'agent' | 'peer', name: string): Promise<Links> => {
    const { data } = await subject().app.graphql<Record<string, Links>>(
      `query ($ref: String!) { ${kind}(ref: $ref) { ${LINKS} } }`,
      { ref: refs.get(name) },
    );
    return data[kind] as Links; // as selected
  };

  test.each([
    ['agent', 'anna', { dids: [0], furtherDids: [1] }],
    ['agent', 'ben', { dids: [1], furtherDids: [0] }],
    ['peer', 'desk', { numbers: [2], furtherDids: [1] }],
    ['peer', 'ben the peer', { furtherNumbers: [2] }],
  ] as const)('lead from the %s %s to its numbers, each once', async (kind, name, expected) => {
    const links = await linksOf(kind, name);
    const listed: Partial<Record<(typeof CONNECTIONS)[number], readonly number[]>> = expected;
    for (const connection of CONNECTIONS) {
      const numbers = listed[connection] ?? [];
      const nodes = numbers.map((n) => ({ telUrl: tel(n) }));
      expect([connection, links[connection]]).toEqual([connection, { totalCount: numbers.length, nodes }]);
    }
  });

  test.each([
    ['dids', '{ agent: { username: { eq: "anna" } } }', [0, 1]],
    ['dids', '{ agent: { username: { eq: "ben" } } }', [0, 1]],
    ['dids', '{ peer: { username: { eq: "desk" } } }', [1]],
    ['numbers', '{ peer: { username: { eq: "desk" } } }', [2]],
    ['numbers', '{ peer: { username: { eq: "ben" } } }', [2]],
    ['numbers', '{ agent: { username: { eq: "ben" } } }', []],
    ['numbers', '{ exists: false }', [3]],
  ] as const)('select %s by targets: %s', async (collection, where, expected) => {
    const { data, errors } = await subject().app.graphql<Record<string, Connection>>(
      `{ ${collection}(where: { telUrl: { startsWith: "tel:+4977" }, targets: ${where} }) { totalCount nodes { telUrl } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data[collection]?.nodes).toEqual(expected.map((n) => ({ telUrl: tel(n) })));
  });

  test('select agents by the numbers that they are a further target of', async () => {
    const { data } = await subject().app.graphql(
      `{ agents(where: { furtherDids: { telUrl: { eq: "${tel(1)}" } } }) { nodes { username } } }`,
    );
    expect(data).toEqual({ agents: { nodes: [{ username: 'anna' }] } });
  });

  test.each([
    ['agentRef', 'anna', [0, 1]],
    ['agentRef', 'ben', [0, 1]],
    ['peerRef', 'desk', [1, 2]],
    ['peerRef', 'ben the peer', [2]],
    ['domainRef', 'a.test', [0, 1, 2, 3]],
    ['domainRef', 'b.test', [1, 2]],
  ] as const)('count for the health of the numbers of %s %s, and for its map', async (argument, name, expected) => {
    const { data, errors } = await subject().app.graphql<{
      readonly numberHealth: { readonly nodes: readonly { readonly telUrl: string }[] };
      readonly numberHealthCounts: { readonly examined: number };
      readonly numberFlows: { readonly examined: number };
    }>(
      `query ($ref: String!) {
        numberHealth(${argument}: $ref) { nodes { telUrl } }
        numberHealthCounts(${argument}: $ref) { examined }
        numberFlows(${argument}: $ref) { examined }
      }`,
      { ref: refs.get(name) },
    );
    expect(errors).toBeUndefined();
    expect(data.numberHealth.nodes.map(({ telUrl }) => telUrl)).toEqual(expected.map(tel));
    expect([data.numberHealthCounts.examined, data.numberFlows.examined]).toEqual([expected.length, expected.length]);
  });
});
