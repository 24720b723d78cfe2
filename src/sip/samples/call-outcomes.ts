import type { Product } from '../../database/driver';
import { sql, useIndex } from '../../database/fragment';
import type { Reads } from '../../database/sql';
import { scanTable } from '../live/scan';
import type { CallOutcome } from './series';

/** Milliseconds until the SIP server has recorded what became of a call; it writes four times a second. */
const DELAY = 5000;
/** Calls that ring for longer, in milliseconds, are not counted: no index finds calls by when they were answered. */
const LONGEST_RINGING = 10 * 60_000;
/** The most calls that are counted. */
const MOST_CALLS = 100_000;

/**
 * Counts the calls that were answered or failed in a time, in milliseconds since the epoch, by what became of them. The time is
 * 5 s earlier than asked for, so that those at its end are recorded.
 */
export async function outcomesIn(
  reads: Reads,
  product: Product,
  from: number,
  to: number,
): Promise<ReadonlyMap<CallOutcome, number>> {
  const [start, end] = [from - DELAY, to - DELAY];
  const rows = await scanTable(
    reads,
    'calls',
    sql`SELECT outcome, COUNT(*) FROM (
      SELECT CASE WHEN answered IS NOT NULL THEN 'ANSWERED' WHEN status IN (486, 600) THEN 'BUSY'
        WHEN status BETWEEN 400 AND 499 THEN 'FAILED_4XX' WHEN status BETWEEN 500 AND 599 THEN 'FAILED_5XX'
        WHEN status BETWEEN 600 AND 699 THEN 'FAILED_6XX' ELSE 'FAILED_OTHER' END AS outcome
      FROM calls ${useIndex(product, 'calls_counted')}
      WHERE begun >= ${start - LONGEST_RINGING} AND begun < ${end}
        AND COALESCE(answered, ended) >= ${start} AND COALESCE(answered, ended) < ${end} LIMIT ${MOST_CALLS}) c
    GROUP BY outcome`,
  );
  // The statement returns no others.
  return new Map(rows.map(([outcome, many]) => [outcome as CallOutcome, Number(many)]));
}
