import { quote } from '../../errors';

/** The JSON Schema of a value, in the form of OpenAPI 3.1. */
export interface JsonSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
}

/** A declared value: what is accepted, how it is normalised, and how it is stored. */
export interface Format {
  readonly schema: JsonSchema;
  /** The name of the GraphQL enum, for a choice. */
  readonly choice?: { readonly name: string; readonly about: string };
  /** The fields of the entries of a list, and the name of their GraphQL type. */
  readonly entries?: { readonly name: string; readonly about: string; readonly fields: readonly EntryField[] };
  /** The type of the column. `length` is in characters; a list is stored as JSON text. */
  readonly column:
    { readonly type: 'varchar'; readonly length: number } | { readonly type: 'integer' | 'boolean' | 'text' };
  /** Validates and normalises a value. Throws FormatError. */
  parse(value: unknown): Value;
  /** Spells a text, or a text of a list, as it is stored: in lower case, for example. By default, it is stored as given. */
  readonly spelling?: (text: string) => string;
  /** Errors do not repeat the value. */
  readonly isSecret?: true;
  /** Returns why a new value is rejected, for rules that stored values may violate because they are older. */
  unusable?(value: Value): string | undefined;
}

/** A field of the entries of a list. */
export interface EntryField {
  readonly name: string;
  readonly format: Format;
  readonly required?: true;
  readonly about: string;
}

/** An entry of a list with fields. What is not set is missing. */
export type Entry = Readonly<Record<string, string | number | boolean>>;

/** A normalised value of a field. */
export type Value = string | number | boolean | readonly string[] | readonly Entry[];

/** The text of a value that is no list; empty for none. */
export function textOf(value: Value | undefined): string {
  return value === undefined || typeof value === 'object' ? '' : String(value);
}

/** A value is invalid. The message follows the field's name in the report. */
export class FormatError extends Error {
  constructor(
    message: string,
    /** The place within the value, which follows the field's name: `[1].port`. */
    readonly at = '',
  ) {
    super(message);
  }
}

