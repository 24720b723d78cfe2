import { onEachDriver } from '../support/databases/on-each-database';
import { transports } from '../support/subscriptions';

onEachDriver(
  'DISCOVERY=off',
  (subject) => {
    test.each(['/openapi.json', '/docs', '/docs/', '/docs/json', '/docs/static/index.html', '/playground'])(
      '%s does not exist',
      async (path) => {
        const response = await fetch(subject().app.url + path, { redirect: 'manual' });
        expect(response.status).toBe(404);
      },
    );

    const QUERIES = [
      '{ __schema { types { name } } }',
      '{ x: __schema { types { name } } }',
      '{ ...F } fragment F on Query { __type(name: "Gateway") { name } }',
      '{ gateways(first: 1) { nodes { ref } } __type(name: "Query") { fields { name } } }',
    ];

    test.each(QUERIES)('over HTTP, %s is rejected', async (query) => {
      const { app } = subject();
      for (const token of [undefined, null]) {
        const { errors, data } = await app.graphql(query, {}, { token });
        expect(errors?.length).toBeGreaterThan(0);
        expect(JSON.stringify(data ?? null)).toBe('null');
      }
    });

    test.each(transports.flatMap((transport) => QUERIES.map((query) => [transport.name, query, transport] as const)))(
      'over %s, %s is rejected',
      async (_name, query, transport) => {
        const { app } = subject();
        const subscription = await transport.subscribe(app.url, await app.token(), query);
        const told = JSON.stringify(await subscription.next());
        expect(told).toMatch(/introspection/);
        expect(told).not.toContain('"data"');
      },
    );

    test('__typename works, and errors contain no suggestions', async () => {
      const { app } = subject();
      expect((await app.graphql('{ __typename viewer { __typename username } }')).data).toEqual({
        __typename: 'Query',
        viewer: { __typename: 'Viewer', username: 'admin' },
      });
      const { errors } = await app.graphql('{ gatewayz { totalCount } }');
      expect(JSON.stringify(errors)).not.toMatch(/did you mean/i);
    });
  },
  { DISCOVERY: 'off' },
);
