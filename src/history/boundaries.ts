import type { Product } from '../database/driver';
import { useIndex } from '../database/fragment';
import type { Sql } from '../database/sql';

// Times increase with the numbers, and several changes can have the same time.

/** The time of the last entry that was deleted, in milliseconds since the epoch; 0 if there is none. */
export async function startOf(sql: Sql): Promise<number> {
  const [head] = await sql.rows('SELECT trimmed_at FROM history_head WHERE id = 1', []);
  return Number(head?.[0] ?? 0);
}

/** The number of the first change at or after a time, in milliseconds since the epoch; undefined if there is none. */
export function firstSince(sql: Sql, product: Product, time: number): Promise<number | undefined> {
  return numberOf(sql, product, 'MIN(id)', 'at >= ? ORDER BY at', time);
}

/** The number of the last change at or before a time, in milliseconds since the epoch; undefined if there is none. */
export function lastUntil(sql: Sql, product: Product, time: number): Promise<number | undefined> {
  return numberOf(sql, product, 'MAX(id)', 'at <= ? ORDER BY at DESC', time);
}

/** First finds the time, because SQLite's index on the times has no numbers, and would not find both together. */
async function numberOf(sql: Sql, product: Product, number: string, nearest: string, time: number) {
  const changes = `changes ${useIndex(product, 'changes_at').text}`;
  const text = `SELECT ${number} FROM ${changes} WHERE at = (SELECT at FROM ${changes} WHERE ${nearest} LIMIT 1)`;
  const [row] = await sql.rows(text, [time]);
  return row && row[0] !== null ? Number(row[0]) : undefined;
}
