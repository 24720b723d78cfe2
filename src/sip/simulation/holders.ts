import { list, raw, sql, statementsOf } from '../../database/fragment';
import { pad, type Sql } from '../../database/sql';
import { isEnabled } from '../../model/enabled';
import { telDigits } from '../../model/format/tel-uri';
import { isRange, rangeHolding } from '../kamailio/routing';
import { readPaced } from './paced-rows';
import { plannedTexts, type PlannedChange } from './planned-change';

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
  return rangesWith(reads, plannedTexts(changes, 'telUrl', 'DID', 'Number').map(telDigits), pace);
}

/** The same, of the numbers with these digits. */
async function rangesWith(
  reads: Pick<Sql, 'rows'>,
  given: readonly string[],
  pace: () => Promise<void>,
): Promise<Holders> {
  const digits = [...new Set(given)].filter((each) => each !== '');
  if (digits.length === 0 || !(await hasRanges(reads))) return new Map();
  const looked = digits.slice(0, MOST);
  const singles = sql`SELECT n.tel_digits FROM numbers n
    WHERE n.tel_digits IN (${list(pad(looked, ''))}) AND NOT ${raw(isRange('n'))}`;
  const own = new Set((await reads.rows(singles.text, singles.values)).map(([each]) => String(each)));
  const seeks = looked
    .filter((each) => !own.has(each))
    .map((each) => sql`SELECT ${each} AS digits, n.id FROM numbers n WHERE n.id = ${rangeHolding(each)}`);
  const found = await readPaced(reads, statementsOf(seeks), pace);
  return new Map(found.map(([each, id]) => [String(each), Number(id)]));
}

/** Whether there are ranges of numbers. */
export async function hasRanges(reads: Pick<Sql, 'rows'>): Promise<boolean> {
  return (await reads.rows('SELECT 1 FROM number_ranges LIMIT 1', [])).length > 0;
}

/**
 * Finds the rows that have the calls to numbers, by their digits, as route[OWN_NUMBER] does: of several, an enabled one; without any,
 * the range. Takes as many statements as `rangesWith`, and one more.
 */
export async function rowsWith(reads: Pick<Sql, 'rows'>, digits: readonly string[]): Promise<Holders> {
  if (digits.length === 0) return new Map();
  const { text, values } = sql`SELECT n.tel_digits, n.id FROM numbers n JOIN gateways g ON g.id = n.gateway_id
    WHERE n.tel_digits IN (${list(pad(digits, 'none'))}) AND NOT ${raw(isRange('n'))} ORDER BY ${raw(isEnabled('n'))}, g.ref DESC, n.id DESC`;
  // Of several with the same digits, the last one stays.
  const singles = (await reads.rows(text, values)).map(([each, id]) => [String(each), Number(id)] as const);
  return new Map([...(await rangesWith(reads, digits, () => Promise.resolve())), ...singles]);
}
