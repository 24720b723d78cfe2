import { fetchToken } from '../support/app';
import { createGateway } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';
import { transportsOn } from '../support/subscriptions';

const SECRET = 'the secret of a user';

onEachDriver(
  'Subscribers with the same document',
  (subject, database) => {
    let users = 0;

    async function tokenOf(role: 'OPERATOR' | 'VIEWER'): Promise<string> {
      const { app } = subject();
      const input = { username: `user${String(++users)}`, secret: SECRET, role };
      await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', { input });
      return fetchToken(app.url, input.username, SECRET);
    }

    /** Creates a gateway, and returns what each of the subscribers hears about it. */
    async function heard(tokens: readonly string[], selection: string, prepare?: () => Promise<void>) {
      const { app } = subject();
      const query = `subscription { resourceChanged(kinds: [Gateway]) { resource { ... on Gateway { ${selection} } } } }`;
      const found = [];
      for (const { subscribe } of transportsOn(database)) {
        const subscriptions = [];
        for (const token of tokens) subscriptions.push(await subscribe(app.url, token, query));
        await prepare?.();
        await createGateway(app);
        found.push(await Promise.all(subscriptions.map(({ next }) => next())));
        for (const { close } of subscriptions) await close();
      }
      return found;
    }

    test('see what their role may see', async () => {
      const tokens = [await tokenOf('OPERATOR'), await tokenOf('VIEWER'), await tokenOf('OPERATOR')];
      const nodes = (address: unknown) => ({
        data: { resourceChanged: { resource: { history: { nodes: [{ event: 'CREATED', address }] } } } },
      });
      const address = expect.stringContaining('127.0.0.1') as unknown;
      for (const each of await heard(tokens, 'history(first: 1) { nodes { event address } }'))
        expect(each).toEqual([nodes(address), nodes(null), nodes(address)]);
    });

    test('share the errors of the database', async () => {
      const { url } = subject();
      const tokens = [await tokenOf('OPERATOR'), await tokenOf('OPERATOR')];
      await runSql(url, 'ALTER TABLE numbers RENAME COLUMN tel_url TO renamed');
      try {
        for (const [one, other] of await heard(tokens, 'dids(first: 1) { nodes { telUrl } }')) {
          expect(one?.errors?.[0]?.extensions).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
          // With the same `requestId`.
          expect(other).toEqual(one);
        }
      } finally {
        await runSql(url, 'ALTER TABLE numbers RENAME COLUMN renamed TO tel_url');
      }
    });

    test('do not see that the budget of another is spent', async () => {
      const { app } = subject();
      const tokens = [await tokenOf('OPERATOR'), await tokenOf('OPERATOR')];
      const [first] = tokens;
      /** Spends all that is left of the budget of the first one. */
      async function spend(): Promise<void> {
        for (const lists of [10, 1]) {
          const list = (_each: unknown, n: number): string => `a${String(n)}: domains(first: 100) { nodes { ref } }`;
          const query = `{ ${Array.from({ length: lists }, list).join(' ')} }`;
          while (!(await app.graphql(query, {}, { token: first })).errors);
        }
      }
      const selection = 'dids(filter: "@.spec.location.telUrl =~ /tel:.*1/") { totalCount }';
      for (const [one, other] of await heard(tokens, selection, spend)) {
        expect(one?.errors?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED' });
        expect(other).toEqual({ data: { resourceChanged: { resource: { dids: { totalCount: 0 } } } } });
      }
    });
  },
  { RATE_LIMIT_REQUESTS: '100000', RATE_LIMIT_WORK: '10000' },
);
