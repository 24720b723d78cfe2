import { list, sql } from '../database/fragment';
import { pad, type Sql, type Transaction } from '../database/sql';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The intervals in which attempts can be counted, and the times before now that they cover, in milliseconds. */
const ATTEMPT_INTERVALS = { HOUR: { length: HOUR, span: DAY }, DAY: { length: DAY, span: 30 * DAY } } as const;
export type AttemptInterval = keyof typeof ATTEMPT_INTERVALS;

/** The attempts to deliver messages to a webhook in an interval. */
export interface Attempts {
  /** The start of the interval, in milliseconds since the epoch. Days begin at midnight UTC. */
  readonly from: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** Counts an attempt in the present hour. */
export async function countAttempt(transaction: Transaction, webhookId: number, isDelivered: boolean): Promise<void> {
  const now = Date.now();
  const hour = now - (now % HOUR);
  // Attempts that end at the same time may both insert a row; later ones count in the first one.
  const [row] = await transaction.rows('SELECT MIN(id) FROM webhook_attempts WHERE webhook_id = ? AND hour = ?', [
    webhookId,
    hour,
  ]);
  const counted = [isDelivered ? 1 : 0, isDelivered ? 0 : 1] as const;
  if (typeof row?.[0] === 'number' || typeof row?.[0] === 'string')
    await transaction.run('UPDATE webhook_attempts SET succeeded = succeeded + ?, failed = failed + ? WHERE id = ?', [
      ...counted,
      row[0],
    ]);
  else
    await transaction.run('INSERT INTO webhook_attempts (webhook_id, hour, succeeded, failed) VALUES (?, ?, ?, ?)', [
      ...[webhookId, hour],
      ...counted,
    ]);
}

/** The attempts of webhooks, by row id, oldest first, in one statement. Intervals without attempts are missing. */
export async function attemptCounts(
  database: Sql,
  webhookIds: readonly number[],
  interval: AttemptInterval,
): Promise<ReadonlyMap<number, readonly Attempts[]>> {
  const { length, span } = ATTEMPT_INTERVALS[interval];
  const now = Date.now();
  const { text, values } = sql`SELECT webhook_id, hour - hour % ${length} AS start, SUM(succeeded), SUM(failed)
    FROM webhook_attempts WHERE webhook_id IN (${list(pad(webhookIds, 0))}) AND hour >= ${now - (now % length) - span + length}
    GROUP BY webhook_id, start ORDER BY start`;
  const found = new Map<number, Attempts[]>();
  for (const [webhookId, from, succeeded, failed] of await database.rows(text, values)) {
    const attempts = found.get(Number(webhookId)) ?? [];
    attempts.push({ from: Number(from), succeeded: Number(succeeded), failed: Number(failed) });
    found.set(Number(webhookId), attempts);
  }
  return found;
}

/** Deletes the attempts of a webhook that can no longer be read. */
export async function trimAttempts(transaction: Transaction, webhookId: number): Promise<void> {
  await transaction.run('DELETE FROM webhook_attempts WHERE webhook_id = ? AND hour < ?', [
    webhookId,
    Date.now() - ATTEMPT_INTERVALS.DAY.span - DAY,
  ]);
}
