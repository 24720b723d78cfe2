import { quote } from '../../errors';
import { converted, FormatError, list, text, textOf, type Format, type Value } from './format';
import { MAX_PREFIX, numberPrefix } from './number-prefix';

/** The most entries of a list. */
const MAX_LIMITS = 16;
// Of a thousand calls that never end.
const MAX_MINUTES = 1_440_000;
const EXPECTED = `prefix=minutes: the beginning of a number, =, and 1 to ${String(MAX_MINUTES)} minutes`;

/** How many minutes of calls a day may go to numbers that begin with a prefix. */
export interface DailyMinutes {
  readonly prefix: string;
  readonly minutes: number;
}

function entryFormat(): Format {
  const prefixes = numberPrefix();
  const convert = (given: string): string | undefined => {
    const [, before = '', after = ''] = /^([^=]*)=\s*(\d{1,7})\s*$/.exec(given) ?? [];
    const minutes = Number(after);
    if (minutes < 1 || minutes > MAX_MINUTES) return undefined;
    const prefix = textOf(prefixes.parse(before));
    if (prefix === '') throw new FormatError(`${quote(given)} has no prefix: it is ${EXPECTED}`);
    return `${prefix}=${String(minutes)}`;
  };
  return converted(text(80), convert, EXPECTED);
}

/**
 * Minutes of calls a day by the beginning of the dialed number, as texts `+1900=60`, each prefix once. They are sorted by
 * prefix. No character has a meaning in JSON or SQL.
 */
export function minutesByPrefix(): Format {
  const prefixOf = (entry: string): string => entry.slice(0, entry.indexOf('='));
  return list(entryFormat(), {
    max: MAX_LIMITS,
    key: { of: prefixOf, said: (entry) => `the prefix ${quote(prefixOf(entry))}`, sorts: true },
  });
}

/** Reads minutes that were normalised. */
export function dailyMinutesIn(value: Value | null | undefined): readonly DailyMinutes[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry) => {
    const [prefix = '', minutes = ''] = String(entry).split('=');
    return { prefix, minutes: Number(minutes) };
  });
}

/**
 * SQL for a join to the entries `e` of a column with such a list, for MySQL and MariaDB, and for their columns `prefix` and
 * `most`, in seconds.
 */
export function entriesOfMinutes(
  column: string,
  collation: string,
): { readonly join: string; readonly columns: string } {
  const item = `(CONVERT(e.item USING utf8mb4) COLLATE ${collation})`;
  return {
    join: `JOIN JSON_TABLE(COALESCE(${column}, '[]'), '$[*]' COLUMNS (item VARCHAR(${String(MAX_PREFIX + 8)}) PATH '$')) e ON TRUE`,
    columns: `SUBSTRING_INDEX(${item}, '=', 1) AS prefix, 60 * CAST(SUBSTRING_INDEX(${item}, '=', -1) AS SIGNED) AS most`,
  };
}
