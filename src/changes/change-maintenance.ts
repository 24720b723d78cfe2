import type { LiveTables } from './change';
import type { ChangeLog } from './change-log';
import { RepeatedTask } from './repeated-task';

// Milliseconds between the attempts to number new changes, which run even without subscribers.
const NUMBER_INTERVAL = 1000;
const TRIM_INTERVAL = 10 * 60_000;

/**
 * Maintains the outbox, even while there are no subscribers: numbers new changes, chains them by hash, and deletes old
 * ones.
 */
export class ChangeMaintenance {
  private readonly numbering: RepeatedTask;
  private readonly trimming: RepeatedTask;

  /** `onFailure` receives the first error of each outage. */
  constructor(
    private readonly log: ChangeLog,
    private readonly watch: LiveTables,
    onFailure: (error: unknown) => void,
  ) {
    this.numbering = new RepeatedTask(() => log.chain(), NUMBER_INTERVAL, onFailure).start();
    this.trimming = new RepeatedTask(() => this.trim(), TRIM_INTERVAL, onFailure).start(0);
  }

  async close(): Promise<void> {
    await Promise.all([this.numbering.close(), this.trimming.close()]);
  }

  /** Also polls the live tables, so that a cursor from a time without subscribers stays valid. */
  private async trim(): Promise<void> {
    await this.watch.look();
    await this.log.trim();
  }
}
