import { SYSTEM, type Actor } from '../changes/actor';
import { newFingerprint, type State } from '../changes/details';
import { noteChange, storeChanges } from '../changes/outbox';
import type { Database } from '../database/database';
import type { OwnTransaction, Transaction } from '../database/sql';
import type { ActiveWebhook } from './webhook';
import { pauseWebhook } from './webhook-store';

const WEBHOOK_KIND = 'Webhook';
// A URL may contain a secret of the receiver, so only its origin is shown.
const SECRETS = ['url', 'secret'];

/** Writes a change of a webhook to the history, unless nothing has changed. */
export function noteWebhook(
  transaction: OwnTransaction,
  actor: Actor,
  before: ActiveWebhook | undefined,
  after: ActiveWebhook | undefined,
): void {
  const of = { kind: WEBHOOK_KIND, ref: (after ?? before)?.ref ?? '', actor };
  const [old, now] = [before && stateOf(before), after && stateOf(after)];
  if (!old || !now) {
    const event = now ? 'CREATED' : 'DELETED';
    const details = { ...(old && { before: show(old) }), ...(now && { after: show(now) }) };
    noteChange(transaction, { ...of, event, details });
    return;
  }
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const changed = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  if (changed.length === 0) return;
  const details = { before: show(old, changed), after: show(now, changed) };
  noteChange(transaction, { ...of, event: 'UPDATED', details });
}

/** Pauses a webhook that cannot be delivered to, and writes that to the history. */
export async function pauseBySystem(
  transaction: Transaction,
  { isSerial }: Pick<Database, 'isSerial'>,
  { rowId, ref }: ActiveWebhook,
  reason: string,
): Promise<void> {
  if (!(await pauseWebhook(transaction, rowId, reason))) return;
  const change = { kind: WEBHOOK_KIND, ref, event: 'UPDATED', actor: SYSTEM, details: { after: { paused: reason } } };
  await storeChanges({ ...transaction, isSerial }, [change]);
}

function stateOf(webhook: ActiveWebhook): State {
  const { url, events, kinds, refs, after, failedCalls, note, pausedReason, secret } = webhook;
  return {
    receiver: new URL(url).origin,
    url,
    events,
    ...(kinds && { kinds }),
    ...(refs && { refs }),
    after,
    ...(failedCalls && { failedCalls }),
    ...(note !== null && { note }),
    ...(pausedReason !== null && { paused: pausedReason }),
    secret,
  };
}

/** The values of a webhook in the history: all, or those with these names. */
function show(state: State, names: readonly string[] = Object.keys(state)): State {
  return Object.fromEntries(
    names
      .filter((name) => state[name] !== undefined)
      .map((name) => [name, SECRETS.includes(name) ? newFingerprint() : state[name]]),
  );
}
