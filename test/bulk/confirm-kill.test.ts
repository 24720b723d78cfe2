import { fetchToken, startApp } from '../support/app';
import { drivers } from '../support/databases/databases';
import { eventually } from '../support/eventually';
import { build, killAll, listening, start } from '../support/process';
import { runSql } from '../support/databases/sql';

const SECRET = 'the-admin-secret-of-the-tests';

describe.each(drivers)(
  'Changes that must be confirmed, of a process that is killed, on $name',
  ({ createDatabase }) => {
    beforeAll(build);
    afterEach(killAll);

    test('another process reverts them, once, although the first one had claimed them', async () => {
      const database = await createDatabase();
      const env = { DATABASE_URL: database.url, ADMIN_SECRET: SECRET, SAMPLE_DATA: 'false', RATE_LIMIT: 'off' };
      const first = start(env);
      const url = await listening(first);
      const token = await fetchToken(url, 'admin', SECRET);
      const call = async (query: string): Promise<unknown> => {
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        });
        const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
        expect(errors).toBeUndefined();
        return data;
      };
      await call(
        'mutation { createGateway(input: { ref: "gw", name: "before", host: "gw.test", transport: UDP }) { ref } }',
      );
      await call(`mutation {
      applyChanges(changes: [{ update: { ref: "gw", gateway: { name: "after" } } }], confirmWithin: 10) { request }
    }`);
      // It is killed while it has the claim.
      await eventually(5, async () =>
        expect(await runSql(database.url, "SELECT state FROM pending_changes WHERE holder <> ''")).toEqual([
          ['UNCONFIRMED'],
        ]),
      );
      first.child.kill('SIGKILL');
      await first.ended();

      const second = await startApp({ DATABASE_URL: database.url });
      await eventually(30, async () => {
        const { data } = await second.graphql(
          '{ gateway(ref: "gw") { name history { nodes { reason } } } pendingChanges { nodes { state reason } } }',
        );
        expect(data).toEqual({
          gateway: {
            name: 'before',
            history: { nodes: [{ reason: 'not confirmed within 10 seconds' }, { reason: null }, { reason: null }] },
          },
          pendingChanges: { nodes: [{ state: 'REVERTED', reason: 'not confirmed within 10 seconds' }] },
        });
      });
      await second.close();
      await database.drop();
    });
  },
);