/** Whether a value is valid. */
export function isValid(format: Format, value: unknown): boolean {
  try {
    format.parse(value);
    return true;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

const CONTROL = /[\p{Cc}\u2028\u2029\uFFFE\uFFFF]|\p{Cs}/u;

/** Whether a text has more characters than `max`. One beyond U+FFFF has two units of UTF-16. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max);
}

/** Text without control characters. If `pattern` is given, it must match the whole text. */
export function text(
  max: number,
  options: { min?: number; pattern?: RegExp; expected?: string; normalise?: (value: string) => string } = {},
): Format {
  const { min = 1, pattern, expected, normalise } = options;
  return {
    schema: { type: 'string', minLength: min, maxLength: max, ...(pattern && { pattern: pattern.source }) },
    column: { type: 'varchar', length: max },
    parse: (value) => {
      if (typeof value !== 'string') throw new FormatError(`${quote(value)} is not a string`);
      if (value.length < min)
        throw new FormatError(min === 1 ? 'is empty' : `is shorter than ${String(min)} characters`);
      if (isLonger(value, max)) throw new FormatError(`${quote(value)} is longer than ${String(max)} characters`);
      if (CONTROL.test(value)) throw new FormatError(`${quote(value)} has control characters`);
      if (pattern && !pattern.test(value)) throw new FormatError(`${quote(value)} is not ${expected ?? 'well formed'}`);
      return normalise ? normalise(value) : value;
    },
    ...(normalise && { spelling: normalise }),
  };
}

/** The ref of another resource. One that is too long to exist is an unfulfilled dependency, too (specification, section 7). */
export function reference(): Format {
  return text(255);
}

/** Text that errors do not repeat. If `pattern` is given, it must match the whole text; `expected` describes it. */
export function secretText(max: number, options: { min?: number; pattern?: RegExp; expected?: string } = {}): Format {
  const { min = 1, pattern, expected = 'well formed' } = options;
  return {
    ...text(max, options),
    isSecret: true,
    parse: (value) => {
      if (typeof value !== 'string') throw new FormatError('is not a string');
      if (value.length < min || isLonger(value, max))
        throw new FormatError(`must have ${String(min)} to ${String(max)} characters`);
      if (CONTROL.test(value)) throw new FormatError('has control characters');
      if (pattern && !pattern.test(value)) throw new FormatError(`is not ${expected}`);
      return value;
    },
  };
}

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number): Format {
  return {
    schema: { type: 'integer', minimum: min, maximum: max },
    column: { type: 'integer' },
    parse: (value) => {
      if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
      throw new FormatError(`${quote(value)} is not a whole number from ${String(min)} to ${String(max)}`);
    },
  };
}

/** true or false. */
export function boolean(): Format {
  return {
    schema: { type: 'boolean' },
    column: { type: 'boolean' },
    parse: (value) => {
      if (typeof value === 'boolean') return value;
      throw new FormatError(`${quote(value)} is not true or false`);
    },
  };
}

/** One of a few words, in any case with `anyCase`. The GraphQL type is an enum with upper-case names. */
export function choice(
  name: string,
  about: string,
  values: readonly string[],
  options: { anyCase?: boolean } = {},
): Format {
  const fold = (text: string): string => (options.anyCase ? text.toLowerCase() : text);
  return {
    schema: { type: 'string', enum: values },
    choice: { name, about },
    column: { type: 'varchar', length: 16 },
    parse: (value) => {
      const known = typeof value === 'string' ? values.find((each) => fold(each) === fold(value)) : undefined;
      if (known !== undefined) return known;
      throw new FormatError(`${quote(value)} is not one of ${values.join(', ')}`);
    },
  };
}

/** Maximum number of entries of any list in a resource. It bounds the cost of comparing two lists. */
export const MAX_ENTRIES = 1000;

/** What tells the entries of a list apart. */
interface ListKey {
  readonly of: (entry: string) => string;
  /** What is listed twice if another entry has the key of this one. */
  readonly said: (entry: string) => string;
  /** Whether entries are sorted by their keys. */
  readonly sorts?: boolean;
}

/** A list without duplicates, in the order in which it was sent. */
export function list(item: Format, options: { min?: number; max?: number; key?: ListKey } = {}): Format {
  const { min = 0, max = MAX_ENTRIES, key } = options;
  return {
    schema: { type: 'array', items: item.schema, minItems: min, maxItems: max, uniqueItems: true },
    column: { type: 'text' },
    parse: (value) => {
      if (!Array.isArray(value)) throw new FormatError(`${quote(value)} is not a list`);
      if (value.length < min) throw new FormatError('is empty');
      if (value.length > max) throw new FormatError(`has more than ${String(max)} entries`);
      const items = value.map((entry: unknown) => textOf(item.parse(entry)));
      const repeated = repeatedIn(items);
      if (repeated !== undefined) throw new FormatError(`${quote(repeated)} is listed twice`);
      const alike = key && repeatedIn(items, key.of);
      if (alike !== undefined) throw new FormatError(`${key?.said(alike) ?? alike} is listed twice`);
      return key?.sorts ? items.sort((a, b) => (key.of(a) < key.of(b) ? -1 : 1)) : items;
    },
    ...(item.spelling && { spelling: item.spelling }),
  };
}

function repeatedIn(items: readonly string[], keyOf = (item: string): string => item): string | undefined {
  const seen = new Set<string>();
  return items.find((item) => seen.size === seen.add(keyOf(item)).size);
}

/** Texts that `convert` brings to their normal form. It returns undefined for one that is not what is `expected`. */
export function converted(format: Format, convert: (text: string) => string | undefined, expected: string): Format {
  return {
    ...format,
    parse: (value) => {
      const found = convert(textOf(format.parse(value)));
      if (found !== undefined) return found;
      throw new FormatError(`${quote(value)} is not ${expected}`);
    },
  };
}

/** A format whose texts also meet a condition that its pattern cannot express. */
export function refine(format: Format, holds: (value: string) => boolean, expected: string): Format {
  return converted(format, (text) => (holds(text) ? text : undefined), expected);
}
