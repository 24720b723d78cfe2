import { randomBytes } from 'node:crypto';

import { jsonOrNull, shapeOf } from '../database/row-shape';
import { numberOrNull, places, textOrNull, type Row, type Sql, type SqlValue, type Transaction } from '../database/sql';
import type { ActiveWebhook, FailedCallRule, Webhook, WebhookEvent } from './webhook';

const WEBHOOK = shapeOf<Webhook>({
  rowId: ['id', Number],
  ref: ['ref', String],
  url: ['url', String],
  events: ['events', (value) => jsonOrNull(value) as WebhookEvent[]], // written by insertWebhook, like what follows
  kinds: ['kinds', (value) => jsonOrNull(value) as string[] | null],
  refs: ['refs', (value) => jsonOrNull(value) as string[] | null],
  after: ['after_seconds', Number],
  note: ['note', textOrNull],
  madeBy: ['made_by', String],
  createdOn: ['created_on', Number],
  failedCalls: ['failed_calls', (value) => jsonOrNull(value) as FailedCallRule | null],
  pausedOn: ['paused_on', numberOrNull],
  pausedReason: ['paused_reason', textOrNull],
  previousSecretUntil: ['previous_until', (value) => (Number(value) > Date.now() ? Number(value) : null)],
});
const ACTIVE = `${WEBHOOK.columns}, secret, previous_secret, position`;

/** All webhooks, oldest first. There are few of them. */
export async function allWebhooks(sql: Sql): Promise<readonly Webhook[]> {
  return (await sql.rows(`SELECT ${WEBHOOK.columns} FROM webhooks ORDER BY id`, [])).map(WEBHOOK.read);
}

/** The webhooks that are not paused. */
export async function activeWebhooks(sql: Sql): Promise<readonly ActiveWebhook[]> {
  const rows = await sql.rows(`SELECT ${ACTIVE} FROM webhooks WHERE paused_on IS NULL ORDER BY id`, []);
  return rows.map(toActive);
}

export async function webhookByRef(sql: Sql, ref: string): Promise<ActiveWebhook | undefined> {
  const [row] = await sql.rows(`SELECT ${ACTIVE} FROM webhooks WHERE ref = ?`, [ref]);
  return row && toActive(row);
}

/** What a caller sets. */
type Settings = Pick<Webhook, 'url' | 'events' | 'kinds' | 'refs' | 'after' | 'failedCalls' | 'note'>;

/** Inserts a webhook, and returns its ref. */
export async function insertWebhook(
  transaction: Transaction,
  webhook: Settings & Pick<ActiveWebhook, 'secret' | 'madeBy' | 'createdOn' | 'changeId'>,
): Promise<string> {
  const ref = `wh${randomBytes(4).toString('hex')}`;
  const { secret, madeBy, createdOn, changeId } = webhook;
  await transaction.run(
    `INSERT INTO webhooks (ref, url, events, kinds, refs, after_seconds, note, failed_calls, secret, made_by, created_on, position)
     VALUES (${places(12)})`,
    [ref, ...settingsOf(webhook), secret, madeBy, createdOn, changeId],
  );
  return ref;
}

/**
 * Waits until no other transaction changes the webhook. First in a transaction: the first read determines what it sees.
 */
export async function lockWebhook(transaction: Transaction, ref: string): Promise<void> {
  await transaction.run('UPDATE webhooks SET ref = ref WHERE ref = ?', [ref]);
}

export async function updateWebhook(transaction: Transaction, rowId: number, settings: Settings): Promise<void> {
  await transaction.run(
    `UPDATE webhooks SET url = ?, events = ?, kinds = ?, refs = ?, after_seconds = ?, note = ?, failed_calls = ?
     WHERE id = ?`,
    [...settingsOf(settings), rowId],
  );
}

/** Stores a new secret. The one before it is kept until a time in milliseconds since the epoch. */
export async function replaceSecret(
  transaction: Transaction,
  { rowId, secret }: ActiveWebhook,
  next: string,
  until: number | null,
): Promise<void> {
  await transaction.run('UPDATE webhooks SET secret = ?, previous_secret = ?, previous_until = ? WHERE id = ?', [
    next,
    until === null ? null : secret,
    until,
    rowId,
  ]);
}

/** Deletes the previous secrets whose time has passed. */
export async function forgetSecrets(transaction: Transaction): Promise<void> {
  await transaction.run('UPDATE webhooks SET previous_secret = NULL, previous_until = NULL WHERE previous_until <= ?', [
    Date.now(),
  ]);
}

function settingsOf({ url, events, kinds, refs, after, note, failedCalls }: Settings): SqlValue[] {
  const [listedKinds, listedRefs] = [kinds && JSON.stringify(kinds), refs && JSON.stringify(refs)];
  return [
    url,
    JSON.stringify(events),
    listedKinds,
    listedRefs,
    after,
    note,
    failedCalls && JSON.stringify(failedCalls),
  ];
}

/** Deletes a webhook with its deliveries. */
export async function deleteWebhook(transaction: Transaction, ref: string): Promise<void> {
  await transaction.run('DELETE FROM webhooks WHERE ref = ?', [ref]);
}

/**
 * Advances the position of a webhook, which only the caller that read that position may do. Returns false if another
 * one has advanced it.
 */
export async function advance(
  transaction: Transaction,
  { rowId, changeId }: ActiveWebhook,
  to: number,
): Promise<boolean> {
  const { rows } = await transaction.run(
    'UPDATE webhooks SET position = ? WHERE id = ? AND position = ? AND paused_on IS NULL',
    [to, rowId, changeId],
  );
  return rows > 0;
}

/** Pauses a webhook. Returns false if it was paused already. */
export async function pauseWebhook(transaction: Transaction, rowId: number, reason: string): Promise<boolean> {
  const { rows } = await transaction.run(
    'UPDATE webhooks SET paused_on = ?, paused_reason = ? WHERE id = ? AND paused_on IS NULL',
    [Date.now(), reason.slice(0, 500), rowId],
  );
  return rows > 0;
}

/** Activates a webhook at a position in the changes. Its messages are due now. */
export async function resumeWebhook(transaction: Transaction, rowId: number, changeId: number): Promise<void> {
  await transaction.run('UPDATE webhooks SET paused_on = NULL, paused_reason = NULL, position = ? WHERE id = ?', [
    changeId,
    rowId,
  ]);
  await transaction.run(
    'UPDATE webhook_deliveries SET next_on = 0, failing_since = NULL WHERE webhook_id = ? AND is_open = 1',
    [rowId],
  );
}

function toActive(row: Row): ActiveWebhook {
  const webhook = WEBHOOK.read(row);
  const [secret, previous, changeId] = row.slice(-3);
  const isValid = webhook.previousSecretUntil !== null && typeof previous === 'string';
  return { ...webhook, secret: String(secret), previousSecret: isValid ? previous : null, changeId: Number(changeId) };
}
