import { InvalidInputError } from '../../errors';

/** The size of values that are written for each of many resources. */
interface InputSize {
  /** The entries of all lists. */
  readonly entries: number;
  /** The characters of all texts. */
  readonly characters: number;
}

/** The list entries and characters that one request can write to all its resources together. */
const MOST: InputSize = { entries: 100_000, characters: 8_000_000 };
const NAMES: Readonly<Record<keyof InputSize, string>> = { entries: 'list entries', characters: 'characters' };

/** Characters of an input that cost as much as a row. */
const INPUT_CHARACTERS = 256;
/** Characters of stored values that cost as much as a row, beyond the first of each row. */
const STORED_CHARACTERS = 1024;

/** Measures a value, with all values that it contains. */
export function inputSizeOf(value: unknown): InputSize {
  if (typeof value === 'string') return { entries: 0, characters: value.length };
  if (typeof value !== 'object' || value === null) return { entries: 0, characters: 0 };
  const parts: readonly unknown[] = Object.values(value);
  let entries = Array.isArray(value) ? parts.length : 0;
  let characters = 0;
  for (const part of parts) {
    const size = inputSizeOf(part);
    entries += size.entries;
    characters += size.characters;
  }
  return { entries, characters };
}

/**
 * The cost, in rows, of writing the same input to many rows. Throws InvalidInputError if that is more than one request
 * can write.
 */
export function chargeOf(input: InputSize, rows: number): number {
  for (const name of ['entries', 'characters'] as const) {
    if (input[name] * rows <= MOST[name]) continue;
    const have = `has ${String(input[name])} ${NAMES[name]} for each of ${String(rows)} resources`;
    throw InvalidInputError.of('set', `${have}; one request can write ${String(MOST[name])}: select fewer resources`);
  }
  return Math.ceil(rows * (1 + input.entries + input.characters / INPUT_CHARACTERS));
}

/** The cost, in rows, of stored values of a row beyond that of the row itself. */
export function extraChargeOf(characters: number): number {
  return Math.floor(characters / STORED_CHARACTERS);
}
