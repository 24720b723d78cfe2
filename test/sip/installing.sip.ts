import { databases, type TestDatabase } from '../support/databases';
import { runCommand } from './stack';

const servers = databases.filter(({ name }) => name !== 'SQLite');

describe.each(servers)('Installing for Kamailio, on $name', ({ createDatabase }) => {
  let own: TestDatabase;

  beforeAll(async () => {
    own = await createDatabase();
  });

  afterAll(() => own.drop());

  const run = (...args: readonly string[]): Promise<string> => runCommand(own.url, ['kamailio', ...args]);

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
