import { randomBytes } from 'node:crypto';

import { startApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { databases } from '../support/databases/databases';
import { migrate } from '../support/databases/migrated';
import { runSql } from '../support/databases/sql';

const LACKING = 'The database refuses a privilege to the user in DATABASE_URL; the operator must grant it';

describe.each(databases)('A database user that may only read, on $name', ({ name, createDatabase }) => {
  let [own, reader, user] = ['', '', ''];
  let drop: () => Promise<void>;

  beforeAll(async () => {
    if (name === 'SQLite') return; // it has no users
    const database = await createDatabase();
    [own, drop] = [database.url, database.drop];
    await migrate(own);
    user = `r${randomBytes(6).toString('hex')}`;
    await runSql(own, `CREATE USER ${user}@'%' IDENTIFIED BY 'p'`);
    await runSql(own, `GRANT SELECT ON ${new URL(own).pathname.slice(1)}.* TO ${user}@'%'`);
    const url = new URL(own);
    [url.username, url.password] = [user, 'p'];
    reader = url.href;
  });

  afterAll(async () => {
    if (name === 'SQLite') return;
    await runSql(own, `DROP USER ${user}@'%'`);
    await drop();
  });

  test.each([
    ['user add', 'INSERT|UPDATE', ['user', 'add', 'anna', '--role', 'viewer', '--secret', 'a-long-secret']],
    ['kamailio install', 'SELECT', ['kamailio', 'install', '--password', 'kamailio-secret']],
  ])('is told by `%s` that it lacks %s, and not to try again', async (_command, privilege, command) => {
    if (name === 'SQLite') return;
    const { code, err } = await runCommand({ DATABASE_URL: reader, MIGRATE: 'off' }, ...command);
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`^${LACKING}: (?:${privilege})( on \\w+)?\n$`));
  });

  test('leads over the API to an error without names of the database and without a time to wait, and to an error in the log', async () => {
    if (name === 'SQLite') return;
    await runCommand({ DATABASE_URL: own }, 'user', 'add', 'admin', '--role', 'admin', '--secret', 'a-long-secret');
    const lines: string[] = [];
    const app = await startApp(
      {
        DATABASE_URL: reader,
        MIGRATE: 'off',
        LOG_LEVEL: 'error',
        ADMIN_SECRET: 'a-long-secret',
        JWT_SECRET: 'j'.repeat(40),
      },
      { write: (line) => lines.push(line) },
    );
    try {
      const { errors } = await app.graphql(
        'mutation { createDomain(input: { name: "d", domainUri: "d.test" }) { ref } }',
      );
      const spec = { context: { domainUri: 'd.test' } };
      const { status, headers, text } = await app.rest('POST', '/domains', {
        body: { apiVersion: 'v1beta1', kind: 'Domain', metadata: { name: 'd' }, spec },
      });
      expect(errors).toMatchObject([{ message: LACKING }]);
      expect(errors?.[0]?.extensions).toEqual({ code: 'UNAVAILABLE', status: 503 });
      expect([status, headers.get('retry-after')]).toEqual([503, null]);
      expect(text).not.toMatch(/denied|domains|sipgraph|INSERT/);
      const logged = lines.map((line) => JSON.parse(line) as { level: string; msg: string });
      expect(logged.filter(({ msg }) => msg === LACKING).map(({ level }) => level)).toContain('error');
    } finally {
      await app.close();
    }
  });
});
