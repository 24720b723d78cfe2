import { isUtf8 } from 'node:buffer';
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
/** Escapes in a text that a pattern matches. Texts with more are read bit by bit. */
const MAX_ESCAPES = 1000;

// The patterns take linear time and do not look beyond their statement: uploaded dumps are untrusted, and a pattern blocks the
// event loop.

/** Without comments that end with a mark: one that does not end would be read to the end of the text again and again. */
const SPACE = /(?:\s+|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|;){1,1000}/y;
const NAME = '(?:[`"]?\\w+[`"]?\\.)?[`"]?(\\w+)[`"]?';
const INSERT = new RegExp(
  `(?:INSERT|REPLACE)\\s+(?:IGNORE\\s+)?INTO\\s+${NAME}\\s*(?:\\(([^;)]*)\\)\\s*)?VALUES\\s*`,
  'iy',
);
const CREATE = new RegExp(`CREATE\\s+TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}\\s*\\(`, 'iy');
const COPY = new RegExp(`COPY\\s+${NAME}\\s*\\(([^;)]*)\\)\\s+FROM\\s+stdin;[ \\t\\r]*\\n`, 'iy');
const DELIMITER = /DELIMITER\s+(\S+)[^\n]*(?:\n|$)/iy;
/** The first and the last comment of a dump, unless it was written without comments. */
const FIRST_COMMENT = /-- (?:MySQL|MariaDB) dump |-- PostgreSQL database dump\b/;
const LAST_COMMENT = /-- (?:Dump completed|PostgreSQL database dump complete)\b/;
/** A statement of SQLite, with which its dumps begin. */
const PRAGMA = /PRAGMA\s/iy;
const OPEN = /\s*\(/y;
const CLOSED = /\s*([,;])|\s*ON\s[^;]*;/iy;
const COLUMN =
  /^\s*(?:[`"](\w+)[`"]|(?!(?:PRIMARY|UNIQUE|KEY|INDEX|CONSTRAINT|FULLTEXT|SPATIAL|FOREIGN|CHECK)\b)(\w+))\s/i;
// A type has few words, such as `timestamp without time zone`.
const AFTER = String.raw`(?:::\w+(?: \w+){0,9})?\s*([,)])`;
const BEFORE = String.raw`\s*(?:_\w+\b\s*)?`;
/** The start of a text, another value, and what follows a text, if they are looked for one by one. */
const QUOTE = new RegExp(`${BEFORE}E?'`, 'iy');
const WORD = new RegExp(String.raw`${BEFORE}(?:(NULL)|([\w.+-]+))${AFTER}`, 'iy');
const AFTER_TEXT = new RegExp(AFTER, 'y');
/** A part of a statement that is skipped, other than a text. */
const SKIPPED = /[^;'"`]+|"[^"]*"|`[^`]*`/y;
/** Patterns for the dumps of MySQL, where a backslash in a text begins an escape, and for those where it stands for itself. */
const MYSQL = patternsOf(String.raw`[^'\\]*`, String.raw`(?:\\[^]|'')`);
const STANDARD = patternsOf(String.raw`[^']*`, "''");

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
  /** A character is a byte. */
  readonly values: readonly (string | null)[] | null;
}

/** A value of a row, and the mark behind it. */
interface Value {
  readonly value: string | null;
  readonly end: string;
}

/** A dump that can be read from each of its bytes on. A character of a chunk is a byte. */
export interface Dump {
  /** What errors call it. */
  readonly name: string;
  readonly from: (start: number) => AsyncIterable<string, undefined>;
  /** Lets others have their turn. Throws an error if nobody waits for what is read any more. */
  readonly pause: () => Promise<void>;
}

/** The dump in a file. */
export function dumpIn(file: string): Dump {
  return {
    name: file,
    from: (start) => createReadStream(file, { start, encoding: 'latin1', highWaterMark: CHUNK }),
    pause: endOfTurn,
  };
}

/** A dump that is in memory. `assertWanted` is called often, and throws an error to end the reading. */
export function dumpOf(name: string, bytes: Buffer, assertWanted: () => void): Dump {
  const pause = async (): Promise<void> => {
    await endOfTurn();
    assertWanted();
  };
  return {
    name,
    pause,
    async *from(start): AsyncGenerator<string, undefined> {
      for (let at = start; at < bytes.length; at += CHUNK) {
        await pause(); // before the first one, too: who reads many short parts never takes a second one
        yield bytes.toString('latin1', at, at + CHUNK);
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
  const reader = new DumpReader(dump);
  let count = 0;
  let last: string | undefined;
  try {
    for await (const { table, start, values } of reader.findRows()) {
      if (values === null) {
        if (table === last) continue;
        last = table;
        const known = parts.get(table) ?? [];
        parts.set(table, known);
        known.push({ start, created: reader.columnsOf.get(table) });
        continue;
      }
      const size = sizes.get(table) ?? { rows: 0, first: decodeUtf8(values[0] ?? '') };
      size.rows++;
      sizes.set(table, size);
      if (++count % TURN === 0) await dump.pause();
    }
  } finally {
    await reader.close();
  }
  if (parts.size === 0 && reader.columnsOf.size === 0)
    throw InvalidInputError.of(
      'source',
      `${dump.name} has no CREATE TABLE, INSERT or COPY statement: it is no dump of a database`,
    );
  // The rows that are missing would be left out without a word.
  if (reader.isCutOff)
    throw InvalidInputError.of(
      'source',
      `${dump.name} is not complete: it lacks the comment that ends it, such as "-- Dump completed"`,
    );
  const { columnsOf, isStandard } = reader;
  return {
    tables: [...new Set([...columnsOf.keys(), ...parts.keys()])],
    async *rows(table) {
      // One reader: the parts of tables that alternate are short, and many of them are in what is read at once.
      const again = new DumpReader(dump, isStandard);
      try {
        for (const { start, created } of parts.get(table) ?? []) {
          await again.seek(start);
          if (created) again.columnsOf.set(table, created);
          else again.columnsOf.delete(table);
          for await (const { columns, values } of again.findRows(table))
            if (values) yield rowOf(dump, table, columns, values);
        }
      } finally {
        await again.close();
      }
    },
    size: (table): Promise<TableSize> => Promise.resolve(sizes.get(table) ?? NO_ROWS),
    close: () => Promise.resolve(),
  };
}

/** Throws InvalidInputError for a value in another encoding than UTF-8, which would become another password or name. */
function rowOf(dump: Dump, table: string, columns: readonly string[], values: readonly (string | null)[]): ForeignRow {
  const cells = columns.map((name, index): [string, string | null] => {
    const bytes = values[index] ?? null;
    if (bytes !== null && !isAscii(bytes) && !isUtf8(Buffer.from(bytes, 'latin1')))
      throw InvalidInputError.of(
        'source',
        `${dump.name}: ${name} of ${table} ${decodeUtf8(values[0] ?? '')} is not in UTF-8: write the dump in UTF-8, or without this column`,
      );
    return [name, bytes === null ? null : decodeUtf8(bytes)];
  });
  return Object.fromEntries(cells);
}

/** The patterns for a value and for a text, with few escapes, and for what divides columns. */
function patternsOf(plain: string, escape: string): Readonly<Record<'value' | 'text' | 'marks', RegExp>> {
  const few = `${plain}(?:${escape}${plain}){0,${String(MAX_ESCAPES)}}`;
  return {
    value: new RegExp(String.raw`${BEFORE}(?:E?'(${few})'|(NULL)|([\w.+-]+))${AFTER}`, 'iy'),
    text: new RegExp(`'${few}'`, 'y'),
    // What is quoted in a statement, and what divides its columns.
    marks: new RegExp(`'${plain}(?:${escape}${plain})*'|"[^"]*"|\`[^\`]*\`|[(),]`, 'g'),
  };
}

/** Reads the statements of a dump. A character of `text` is a byte, so positions are those in the file. */
class DumpReader {
  /** The columns of each table that the dump creates. */
  readonly columnsOf = new Map<string, readonly string[]>();
  private chunks: AsyncIterator<string, undefined> | undefined;
  private text = '';
  private at = 0;
  /** The position of `text` in the file. */
  private base = 0;
  private isDone = false;
  /** How many quotes without an end there were, and the position of the last one in the file. */
  private open = 0;
  private lastOpen = -1;
  private steps = 0;
  /** Whether the dump begins with a comment of its program, and whether the one with which it ends was read. */
  private hasFirstComment = false;
  private hasLastComment = false;

  constructor(
    private readonly dump: Dump,
    /** Whether a backslash in a text stands for itself, as PostgreSQL and SQLite write it. */
    public isStandard = false,
  ) {}

  private get patterns(): typeof MYSQL {
    return this.isStandard ? STANDARD : MYSQL;
  }

  /** Whether the dump, which was read to its end, lacks the comment with which its program ends it. */
  get isCutOff(): boolean {
    return this.hasFirstComment && !this.hasLastComment;
  }

  /** Goes to a position. What is still there of what was read is not read again. */
  async seek(start: number): Promise<void> {
    const at = start - this.base;
    if (at >= 0 && at <= this.text.length) this.at = at;
    else {
      await this.close();
      [this.text, this.at, this.base, this.isDone] = ['', 0, start, false];
    }
  }

  /** Ends the reading. */
  async close(): Promise<void> {
    await this.chunks?.return?.();
    this.chunks = undefined;
  }

  /** Finds all rows, or those until the first of another table. */
  async *findRows(only?: string): AsyncGenerator<Found> {
    for (;;) {
      if (this.isTurn()) await this.dump.pause();
      await this.skipSpace();
      if (this.at >= this.text.length) return;
      if (this.lacks(AHEAD)) await this.atLeast(AHEAD);
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
  }

  private async *rows(table: string, length: number): AsyncGenerator<readonly (string | null)[]> {
    for (;;) {
      if (!(await this.next(OPEN))) throw this.wrong('has VALUES without a row');
      const values: (string | null)[] = [];
      for (;;) {
        const start = this.base + this.at;
        if (this.isTurn()) await this.dump.pause();
        const found = this.shortValue() ?? (await this.value());
        if (!found) throw this.wrong('has a value that cannot be read', start);
        values.push(found.value);
        if (found.end === ')') break;
      }
      if (values.length !== length)
        throw this.wrong(`has a row of ${table} with ${String(values.length)} values instead of ${String(length)}`);
      yield values;
      const closed = await this.next(CLOSED);
      if (closed?.[1] !== ',') return;
    }
  }

  /** Takes a value and the mark behind it. Returns undefined if there is none. */
  private async value(): Promise<Value | undefined> {
    await this.atLeast(AHEAD);
    const short = this.shortValue();
    if (short) return short;
    if (!this.take(QUOTE)) {
      const [, none, word = '', end] = (await this.next(WORD)) ?? [];
      return end === undefined ? undefined : { value: none === undefined ? word : null, end };
    }
    const value = await this.restOfText();
    const [, end] = (value === undefined ? null : await this.next(AFTER_TEXT)) ?? [];
    return value === undefined || end === undefined ? undefined : { value, end };
  }

  /** Takes a value that has been read as a whole, with few escapes. */
  private shortValue(): Value | undefined {
    const [, text, none, word = '', end] = this.take(this.patterns.value) ?? [];
    if (end === undefined) return undefined;
    return { value: text !== undefined ? this.unescape(text) : none !== undefined ? null : word, end };
  }

  /**
   * Takes the rest of a text behind its quote, and the quote that ends it. Returns undefined if there is none. It may be long: its end is
   * looked for once in each part of it, and others have their turn.
   */
  private async restOfText(): Promise<string | undefined> {
    const marks = this.isStandard ? /'/g : /['\\]/g;
    let text = '';
    let parts: string[] = [];
    for (let length = 0; length <= MAX_VALUE;) {
      if (this.isTurn()) {
        text += parts.join('');
        parts = [];
        await this.dump.pause();
      }
      marks.lastIndex = this.at;
      const index = marks.exec(this.text)?.index ?? this.text.length;
      parts.push(this.text.slice(this.at, index));
      length += index - this.at + 2;
      this.at = index;
      if (this.lacks(2)) {
        await this.atLeast(2);
        continue;
      }
      const [mark, next] = [this.text[this.at], this.text[this.at + 1]];
      if (mark === "'" && next !== "'") {
        this.at++;
        return text + parts.join('');
      }
      if (next === undefined) return undefined;
      parts.push(mark === "'" ? mark : (ESCAPES[next] ?? next));
      this.at += 2;
    }
    return undefined;
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
          cell === '\\N' ? null : cell.replace(/\\(.)/g, (_, each: string) => COPY_ESCAPES[each] ?? each),
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
    const start = this.base + this.at;
    let skipped = '';
    for (;;) {
      if (this.lacks(1)) await this.atLeast(1);
      const part = this.text[this.at] === ';' ? undefined : await this.skip();
      if (part === undefined) break;
      if (name !== undefined) skipped += part;
      if (skipped.length > MAX_CREATE) throw this.wrong('has a CREATE TABLE that is too long');
    }
    if (name !== undefined) this.columnsOf.set(name, columnsIn(skipped, this.patterns.marks));
    // What cannot be skipped, such as a quote in a comment.
    else if (this.base + this.at === start && this.text[this.at] !== ';') {
      if (++this.open > MAX_OPEN) throw this.wrong('has quotes that do not end');
      this.at++;
    }
  }

  /** Takes a part of a statement. Returns undefined if there is a quote without an end. */
  private async skip(): Promise<string | undefined> {
    if (this.text[this.at] !== "'") return (await this.next(SKIPPED))?.[0];
    if (this.isTurn()) await this.dump.pause();
    const start = this.base + this.at;
    if (start === this.lastOpen) return undefined;
    const found = this.take(this.patterns.text);
    if (found && (this.at < this.text.length || this.isDone)) return found[0];
    await this.seek(start + 1);
    if ((await this.restOfText()) !== undefined) return "''"; // what it says is of no interest
    this.lastOpen = start;
    await this.seek(start);
    return undefined;
  }

  private async skipSpace(): Promise<void> {
    for (;;) {
      if (this.isTurn()) await this.dump.pause();
      if (this.lacks(AHEAD)) await this.atLeast(AHEAD);
      const space = this.take(SPACE);
      if (!space && !(await this.takeComment())) return;
      if (!space) continue;
      if (LAST_COMMENT.test(space[0])) this.hasLastComment = true;
      if (this.base + this.at >= AHEAD) continue;
      if (FIRST_COMMENT.test(space[0])) this.hasFirstComment = true;
      if (space[0].includes('PostgreSQL database dump')) this.isStandard = true;
    }
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

  /** Called for each small part that is read: whether others should have their turn. */
  private isTurn(): boolean {
    return ++this.steps % TURN === 0;
  }

  /** Takes what a pattern matches here, or returns null. Reads on while more text could change the match. */
  private async next(pattern: RegExp): Promise<RegExpExecArray | null> {
    if (this.isTurn()) await this.dump.pause();
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
    while (this.lacks(length)) await this.more();
  }

  private lacks(length: number): boolean {
    return !this.isDone && this.text.length - this.at < length;
  }

  private async more(): Promise<void> {
    this.chunks ??= this.dump.from(this.base + this.text.length)[Symbol.asyncIterator]();
    const { done, value } = await this.chunks.next();
    if (done === true) this.isDone = true;
    else {
      this.base += this.at;
      this.text = this.text.slice(this.at) + value;
      this.at = 0;
    }
  }

  private unescape(text: string): string {
    return this.isStandard
      ? text.replaceAll("''", "'")
      : text.replace(/\\([^])|''/g, (_, each?: string) => (each === undefined ? "'" : (ESCAPES[each] ?? each)));
  }

  private wrong(message: string, position = this.base + this.at): InvalidInputError {
    return InvalidInputError.of('source', `${this.dump.name}, byte ${String(position)}: ${message}`);
  }
}

function isAscii(bytes: string): boolean {
  return /^[\x00-\x7f]*$/.test(bytes);
}

function decodeUtf8(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();
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
