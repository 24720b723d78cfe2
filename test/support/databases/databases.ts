import { randomBytes } from 'node:crypto';

import { isFull } from '../runner/full';
import { query, type Server } from './servers';
import { createSqliteDatabase, type TestDatabase } from './sqlite-database';

/** A kind of database that is available. */
export interface DatabaseKind {
  readonly name: string;
  readonly createDatabase: () => Promise<TestDatabase>;
}

/**
 * The databases of this run, without SKIP_DATABASE, which CI tests in another run. For `describe.each(databases)('...
 * on $name', ({ createDatabase }) => ...)`, where the SQL may differ between MariaDB and MySQL.
 */
export const databases: readonly DatabaseKind[] = [
  { name: 'SQLite', createDatabase: createSqliteDatabase },
  ...servers().map(({ name, url }) => ({ name, createDatabase: () => createDatabaseOn(url) })),
].filter(({ name }) => name !== process.env['SKIP_DATABASE']);

/** One database of each driver, all in a full run. For tests of what is the same on MariaDB and MySQL. */
export const drivers: readonly DatabaseKind[] = databases.filter(
  ({ name }) => isFull || name !== 'MySQL' || !databases.some((other) => other.name === 'MariaDB'),
);

async function createDatabaseOn(server: string): Promise<TestDatabase> {
  const name = `sipgraph_test_${randomBytes(6).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await query(server, `DROP DATABASE ${name}`);
    },
  };
}

function servers(): readonly Server[] {
  return JSON.parse(process.env['SIPGRAPH_TEST_SERVERS'] ?? '[]') as Server[]; // the global setup wrote it
}

export { createSqliteDatabase, type TestDatabase } from './sqlite-database';
