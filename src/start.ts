import { randomBytes } from 'node:crypto';

import { noteLegacyUser } from './auth/legacy-users';
import { UserService } from './auth/user-service';
import type { Config } from './config';
import type { Database } from './database/database';
import { withStartLock } from './database/open';
import { KAMAILIO_DEFAULTS, installKamailio } from './kamailio/install';
import { loadSampleData } from './sample-data';

/** The admin whom the first start makes. */
export interface FirstAdmin {
  readonly username: string;
  readonly secret: string;
  /** Whether nobody knows the secret yet. */
  readonly generated: boolean;
}

/** Makes the tables of this version, or brings them up to it. */
export async function migrate({ dataSource }: Database): Promise<number> {
  return (await dataSource.runMigrations()).length;
}

/** Brings the database to where this version needs it; on the first start, makes the admin and loads sample data. */
export function prepareDatabase(database: Database, config: Config): Promise<FirstAdmin | undefined> {
  return withStartLock(database, async () => {
    const { dataSource } = database;
    if (config.migrate) await migrate(database);
    else if (await dataSource.showMigrations()) {
      throw new Error('The database lacks migrations of this version: run `npm run migrate`, or start with MIGRATE=on');
    }
    if (config.migrate && config.kamailio) {
      await installKamailio(database, KAMAILIO_DEFAULTS, config.kamailio.password);
    }
    const users = new UserService(database);
    if ((await users.count()) > 0) return undefined;
    if (config.sampleData) await loadSampleData(database);
    const secret = config.adminSecret ?? randomBytes(15).toString('base64url');
    const { username } = await users.add('admin', secret, 'admin');
    // Takes the place of Routr v1's, whose tokens the operator wants accepted.
    if (config.legacyTokens) await database.transaction((transaction) => noteLegacyUser(transaction, username));
    return { username, secret, generated: config.adminSecret === undefined };
  });
}
