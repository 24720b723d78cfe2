import type { Database } from '../database/database';
import { pendingMigrations } from '../database/migrations';

/** Whether the service can serve requests, and the reason if it cannot. */
export interface Readiness {
  readonly ready: boolean;
  readonly database: 'up' | 'down';
  readonly migrations: 'done' | 'pending' | 'unknown';
  /** For information only: `ready` does not depend on the SIP server. */
  readonly sipServer?: 'up' | 'down';
}

/**
 * Milliseconds for which the result of a check is reused, because probes need no token, so anyone can send any number
 * of them.
 */
const SHARED = 1000;

/** Checks readiness with a query. Once all migrations have been applied, they are not checked again. */
export class Health {
  private migrated = false;
  private shared: Promise<Readiness> | undefined;

  constructor(
    private readonly database: Database,
    private readonly sipServer?: { state(): Promise<{ readonly reachable: boolean }> },
  ) {}

  readiness(): Promise<Readiness> {
    return (this.shared ??= this.check().finally(() => {
      setTimeout(() => (this.shared = undefined), SHARED).unref();
    }));
  }

  private async check(): Promise<Readiness> {
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
