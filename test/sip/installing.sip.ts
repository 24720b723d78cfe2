import { randomBytes } from 'node:crypto';

import { databases, type TestDatabase } from '../support/databases';
import { runSql } from '../support/sql';
import { runCommand } from './stack';

const servers = databases.filter(({ name }) => name !== 'SQLite');

describe.each(servers)('Installing for Kamailio, on $name', ({ createDatabase }) => {
  let own: TestDatabase;

  let schema: string;
  let target: readonly string[];

  beforeAll(async () => {
    own = await createDatabase();
  });

  beforeEach(() => {
    schema = `kamailio_${randomBytes(6).toString('hex')}`;
    target = ['--schema', schema, '--user', schema];
  });

  afterEach(async () => {
    await sql(`DROP USER IF EXISTS ${schema}@127.0.0.1`);
    await sql(`DROP DATABASE IF EXISTS ${schema}`);
  });

  afterAll(() => own.drop());

  const run = (...args: readonly string[]): Promise<string> => runCommand(own.url, ['kamailio', ...args]);
  const sql = (text: string): ReturnType<typeof runSql> => runSql(own.url, text);
  const sqlAs = (user: string, password: string, text: string): ReturnType<typeof runSql> => {
    const url = new URL(own.url);
    [url.username, url.password, url.pathname] = [user, password, ''];
    return runSql(url.href, text);
  };
  const grants = async (user: string): Promise<string> => (await sql(`SHOW GRANTS FOR ${user}@127.0.0.1`)).join('\n');

  test('a Kamailio that runs does not notice that it is installed again', async () => {
    await run('install', ...target, '--password', 'p');
    let isDone = false;
    const phones = Array.from({ length: 8 }, async () => {
      let asked = 0;
      for (; !isDone; asked++) {
        await sqlAs(schema, 'p', `SELECT * FROM ${schema}.subscriber`);
        await sqlAs(schema, 'p', `DELETE FROM ${schema}.location`);
      }
      return asked;
    });
    const installing = (async () => {
      for (let time = 0; time < 10; time++) await run('install', ...target, '--password', 'p');
    })().finally(() => (isDone = true));
    const asked = await Promise.all(phones);
    await installing;
    expect(Math.min(...asked)).toBeGreaterThan(5);
  });

  test('what its user may do beyond its own rights ends', async () => {
    await run('install', ...target);
    const before = await grants(schema);
    await sql(`GRANT ALL ON ${schema}.domain TO ${schema}@127.0.0.1 WITH GRANT OPTION`);
    await sql(`GRANT UPDATE ON ${schema}.acl TO ${schema}@127.0.0.1`);
    await sql(`CREATE VIEW ${schema}.former AS SELECT 1`);
    await sql(`GRANT SELECT ON ${schema}.former TO ${schema}@127.0.0.1`);
    await sql(`DROP VIEW ${schema}.former`);
    await run('install', ...target);
    expect(await grants(schema)).toBe(before);
  });

  test.each(['mysql', 'sys', 'SYS', 'information_schema', 'Performance_Schema'])(
    'the server’s own schema %s is left alone',
    async (schema) => {
      for (const command of ['install', 'uninstall'])
        await expect(run(command, '--schema', schema)).rejects.toThrow(
          `schema: "${schema}" is the database server's own`,
        );
    },
  );
});
