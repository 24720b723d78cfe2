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
  private readonly trimTimer: NodeJS.Timeout;
  private trimming: Promise<void> | undefined;

  /** `reported` handles the errors of a task. */
  constructor(
    private readonly log: ChangeLog,
    private readonly watch: LiveTables,
    reported: (work: Promise<void>) => Promise<void>,
  ) {
    this.numbering = new RepeatedTask(() => reported(log.chain()), NUMBER_INTERVAL);
    this.numbering.start();
    const trim = (): void => {
      this.trimming = reported(this.trim());
    };
    trim();
    this.trimTimer = setInterval(trim, TRIM_INTERVAL).unref();
  }

  async close(): Promise<void> {
    this.numbering.stop();
    clearInterval(this.trimTimer);
    await Promise.all([this.numbering.settle(), this.trimming]);
  }

  /** Also polls the live tables, so that a cursor from a time without subscribers stays valid. */
  private async trim(): Promise<void> {
    await this.watch.look();
    await this.log.trim();
  }
}
