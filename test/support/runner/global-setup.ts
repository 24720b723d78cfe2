import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { GlobalConfig } from 'jest';

import { buildPages } from '../browser/build-pages';
import { build } from '../process';
import { mayStartPrograms } from './programs';
import { running } from '../databases/running-servers';
import { serverAt, startServer } from '../databases/servers';

const KINDS = [
  { name: 'MariaDB', script: 'mariadb' },
  { name: 'MySQL', script: 'mysql' },
] as const;

/**
 * Jest's global setup. Bundles the pages for browsers, and the server if all tests run, before tests use them at the
 * same time. Finds or starts the database servers of this run, and prints which ones are available.
 */
export default async function globalSetup(jest?: GlobalConfig): Promise<void> {
  buildPages();
  if (jest?.testPathPatterns.patterns.length === 0) build();
  const given = await Promise.all(list('TEST_DATABASE_URLS').map(serverAt));
  const reasons: string[] = [];
  const start = async ({ name, script }: (typeof KINDS)[number]): Promise<void> => {
    try {
      running.push(await startServer(script));
    } catch (error) {
      reasons.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const wanted = mayStartPrograms ? KINDS.filter(({ name }) => !given.some((server) => server.name === name)) : [];
  await Promise.all(wanted.map(start));

  const servers = [...given, ...running].map(({ name, version, url }) => ({ name, version, url }));
  const titles = ['SQLite', ...servers.map(({ name, version }) => `${name} (${version})`)];
  process.stderr.write(`\nThese databases run: ${titles.join(', ')}\n`);
  for (const reason of reasons) process.stderr.write(`This one does not: ${reason}\n`);
  if (!mayStartPrograms) process.stderr.write('`npm run test:all` runs the tests on all databases.\n');

  const names = ['SQLite', ...servers.map(({ name }) => name)];
  const missing = list('REQUIRE_DATABASES').filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`REQUIRE_DATABASES asks for ${missing.join(', ')} too`);
  // The workers, which Jest starts later, inherit the variables.
  process.env['SIPGRAPH_TEST_SERVERS'] = JSON.stringify(servers);
  process.env['SIPGRAPH_TEST_DATA'] = await mkdtemp(join(tmpdir(), 'sipgraph-data-'));
}

function list(variable: string): readonly string[] {
  return (process.env[variable] ?? '').split(',').filter((item) => item !== '');
}
