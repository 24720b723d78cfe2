import { ensureAdmin, type AdminSetup } from '../auth/ensure-admin';
import { UserService } from '../auth/user-service';
import { noteLegacyUser } from '../auth/user-store';
import { SYSTEM } from '../changes/actor';
import type { Config } from '../config/config';
import type { Database } from '../database/database';
import { runMigrations } from '../database/migrations';
import { withStartLock } from '../database/open';
import type { Model } from '../model/model';
import { KAMAILIO_DEFAULTS, installKamailio } from '../sip/kamailio/install';
import { loadSampleData } from './sample-data';

/**
 * Prepares the database for serving. Unless MIGRATE=off, runs migrations and installs Kamailio's schema if that is
 * configured. Then loads sample data on the first start if that is configured, and sets up the admin.
 */
export function prepareDatabase(database: Database, config: Config, model: Model): Promise<AdminSetup | undefined> {
  return withStartLock(database, async () => {
    if (config.migrate) await runMigrations(database.dataSource);
    if (config.migrate && config.kamailio) {
      await installKamailio(database, KAMAILIO_DEFAULTS, { password: config.kamailio.password });
    }
    const users = new UserService(database, SYSTEM);
    if (config.sampleData && (await users.count()) === 0) await loadSampleData(database, model);
    const admin = await ensureAdmin(database, users, config.adminSecret);
    // The new admin replaces the admin of Routr v1, so tokens of that server are accepted for this user.
    if (admin?.type === 'made' && config.legacyTokens)
      await database.transaction((transaction) => noteLegacyUser(transaction, admin.username));
    return admin;
  });
}
