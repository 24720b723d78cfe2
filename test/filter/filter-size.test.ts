import { createGateways } from './gateways';
import { createDid, createDomain, createGateway } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';

type Where = Readonly<Record<string, unknown>>;

interface Answer {
  readonly totalCount: number;
}

const ones = (length: number): string => `[${Array.from({ length }, () => '1').join(',')}]`;
const texts = (length: number, ...more: readonly string[]): readonly string[] => [
  ...Array.from({ length: length - more.length }, (_, n) => `x${String(n)}`),
  ...more,
];
const lists = (count: number): Where => ({
  or: Array.from({ length: count }, () => ({ host: { in: texts(1000, 'sip.one.net') } })),
});
const TOO_LARGE = 'is too large: it makes more than 500 comparisons';

const LARGE_FILTERS: readonly (readonly [what: string, filter: string])[] = [
  ['a deep scan and a long list', `@..x==${ones(481)}`],
  ['a deep scan and a long list, negated', `!(@..x!=${ones(470)})`],
  ['a long list', `@.spec.x==${ones(481)}`],
  ['indexes and a long list', `@.spec.x[0][0][0][0]==${ones(200)}`],
  ['elements of a deep scan', `${ones(400)} anyof @..x`],
  ['two long lists', `${ones(200)} anyof ${ones(200)}`],
  ['indexes of deep scans', '@..x[0][0][0][0]==@..y[0][0][0][0]&&@..x[0][0][0][0]==@..y[0][0][0][0]'],
];

const LARGE_CONDITIONS: readonly (readonly [what: string, where: Where])[] = [
  ['a list of 1,000 that a resource must have', { registries: { containsAll: texts(1000) } }],
];

const ANSWERED: readonly (readonly [
  what: string,
  filter: string | undefined,
  where: Where | undefined,
  found: number,
])[] = [
  ['1,000 values', undefined, { host: { in: texts(1000, 'sip.one.net') } }, 1],
  ['none of 1,000 values', undefined, { host: { notIn: texts(1000, 'sip.one.net') } }, 3],
  ['1,000 numbers', undefined, { port: { in: Array.from({ length: 1000 }, (_, n) => 5000 + n) } }, 3],
  [
    '1,000 elements, one of which a resource has',
    undefined,
    { registries: { containsAny: texts(1000, 'a.one.net') } },
    1,
  ],
  ['five lists of 1,000 values', undefined, lists(5), 1],
  ['480 values and a deep scan', `@..port in ${ones(476).replace(/1]$/, '5060]')}`, undefined, 1],
  ['numbers and strings', "@.spec.credentials.username in [1001,'bob','5060',true,null]", undefined, 2],
  ['strings that look like numbers', "@.spec.port in ['5060','x',5061]", undefined, 2],
  ['true and null', '@.spec.flag in [true,null] || @.spec.nothing in [1,null]', undefined, 1],
  ['a list within a list', '@.spec.tags anyof [7,8] && @.spec.tags noneof ["7","true"]', undefined, 0],
  ['a list of 100 elements', `@.spec.x==${ones(100)}`, undefined, 0],
  ['a kilobyte of conditions', Array.from({ length: 100 }, () => '@.s.x==1').join('||'), undefined, 0],
];

onEachDatabase('The size of filters', (subject) => {
  beforeAll(async () => {
    await createGateways(subject().app, subject().url);
    await createDomain(subject().app);
  });

  test.each(LARGE_FILTERS)('%s is rejected with 400 in GraphQL and REST', async (_what, filter) => {
    const { app } = subject();
    const query = 'query ($filter: String) { domains(filter: $filter) { totalCount } }';
    const { errors } = await app.graphql(query, { filter });
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining(`filter: ${TOO_LARGE}`) as string,
      extensions: { code: 'BAD_USER_INPUT' },
    });
    const { status, text } = await app.rest('GET', `/domains?filter=${encodeURIComponent(filter)}`);
    expect([status, text]).toEqual([400, expect.stringContaining(TOO_LARGE)]);
  });

  test.each(LARGE_CONDITIONS)('%s are rejected with 400', async (_what, where) => {
    const query = 'query ($where: GatewayWhere) { gateways(where: $where) { totalCount } }';
    const { errors } = await subject().app.graphql(query, { where });
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining(`where: ${TOO_LARGE}`) as string,
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  test.each(ANSWERED)('%s are accepted', async (_what, filter, where, found) => {
    const query =
      'query ($filter: String, $where: GatewayWhere) { gateways(filter: $filter, where: $where) { totalCount } }';
    const { data, errors } = await subject().app.graphql<{ gateways: Answer }>(query, { filter, where });
    expect(errors).toBeUndefined();
    expect(data.gateways.totalCount).toBe(found);
  });

  test('1,000 values are accepted for the links of 100 resources', async () => {
    const { app } = subject();
    for (let n = 0; n < 96; n++) await createGateway(app);
    const did = await createDid(app, { gatewayRef: 'one' });
    const { data, errors } = await app.graphql<{ gateways: { nodes: readonly { dids: { nodes: unknown[] } }[] } }>(
      'query ($where: DIDWhere) { gateways(first: 100) { nodes { dids(first: 1, where: $where) { nodes { ref } } } } }',
      { where: { ref: { in: texts(1000, did) } } },
    );
    expect(errors).toBeUndefined();
    expect(data.gateways.nodes.filter(({ dids }) => dids.nodes.length > 0)).toHaveLength(1);
  });

  test('29 large filters in one document are rejected at once', async () => {
    const domains = Array.from(
      { length: 29 },
      (_, n) => `d${String(n)}: domains(filter: "@..y${String(n)}==${ones(450)}") { totalCount }`,
    );
    const started = performance.now();
    const { errors } = await subject().app.graphql(`{ ${domains.join(' ')} }`);
    expect(errors?.[0]?.message).toContain(TOO_LARGE);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
