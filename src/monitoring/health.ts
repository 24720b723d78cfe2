import { setTimeout as pause } from 'node:timers/promises';

import type { Database } from '../database/database';
import { pendingMigrations } from '../database/migrations';
import { isWritable } from '../database/write-state';

/** Whether the service can serve requests, and the reason if it cannot. */
export interface Readiness {
  readonly ready: boolean;
  readonly database: 'up' | 'read-only' | 'down';
  /** The database server in use, and its lag in seconds, if DATABASE_URL names several; null if none can be used. */
  readonly databaseHost?: { readonly host: string; readonly lag: number } | null;
  /** The replicas that serve reads, and their lags in seconds, if there are any; null for one that is not used. */
  readonly replicas?: readonly { readonly host: string; readonly lag: number | null }[];
  readonly migrations: 'done' | 'pending' | 'unknown';
  /** Present during a shutdown, when new requests should go elsewhere. */
  readonly draining?: true;
  /** For information only: `ready` does not depend on the SIP server. */
  readonly sipServer?: 'up' | 'down';
}

/** What readiness depends on, besides the database. */
export interface HealthOptions {
  readonly drain: { readonly hasBegun: boolean };
  readonly sipServer: { state(): Promise<{ readonly reachable: boolean }> } | undefined;
  /** Whether the service only reads, so that a read-only database is sufficient. */
  readonly readOnly: boolean;
}

/**
 * Milliseconds for which the result of a check is reused, because probes need no token, so anyone can send any number
 * of them.
 */
const SHARED = 1000;
/** Milliseconds after which a check that has no result counts as failed. No other check starts until it ends. */
const LONGEST = 3000;

/** Checks readiness with a query. Once all migrations have been applied, they are not checked again. */
export class Health {
  private migrated = false;
  private shared: Promise<Readiness> | undefined;

  constructor(
    private readonly database: Database,
    private readonly options: HealthOptions,
  ) {}

  async readiness(): Promise<Readiness> {
    const readiness = await (this.shared ??= this.check());
    const { host, replicaLags } = this.database;
    return {
      ...readiness,
      ...(host && { databaseHost: host.name === undefined ? null : { host: host.name, lag: host.lag ?? 0 } }),
      ...(replicaLags && { replicas: replicaLags.map(({ name, lag }) => ({ host: name, lag: lag ?? null })) }),
      ...(this.options.drain.hasBegun && { ready: false, draining: true as const }),
    };
  }

  private check(): Promise<Readiness> {
    const ofDatabase = this.ofDatabase();
    const sipServer = this.options.sipServer?.state();
    void Promise.all([ofDatabase, sipServer]).then(() => {
      setTimeout(() => (this.shared = undefined), SHARED).unref();
    });
    return Promise.race([ofDatabase, pause(LONGEST, this.down, { ref: false })]).then(async (readiness) => {
      const state = await sipServer;
      return state ? { ...readiness, sipServer: state.reachable ? 'up' : 'down' } : readiness;
    });
  }

  private async ofDatabase(): Promise<Readiness> {
    try {
      this.migrated ||= (await pendingMigrations(this.database.dataSource)).length === 0;
      if (!this.migrated) return { ready: false, database: 'up', migrations: 'pending' };
      const writable = await isWritable(this.database);
      const ready = writable || this.options.readOnly;
      return { ready, database: writable ? 'up' : 'read-only', migrations: 'done' };
    } catch {
      return this.down;
    }
  }

  private get down(): Readiness {
    const database = this.database.host?.isReadOnly ? 'read-only' : 'down';
    return { ready: false, database, migrations: this.migrated ? 'done' : 'unknown' };
  }
}
