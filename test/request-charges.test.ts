import { fetchToken, type RestOptions } from './support/app';
import { onEachDatabase } from './support/on-each-database';

const SECRET = 'the secret of a user';
const REFUSED = `@.metadata.name =~ /(${Array.from({ length: 100 }, (_, index) => `aaa${String(index)}`).join('|')}){3}/`;
const filtered = (filter: string): string => `/agents?itemsPerPage=1&filter=${encodeURIComponent(filter)}`;

function form(text: string): RestOptions {
  return {
    body: `--b\r\nContent-Disposition: form-data; name="file"; filename="x.yml"\r\n\r\n${text}\r\n--b--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  };
}

onEachDatabase(
  'The work budget',
  (subject) => {
    let users = 0;

    async function newOperator(): Promise<string> {
      const username = `user${String(++users)}`;
      await subject().app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
        input: { username, secret: SECRET, role: 'OPERATOR' },
      });
      return fetchToken(subject().app.url, username, SECRET);
    }

    /** The statuses of requests that one user sends one after the other. */
    async function statuses(times: number, method: string, path: string, options: RestOptions = {}): Promise<number[]> {
      const token = await newOperator();
      const found: number[] = [];
      for (let time = 0; time < times; time++)
        found.push((await subject().app.rest(method, path, { ...options, token })).status);
      return found;
    }

    test('is charged for filters that are refused', async () => {
      const found = await statuses(20, 'GET', filtered(REFUSED));
      expect([found[0], found.at(-1)]).toEqual([400, 429]);
    });

    test('is charged for filters that are refused in GraphQL', async () => {
      const token = await newOperator();
      const codes: unknown[] = [];
      for (let time = 0; time < 20; time++) {
        const query = 'query ($filter: String) { agents(filter: $filter) { totalCount } }';
        const { errors } = await subject().app.graphql(query, { filter: REFUSED }, { token });
        codes.push(errors?.[0]?.extensions['code']);
      }
      expect([codes[0], codes.at(-1)]).toEqual(['BAD_USER_INPUT', 'RATE_LIMITED']);
    });

    test('is charged once for a filter that is repeated', async () => {
      const found = await statuses(50, 'GET', filtered(`@.metadata.name=='${'x'.repeat(900)}'`));
      expect(new Set(found)).toEqual(new Set([200]));
    });

    test('is charged for a form before it is parsed', async () => {
      const found = await statuses(3, 'POST', '/agents', form('---\n'.repeat(60_000)));
      expect([found[0], found.at(-1)]).toEqual([400, 429]);
    });

    test('is charged for a body before it is parsed', async () => {
      const found = await statuses(40, 'POST', '/agents', { body: `"${'x'.repeat(250_000)}"` });
      expect([found[0], found.at(-1)]).toEqual([400, 429]);
    });

    test('is charged for the size of a response, which is sent, and the next requests wait', async () => {
      const x = 'x'.repeat(250_000);
      for (let index = 0; index < 8; index++) {
        const spec = { context: { domainUri: `d${String(index)}.example` }, x };
        const body = { kind: 'Domain', metadata: { name: `Large ${String(index)}` }, spec };
        const { status } = await subject().app.rest('POST', '/domains', { body, token: await newOperator() });
        expect(status).toBe(201);
      }
      const found = await statuses(6, 'GET', '/domains?itemsPerPage=100');
      expect([found[0], found.at(-1)]).toEqual([200, 429]);
    });
  },
  { RATE_LIMIT_REQUESTS: '100000', RATE_LIMIT_WORK: '20000' },
);

onEachDatabase('An uploaded YAML stream', (subject) => {
  test('has at most 1,000 documents', async () => {
    const { status, body } = await subject().app.rest('POST', '/agents', form('---\n'.repeat(1001)));
    expect([status, body.data]).toEqual([400, ['file: line 1: the stream has more than 1000 documents']]);
  });
});
