import { randomBytes } from 'node:crypto';

import type { Row, Sql, Transaction } from '../database/sql';
import type { ActiveWebhook, Webhook, WebhookEvent } from './webhook';

const COLUMNS = `id, ref, url, events, kinds, refs, after_seconds, note, made_by, created_on, paused_on, paused_reason`;

/** All webhooks, oldest first. There are few of them. */
export async function allWebhooks(sql: Sql): Promise<readonly Webhook[]> {
  return (await sql.rows(`SELECT ${COLUMNS} FROM webhooks ORDER BY id`, [])).map(toWebhook);
}

/** The webhooks that are not paused. */
export async function activeWebhooks(sql: Sql): Promise<readonly ActiveWebhook[]> {
  const rows = await sql.rows(
    `SELECT ${COLUMNS}, secret, position FROM webhooks WHERE paused_on IS NULL ORDER BY id`,
    [],
  );
  return rows.map(toActive);
}

export async function webhookByRef(sql: Sql, ref: string): Promise<ActiveWebhook | undefined> {
  const [row] = await sql.rows(`SELECT ${COLUMNS}, secret, position FROM webhooks WHERE ref = ?`, [ref]);
  return row && toActive(row);
}

/** Inserts a webhook, and returns its ref. */
export async function insertWebhook(
  transaction: Transaction,
  webhook: Omit<ActiveWebhook, 'rowId' | 'ref' | 'pausedOn' | 'pausedReason'>,
): Promise<string> {
  const ref = `wh${randomBytes(4).toString('hex')}`;
  const { url, events, kinds, refs, after, note, secret, madeBy, createdOn, position } = webhook;
  await transaction.run(
    `INSERT INTO webhooks (ref, url, events, kinds, refs, after_seconds, note, secret, made_by, created_on, position)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[ref, url, JSON.stringify(events), kinds && JSON.stringify(kinds), refs && JSON.stringify(refs)],
      ...[after, note, secret, madeBy, createdOn, position],
    ],
  );
  return ref;
}

/** Deletes a webhook with its deliveries. Returns whether it existed. */
export async function deleteWebhook(transaction: Transaction, ref: string): Promise<boolean> {
  return (await transaction.run('DELETE FROM webhooks WHERE ref = ?', [ref])).rows > 0;
}

/**
 * Advances the position of a webhook, which only the caller that read that position may do. Returns false if another
 * one has advanced it.
 */
export async function advance(
  transaction: Transaction,
  { rowId, position }: ActiveWebhook,
  to: number,
): Promise<boolean> {
  const { rows } = await transaction.run(
    'UPDATE webhooks SET position = ? WHERE id = ? AND position = ? AND paused_on IS NULL',
    [to, rowId, position],
  );
  return rows > 0;
}

export async function pauseWebhook(transaction: Transaction, rowId: number, reason: string): Promise<void> {
  await transaction.run('UPDATE webhooks SET paused_on = ?, paused_reason = ? WHERE id = ? AND paused_on IS NULL', [
    Date.now(),
    reason.slice(0, 500),
    rowId,
  ]);
}

/** Activates a webhook at a position in the changes. Its messages are due at once. */
export async function resumeWebhook(transaction: Transaction, rowId: number, position: number): Promise<void> {
  await transaction.run('UPDATE webhooks SET paused_on = NULL, paused_reason = NULL, position = ? WHERE id = ?', [
    position,
    rowId,
  ]);
  await transaction.run(
    'UPDATE webhook_deliveries SET next_on = 0, failing_since = NULL WHERE webhook_id = ? AND is_open = 1',
    [rowId],
  );
}

function toWebhook(row: Row): Webhook {
  const [rowId, ref, url, events, kinds, refs, after, note, madeBy, createdOn, pausedOn, pausedReason] = row;
  return {
    rowId: Number(rowId),
    ref: String(ref),
    url: String(url),
    events: JSON.parse(String(events)) as WebhookEvent[], // written by insertWebhook, like the lists below
    kinds: typeof kinds === 'string' ? (JSON.parse(kinds) as string[]) : null,
    refs: typeof refs === 'string' ? (JSON.parse(refs) as string[]) : null,
    after: Number(after),
    note: typeof note === 'string' ? note : null,
    madeBy: String(madeBy),
    createdOn: Number(createdOn),
    pausedOn: pausedOn === null ? null : Number(pausedOn),
    pausedReason: typeof pausedReason === 'string' ? pausedReason : null,
  };
}

function toActive(row: Row): ActiveWebhook {
  return { ...toWebhook(row), secret: String(row[12]), position: Number(row[13]) };
}
