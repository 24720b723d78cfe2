import { InvalidInputError } from '../../errors';
import { valueFor, type Country } from '../../spelling/telephone';
import { setAt } from '../documents/members';
import type { Input } from '../write/input';
import { columnProblems } from './csv-columns';

/** The columns of a CSV file of numbers, and the GraphQL fields that they set. */
const COLUMNS: Readonly<Record<string, string>> = {
  telUrl: 'telUrl',
  aorLink: 'aorLink',
  gwRef: 'gatewayRef',
  city: 'geoInfo.city',
  country: 'geoInfo.country',
  countryISOCode: 'geoInfo.countryISOCode',
};

/**
 * Returns the names of the columns in a header row, with their usual case. Throws InvalidInputError for unknown and
 * missing columns.
 */
export function headerOf(names: readonly string[]): string[] {
  const known = names.map((name) => Object.keys(COLUMNS).find((each) => each.toLowerCase() === name.toLowerCase()));
  const unknown = names.filter((_, index) => known[index] === undefined);
  const missing = ['telUrl', 'aorLink', 'gwRef'].filter((name) => !known.includes(name));
  if (unknown.length === 0 && missing.length === 0) return known as string[]; // all are known
  const problems = [...columnProblems('unknown', unknown), ...missing.map((name) => `missing column ${name}`)];
  throw InvalidInputError.of('header', `${problems.join(', ')}; expected ${Object.keys(COLUMNS).join(', ')}`);
}

/** Returns the column that sets a GraphQL field, or the name of the field if there is none. */
export function columnOf(field: string): string {
  return Object.keys(COLUMNS).find((name) => COLUMNS[name] === field) ?? field;
}

/** Converts a row to GraphQL input. Empty cells are omitted. Numbers and addresses may be as people write them. */
export function inputOf(record: Readonly<Record<string, string>>, home: Country | undefined): Input {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === '') continue;
    const keys = COLUMNS[name]?.split('.') ?? [];
    setAt(input, keys, keys.length > 1 ? value : valueFor(keys[0] ?? '', value, home));
  }
  return input;
}
