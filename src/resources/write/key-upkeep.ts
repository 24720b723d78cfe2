import type { Logger } from 'pino';

import { Poller } from '../../changes/poller';
import type { Database } from '../../database/database';
import { trimKeys } from './idempotency-store';

// Milliseconds.
const TRIM_INTERVAL = 10 * 60_000;

/** Deletes old idempotency keys regularly. */
export class KeyUpkeep {
  private readonly poller: Poller;

  constructor(database: Database, log: Logger) {
    this.poller = new Poller(
      () =>
        trimKeys(database).catch((error: unknown) => log.warn({ err: error }, 'cannot delete old idempotency keys')),
      TRIM_INTERVAL,
    );
    this.poller.start();
    this.poller.wake();
  }

  async close(): Promise<void> {
    this.poller.stop();
    await this.poller.settled();
  }
}
