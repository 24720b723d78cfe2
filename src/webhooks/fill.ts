import { CALL_ALERT } from '../changes/change';
import type { ChangeLog } from '../changes/change-log';
import { endsOf } from '../changes/change-log';
import type { Database } from '../database/database';
import { CursorGoneError } from '../errors';
import type { Model } from '../model/model';
import { alertsOf } from '../sip/live/call-alerts';
import type { LiveWatch } from '../sip/live/live-watch';
import { countOpen, insertDeliveries, MAX_OPEN } from './delivery-store';
import { alertMessage, messageFor, waitingMessages, wantsAlerts } from './messages';
import { noteGateway, noteGateways, scopeOf, watchesGateways, watchesLive } from './states';
import type { ActiveWebhook } from './webhook';
import { pauseBySystem } from './webhook-entries';
import { advance } from './webhook-store';

const BATCH = 500;
// Batches per look at a webhook, so that the others have their turn.
const BATCHES = 20;

/** Where changes come from. */
interface Source {
  readonly database: Database;
  readonly log: ChangeLog;
  readonly watch: LiveWatch;
  readonly model: Model;
}

/**
 * Turns changes up to number `last` into deliveries of a webhook, and returns whether it has turned all. Pauses the
 * webhook if changes that it has not seen have been deleted, or are unknown.
 */
export async function fill(source: Source, webhook: ActiveWebhook, last: number): Promise<boolean> {
  let { changeId } = webhook;
  for (let batch = 0; batch < BATCHES && changeId < last; batch++) {
    const to = await fillNext(source, { ...webhook, changeId }, last);
    if (to === undefined) return false;
    changeId = to;
  }
  return changeId >= last;
}

/** Turns a batch, and advances the webhook's cursor in the same transaction. Returns the new one; undefined if it cannot. */
async function fillNext(
  { database, log, watch, model }: Source,
  webhook: ActiveWebhook,
  last: number,
): Promise<number | undefined> {
  const { maintenance } = database;
  if ((await countOpen(maintenance, webhook.rowId)) >= MAX_OPEN) return undefined;
  const changeId = { id: webhook.changeId, at: undefined };
  const scope = scopeOf(webhook);
  const isUnwatched =
    (watchesLive(webhook) || watchesGateways(webhook)) && (await isGone(watch.assertComplete('cursor', changeId.id)));
  const reason = (await isGone(log.assertComplete('cursor', changeId, scope)))
    ? `changes were deleted before they could be delivered (${scope === 'changes' ? 'OUTBOX_HOURS' : 'HISTORY_DAYS'})`
    : isUnwatched && watchesLive(webhook)
      ? 'registrations were not watched for longer than OUTBOX_HOURS, so their changes are unknown'
      : undefined;
  if (reason !== undefined) {
    await maintenance.transaction((transaction) => pauseBySystem(transaction, database, webhook, reason));
    return undefined;
  }
  return maintenance.transaction(async (transaction) => {
    // Another server may be used by now, which does not have all changes yet.
    const known = await endsOf(transaction, webhook.changeId);
    // Changes may have been deleted since the check: the next look pauses the webhook.
    if (webhook.changeId < known.trimmed[scope]) return undefined;
    const upTo = Math.min(last, known.last);
    const changes = await log.between(webhook.changeId, upTo, BATCH, transaction);
    const to = changes.length < BATCH ? upTo : (changes.at(-1)?.id ?? upTo);
    if (to <= webhook.changeId || !(await advance(transaction, webhook, to))) return undefined;
    const alerted = wantsAlerts(webhook) ? changes.filter(({ kind }) => kind === CALL_ALERT) : [];
    const alerts = await alertsOf(
      transaction,
      alerted.map(({ ref }) => Number(ref)),
    );
    const waiting = await waitingMessages(transaction, webhook, changes);
    const messages = changes.flatMap((change) => {
      const alert = change.kind === CALL_ALERT ? alerts.get(Number(change.ref)) : undefined;
      return (
        waiting.get(change.id) ??
        (alert ? alertMessage(webhook, change, alert) : messageFor(webhook, change, model)) ??
        []
      );
    });
    await insertDeliveries(transaction, webhook.rowId, messages);
    for (const change of changes) await noteGateway(transaction, webhook, change);
    if (isUnwatched || webhook.changeId < known.trimmed.changes) await noteGateways(transaction, webhook);
    return to;
  });
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
