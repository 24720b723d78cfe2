import type { ChangeLog } from '../changes/change-log';
import type { LiveWatch } from '../changes/live-watch';
import type { Database } from '../database/database';
import { CursorGoneError } from '../errors';
import type { Model } from '../model/model';
import { countOpen, insertDeliveries } from './delivery-store';
import { messageFor } from './messages';
import { noteGateways, noteRegistration, watchesGateways, watchesLive } from './states';
import type { ActiveWebhook } from './webhook';
import { pauseBySystem } from './webhook-entries';
import { advance } from './webhook-store';

const BATCH = 500;
// Messages of a webhook that wait to be delivered. Further changes wait in the journal.
const MAX_OPEN = 1000;

/** Turns changes into deliveries. */
export class Filler {
  constructor(
    private readonly database: Database,
    private readonly log: ChangeLog,
    private readonly watch: LiveWatch,
    private readonly model: Model,
  ) {}

  /**
   * Turns the next changes up to number `last` into deliveries of a webhook, and advances its position in the same
   * transaction. Pauses the webhook if changes that it has not seen have been deleted, or are unknown.
   */
  async fill(webhook: ActiveWebhook, last: number): Promise<void> {
    const { upkeep } = this.database;
    if (webhook.position >= last || (await countOpen(upkeep, webhook.rowId)) >= MAX_OPEN) return;
    const changes = await this.log.between(webhook.position, last, BATCH);
    const isUnwatched =
      (watchesLive(webhook) || watchesGateways(webhook)) &&
      (await isGone(this.watch.assertComplete('position', webhook.position)));
    const reason = (await isGone(this.log.assertComplete('position', { id: webhook.position, at: undefined })))
      ? 'changes were deleted before they could be delivered (OUTBOX_HOURS)'
      : isUnwatched && watchesLive(webhook)
        ? 'registrations were not watched for longer than OUTBOX_HOURS, so their changes are unknown'
        : undefined;
    if (reason !== undefined) {
      await upkeep.transaction((transaction) => pauseBySystem(transaction, this.database, webhook, reason));
      return;
    }
    const to = changes.length < BATCH ? last : (changes.at(-1)?.id ?? last);
    const messages = changes.flatMap((change) => messageFor(webhook, change, this.model) ?? []);
    await upkeep.transaction(async (transaction) => {
      if (!(await advance(transaction, webhook, to))) return;
      await insertDeliveries(transaction, webhook.rowId, messages);
      for (const change of changes) await noteRegistration(transaction, webhook, change);
      if (isUnwatched) await noteGateways(transaction, webhook);
    });
  }
}

/** Whether a check throws CursorGoneError. */
async function isGone(check: Promise<void>): Promise<boolean> {
  try {
    await check;
    return false;
  } catch (error) {
    if (error instanceof CursorGoneError) return true;
    throw error;
  }
}
