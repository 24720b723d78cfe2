import { quote } from '../../errors';
import { FormatError, type Entry, type EntryField, type Format } from './format';

/** How a list of entries with fields is declared. */
interface EntryOptions {
  /** The name of the GraphQL type of an entry. */
  readonly name: string;
  readonly about: string;
  readonly fields: readonly EntryField[];
  /** The fields by which entries differ; none if two may be the same. */
  readonly unique: readonly string[];
  readonly max: number;
}

/** A list of entries with fields, stored as JSON. An error names the entry and its field, such as `[1].port`. */
export function entries({ name, about, fields, unique, max }: EntryOptions): Format {
  return {
    entries: { name, about, fields },
    schema: {
      type: 'array',
      maxItems: max,
      items: {
        type: 'object',
        properties: Object.fromEntries(
          fields.map((field) => [field.name, { ...field.format.schema, description: field.about }]),
        ),
        required: fields.filter(({ required }) => required === true).map((field) => field.name),
        additionalProperties: false,
      },
    },
    column: { type: 'text' },
    parse: (value) => {
      if (!Array.isArray(value)) throw new FormatError(`${quote(value)} is not a list`);
      if (value.length > max) throw new FormatError(`has more than ${String(max)} entries`);
      const items = value.map((entry: unknown, index) => entryIn(entry, fields, `[${String(index)}]`));
      if (unique.length === 0) return items;
      const keys = items.map((entry) => JSON.stringify(unique.map((key) => entry[key] ?? null)));
      keys.forEach((key, index) => {
        const first = keys.indexOf(key);
        if (first < index) throw new FormatError(`is the same as entry ${String(first)}`, `[${String(index)}]`);
      });
      return items;
    },
  };
}

function entryIn(value: unknown, fields: readonly EntryField[], at: string): Entry {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FormatError(`${quote(value)} is not an object`, at);
  const given = new Map(Object.entries(value).filter(([, each]) => each !== undefined && each !== null));
  const unknown = [...given.keys()].find((key) => fields.every(({ name }) => name !== key));
  if (unknown !== undefined) throw new FormatError(`has the unknown member ${quote(unknown)}`, at);
  return Object.fromEntries(
    fields.flatMap(({ name, format, required }) => {
      const place = `${at}.${name}`;
      const each: unknown = given.get(name);
      if (each === undefined && required === true) throw new FormatError('is required', place);
      return each === undefined ? [] : [[name, parseAt(format, each, place)] as const];
    }),
  );
}

function parseAt(format: Format, value: unknown, at: string): string | number | boolean {
  try {
    return format.parse(value) as string | number | boolean; // fields of entries are no lists
  } catch (error) {
    throw error instanceof FormatError ? new FormatError(error.message, at) : error;
  }
}
