import { pipeline, type Readable } from 'node:stream';

import { CsvError, parse } from 'csv-parse';

import { InvalidInputError, shorten } from '../../errors';
import { endOfTurn } from '../../limits/event-loop';
import { valueFor, type Country } from '../../spelling/telephone';
import type { Input } from '../write/input';

/** Maximum number of characters of a row. Without a limit, an unclosed quote makes the rest of the file one row. */
const MAX_ROW = 64 * 1024;

/** Maximum number of bytes of the reason why a text is not CSV. */
const MAX_REASON = 200;
/** Characters that are read between two turns of the event loop. */
const PART = 16 * 1024;
/** Maximum number of columns of a row. */
const MAX_COLUMNS = 100;
/** What ends a row. */
const LINE_BREAKS = ['\r\n', '\n', '\r'];
/** Maximum number of unknown columns that an error names, and of bytes of each name. */
const MAX_NAMED = 3;
const MAX_HEADING = 40;

/** The columns of a CSV file of numbers, and the GraphQL fields that they set. */
const COLUMNS: Readonly<Record<string, string>> = {
  telUrl: 'telUrl',
  aorLink: 'aorLink',
  gwRef: 'gatewayRef',
  city: 'geoInfo.city',
  country: 'geoInfo.country',
  countryISOCode: 'geoInfo.countryISOCode',
};

/** A row by column, and its line in the file. */
export interface CsvRow {
  readonly record: Readonly<Record<string, string>>;
  readonly line: number;
}

/**
 * Reads the rows of a CSV file of numbers. Throws InvalidInputError for a wrong header, and for text that is not CSV,
 * with the line.
 */
export async function* rowsOf(file: Readable): AsyncGenerator<CsvRow> {
  const options = { bom: true, trim: true, skip_empty_lines: true, info: true, max_record_size: MAX_ROW };
  const rows = parse({ ...options, record_delimiter: LINE_BREAKS, columns: headerOf });
  // The iteration below throws the errors of the pipeline.
  pipeline(file, rows, () => undefined);
  try {
    for await (const item of rows) {
      const { record, info } = item as { record: CsvRow['record']; info: { lines: number } }; // because of `info: true`
      yield { record, line: info.lines };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isLong = error.code === 'CSV_MAX_RECORD_SIZE';
    throw InvalidInputError.of(
      `Line ${String(error['lines'])}`,
      isLong ? `the row has more than ${String(MAX_ROW)} characters; look for an unclosed quote` : reasonIn(error),
    );
  }
}

/** The reason in a message of csv-parse, such as `Invalid Record Length: columns length is 3, got 2 on line 2`. */
function reasonIn({ message }: CsvError): string {
  return shorten(message.replace(/(, value is .*)? (on|at) line \d+.*$/s, ''), MAX_REASON);
}

/**
 * Splits a CSV text, so that reading a long one does not block the process. Throws InvalidInputError at a row with too
 * many columns, all of which the parser would keep.
 */
export async function* partsOf(csv: string): AsyncGenerator<string> {
  const count = columnCounter();
  for (let start = 0, end = 0; start < csv.length; start = end) {
    end = start + PART;
    if (csv[end - 1] === '\r' && csv[end] === '\n') end++;
    const part = csv.slice(start, end);
    count(part);
    yield part;
    await endOfTurn();
  }
}

/** Returns a function that counts the columns of the rows in the next part of a text. */
function columnCounter(): (part: string) => void {
  let [line, columns, isQuoted] = [1, 1, false];
  return (part) => {
    for (const [mark] of part.matchAll(/[",]|\r\n?|\n/g)) {
      if (mark === '"') isQuoted = !isQuoted;
      else if (mark === ',') columns += isQuoted ? 0 : 1;
      else {
        line++;
        if (!isQuoted) columns = 1;
      }
      if (columns > MAX_COLUMNS)
        throw InvalidInputError.of(`Line ${String(line)}`, `the row has more than ${String(MAX_COLUMNS)} columns`);
    }
  };
}

/**
 * Returns the names of the columns in a header row, with their usual case. Throws InvalidInputError for unknown and
 * missing columns.
 */
function headerOf(names: readonly string[]): string[] {
  const known = names.map((name) => Object.keys(COLUMNS).find((each) => each.toLowerCase() === name.toLowerCase()));
  const unknown = names.filter((_, index) => known[index] === undefined);
  const missing = ['telUrl', 'aorLink', 'gwRef'].filter((name) => !known.includes(name));
  if (unknown.length === 0 && missing.length === 0) return known as string[]; // all are known
  const problems = [
    ...unknown.slice(0, MAX_NAMED).map((name) => `unknown column ${shorten(name, MAX_HEADING)}`),
    ...(unknown.length > MAX_NAMED ? [`${String(unknown.length - MAX_NAMED)} more unknown columns`] : []),
    ...missing.map((name) => `missing column ${name}`),
  ];
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
    const [first = '', second] = COLUMNS[name]?.split('.') ?? [];
    if (value === '') continue;
    if (second === undefined) input[first] = valueFor(first, value, home);
    else input[first] = { ...(input[first] as object | undefined), [second]: value };
  }
  return input;
}
