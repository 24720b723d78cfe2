import { telDigits } from './tel-uri';

/** The most numbers of a range. */
export const MAX_RANGE = 1_000_000;
/** The most digits of a number of a range. E.164 allows 15. */
const MAX_DIGITS = 20;

/** The digits of the first and of the last number of a range: as many of both. A single number is both. */
export interface Digits {
  readonly first: string;
  readonly last: string;
}

/** The digits of a number, or of a range if it has a last number. */
export function digitsBetween(telUrl: string, lastTelUrl: string): Digits {
  const first = telDigits(telUrl);
  return { first, last: lastTelUrl === '' ? first : telDigits(lastTelUrl) };
}

/**
 * The key by which a range is found: numbers with as many digits are in the order of their keys, and others are not between
 * them. `rangeKeyOf` is the same in SQL.
 */
export function rangeKey(digits: string): string {
  return `0${String(digits.length)}`.slice(-2) + digits;
}

/** The key of a number by which it is found inside a range; empty for digits that no number of a range can have. */
export function keyInside(digits: string): string {
  return digits === '' || digits.length > MAX_DIGITS ? '' : rangeKey(digits);
}

/** SQL for the same. */
export function keyInsideOf(digits: string): string {
  return `CASE WHEN LENGTH(${digits}) BETWEEN 1 AND ${String(MAX_DIGITS)} THEN ${rangeKeyOf(digits)} ELSE '' END`;
}

/** SQL for the key of digits. */
export function rangeKeyOf(digits: string): string {
  return `CONCAT(SUBSTR(CONCAT('0', LENGTH(${digits})), -2), ${digits})`;
}

/** Whether a number is one of a range. */
export function isBetween({ first, last }: Digits, digits: string): boolean {
  return digits.length === first.length && first <= digits && digits <= last;
}

/**
 * Whether both ends of a range have the same form and the same parameters, such as the context of local numbers (RFC
 * 3966, 5.1.5).
 */
export function isAlike(telUrl: string, lastTelUrl: string): boolean {
  const { first, last } = digitsBetween(telUrl, lastTelUrl);
  const isGlobal = (uri: string): boolean => /^tel:\+/i.test(uri);
  const parametersOf = (uri: string): string => uri.replace(/^[^;]*/, '').toLowerCase();
  const isSame = isGlobal(telUrl) === isGlobal(lastTelUrl) && parametersOf(telUrl) === parametersOf(lastTelUrl);
  const isShort = first.length > 0 && first.length <= MAX_DIGITS;
  return isShort && first.length === last.length && isSame;
}

/** How many numbers a range has whose ends are alike; not positive if the last one is before the first. */
export function sizeOf(telUrl: string, lastTelUrl: string): number {
  const { first, last } = digitsBetween(telUrl, lastTelUrl);
  return Number(BigInt(last) - BigInt(first)) + 1;
}
