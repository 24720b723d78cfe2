import Database from 'better-sqlite3';

import { startApp, type TestApp } from './support/app';
import { createSqliteDatabase, databases } from './support/databases';
import { eventually } from './support/eventually';
import { query } from './support/servers';

const servers = databases.filter(({ name }) => name !== 'SQLite');

const INPUT = { name: 'G', host: 'h.test', transport: 'UDP' };
const DOCUMENT = { kind: 'Gateway', metadata: { name: 'R' }, spec: { host: 'rest.test', transport: 'udp' } };

/** What a create fails with, in both protocols. */
async function refusals(app: TestApp): Promise<readonly unknown[]> {
  const mutation = 'mutation ($input: CreateGatewayInput!) { createGateway(input: $input) { ref } }';
  const { errors = [] } = await app.graphql(mutation, { input: INPUT });
  const { status, headers, text } = await app.rest('POST', '/gateways', { body: DOCUMENT });
  expect(text).not.toMatch(/told by a trigger/);
  return [errors[0]?.extensions['code'], status, headers.get('retry-after')];
}

for (const { name, createDatabase } of servers) {
  describe(`On ${name}`, () => {
    test.each([
      [1021, 'a full disk'],
      [1114, 'a full table'],
      [1290, 'a read-only server'],
      [1836, 'a read-only mode'],
      [1047, 'a node without a quorum'],
      [1226, "a limit of the server's user"],
      [1213, 'a deadlock in each attempt'],
      [1205, 'a lock that is not released'],
      [1180, 'a commit that fails'],
      [3101, 'a conflict with another node'],
    ])('error %i, %s, gives UNAVAILABLE and 503 with Retry-After, and reads still work', async (number) => {
      const { url, drop } = await createDatabase();
      const app = await startApp({ DATABASE_URL: url });
      const signal = `SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${String(number)}, MESSAGE_TEXT = 'told by a trigger'`;
      await query(url, `CREATE TRIGGER refusing BEFORE INSERT ON gateways FOR EACH ROW ${signal}`);
      expect(await refusals(app)).toEqual(['UNAVAILABLE', 503, '5']);
      expect((await app.rest('GET', '/gateways')).status).toBe(200);
      await app.close();
      await drop();
    });
  });
}

test('A SQLite file that another process keeps locked gives 503 with Retry-After', async () => {
  const { url, drop } = await createSqliteDatabase();
  const app = await startApp({ DATABASE_URL: url });
  await app.token();
  const other = new Database(url.replace('sqlite:', ''));
  other.exec('BEGIN IMMEDIATE');
  expect(await refusals(app)).toEqual(['UNAVAILABLE', 503, '5']);
  other.exec('ROLLBACK');
  await eventually(30, async () =>
    expect((await app.graphql('{ gateways { totalCount } }')).data).toEqual({ gateways: { totalCount: 0 } }),
  );
  other.close();
  await app.close();
  await drop();
});
