import { createReadStream } from 'node:fs';

import { InvalidInputError } from '../../errors';
import { endOfTurn } from '../../limits/event-loop';
import { NO_ROWS, type ForeignRow, type ForeignSource, type TableSize } from './foreign-source';

/** The longest value, in bytes. Without a limit, a quote that is not closed would be read to the end of the file. */
const MAX_VALUE = 4 * 1024 * 1024;
/** The longest CREATE TABLE, in bytes. Its columns are looked at at once. */
const MAX_CREATE = 512 * 1024;
/** Bytes that are looked at to tell what a statement is. */
const AHEAD = 64 * 1024;
/** Bytes that are read at once. */
const CHUNK = 256 * 1024;
/** Rows, and parts of statements, between two turns of the event loop. */
const TURN = 1000;
/** Quotes without an end that are skipped. Each is looked for in all that follows. */
const MAX_OPEN = 10;

// The patterns take linear time and do not look beyond their statement: uploaded dumps are untrusted, and a pattern blocks the
// event loop.

/** Without comments that end with a mark: one that does not end would be read to the end of the text again and again. */
const SPACE = /(?:\s+|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|;)+/y;
const NAME = '(?:[`"]?\\w+[`"]?\\.)?[`"]?(\\w+)[`"]?';
const INSERT = new RegExp(
  `(?:INSERT|REPLACE)\\s+(?:IGNORE\\s+)?INTO\\s+${NAME}\\s*(?:\\(([^;)]*)\\)\\s*)?VALUES\\s*`,
  'iy',
);
const CREATE = new RegExp(`CREATE\\s+TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}\\s*\\(`, 'iy');
const COPY = new RegExp(`COPY\\s+${NAME}\\s*\\(([^;)]*)\\)\\s+FROM\\s+stdin;[ \\t\\r]*\\n`, 'iy');
const DELIMITER = /DELIMITER\s+(\S+)[^\n]*(?:\n|$)/iy;
/** A statement of SQLite, with which its dumps begin. */
const PRAGMA = /PRAGMA\s/iy;
const OPEN = /\s*\(/y;
const CLOSED = /\s*([,;])|\s*ON\s[^;]*;/iy;
const COLUMN =
  /^\s*(?:[`"](\w+)[`"]|(?!(?:PRIMARY|UNIQUE|KEY|INDEX|CONSTRAINT|FULLTEXT|SPATIAL|FOREIGN|CHECK)\b)(\w+))\s/i;
/** Patterns for the dumps of MySQL, where a backslash in a text begins an escape, and for those where it stands for itself. */
const MYSQL = patternsOf(String.raw`[^'\\]*(?:(?:\\[^]|'')[^'\\]*)*`);
const STANDARD = patternsOf(String.raw`[^']*(?:''[^']*)*`);

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0', Z: '\x1a', b: '\b' };
const COPY_ESCAPES: typeof ESCAPES = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** Statements with rows of a table, one after the other: SQLite's .dump writes one for each row. */
interface Part {
  /** The position of the first one, in bytes. */
  readonly start: number;
  /** The columns of the table there, if the dump creates it. */
  readonly created: readonly string[] | undefined;
}

/** A row of a dump, or null at the start of a statement with rows. */
interface Found {
  readonly table: string;
  /** Those of the statement. */
  readonly columns: readonly string[];
  /** The position of the statement, in bytes. */
  readonly start: number;
  readonly values: readonly (string | null)[] | null;
}

/** A dump that can be read from each of its bytes on. A character of a chunk is a byte. */
export interface Dump {
  /** What errors call it. */
  readonly name: string;
  readonly from: (start: number) => AsyncIterable<string, undefined>;
}

/** The dump in a file. */
export function dumpIn(file: string): Dump {
  return {
    name: file,
    from: (start) => createReadStream(file, { start, encoding: 'latin1', highWaterMark: CHUNK }),
  };
}

/** A dump that is in memory. */
export function dumpOf(name: string, bytes: Buffer): Dump {
  return {
    name,
    async *from(start): AsyncGenerator<string, undefined> {
      for (let at = start; at < bytes.length; at += CHUNK) {
        yield bytes.toString('latin1', at, at + CHUNK);
        await endOfTurn();
      }
      return undefined;
    },
  };
}

/**
 * Opens a dump as mysqldump, mariadb-dump, pg_dump and SQLite's .dump write it. The file is read once to find where the rows
 * of each table are, and these parts again for the rows, so memory use does not depend on its size.
 */
export async function openDump(dump: Dump): Promise<ForeignSource> {
  const parts = new Map<string, Part[]>();
  const sizes = new Map<string, { rows: number; first: string }>();
  const reader = new DumpReader(dump, 0);
  let count = 0;
  let last: string | undefined;
  for await (const { table, start, values } of reader.findRows()) {
    if (values === null) {
      if (table === last) continue;
      last = table;
      const known = parts.get(table) ?? [];
      parts.set(table, known);
      known.push({ start, created: reader.columnsOf.get(table) });
      continue;
    }
    const size = sizes.get(table) ?? { rows: 0, first: values[0] ?? '' };
    size.rows++;
    sizes.set(table, size);
    if (++count % TURN === 0) await endOfTurn();
  }
  if (parts.size === 0 && reader.columnsOf.size === 0)
    throw InvalidInputError.of(
      'source',
      `${dump.name} has no CREATE TABLE, INSERT or COPY statement: it is no dump of a database`,
    );
  const { columnsOf, isStandard } = reader;
  return {
    tables: [...new Set([...columnsOf.keys(), ...parts.keys()])],
    async *rows(table) {
      for (const { start, created } of parts.get(table) ?? []) {
        const part = new DumpReader(dump, start, isStandard);
        if (created) part.columnsOf.set(table, created);
        for await (const { columns, values } of part.findRows(table)) if (values) yield rowOf(columns, values);
      }
    },
    size: (table): Promise<TableSize> => Promise.resolve(sizes.get(table) ?? NO_ROWS),
    close: () => Promise.resolve(),
  };
}

function rowOf(columns: readonly string[], values: readonly (string | null)[]): ForeignRow {
  return Object.fromEntries(columns.map((name, index) => [name, values[index] ?? null]));
}

/** The patterns for a value, for a part of a statement that is skipped, and for what divides columns. `text` is what is between quotes. */
function patternsOf(text: string): { readonly value: RegExp; readonly skipped: RegExp; readonly marks: RegExp } {
  return {
    value: new RegExp(
      String.raw`\s*(?:_\w+\b\s*)?(?:E?'(${text})'|(NULL)|([\w.+-]+))(?:::\w+(?: \w+)*)?\s*([,)])`,
      'iy',
    ),
    skipped: new RegExp(`(?:[^;'"\`]+|'${text}'|"[^"]*"|\`[^\`]*\`)`, 'y'),
    // What is quoted in a statement, as `skipped` finds it, and what divides its columns.
    marks: new RegExp(`'${text}'|"[^"]*"|\`[^\`]*\`|[(),]`, 'g'),
  };
}

/** Reads the statements of a dump. A character of `text` is a byte, so positions are those in the file. */
class DumpReader {
  /** The columns of each table that the dump creates. */
  readonly columnsOf = new Map<string, readonly string[]>();
  private readonly chunks: AsyncIterator<string, undefined>;
  private text = '';
  private at = 0;
  /** The position of `text` in the file. */
  private base: number;
  private isDone = false;
  /** How many quotes without an end there were. */
  private open = 0;
  private steps = 0;

  constructor(
    private readonly dump: Dump,
    start: number,
    /** Whether a backslash in a text stands for itself, as PostgreSQL and SQLite write it. */
    public isStandard = false,
  ) {
    this.base = start;
    this.chunks = dump.from(start)[Symbol.asyncIterator]();
  }

  private get patterns(): typeof MYSQL {
    return this.isStandard ? STANDARD : MYSQL;
  }

  /** Finds all rows, or those until the first of another table. */
  async *findRows(only?: string): AsyncGenerator<Found> {
    try {
      for (;;) {
        await this.skipSpace();
        if (this.at >= this.text.length) return;
        await this.atLeast(AHEAD);
        const start = this.base + this.at;
        const insert = this.take(INSERT);
        const copy = insert ? null : this.take(COPY);
        const [, table = '', listed] = insert ?? copy ?? [];
        if (insert ?? copy) {
          if (only !== undefined && table !== only) return;
          const columns = namesIn(listed) ?? this.columnsOf.get(table) ?? [];
          if (columns.length === 0)
            throw this.wrong(`the columns of ${table} are not known: write the dump with its CREATE TABLE statements`);
          yield { table, columns, start, values: null };
          for await (const values of insert ? this.rows(table, columns.length) : this.lines())
            yield { table, columns, start, values };
        } else await this.other();
      }
    } finally {
      await this.chunks.return?.();
    }
  }

  private async *rows(table: string, length: number): AsyncGenerator<readonly (string | null)[]> {
    for (;;) {
      if (!(await this.next(OPEN))) throw this.wrong('has VALUES without a row');
      const values: (string | null)[] = [];
      for (;;) {
        const found = await this.next(this.patterns.value);
        if (!found) throw this.wrong('has a value that cannot be read');
        const [, text, none, word = '', end] = found;
        values.push(text !== undefined ? this.unescape(text) : none !== undefined ? null : word);
        if (end === ')') break;
      }
      if (values.length !== length)
        throw this.wrong(`has a row of ${table} with ${String(values.length)} values instead of ${String(length)}`);
      yield values;
      const closed = await this.next(CLOSED);
      if (closed?.[1] !== ',') return;
    }
  }

  /** The rows of COPY, until `\.`. */
  private async *lines(): AsyncGenerator<readonly (string | null)[]> {
    this.isStandard = true;
    for (;;) {
      const [, line = '', end] = (await this.next(/([^\n]*)(\n|$)/y)) ?? [];
      if (line === '\\.') return;
      if (!end) throw this.wrong('ends within the rows of COPY');
      yield line
        .split('\t')
        .map((cell) =>
          cell === '\\N' ? null : decodeUtf8(cell.replace(/\\(.)/g, (_, each: string) => COPY_ESCAPES[each] ?? each)),
        );
    }
  }

  /** Reads a statement without rows: only CREATE TABLE is of interest. */
  private async other(): Promise<void> {
    if (this.take(DELIMITER)) {
      // Until it is `;` again, there are the bodies of triggers.
      for (;;) {
        const [line = ''] = (await this.next(/[^\n]*(?:\n|$)/y)) ?? [];
        if (line === '' || /^DELIMITER\s+;/i.test(line)) return;
      }
    }
    if (this.take(PRAGMA)) this.isStandard = true;
    const [, name] = this.take(CREATE) ?? [];
    const start = this.at;
    let skipped = '';
    for (;;) {
      await this.atLeast(1);
      const part = this.text[this.at] === ';' ? null : await this.next(this.patterns.skipped);
      if (!part) break;
      if (name !== undefined) skipped += part[0];
      if (skipped.length > MAX_CREATE) throw this.wrong('has a CREATE TABLE that is too long');
    }
    if (name !== undefined) this.columnsOf.set(name, columnsIn(skipped, this.patterns.marks));
    // What cannot be skipped, such as a quote in a comment.
    else if (this.at === start && this.text[this.at] !== ';') {
      if (++this.open > MAX_OPEN) throw this.wrong('has quotes that do not end');
      this.at++;
    }
  }

  private async skipSpace(): Promise<void> {
    await this.atLeast(AHEAD);
    while (this.take(SPACE) ?? (await this.takeComment())) await this.atLeast(AHEAD);
    if (this.base + this.at < AHEAD && this.text.slice(0, this.at).includes('PostgreSQL database dump'))
      this.isStandard = true;
  }

  private async takeComment(): Promise<boolean> {
    if (!this.text.startsWith('/*', this.at)) return false;
    for (let from = this.at + 2; ;) {
      const end = this.text.indexOf('*/', from);
      if (end >= 0) {
        this.at = end + 2;
        return true;
      }
      if (this.isDone || this.text.length - this.at > MAX_VALUE) throw this.wrong('has a comment that does not end');
      const length = this.text.length - this.at;
      await this.more();
      from = this.at + length - 1;
    }
  }

  /** Takes what a pattern matches here, or returns null. Reads on while more text could change the match. */
  private async next(pattern: RegExp): Promise<RegExpExecArray | null> {
    if (++this.steps % TURN === 0) await endOfTurn();
    for (;;) {
      pattern.lastIndex = this.at;
      const found = pattern.exec(this.text);
      if (found && (pattern.lastIndex < this.text.length || this.isDone)) {
        this.at = pattern.lastIndex;
        return found;
      }
      const length = this.text.length - this.at;
      if (this.isDone || length > MAX_VALUE) return null;
      // A long value is looked at a few times, not once for each chunk.
      await this.atLeast(Math.max(2 * length, 1));
    }
  }

  /** Takes what a pattern matches in the text that has been read. */
  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private async atLeast(length: number): Promise<void> {
    while (!this.isDone && this.text.length - this.at < length) await this.more();
  }

  private async more(): Promise<void> {
    const { done, value } = await this.chunks.next();
    if (done === true) this.isDone = true;
    else {
      this.base += this.at;
      this.text = this.text.slice(this.at) + value;
      this.at = 0;
    }
  }

  private unescape(text: string): string {
    const plain = this.isStandard
      ? text.replaceAll("''", "'")
      : text.replace(/\\([^])|''/g, (_, each?: string) => (each === undefined ? "'" : (ESCAPES[each] ?? each)));
    return decodeUtf8(plain);
  }

  private wrong(message: string): InvalidInputError {
    return InvalidInputError.of('source', `${this.dump.name}, byte ${String(this.base + this.at)}: ${message}`);
  }
}

function decodeUtf8(bytes: string): string {
  return /^[\x00-\x7f]*$/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();
}

function namesIn(list: string | undefined): readonly string[] | undefined {
  return list?.split(',').map((name) => name.trim().replace(/^[`"]|[`"]$/g, ''));
}

/** The columns in what follows `CREATE TABLE name (`. */
function columnsIn(text: string, marks: RegExp): readonly string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: mark, index } of text.matchAll(marks)) {
    if (mark === '(') depth++;
    else if (mark === ')') depth--;
    if ((mark === ',' && depth === 0) || depth < 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
    if (depth < 0) break;
  }
  return parts.flatMap((part) => {
    const [, quoted, plain] = COLUMN.exec(`${part} `.replace(/^\s*--[^\n]*\n/, '')) ?? [];
    return quoted ?? plain ?? [];
  });
}
