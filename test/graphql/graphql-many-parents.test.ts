import { createAgent, createDid, createDomain, createGateway, createNumber } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';

const AGENTS = 150;

onEachDatabase('A connection below more than a hundred parents', (subject) => {
  const names = Array.from({ length: AGENTS }, (_, index) => `many${String(index)}`);

  beforeAll(async () => {
    const { app } = subject();
    await createDomain(app, { domainUri: 'many.test' });
    const gateways = [await createGateway(app), await createGateway(app)];
    await Promise.all(
      names.map(async (username, index) => {
        const [gatewayRef, aorLink] = [gateways[index % 2], `sip:${username}@many.test`];
        await createAgent(app, { username, domains: ['many.test'] });
        await createDid(app, { gatewayRef, aorLink });
        await createNumber(app, { gatewayRef, aorLink, ref: `first-${String(index)}` });
        await createNumber(app, { gatewayRef, aorLink });
      }),
    );
  });

  interface Target {
    readonly username: string;
    readonly numbers: { readonly totalCount: number; readonly nodes: readonly { readonly ref: string }[] };
  }

  test.each([
    ['first', /^first-/],
    ['last', /^nu/],
  ])('gives each parent its own %s item', async (side, ref) => {
    const { data, errors } = await subject().app.graphql<{
      readonly gateways: {
        readonly nodes: readonly { readonly dids: { readonly nodes: readonly { readonly target: Target }[] } }[];
      };
    }>(
      `{ gateways(first: 2) { nodes { dids(first: 100) { nodes { target { ... on Agent {
          username numbers(${side}: 1) { totalCount nodes { ref } }
        } } } } } } }`,
    );
    expect(errors).toBeUndefined();
    const targets = data.gateways.nodes.flatMap(({ dids }) => dids.nodes.map(({ target }) => target));
    expect(targets.map(({ username }) => username).sort()).toEqual([...names].sort());
    for (const { numbers } of targets) {
      expect(numbers).toEqual({ totalCount: 2, nodes: [{ ref: expect.stringMatching(ref) as string }] });
    }
  });

  test('gives each parent its own items under a filter and an order, with their count', async () => {
    const { data, errors } = await subject().app.graphql<{
      readonly gateways: {
        readonly nodes: readonly { readonly dids: { readonly nodes: readonly { readonly target: Target }[] } }[];
      };
    }>(
      `{ gateways(first: 2) { nodes { dids(first: 100) { nodes { target { ... on Agent {
          username numbers(first: 1, filter: "@.metadata.ref =~ /first-.*/", orderBy: [{ field: REF, direction: DESC }]) {
            totalCount nodes { ref }
          }
        } } } } } } }`,
    );
    expect(errors).toBeUndefined();
    const targets = data.gateways.nodes.flatMap(({ dids }) => dids.nodes.map(({ target }) => target));
    for (const { username, numbers } of targets) {
      expect(numbers).toEqual({ totalCount: 1, nodes: [{ ref: username.replace('many', 'first-') }] });
    }
  });
});

onEachDatabase('A connection below parents with few and with many items', (subject) => {
  const SIZES = [0, 1, 2, 40, 3, 0, 5, 1];
  /** Of each gateway, the refs of its DIDs in the order of their creation. */
  const created = new Map<string, readonly string[]>();
  /** The cursor of a DID in the middle of the longest list, and the DIDs that were created before it, with it. */
  let cursor = '';
  const earlier = new Set<string>();

  interface Page {
    readonly edges: readonly { readonly cursor: string; readonly node: { readonly ref: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
  }

  beforeAll(async () => {
    const { app } = subject();
    for (const size of SIZES) {
      const gatewayRef = await createGateway(app);
      const refs: string[] = [];
      for (let n = 0; n < size; n++) refs.push(await createDid(app, { gatewayRef }));
      created.set(gatewayRef, refs);
    }
    const middle = 20;
    const { data } = await app.graphql<{ readonly dids: Page }>(
      `{ dids(first: ${String(middle)}) { edges { cursor node { ref } } } }`,
    );
    cursor = data.dids.edges.at(-1)?.cursor ?? '';
    for (const { node } of data.dids.edges) earlier.add(node.ref);
    expect(earlier.size).toBe(middle);
  });

  test.each([
    ['first', 1],
    ['first', 2],
    ['last', 2],
    ['last', 4],
    ['first', 50],
  ] as const)(
    'has the %s %i items of each parent, also next to a cursor, however often it is read',
    async (side, size) => {
      const isFirst = side === 'first';
      for (const at of [undefined, cursor, undefined, cursor]) {
        const next = at === undefined ? '' : `, ${isFirst ? 'after' : 'before'}: "${at}"`;
        const { data, errors } = await subject().app.graphql<{
          readonly gateways: { readonly nodes: readonly { readonly ref: string; readonly dids: Page }[] };
        }>(`{ gateways(first: 20) { nodes { ref dids(${side}: ${String(size)}${next}) {
        edges { cursor node { ref } } pageInfo { hasNextPage hasPreviousPage }
      } } } }`);
        expect(errors).toBeUndefined();
        const isLeft = (ref: string): boolean => earlier.has(ref) !== isFirst && ref !== [...earlier].at(-1);
        const shown = data.gateways.nodes.map(({ ref, dids: { edges, pageInfo } }) => [
          ref,
          edges.map(({ node }) => node.ref),
          isFirst ? pageInfo.hasNextPage : pageInfo.hasPreviousPage,
        ]);
        const expected = [...created].map(([ref, all]) => {
          const own = all.filter((did) => at === undefined || isLeft(did));
          return [ref, isFirst ? own.slice(0, size) : own.slice(-size), own.length > size];
        });
        expect(shown).toEqual(expected);
      }
    },
  );
});
