import { createGateway } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { socketClient } from '../support/subscriptions';

const QUERY = 'query ($n: Int!) { gateways(first: $n) { nodes { ref } } }';
const ASKED = { query: QUERY, variables: { n: 9 }, extensions: { cost: true } };

interface Costed {
  readonly data?: unknown;
  readonly extensions?: { readonly cost: object };
}

onEachDriver(
  'The cost of an operation',
  (subject) => {
    const post = async (body: object, accept = 'application/json'): Promise<string> => {
      const { app } = subject();
      const response = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await app.token()}`, accept },
        body: JSON.stringify(body),
      });
      return response.text();
    };
    const costOf = async (body: object): Promise<object | undefined> =>
      (JSON.parse(await post(body)) as Costed).extensions?.cost;

    beforeAll(async () => {
      await createGateway(subject().app);
    });

    test('is in the response if the request asks for it, whether or not the operation is compiled', async () => {
      const cost = { objects: 10, maxObjects: 10_000, perMinute: 20_000 };
      for (let times = 0; times < 5; times++) {
        expect(await costOf(ASKED)).toEqual(cost);
        for (const extensions of [undefined, {}, { cost: false }, { cost: 'true' }])
          expect(await costOf({ ...ASKED, extensions })).toBeUndefined();
      }
      expect(await costOf({ ...ASKED, variables: { n: 90 } })).toEqual({ ...cost, objects: 91 });
      expect(await post(ASKED, 'text/event-stream')).toContain(`"cost":${JSON.stringify(cost)}`);
      const client = socketClient(subject().app.url, await subject().app.token());
      expect(await client.iterate(ASKED).next()).toMatchObject({ value: { extensions: { cost } } });
      await client.dispose();
    });

    test('of a search is a page of each kind, of as many resources as it returns', async () => {
      const asked = { extensions: { cost: true } };
      const query = (first: string): string => `{ search(text: "x"${first}) { ref ... on DID { gateway { name } } } }`;
      for (const [first, objects] of [
        ['', 36],
        [', first: 5', 36],
        [', first: 20', 141],
      ] as const)
        expect(await costOf({ query: query(first), ...asked })).toMatchObject({ objects });
    });

    test('of an explanation is what it takes', async () => {
      for (const [field, objects] of [
        ['explainCall(from: "1@x.test", to: "1") { summary }', 100],
        ['explainNumber(telUrl: "+4930") { state }', 20],
        ['explainAddress(addressOfRecord: "1@x.test") { summary }', 20],
      ] as const)
        expect(await costOf({ query: `{ ${field} }`, extensions: { cost: true } })).toMatchObject({ objects });
    });

    test('of a mutation is in its response, too, and an operation that is too expensive names the limit', async () => {
      const query = 'mutation { deleteGateway(ref: "nothing") }';
      expect(await costOf({ query, extensions: { cost: true } })).toMatchObject({ objects: 0 });
      const large = `{ gateways(first: 100) { nodes { dids(first: 100) { nodes { gateway { ref } } } } } }`;
      expect(await post({ query: large, extensions: { cost: true } })).toContain('more than 10000');
    });
  },
  { RATE_LIMIT_WORK: '20000' },
);
