import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';

import type { Database } from '../database/database';

// Seconds, on the database's clock.
const DURATION = 5;
// Milliseconds between renewals, and by which this process stops earlier than the lease ends.
const RENEWAL = 1500;
const MARGIN = 1000;

/** A row in the database that lets one process at a time deliver to webhooks. It ends by itself if the process dies. */
export class Lease {
  private readonly holder = randomBytes(15).toString('base64url');
  private renewedAt = -Infinity;
  private until = -Infinity;

  constructor(private readonly database: Database) {}

  /** Whether this process has the lease. The monotonic clock also tells after the process was paused. */
  get isHeld(): boolean {
    return performance.now() < this.until;
  }

  /** Takes the lease if no other process has it, or extends it. Returns whether this process has it. */
  async take(): Promise<boolean> {
    const now = performance.now();
    if (this.isHeld && now - this.renewedAt < RENEWAL) return true;
    const { maintenance, clock } = this.database;
    const { rows } = await maintenance.transaction((transaction) =>
      transaction.run(
        `UPDATE webhook_lease SET holder = ?, until_on = ${clock} + ${String(DURATION)}
         WHERE id = 1 AND (holder = ? OR until_on < ${clock})`,
        [this.holder, this.holder],
      ),
    );
    [this.renewedAt, this.until] = rows > 0 ? [now, now + DURATION * 1000 - MARGIN] : [-Infinity, -Infinity];
    return this.isHeld;
  }

  /** Gives the lease to the next process. */
  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.until = -Infinity;
    await this.database.maintenance.transaction((transaction) =>
      transaction.run('UPDATE webhook_lease SET until_on = 0 WHERE id = 1 AND holder = ?', [this.holder]),
    );
  }
}
