import { list, raw, sql, type Fragment } from '../../database/fragment';
import { isRange, rangeHolding } from '../kamailio/routing';

/** Selects the ids of the numbers that have some of these digits, and of the ranges in which they are. */
export function numbersAmong(digits: readonly string[]): Fragment {
  const ranges = digits.map((each) => sql`UNION SELECT ${rangeHolding(each)}`);
  const own = sql`SELECT n.id FROM numbers n WHERE n.tel_digits IN (${list(digits)})`;
  return ranges.reduce((before, range) => sql`${before} ${range}`, own);
}

/**
 * Of numbers that `numbersAmong` has found, those with a row of their own, or else the ranges, with the digits that are in them:
 * the ends of a range have as many.
 */
export function inOwnRows<T extends { readonly digits: string; readonly isRange: boolean }>(
  found: readonly T[],
  digits: readonly string[],
): readonly T[] {
  const own = found.filter(({ isRange }) => !isRange);
  if (own.length > 0) return own;
  return found.map((range) => ({ ...range, digits: calledIn(range.digits, digits) }));
}

/** Of called digits, those that are in a range that begins with `first`. */
export function calledIn(first: string, digits: readonly string[]): string {
  return digits.find((each) => each.length === first.length) ?? first;
}

/** Orders numbers with rows of their own before ranges. */
export const RANGES_LAST = raw(isRange('n'));
