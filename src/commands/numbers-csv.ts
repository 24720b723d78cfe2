import { InvalidInputError } from '../errors';
import type { Input } from '../resources/input';

/** The columns of a file of numbers, and the fields of the graph that they are for. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  telUrl: ['telUrl'],
  aorLink: ['aorLink'],
  gwRef: ['gatewayRef'],
  city: ['geoInfo', 'city'],
  country: ['geoInfo', 'country'],
  countryISOCode: ['geoInfo', 'countryISOCode'],
};

/** The columns that a header names, in its order; throws an InvalidInputError for unknown and missing ones. */
export function headerOf(names: readonly string[]): string[] {
  const known = names.map((name) => Object.keys(COLUMNS).find((each) => each.toLowerCase() === name.toLowerCase()));
  const strange = names.filter((_, index) => known[index] === undefined);
  const lacking = ['telUrl', 'aorLink', 'gwRef'].filter((name) => !known.includes(name));
  if (strange.length === 0 && lacking.length === 0) return known as string[]; // none is strange
  const says = [...strange.map((name) => `unknown column ${name}`), ...lacking.map((name) => `no column ${name}`)];
  throw InvalidInputError.of('header', `${says.join(', ')}; known are ${Object.keys(COLUMNS).join(', ')}`);
}

/** A row as the graph's input; an empty cell is an absent field. */
export function inputOf(record: Readonly<Record<string, string>>): Input {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const [first = '', second] = COLUMNS[name] ?? [];
    if (value === '') continue;
    if (second === undefined) input[first] = value;
    else input[first] = { ...(input[first] as object | undefined), [second]: value };
  }
  return input;
}
