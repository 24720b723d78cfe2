import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { databases, type TestDatabase } from '../../support/databases/databases';
import { runSql } from '../../support/databases/sql';
import { runCommand } from '../stack';

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
  // MariaDB lists them in the order of a hash table.
  const grants = async (user: string): Promise<string> =>
    (await sql(`SHOW GRANTS FOR ${user}@127.0.0.1`)).map(String).toSorted().join('\n');

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

  test('its user may write what docs/kamailio.md says, and read all else', async () => {
    await run('install', ...target);
    const page = await readFile(join(__dirname, '../../../docs/kamailio.md'), 'utf8');
    const [, named = ''] = /`INSERT`, `UPDATE` and\n`DELETE` on ([^.]*)\./.exec(page) ?? [];
    const written = [
      ...(await grants(schema)).matchAll(/GRANT SELECT, INSERT, UPDATE, DELETE ON \S+\.["`](\w+)["`] TO/g),
    ];
    expect(written.map(([, name]) => name).toSorted()).toEqual(
      [...named.matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted(),
    );
  });

  test('uninstalling takes views, schema and user away', async () => {
    await run('install', ...target);
    expect(await run('uninstall', ...target)).toBe(
      `Dropped the user "${schema}".\nDropped the views, the tables and the schema "${schema}".\n`,
    );
    expect(await sql(`SELECT 1 FROM mysql.user WHERE user = '${schema}'`)).toEqual([]);
    expect(await sql(`SHOW DATABASES LIKE '${schema}'`)).toEqual([]);
    expect(await run('uninstall', ...target)).toBe(
      `The user "${schema}" at 127.0.0.1 does not exist.\nThe schema "${schema}" contains no views of sipgraph.\n`,
    );
  });

  test('what somebody else keeps beside the views stays, with whoever reads it', async () => {
    await run('install', ...target);
    const reader = `reader_${schema.slice(-6)}`;
    await sql(`CREATE TABLE ${schema}.acc (id INT)`);
    await sql(`CREATE USER ${reader}@127.0.0.1 IDENTIFIED BY 'p'`);
    await sql(`GRANT SELECT ON ${schema}.acc TO ${reader}@127.0.0.1`);
    await run('install', ...target);
    expect(await run('uninstall', '--schema', schema, '--user', reader)).toContain(`Kept the user "${reader}"`);
    expect(await sqlAs(reader, 'p', `SELECT * FROM ${schema}.acc`)).toEqual([]);
    await sql(`DROP USER ${reader}@127.0.0.1`);
    expect(await run('uninstall', ...target)).toContain(`Dropped the user "${schema}".`);
    expect(await sql(`SHOW TABLES FROM ${schema}`)).toEqual([['acc']]);
  });

  test('a server of any sql_mode knows its own again', async () => {
    const [[mode] = []] = await sql('SELECT @@GLOBAL.sql_mode');
    try {
      await sql("SET GLOBAL sql_mode = CONCAT(@@GLOBAL.sql_mode, ',ANSI_QUOTES')");
      for (let time = 0; time < 2; time++) await run('install', ...target, '--password', 'p');
      expect(await run('uninstall', ...target)).toBe(
        `Dropped the user "${schema}".\nDropped the views, the tables and the schema "${schema}".\n`,
      );
    } finally {
      await sql(`SET GLOBAL sql_mode = '${String(mode)}'`);
    }
  });

  test('uninstalling leaves sipgraph’s own user', async () => {
    const { username } = new URL(own.url);
    await expect(run('uninstall', '--schema', schema, '--user', username)).rejects.toThrow(
      `user: "${username}" is the user of sipgraph itself`,
    );
  });

  test.each([
    ['of any schema', 'GRANT SELECT ON *.* TO'],
    ['of another schema', 'GRANT SELECT ON mysql.* TO'],
    ['of another table', 'GRANT SELECT ON mysql.user TO'],
    ['of some columns', 'GRANT SELECT (user) ON mysql.user TO'],
    ['to pass on', 'GRANT USAGE ON *.* TO @ WITH GRANT OPTION'],
    ['to act as another user', 'GRANT PROXY ON root@localhost TO'],
  ])('a user who has rights %s is not taken, nor dropped', async (_, grant) => {
    const account = `${schema}@127.0.0.1`;
    await sql(`CREATE USER ${account} IDENTIFIED BY 'hers'`);
    await sql(grant.includes('@ ') ? grant.replace('@ ', `${account} `) : `${grant} ${account}`);
    const before = await grants(schema);
    await expect(run('install', ...target, '--password', 'p')).rejects.toThrow(
      `user: "${schema}" has rights that install does not grant: choose another user`,
    );
    expect(await sql(`SHOW DATABASES LIKE '${schema}'`)).toEqual([]);
    expect(await run('uninstall', ...target)).toContain(`Kept the user "${schema}"`);
    expect(await sqlAs(schema, 'hers', 'SELECT 1')).toEqual([[1]]);
    expect(await grants(schema)).toBe(before);
  });

  test.each([
    ['a table', 'TABLE customers (id INT)', 'customers'],
    ['a table with the name of a view', 'TABLE location (id INT)', 'location'],
    ['a view', 'VIEW customers AS SELECT 1', 'customers'],
    ['a view with the name of one of ours', 'VIEW domain AS SELECT user FROM mysql.user', 'domain'],
  ])('a schema with %s of somebody else’s is not taken, nor changed', async (_, table, name) => {
    await sql(`CREATE DATABASE ${schema}`);
    await sql(`CREATE ${table.replace(name, `${schema}.${name}`)}`);
    await expect(run('install', ...target)).rejects.toThrow(
      `schema: "${schema}" contains "${name}", which this sipgraph did not create: choose another schema`,
    );
    expect(await sql(`SELECT 1 FROM mysql.user WHERE user = '${schema}'`)).toEqual([]);
    expect(await run('uninstall', ...target)).toContain(`The schema "${schema}" contains no views of sipgraph.`);
    expect(await sql(`SHOW TABLES FROM ${schema}`)).toEqual([[name]]);
  });

  test('the views of another sipgraph are left to it, unless they are to be replaced', async () => {
    await run('install', ...target);
    const readBy = (): ReturnType<typeof runSql> =>
      sql(
        `SELECT view_definition FROM information_schema.views WHERE table_schema = '${schema}' AND table_name = 'subscriber'`,
      );
    const other = await createDatabase();
    const runOther = (...args: readonly string[]): Promise<string> => runCommand(other.url, ['kamailio', ...args]);
    const [name, otherName] = [own, other].map(({ url }) => new URL(url).pathname.slice(1)) as [string, string];
    try {
      await expect(runOther('install', ...target)).rejects.toThrow(
        `schema: "${schema}" has the views of another sipgraph, which read the database "${name}": choose another schema, ` +
          `or replace them with "sipgraph kamailio install --instead-of ${name}"`,
      );
      expect(await runOther('uninstall', ...target)).toBe(
        `Kept the user "${schema}", because the views are those of another sipgraph.\n` +
          `Kept the views in the schema "${schema}", because they read the database "${name}".\n`,
      );
      await expect(runOther('install', ...target, '--instead-of', 'sipgraph_of_nobody')).rejects.toThrow(/^schema: /);
      expect(String(await readBy())).toContain(name);
      await runOther('install', ...target, '--instead-of', name);
      expect(String(await readBy())).toContain(otherName);
      expect(String(await readBy())).not.toContain(name);
      await expect(run('install', ...target)).rejects.toThrow(`which read the database "${otherName}"`);
      expect(await runOther('uninstall', ...target)).toContain(`the tables and the schema "${schema}"`);
    } finally {
      await other.drop();
    }
  });

  test('a user without any rights is taken with a password alone', async () => {
    await sql(`CREATE USER ${schema}@127.0.0.1 IDENTIFIED BY 'hers'`);
    await expect(run('install', ...target)).rejects.toThrow(/^user: .* already exists, without rights/);
    expect(await run('uninstall', ...target)).toContain(`Kept the user "${schema}"`);
    await run('install', ...target, '--password', 'p');
    expect(await sqlAs(schema, 'p', `SELECT COUNT(*) FROM ${schema}.subscriber`)).toEqual([[0]]);
  });

  test('an installation that fails leaves no user whose password nobody knows', async () => {
    const may = `maker_${schema.slice(-6)}`;
    const url = new URL(own.url);
    [url.username, url.password] = [may, 'p'];
    try {
      await sql(`CREATE USER ${may}@127.0.0.1 IDENTIFIED BY 'p'`);
      await sql(`GRANT ALL ON *.* TO ${may}@127.0.0.1`);
      await expect(runCommand(url.href, ['kamailio', 'install', ...target])).rejects.toThrow(/denied/);
      expect(await sql(`SELECT 1 FROM mysql.user WHERE user = '${schema}'`)).toEqual([]);
      await sql(`GRANT ALL ON *.* TO ${may}@127.0.0.1 WITH GRANT OPTION`);
      const printed = await runCommand(url.href, ['kamailio', 'install', ...target]);
      const password = /The password is (\S+)/.exec(printed)?.[1] ?? '';
      expect(await sqlAs(schema, password, `SELECT COUNT(*) FROM ${schema}.subscriber`)).toEqual([[0]]);
    } finally {
      await sql(`DROP USER ${may}@127.0.0.1`);
    }
  });

  test.each(['mysql', 'sys', 'SYS', 'information_schema', 'Performance_Schema'])(
    'the server’s own schema %s is left alone',
    async (schema) => {
      for (const command of ['install', 'uninstall'])
        await expect(run(command, '--schema', schema)).rejects.toThrow(
          `schema: "${schema}" belongs to the database server`,
        );
    },
  );
});
