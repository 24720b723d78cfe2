import { list, raw, sql, statementsOf } from '../../database/fragment';
import { pad, type Sql } from '../../database/sql';
import { telDigits } from '../../model/format/tel-uri';
import { isRange, rangeHolding } from '../kamailio/routing';
import { pacedRows } from './paced-rows';
import { textsOf, type PlannedChange } from './planned-change';

/** The row ids of the ranges that have the calls to single numbers, by their digits. */
export type Holders = ReadonlyMap<string, number>;

// Changed numbers whose ranges are looked up, as many as are compared.
const MOST = 2000;

/**
 * Finds the ranges that have the calls to the changed numbers which have no row of their own. Takes a statement for every hundred
 * numbers if there are ranges. `pace` is awaited between statements.
 */
export async function holdersOf(
  reads: Sql,
  changes: readonly PlannedChange[],
  pace: () => Promise<void>,
): Promise<Holders> {
  const digits = [...new Set(textsOf(changes, 'telUrl', 'DID', 'Number').map(telDigits))].filter((each) => each !== '');
  if (digits.length === 0 || !(await hasRanges(reads))) return new Map();
  const looked = digits.slice(0, MOST);
  const singles = sql`SELECT n.tel_digits FROM numbers n
    WHERE n.tel_digits IN (${list(pad(looked, ''))}) AND NOT ${raw(isRange('n'))}`;
  const own = new Set((await reads.rows(singles.text, singles.values)).map(([each]) => String(each)));
  const seeks = looked
    .filter((each) => !own.has(each))
    .map((each) => sql`SELECT ${each} AS digits, n.id FROM numbers n WHERE n.id = ${rangeHolding(each)}`);
  const found = await pacedRows(reads, statementsOf(seeks), pace);
  return new Map(found.map(([each, id]) => [String(each), Number(id)]));
}

/** Whether there are ranges of numbers. */
export async function hasRanges(reads: Sql): Promise<boolean> {
  return (await reads.rows('SELECT 1 FROM number_ranges LIMIT 1', [])).length > 0;
}
