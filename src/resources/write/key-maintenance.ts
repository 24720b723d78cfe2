import type { Logger } from 'pino';

import { RepeatedTask } from '../../changes/repeated-task';
import type { Database } from '../../database/database';
import { trimKeys } from './idempotency-store';

// Milliseconds.
const TRIM_INTERVAL = 10 * 60_000;

/** Deletes old idempotency keys regularly. */
export class KeyMaintenance {
  private readonly task: RepeatedTask;

  constructor(database: Database, log: Logger) {
    this.task = new RepeatedTask(
      () =>
        trimKeys(database).catch((error: unknown) => log.warn({ err: error }, 'cannot delete old idempotency keys')),
      TRIM_INTERVAL,
    );
    this.task.start();
    this.task.wake();
  }

  async close(): Promise<void> {
    this.task.stop();
    await this.task.settle();
  }
}
