import { loadConfig } from '../../src/config/config';
import type { Database } from '../../src/database/database';
import { runMigrations } from '../../src/database/migrations';
import { openDatabase } from '../../src/database/open';
import { kinds as sipKinds } from '../../src/model/kinds';
import { modelOf } from '../../src/model/model';
import { CreateBundles1763700000000 } from './create-bundles';
import { Bundle } from './bundle';

/** The kinds of the SIP server, and one more. */
export const kinds = [...sipKinds, Bundle];
export const model = modelOf(kinds);

/** Opens a database of a product. */
export async function openBundles(url: string, scheme: string): Promise<Database> {
  const config = loadConfig({ DATABASE_URL: url.replace(/^mysql:/, scheme) }).database;
  return openDatabase(config, { log: { warn: () => undefined } });
}

/** Migrates a database as `npm run migrate` would if migrations.ts listed the migration of the kind. */
export async function migrateBundles(database: Database): Promise<void> {
  await runMigrations(database.dataSource);
  const runner = database.dataSource.createQueryRunner();
  try {
    await new CreateBundles1763700000000().up(runner);
  } finally {
    await runner.release();
  }
}
