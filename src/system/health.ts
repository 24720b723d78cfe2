import type { Database } from '../database/database';

/** Whether requests can be answered now, and if not, why. */
export interface Readiness {
  readonly ready: boolean;
  readonly database: 'up' | 'down';
  readonly migrations: 'done' | 'pending' | 'unknown';
}

/** Asks the database. Migrations are looked for until they were seen done: they do not come undone. */
export class Health {
  private migrated = false;

  constructor(private readonly database: Database) {}

  async readiness(): Promise<Readiness> {
    try {
      await this.database.rows('SELECT 1', []);
      this.migrated ||= !(await this.database.dataSource.showMigrations());
      return { ready: this.migrated, database: 'up', migrations: this.migrated ? 'done' : 'pending' };
    } catch {
      return { ready: false, database: 'down', migrations: this.migrated ? 'done' : 'unknown' };
    }
  }
}
