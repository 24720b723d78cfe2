import { createDid, createGateway, createNumber } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';

interface Page {
  readonly totalCount: number;
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly ref: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

const FIELDS =
  'totalCount edges { cursor node { ref } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

onEachDriver('Connections', (subject) => {
  const refs: string[] = [];
  let gatewayRef: string;

  beforeAll(async () => {
    refs.length = 0;
    gatewayRef = await createGateway(subject().app);
    for (let index = 0; index < 7; index++) refs.push(await createDid(subject().app, { gatewayRef }));
  });

  async function page(variables: Readonly<Record<string, unknown>>): Promise<Page> {
    const { data, errors } = await subject().app.graphql<{ dids: Page }>(
      `query ($first: Int, $after: String, $last: Int, $before: String) {
        dids(first: $first, after: $after, last: $last, before: $before) { ${FIELDS} }
      }`,
      variables,
    );
    expect(errors).toBeUndefined();
    return data.dids;
  }

  const refsOf = ({ edges }: Page): string[] => edges.map(({ node }) => node.ref);

  test('page forwards and backwards over each item once', async () => {
    const [forwards, backwards]: [string[][], string[][]] = [[], []];
    let after: string | null = null;
    for (let more = true; more;) {
      const part = await page({ first: 3, after });
      forwards.push(refsOf(part));
      expect(part.pageInfo).toMatchObject({ hasPreviousPage: after !== null, startCursor: part.edges[0]?.cursor });
      [after, more] = [part.pageInfo.endCursor, part.pageInfo.hasNextPage];
    }
    let before: string | null = null;
    for (let more = true; more;) {
      const part = await page({ last: 3, before });
      backwards.unshift(refsOf(part));
      expect(part.pageInfo.hasNextPage).toBe(before !== null);
      [before, more] = [part.pageInfo.startCursor, part.pageInfo.hasPreviousPage];
    }
    expect(forwards).toEqual([refs.slice(0, 3), refs.slice(3, 6), refs.slice(6)]);
    expect(backwards).toEqual([refs.slice(0, 1), refs.slice(1, 4), refs.slice(4)]);
  });

  test('accept both cursors', async () => {
    const { edges } = await page({ first: 10 });
    const between = await page({
      first: 10,
      after: edges[1]?.cursor,
      before: edges[5]?.cursor,
    });
    expect([refsOf(between), between.totalCount]).toEqual([refs.slice(2, 5), 7]);
  });

  test('an empty page has no cursors', async () => {
    const { edges } = await page({ first: 10 });
    const past = await page({ first: 10, after: edges.at(-1)?.cursor });
    expect(past).toMatchObject({ edges: [], pageInfo: { hasNextPage: false, startCursor: null, endCursor: null } });
  });

  test('a cursor keeps its position when items are created and deleted', async () => {
    const { app } = subject();
    const { pageInfo } = await page({ first: 2 });
    const extra = await createDid(app, { gatewayRef });
    expect(refsOf(await page({ first: 2, after: pageInfo.endCursor }))).toEqual(refs.slice(2, 4));
    await app.graphql(`mutation { deleteDID(ref: "${extra}") }`);
    expect((await page({ first: 1 })).totalCount).toBe(7);
  });

  test('nested connections page separately for each parent', async () => {
    const { app } = subject();
    const [one, two] = [await createGateway(app), await createGateway(app)];
    const made = new Map<string, string[]>();
    for (const gateway of [one, two, one, two, one]) {
      made.set(gateway, [...(made.get(gateway) ?? []), await createNumber(app, { gatewayRef: gateway })]);
    }
    const ask = async (args: string): Promise<{ ref: string; numbers: Page }[]> => {
      const { data } = await app.graphql<{ gateways: { nodes: { ref: string; numbers: Page }[] } }>(
        `{ gateways(last: 2) { nodes { ref numbers(${args}) { ${FIELDS} } } } }`,
      );
      return data.gateways.nodes;
    };
    const firstTwo = await ask('first: 2');
    expect(firstTwo.map(({ numbers }) => refsOf(numbers))).toEqual([
      made.get(one)?.slice(0, 2),
      made.get(two)?.slice(0, 2),
    ]);
    expect(firstTwo.map(({ numbers }) => [numbers.totalCount, numbers.pageInfo.hasNextPage])).toEqual([
      [3, true],
      [2, false],
    ]);
    expect((await ask('last: 1')).map(({ numbers }) => refsOf(numbers))).toEqual([
      made.get(one)?.slice(-1),
      made.get(two)?.slice(-1),
    ]);
    const after = firstTwo[0]?.numbers.edges[1]?.cursor ?? '';
    expect((await ask(`first: 5, after: "${after}"`)).map(({ numbers }) => refsOf(numbers))[0]).toEqual(
      made.get(one)?.slice(2),
    );
  });

  test.each([
    ['first: 0', 'first', '0 is not a number from 1 to 100'],
    ['first: 101', 'first', '101 is not a number from 1 to 100'],
    ['last: -1', 'last', '-1 is not a number from 1 to 100'],
    ['first: 1, last: 1', 'last', 'cannot be combined with first'],
    ['after: "x"', 'after', '"x" is not a cursor of this service'],
    ['before: ""', 'before', '"" is not a cursor of this service'],
    ['after: "cm93OjEgT1IgMQ"', 'after', '"cm93OjEgT1IgMQ" is not a cursor'],
  ])('(%s) is BAD_USER_INPUT, and the error names %s and the value', async (args, field, message) => {
    for (const list of ['dids', 'users', 'contacts', 'registrations']) {
      const { errors } = await subject().app.graphql(`{ ${list}(${args}) { totalCount } }`);
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining(message) as string,
        extensions: { code: 'BAD_USER_INPUT', status: 400, fields: [field] },
      });
    }
  });
});
