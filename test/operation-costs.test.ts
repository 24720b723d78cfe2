import { createGateway } from './support/factories';
import { onEachDriver } from './support/on-each-database';
import { socketClient } from './support/subscriptions';

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

    test('of a search counts a page of each kind', async () => {
      const searched = (first: string): object => ({
        query: `{ search(text: "x"${first}) { ... on Gateway { dids(first: 3) { nodes { ref } } } } }`,
        extensions: { cost: true },
      });
      // 7 kinds, with 4 objects for each resource.
      expect(await costOf(searched(', first: 2'))).toMatchObject({ objects: 1 + 7 * 2 * 4 });
      expect(await costOf(searched(''))).toMatchObject({ objects: 1 + 7 * 5 * 4 });
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
