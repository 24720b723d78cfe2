import { createAgent, createDid, createDomain, createGateway } from '../support/factories';
import { metric } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';

const SEARCH = `query ($text: String!, $first: Int) {
  search(text: $text, first: $first) {
    kind ref
    ... on Gateway { label: name host } ... on Agent { label: name } ... on Domain { label: name } ... on DID { label: telUrl gateway { name } }
  }
}`;

interface Found {
  readonly search: readonly { readonly kind: string; readonly ref: string; readonly label?: string }[];
}

onEachDatabase(
  'The search',
  (subject) => {
    const search = async (text: string, first?: number) => {
      const { data, errors } = await subject().app.graphql<Found>(SEARCH, { text, first });
      expect(errors).toBeUndefined();
      return data.search;
    };
    const refs: Record<string, string> = {};

    beforeAll(async () => {
      const { app } = subject();
      refs['gateway'] = await createGateway(app, { name: 'Needle carrier', host: 'carrier.test' });
      refs['domain'] = await createDomain(app, { name: 'the NEEDLE domain', domainUri: 'needle.test' });
      refs['agent'] = await createAgent(app, { name: 'x%needle_', username: 'a100', domains: ['needle.test'] });
      refs['did'] = await createDid(app, { telUrl: 'tel:+4930123456', gatewayRef: refs['gateway'] });
      refs['range'] = await createDid(app, {
        telUrl: 'tel:+4930777000',
        lastTelUrl: 'tel:+4930777999',
        gatewayRef: refs['gateway'],
      });
    });

    test.each<[string, readonly string[]]>([
      ['needle', ['agent', 'domain', 'gateway']],
      ['  NEEDLE ', ['agent', 'domain', 'gateway']],
      ['carrier.test', ['gateway']],
      ['%needle_', ['agent']],
      ['n_edle', []],
      ['+49 30 123456', ['did']],
      ['030 / 12 34 56', ['did']],
      ['0049-30-1234', ['did']],
      ['tel:+4930123456', ['did']],
      ['+4930777321', ['range']],
      ['+4930', ['did', 'range']],
      ['nobody has this', []],
    ])('%j finds %j', async (text, expected) => {
      expect((await search(text)).map(({ ref }) => ref).sort()).toEqual(expected.map((name) => refs[name]).sort());
    });

    test('returns what is selected, with links, in the order of kinds, and at most `first` of each', async () => {
      const [did] = await search('+4930123456');
      expect(did).toEqual({
        kind: 'DID',
        ref: refs['did'],
        label: 'tel:+4930123456',
        gateway: { name: 'Needle carrier' },
      });
      expect(await search('+4930', 1)).toHaveLength(1);
      expect(await search('needle', 1)).toHaveLength(3);
    });

    test('takes at most one statement for each kind, and two for DIDs and Numbers', async () => {
      const { app } = subject();
      const token = await app.token();
      const count = () => metric(app.url, token, 'sipgraph_sql_statements_total');
      for (const text of ['needle', '+4930123456']) {
        const before = await count();
        await search(text);
        // Seven kinds, the ranges of two, the caller, and the metrics.
        expect((await count()) - before).toBeLessThanOrEqual(11);
      }
    });

    test.each<[string, object, string]>([
      ['an empty text', { text: ' ' }, 'text'],
      ['a text of 321 characters', { text: 'x'.repeat(321) }, 'text'],
      ['no results', { text: 'x', first: 0 }, 'first'],
      ['21 results of each kind', { text: 'x', first: 21 }, 'first'],
    ])('refuses %s', async (_what, variables, field) => {
      const { errors } = await subject().app.graphql(SEARCH, { ...variables });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [field] });
    });
  },
  { HOME_COUNTRY: 'DE' },
);
