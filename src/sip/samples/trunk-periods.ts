import type { Database } from '../../database/database';
import { raw, sql } from '../../database/fragment';
import { batchesOf, insertRows } from '../../database/batches';
import { numberOrNull, places, textOrNull, type Transaction } from '../../database/sql';
import { trimRows } from '../../database/trim-rows';
import { IS_TRUNK, trunks, trunkState } from '../live/trunk-reader';
import { OPEN } from './series';

// The periods of one gateway that are kept. A gateway whose state changes every minute fills them in 16 hours.
const MOST_PERIODS = 1000;

/** A state of a trunk that began or ended: the row of the period that ends, and the state that begins. */
interface Transition {
  readonly ref: string;
  readonly ended: number | null;
  /** Null if the gateway is no trunk any more. */
  readonly state: string | null;
}

/** Reads which trunks are in another state than the one that is stored. */
export async function transitionsOf({ maintenance }: Database): Promise<readonly Transition[]> {
  const state = trunkState();
  const { text, values } = sql`SELECT g.ref, t.id, ${state}
    FROM ${trunks()} LEFT JOIN trunk_states t ON t.gw_ref = g.ref AND t.until_on = ${OPEN}
    WHERE ${raw(IS_TRUNK)} AND (t.id IS NULL OR t.state <> ${state})
    UNION ALL
    SELECT t.gw_ref, t.id, NULL FROM trunk_states t WHERE t.until_on = ${OPEN}
      AND NOT EXISTS (SELECT 1 FROM ${trunks()} WHERE g.ref = t.gw_ref AND ${raw(IS_TRUNK)})`;
  return (await maintenance.rows(text, values)).map(([ref, ended, to]) => ({
    ref: String(ref),
    ended: numberOrNull(ended),
    state: textOrNull(to),
  }));
}

/** Stores the transitions of a time, in milliseconds since the epoch. */
export async function storeTransitions(
  transaction: Transaction,
  transitions: readonly Transition[],
  on: number,
): Promise<void> {
  const ended = transitions.flatMap((each) => each.ended ?? []);
  const begun = transitions.flatMap(({ ref, state }) => (state === null ? [] : [[ref, state, on, OPEN]]));
  for (const ids of batchesOf(ended))
    await transaction.run(`UPDATE trunk_states SET until_on = ? WHERE id IN (${places(ids.length)})`, [on, ...ids]);
  await insertRows(transaction, 'trunk_states', 'gw_ref, state, since_on, until_on', begun);
}

/** The tables of states over time. */
type PeriodTable = 'trunk_states' | 'health_states';

/** Ends all periods at a time after which nobody looked. */
export async function endPeriods(transaction: Transaction, table: PeriodTable, on: number): Promise<void> {
  await transaction.run(`UPDATE ${table} SET until_on = ? WHERE until_on = ?`, [on, OPEN]);
}

/** Deletes periods that ended longer ago than some milliseconds, and the oldest ones of gateways whose state changes often. */
export async function trimPeriods({ maintenance, clock }: Database, table: PeriodTable, kept: number): Promise<void> {
  await trimRows(maintenance, table, `until_on < ${clock} * 1000 - ${String(kept)}`, 'until_on');
  const many = await maintenance.rows(`SELECT gw_ref FROM ${table} GROUP BY gw_ref HAVING COUNT(*) > ?`, [
    MOST_PERIODS,
  ]);
  for (const [ref] of many) {
    const [last] = await maintenance.rows(
      `SELECT until_on FROM ${table} WHERE gw_ref = ? ORDER BY until_on DESC LIMIT 1 OFFSET ?`,
      [ref ?? null, MOST_PERIODS],
    );
    await maintenance.transaction((transaction) =>
      transaction.run(`DELETE FROM ${table} WHERE gw_ref = ? AND until_on <= ?`, [ref ?? null, last?.[0] ?? 0]),
    );
  }
}
