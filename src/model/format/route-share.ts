import { DEFAULT_WEIGHT, MAX_OF_DESTINATION } from './destination';
import { entries } from './entries';
import { integer, type EntryField, type Value } from './format';

/** The most numbers of a route. */
export const MAX_NUMBERS = 8;

const FIELDS: readonly EntryField[] = [
  {
    name: 'priority',
    format: integer(0, MAX_OF_DESTINATION),
    required: true,
    about: 'Lower priorities are called first (RFC 2782). Numbers of the same priority share the calls.',
  },
  {
    name: 'weight',
    format: integer(1, MAX_OF_DESTINATION),
    about: `The share of the calls among numbers of the same priority (RFC 2782); by default, ${String(DEFAULT_WEIGHT)}.`,
  },
];

/** The order and the weights of the numbers of a route, an entry for each number. */
export const routeShares = entries({
  name: 'RouteShare',
  about: 'The order of a number of a route, and its share of the calls.',
  fields: FIELDS,
  unique: [],
  max: MAX_NUMBERS,
});

/** An entry of `shares`. */
export interface RouteShare {
  readonly priority: number;
  readonly weight: number;
}

/** Reads shares that were normalised. */
export function sharesIn(value: Value | null | undefined): readonly RouteShare[] {
  if (!Array.isArray(value)) return [];
  const given = value as readonly { readonly priority: number; readonly weight?: number }[]; // as `routeShares` parsed them
  return given.map(({ priority, weight = DEFAULT_WEIGHT }) => ({ priority, weight }));
}
