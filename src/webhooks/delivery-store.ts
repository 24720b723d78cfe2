import { randomBytes } from 'node:crypto';

import { shapeOf } from '../database/row-shape';
import { numberOrNull, places, textOrNull, type Sql, type Transaction } from '../database/sql';
import type { Delivery, Message } from './webhook';

const DELIVERY = shapeOf<Delivery>({
  rowId: ['d.id', Number],
  ref: ['d.ref', String],
  webhookId: ['d.webhook_id', Number],
  subject: ['d.subject', String],
  payload: ['d.payload', String],
  createdOn: ['d.created_on', Number],
  attempts: ['d.attempts', Number],
  nextOn: ['d.next_on', Number],
  failingSince: ['d.failing_since', numberOrNull],
  deliveredOn: ['d.delivered_on', numberOrNull],
  outcome: ['d.outcome', textOrNull],
});
const BATCH = 64;

/** Messages of a webhook that wait to be delivered, at most. Further changes wait in the outbox, and states until then. */
export const MAX_OPEN = 1000;

/** Stores messages for a webhook, in order. */
export async function insertDeliveries(
  transaction: Transaction,
  webhookId: number,
  messages: readonly Message[],
): Promise<void> {
  const now = Date.now();
  for (let start = 0; start < messages.length; start += BATCH) {
    const batch = messages.slice(start, start + BATCH);
    await transaction.run(
      `INSERT INTO webhook_deliveries (ref, webhook_id, subject, payload, created_on, attempts, next_on, is_open)
       VALUES ${batch.map(() => `(${places(5)}, 0, 0, 1)`).join(', ')}`,
      batch.flatMap(({ subject, payload }) => [newId(), webhookId, subject, payload, now]),
    );
  }
}

/** A new `webhook-id`, which identifies a message through all of its attempts. */
export function newId(): string {
  return `msg_${randomBytes(15).toString('base64url')}`;
}

/** The number of messages that are not delivered. */
export async function countOpen(sql: Sql, webhookId: number): Promise<number> {
  const [row] = await sql.rows('SELECT COUNT(*) FROM webhook_deliveries WHERE webhook_id = ? AND is_open = 1', [
    webhookId,
  ]);
  return Number(row?.[0]);
}

/**
 * The oldest message of each subject that is not delivered: those that are due first, at most `limit`. One that is due later than `latest`
 * failed before the clock was set back, and is due now.
 */
export async function heads(
  sql: Sql,
  webhookId: number,
  { limit, latest }: { readonly limit: number; readonly latest: number },
): Promise<readonly Delivery[]> {
  const rows = await sql.rows(
    `SELECT ${DELIVERY.columns} FROM webhook_deliveries d JOIN (
       SELECT MIN(id) AS id FROM webhook_deliveries WHERE webhook_id = ? AND is_open = 1 GROUP BY subject
     ) first ON first.id = d.id ORDER BY CASE WHEN d.next_on > ? THEN 0 ELSE d.next_on END, d.id LIMIT ?`,
    [webhookId, latest, limit],
  );
  return rows.map(DELIVERY.read).map((each) => (each.nextOn > latest ? { ...each, nextOn: 0 } : each));
}

/** The newest messages of a webhook. */
export async function deliveriesOf(sql: Sql, webhookId: number, limit: number): Promise<readonly Delivery[]> {
  const rows = await sql.rows(
    `SELECT ${DELIVERY.columns} FROM webhook_deliveries d WHERE d.webhook_id = ? ORDER BY d.id DESC LIMIT ?`,
    [webhookId, limit],
  );
  return rows.map(DELIVERY.read);
}

/** Stores the result of an attempt. `nextOn` is undefined for a message that was delivered. */
export async function noteAttempt(
  transaction: Transaction,
  { rowId, attempts, failingSince }: Delivery,
  outcome: string,
  nextOn: number | undefined,
): Promise<void> {
  const now = Date.now();
  const isDelivered = nextOn === undefined;
  await transaction.run(
    `UPDATE webhook_deliveries SET attempts = ?, outcome = ?, next_on = ?, failing_since = ?, delivered_on = ?, is_open = ?
     WHERE id = ? AND is_open = 1`,
    [
      ...[attempts + 1, outcome.slice(0, 200), nextOn ?? 0, isDelivered ? null : (failingSince ?? now)],
      ...[isDelivered ? now : null, isDelivered ? 0 : 1, rowId],
    ],
  );
}

/** Sends a message again, with the same id. Returns whether the message exists. */
export async function reopen(transaction: Transaction, ref: string): Promise<boolean> {
  const { rows } = await transaction.run(
    'UPDATE webhook_deliveries SET is_open = 1, next_on = 0, failing_since = NULL WHERE ref = ?',
    [ref],
  );
  return rows > 0;
}

/** Deletes the delivered messages of a webhook except the newest ones, some at a time. */
export async function trimDeliveries(transaction: Transaction, webhookId: number, kept: number): Promise<void> {
  const rows = await transaction.rows(
    'SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND is_open = 0 ORDER BY id DESC LIMIT ? OFFSET ?',
    [webhookId, 1000, kept],
  );
  for (let start = 0; start < rows.length; start += BATCH) {
    const ids = rows.slice(start, start + BATCH).map(([id]) => Number(id));
    await transaction.run(`DELETE FROM webhook_deliveries WHERE id IN (${places(ids.length)})`, ids);
  }
}
