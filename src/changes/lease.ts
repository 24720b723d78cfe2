import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';

import type { Database } from '../database/database';

/** The table with the row of a lease, and for how long the lease is taken, in seconds on the database's clock. */
export interface LeaseOptions {
  readonly table: 'webhook_lease' | 'sample_lease';
  readonly duration: number;
}

/** By how many seconds the clocks of several database nodes may differ. */
const MOST_SKEW = 300;

/**
 * SQL for whether what a process holds for some seconds, until `until_on` by the database's clock, has ended. What lasts
 * much longer was taken before the clock was set back, and the process that took it may have died since.
 */
export function hasEnded(clock: string, seconds: number): string {
  return `(until_on < ${clock} OR until_on > ${clock} + ${String(seconds + MOST_SKEW)})`;
}

/** A row in the database that lets one process at a time do some work. It ends by itself if the process dies. */
export class Lease {
  private readonly holder = randomBytes(15).toString('base64url');
  private renewedAt = -Infinity;
  private until = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly options: LeaseOptions,
  ) {}

  /** Whether this process has the lease. The monotonic clock also tells after the process was paused. */
  get isHeld(): boolean {
    return performance.now() < this.until;
  }

  /** Takes the lease if no other process has it, or extends it. Returns whether this process has it. */
  async take(): Promise<boolean> {
    const { table, duration } = this.options;
    // Milliseconds between renewals, and by which this process stops earlier than the lease ends.
    const [renewal, margin] = [duration * 300, duration * 200];
    const now = performance.now();
    if (this.isHeld && now - this.renewedAt < renewal) return true;
    const { maintenance, clock } = this.database;
    const { rows } = await maintenance.transaction((transaction) =>
      transaction.run(
        `UPDATE ${table} SET holder = ?, until_on = ${clock} + ${String(duration)}
         WHERE id = 1 AND (holder = ? OR ${hasEnded(clock, duration)})`,
        [this.holder, this.holder],
      ),
    );
    [this.renewedAt, this.until] = rows > 0 ? [now, now + duration * 1000 - margin] : [-Infinity, -Infinity];
    return this.isHeld;
  }

  /** Gives the lease to the next process. */
  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.until = -Infinity;
    await this.database.maintenance.transaction((transaction) =>
      transaction.run(`UPDATE ${this.options.table} SET until_on = 0 WHERE id = 1 AND holder = ?`, [this.holder]),
    );
  }
}
