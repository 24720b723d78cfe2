import { createAgent, createDid, createDomain, createGateway, createNumber } from '../support/factories';
import { COUNTING, metric } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { registerContact } from '../support/databases/sql';

// One statement each for the user of the token, the DIDs with their gateways, target agents, target peers, contacts,
// and the numbers of the gateways.
const STATEMENTS = 6;

const PAGE = `query ($first: Int!) {
  dids(first: $first) {
    nodes {
      telUrl
      gateway { name numbers(first: 10) { nodes { telUrl } } }
      target { ... on Agent { name } ... on Peer { name } }
      contacts { uri }
    }
  }
}`;

interface Answer {
  readonly dids: {
    readonly nodes: readonly { gateway: { numbers: { nodes: unknown[] } }; target: unknown; contacts: unknown[] }[];
  };
}

onEachDatabase(
  'SQL statements',
  (subject) => {
    beforeAll(async () => {
      const { app, url } = subject();
      await createDomain(app, { domainUri: 'count.test' });
      for (let index = 0; index < 100; index++) {
        const username = `user${String(index)}`;
        const gatewayRef = await createGateway(app);
        await createAgent(app, { username, domains: ['count.test'] });
        await createDid(app, { gatewayRef, aorLink: `sip:${username}@count.test` });
        await createNumber(app, { gatewayRef });
        await registerContact(url, { username, domain: 'count.test', contact: `sip:${username}@10.0.0.1` });
      }
    });

    async function sent(): Promise<number> {
      const { app } = subject();
      return metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
    }

    test.each([100, 1])(
      `a page of %i DIDs with gateway, target and contacts, and 10 numbers of each gateway, takes ${String(STATEMENTS)}`,
      async (first) => {
        // Five times, because known documents take another path than new ones.
        for (let time = 0; time < 5; time++) {
          const before = await sent();
          const { data, errors } = await subject().app.graphql<Answer>(PAGE, { first });
          const after = await sent();
          expect(errors).toBeUndefined();
          expect(data.dids.nodes).toHaveLength(first);
          for (const { gateway, target, contacts } of data.dids.nodes) {
            expect([gateway.numbers.nodes.length, target === null, contacts.length]).toEqual([1, false, 1]);
          }
          // The request for the metrics takes one statement, too: the user of its token.
          expect(after - before - 1).toBe(STATEMENTS);
        }
      },
    );

    test('a page of agents with their domains takes one, and one for the user of the token', async () => {
      const { app } = subject();
      const before = await sent();
      const { errors } = await app.graphql('{ agents(first: 100) { nodes { ref domains { domainUri } } } }');
      const graphql = await sent();
      const { status } = await app.rest('GET', '/agents');
      const rest = await sent();
      expect([errors, status]).toEqual([undefined, 200]);
      expect([graphql - before - 1, rest - graphql - 1]).toEqual([2, 2]);
    });

    test('an import of CSV that names gateways takes as many as one with their refs, for any number of rows', async () => {
      const { app } = subject();
      const { data } = await app.graphql<{
        readonly dids: { readonly nodes: readonly { ref: string; gateway: { ref: string; name: string } }[] };
      }>('{ dids(first: 100) { nodes { ref gateway { ref name } } } }');
      const costOf = async (by: 'ref' | 'name', rows: number): Promise<number> => {
        const lines = data.dids.nodes.slice(0, rows).map(({ ref, gateway }) => `${ref},${gateway[by]}`);
        const before = await sent();
        const { data: made } = await app.graphql(
          'mutation ($csv: String!) { importCsv(kind: DID, csv: $csv) { imported count(outcome: UNCHANGED) } }',
          { csv: `ref,gatewayRef\n${lines.join('\n')}\n` },
        );
        expect(made).toEqual({ importCsv: { imported: true, count: rows } });
        return (await sent()) - before;
      };
      for (const rows of [100, 1]) expect(await costOf('name', rows)).toBe(await costOf('ref', rows));
    });
  },
  COUNTING,
);
