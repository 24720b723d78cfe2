import { fetchToken, startApp, type TestApp } from '../support/app';
import { metric } from '../support/metrics';
import { onEachDriver } from '../support/databases/on-each-database';

const SECRET = 'a long secret';

onEachDriver('Accounts that were read a moment ago', (subject) => {
  let other: TestApp;
  let count = 0;

  beforeAll(async () => {
    other = await startApp({ DATABASE_URL: subject().url }, undefined, { timings: { accountLease: 100 } });
  });

  afterAll(() => other.close());

  const admin = async <Data>(query: string): Promise<Data> => (await subject().app.graphql<Data>(query)).data;

  /** A new operator, and a token of a sign-in. */
  async function operator() {
    const username = `leased${String(++count)}`;
    const input = `{ username: "${username}", secret: "${SECRET}", role: OPERATOR }`;
    const { createUser } = await admin<{ createUser: { ref: string } }>(
      `mutation { createUser(input: ${input}) { ref } }`,
    );
    return { ref: createUser.ref, token: await fetchToken(subject().app.url, username, SECRET) };
  }

  /** An API token of a new operator. */
  async function apiToken() {
    const { token } = await operator();
    const { data } = await subject().app.graphql<{ createApiToken: { token: string; apiToken: { ref: string } } }>(
      'mutation { createApiToken(name: "leased", role: OPERATOR) { token apiToken { ref } } }',
      {},
      { token },
    );
    return { token: data.createApiToken.token, ref: data.createApiToken.apiToken.ref };
  }

  // What another process still accepts while it is busy with the token, and what it refuses after the response.
  test.each([
    ['a deleted user', operator, (ref: string) => `deleteUser(ref: "${ref}")`, 401],
    ['a new secret', operator, (ref: string) => `setUserSecret(ref: "${ref}", secret: "another secret") { ref }`, 401],
    ['a lower role', operator, (ref: string) => `setUserRole(ref: "${ref}", role: VIEWER) { ref }`, 403],
    ['ended sessions', operator, (ref: string) => `endAllSessions(userRef: "${ref}")`, 401],
    ['a deleted API token', apiToken, (ref: string) => `deleteApiToken(ref: "${ref}")`, 401],
  ])('do not outlive the response to the change of %s, in any process', async (_what, make, change, status) => {
    const { ref, token } = await make();
    const use = async () => (await other.rest('DELETE', '/gateways/nothing', { token })).status;
    const done = new AbortController();
    const busy = (async () => {
      while (!done.signal.aborted) await use();
    })();
    expect(await use()).toBe(404);
    await admin(`mutation { ${change(ref)} }`);
    expect(await use()).toBe(status);
    done.abort();
    await busy;
  });

  test('save one of two statements of a request for a resource', async () => {
    const statementsOf = async (accountLease: number): Promise<number> => {
      const app = await startApp({ DATABASE_URL: subject().url }, undefined, { timings: { accountLease } });
      const total = async () => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      await app.rest('GET', '/gateways/nothing');
      const before = await total();
      for (let n = 0; n < 100; n++) await app.rest('GET', '/gateways/nothing');
      const after = await total();
      await app.close();
      return after - before;
    };
    // Less than half, and some for what runs periodically.
    expect((await statementsOf(60_000)) / (await statementsOf(0))).toBeLessThan(0.7);
  });
});
