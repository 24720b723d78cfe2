import { createAgent, createDid, createDomain, createGateway, createNumber } from './support/factories';
import { onEachDatabase } from './support/on-each-database';

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
