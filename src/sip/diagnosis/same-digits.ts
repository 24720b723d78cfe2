import { list, raw, sql, type Fragment } from '../../database/fragment';
import { pad } from '../../database/sql';

/**
 * An optimizer hint that makes MySQL use the index on `tel_digits`. Right after an import, MySQL's statistics still
 * describe a small table, and without the hint MySQL would scan the table for each number. Other databases read the
 * hint as a comment. The hint must be in a subquery: MySQL accepts one hint comment per query block, and the outermost
 * block has the one with the statement's time limit.
 */
export const BY_DIGITS = raw('/*+ INDEX(o numbers_tel_digits) */');

// Pads the list of digits. No number has this value, whereas many numbers have empty digits.
const NO_DIGITS = 'none';

/** Selects each of these digit strings with the count of numbers that have it. */
export function sameDigitsOf(digits: readonly string[]): Fragment {
  return sql`SELECT digits, alike FROM (
      SELECT ${BY_DIGITS} o.tel_digits AS digits, COUNT(*) AS alike FROM numbers o
      WHERE o.tel_digits IN (${list(pad(digits, NO_DIGITS))}) GROUP BY o.tel_digits
    ) counted`;
}

/** Selects each of these digit strings with the row ids of the first `most` numbers that have it. */
export function firstSameDigitsOf(digits: readonly string[], most: number): Fragment {
  return sql`SELECT digits, id FROM (
      SELECT ${BY_DIGITS} o.tel_digits AS digits, o.id, ROW_NUMBER() OVER (PARTITION BY o.tel_digits ORDER BY o.id) AS place
      FROM numbers o WHERE o.tel_digits IN (${list(pad(digits, NO_DIGITS))})
    ) numbered WHERE place <= ${most} ORDER BY digits, id`;
}
