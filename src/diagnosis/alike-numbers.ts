import { list, raw, sql, type Fragment } from '../database/fragment';
import { padded } from '../database/sql';

/**
 * Makes MySQL use the index: right after an import, its statistics show a small table, and it would scan the table for each
 * number. A comment to other databases. It needs a subquery of its own, because MySQL accepts one such comment in each, and the
 * outermost query has the one for the statement's time limit.
 */
export const BY_DIGITS = raw('/*+ INDEX(o numbers_tel_digits) */');

// A value that no number has; many numbers have no digits at all.
const NO_DIGITS = 'none';

/** Selects each of these digits with how many numbers have them. */
export function alikeOf(digits: readonly string[]): Fragment {
  return sql`SELECT digits, alike FROM (
      SELECT ${BY_DIGITS} o.tel_digits AS digits, COUNT(*) AS alike FROM numbers o
      WHERE o.tel_digits IN (${list(padded(digits, NO_DIGITS))}) GROUP BY o.tel_digits
    ) counted`;
}

/** Selects each of these digits with the row ids of the first `most` numbers that have them. */
export function firstAlikeOf(digits: readonly string[], most: number): Fragment {
  return sql`SELECT digits, id FROM (
      SELECT ${BY_DIGITS} o.tel_digits AS digits, o.id, ROW_NUMBER() OVER (PARTITION BY o.tel_digits ORDER BY o.id) AS place
      FROM numbers o WHERE o.tel_digits IN (${list(padded(digits, NO_DIGITS))})
    ) numbered WHERE place <= ${most} ORDER BY digits, id`;
}
