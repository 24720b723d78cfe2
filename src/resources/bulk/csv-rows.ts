import { pipeline } from 'node:stream';

import { CsvError, parse } from 'csv-parse';

import { InvalidInputError, shorten } from '../../errors';
import { endOfTurn } from '../../limits/event-loop';

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
/** What separates cells, the most usual first. */
const DELIMITERS = [',', ';', '\t'] as const;
/** What comes before the first heading. */
const BEFORE_HEADER = /^\uFEFF?[\r\n ]*/;
/** Rows per batch. The number of statements of a batch is fixed. */
const BATCH = 200;

/** A row by column, and its first line in the file. */
export interface CsvRow {
  readonly record: Readonly<Record<string, string>>;
  readonly line: number;
  /** Why the row does not fit the header; undefined if it does. */
  readonly wrong?: string;
}

/** What csv-parse returns for a row. `raw` is its text, with empty lines before it. */
interface CsvItem {
  readonly record: CsvRow['record'];
  readonly raw: string;
  readonly info: { readonly lines: number; readonly error?: CsvError };
}

/** How to read the rows of a file. */
export interface RowOptions {
  /** Returns the names of the columns in a header row; undefined for a column to ignore. */
  readonly headerOf: (headings: readonly string[]) => readonly (string | undefined)[];
  /** Whether rows of empty cells are ignored, as spreadsheets write them below a table. */
  readonly skipsEmpty?: boolean;
  /** Whether rows with more or fewer cells than the header are returned, with what is wrong. By default, they throw. */
  readonly keepsUneven?: boolean;
}

/** Imports rows in batches. */
export interface RowImporter<Read> {
  read(row: CsvRow): Read;
  write(batch: readonly Read[]): Promise<void>;
}

type Delimiter = (typeof DELIMITERS)[number];

/**
 * Reads the rows of a CSV file, whose cells are separated by commas, semicolons or tabs, as in its header. Throws
 * InvalidInputError for text that is not CSV, with the line, and the errors of `headerOf`.
 */
export async function* rowsOf(
  file: AsyncIterable<string>,
  { headerOf, skipsEmpty, keepsUneven }: RowOptions,
): AsyncGenerator<CsvRow> {
  const parts = file[Symbol.asyncIterator]();
  let start = '';
  let next = await parts.next();
  for (; next.done !== true; next = await parts.next()) {
    start += next.value;
    if (start.length >= MAX_ROW || marksOfHeader(start).isWhole) break;
  }
  if (start.replace(BEFORE_HEADER, '') === '') throw InvalidInputError.of('Line 1', 'there is no header');
  const options = { bom: true, trim: true, skip_empty_lines: true, info: true, raw: true, max_record_size: MAX_ROW };
  // csv-parse counts a CRLF in a cell as two lines, and gives the number of a row's last line.
  let surplus = 0;
  const rows = parse({
    ...options,
    record_delimiter: LINE_BREAKS,
    delimiter: delimiterOf(start),
    skip_records_with_empty_values: skipsEmpty ?? false,
    relax_column_count: keepsUneven ?? false,
    columns: (headings: readonly string[]) => {
      surplus += headings.join(' ').match(/\r\n/g)?.length ?? 0;
      return [...headerOf(headings)];
    },
  });
  // The iteration below throws the errors of the pipeline.
  pipeline(prepend(start, parts), rows, () => undefined);
  try {
    for await (const item of rows) {
      // Because of `info` and `raw`.
      const { record, raw, info } = item as CsvItem;
      const breaks = raw.replace(/^[\r\n]+|(?:\r\n|\n|\r)$/g, '').match(/\r\n|\n|\r/g) ?? [];
      surplus += breaks.filter((each) => each === '\r\n').length;
      const line = info.lines - surplus - breaks.length;
      yield { record, line, ...(info.error && { wrong: reasonIn(info.error) }) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isLong = error.code === 'CSV_MAX_RECORD_SIZE';
    throw InvalidInputError.of(
      `Line ${String(Number(error['lines']) - surplus)}`,
      isLong ? `the row has more than ${String(MAX_ROW)} characters; look for an unclosed quote` : reasonIn(error),
    );
  }
}

/** The start of a text, and the rest of it. */
async function* prepend(start: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
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
  const count = columnCounter(delimiterOf(csv));
  for (let start = 0, end = 0; start < csv.length; start = end) {
    end = start + PART;
    // Both halves of a line end, and of a character beyond U+FFFF, are in one part.
    if (/^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(csv.slice(end - 1, end + 1))) end++;
    const part = csv.slice(start, end);
    count(part);
    yield part;
    await endOfTurn();
  }
}

/** Returns a function that counts the columns of the rows in the next part of a text. */
function columnCounter(delimiter: Delimiter): (part: string) => void {
  const marks = new RegExp(`["${delimiter}]|\\r\\n?|\\n`, 'g');
  let [line, columns, isQuoted] = [1, 1, false];
  return (part) => {
    for (const [mark] of part.matchAll(marks)) {
      if (mark === '"') isQuoted = !isQuoted;
      else if (mark === delimiter) columns += isQuoted ? 0 : 1;
      else {
        line++;
        if (!isQuoted) columns = 1;
      }
      if (columns > MAX_COLUMNS)
        throw InvalidInputError.of(`Line ${String(line)}`, `the row has more than ${String(MAX_COLUMNS)} columns`);
    }
  };
}

/** Returns what separates the cells of the header with which a text starts: what it contains most often. */
function delimiterOf(text: string): Delimiter {
  const counts = marksOfHeader(text).counts;
  return DELIMITERS.reduce((most, each) => (counts[each] > counts[most] ? each : most));
}

/** What may separate the cells of the header with which a text starts, and whether the text has the whole header. */
function marksOfHeader(text: string): { readonly counts: Record<Delimiter, number>; readonly isWhole: boolean } {
  const counts = { ',': 0, ';': 0, '\t': 0 };
  let isQuoted = false;
  for (const [mark] of text
    .slice(0, MAX_ROW)
    .replace(BEFORE_HEADER, '')
    .matchAll(/[",;\t\r\n]/g)) {
    if (mark === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (mark === '\r' || mark === '\n') return { counts, isWhole: true };
    else counts[mark as Delimiter]++; // the only other matches
  }
  return { counts, isWhole: false };
}

/** Imports all rows. `next` runs after each batch, with the number of rows that were read. */
export async function inBatches<Read>(
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  importer: RowImporter<Read>,
  next: (rows: number) => Promise<void> | void,
): Promise<void> {
  let batch: Read[] = [];
  let count = 0;
  for await (const row of rows) {
    count++;
    batch.push(importer.read(row));
    if (count % BATCH !== 0) continue;
    await importer.write(batch);
    batch = [];
    await next(count);
  }
  await importer.write(batch);
  await next(count);
}
