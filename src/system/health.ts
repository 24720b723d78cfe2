import type { Database } from '../database/database';
import { pendingMigrations } from '../database/migrations';

/** Whether requests can be answered now, and if not, why. */
export interface Readiness {
  readonly ready: boolean;
  readonly database: 'up' | 'down';
  readonly migrations: 'done' | 'pending' | 'unknown';
  /** A detail, and no condition: the API answers from the database. */
  readonly sipServer?: 'up' | 'down';
}

/** Asks the database. Migrations are looked for until they were seen done: they do not come undone. */
export class Health {
  private migrated = false;

  constructor(
    private readonly database: Database,
    private readonly sipServer?: { state(): Promise<{ readonly reachable: boolean }> },
  ) {}

  async readiness(): Promise<Readiness> {
    const [readiness, state] = await Promise.all([this.ofDatabase(), this.sipServer?.state()]);
    return state ? { ...readiness, sipServer: state.reachable ? 'up' : 'down' } : readiness;
  }

  private async ofDatabase(): Promise<Readiness> {
    try {
      await this.database.rows('SELECT 1', []);
      this.migrated ||= (await pendingMigrations(this.database.dataSource)).length === 0;
      return { ready: this.migrated, database: 'up', migrations: this.migrated ? 'done' : 'pending' };
    } catch {
      return { ready: false, database: 'down', migrations: this.migrated ? 'done' : 'unknown' };
    }
  }
}
