import type { ChangeLog } from '../changes/change-log';
import type { Database } from '../database/database';
import { CursorGoneError } from '../errors';
import type { Model } from '../model/model';
import { countOpen, insertDeliveries } from './delivery-store';
import { messageFor } from './messages';
import { noteRegistration } from './states';
import type { ActiveWebhook } from './webhook';
import { advance, pauseWebhook } from './webhook-store';

const BATCH = 500;
// Messages of a webhook that wait to be delivered. Further changes wait in the journal.
const MAX_OPEN = 1000;

/** Turns changes into deliveries. */
export class Filler {
  constructor(
    private readonly database: Database,
    private readonly log: ChangeLog,
    private readonly model: Model,
  ) {}

  /**
   * Turns the next changes up to number `last` into deliveries of a webhook, and advances its position in the same
   * transaction. Pauses the webhook if changes have been deleted that it has not seen.
   */
  async fill(webhook: ActiveWebhook, last: number): Promise<void> {
    const { upkeep } = this.database;
    if (webhook.position >= last || (await countOpen(upkeep, webhook.rowId)) >= MAX_OPEN) return;
    const changes = await this.log.between(webhook.position, last, BATCH);
    try {
      await this.log.assertComplete('position', { id: webhook.position, at: undefined });
    } catch (error) {
      if (!(error instanceof CursorGoneError)) throw error;
      const reason = 'changes were deleted before they could be delivered (OUTBOX_HOURS)';
      await upkeep.transaction((transaction) => pauseWebhook(transaction, webhook.rowId, reason));
      return;
    }
    const to = changes.length < BATCH ? last : (changes.at(-1)?.id ?? last);
    const messages = changes.flatMap((change) => messageFor(webhook, change, this.model) ?? []);
    await upkeep.transaction(async (transaction) => {
      if (!(await advance(transaction, webhook, to))) return;
      await insertDeliveries(transaction, webhook.rowId, messages);
      for (const change of changes) await noteRegistration(transaction, webhook, change);
    });
  }
}
