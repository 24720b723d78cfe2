import { CASES } from './cases';
import { createGateways } from './gateways';
import { onEachDatabase } from '../support/databases/on-each-database';

interface Found {
  readonly gateways: { readonly totalCount: number; readonly nodes: readonly { readonly ref: string }[] };
}

const QUERY = 'query ($filter: String!) { gateways(filter: $filter) { totalCount nodes { ref } } }';
const refsIn = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');
const cases = Object.entries(CASES).flatMap(([theme, rows]) =>
  rows.map(([filter, expected]) => ({ theme, filter, expected })),
);
const isComplaint = ({ expected }: { readonly expected: string }): boolean =>
  refsIn(expected).some((word) => !['one', 'two', 'three', 'four'].includes(word));

onEachDatabase('A filter', (subject) => {
  beforeAll(() => createGateways(subject().app, subject().url));

  test.each(cases.filter((each) => !isComplaint(each)))(
    '($theme) $filter selects "$expected", in both protocols',
    async ({ filter, expected }) => {
      const refs = refsIn(expected);
      const { data, errors } = await subject().app.graphql<Found>(QUERY, { filter });
      expect(errors).toBeUndefined();
      expect(data.gateways).toEqual({ totalCount: refs.length, nodes: refs.map((ref) => ({ ref })) });
      const { body } = await subject().app.rest<{ metadata: { ref: string } }[]>(
        'GET',
        `/gateways?filter=${encodeURIComponent(filter)}`,
      );
      expect(body.data.map(({ metadata }) => metadata.ref)).toEqual(refs);
      expect(body.meta).toMatchObject({ totalItems: refs.length });
    },
  );

  test.each(cases.filter(isComplaint))('($theme) $filter is 400: $expected', async ({ filter, expected }) => {
    const { errors } = await subject().app.graphql(QUERY, { filter });
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining(expected) as string,
      extensions: { code: 'BAD_USER_INPUT', fields: ['filter'] },
    });
    const { status, body } = await subject().app.rest<string[]>(
      'GET',
      `/gateways?filter=${encodeURIComponent(filter)}`,
    );
    expect([status, body.message, body.data]).toEqual([400, 'Bad Request', [expect.stringContaining(expected)]]);
  });
});
