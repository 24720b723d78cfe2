import { InvalidInputError, quote } from '../../errors';
import { workOfOneFilter, type Work } from '../pattern/cost';
import { parsePattern } from '../pattern/parse';
import { PatternError, type Pattern } from '../pattern/pattern';
import type { Operand } from '../predicate';
import { Scanner } from '../scanner';

const MAX_NESTING = 16;
const TOO_NESTED = `is nested more than ${String(MAX_NESTING)} levels deep`;

const SPACE = /\s*/y;
const WORD = /[a-z]+/y;
const NAME = /[\p{L}\p{N}_$-]+/uy;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PATTERN = /\/((?:\\.|[^/\\])*)\/([a-zA-Z]*)/sy;
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The tokens of a filter. Methods skip white space before a token, except where they say otherwise. */
export class Tokens {
  readonly scanner: Scanner;
  private readonly work = workOfOneFilter();

  constructor(text: string) {
    this.scanner = new Scanner(text, {
      maxNesting: MAX_NESTING,
      errorAt: (message, at) => InvalidInputError.of('filter', `column ${String(at + 1)}: ${message}`),
    });
  }

  /** The first character of the next token; empty at the end. */
  get next(): string {
    this.scanner.match(SPACE);
    return this.scanner.next;
  }

  /** The position of the next token. */
  get start(): number {
    this.scanner.match(SPACE);
    return this.scanner.at;
  }

  /** Whether the next token is a string. */
  get isString(): boolean {
    return ["'", '"'].includes(this.next);
  }

  takes(symbol: string): boolean {
    this.scanner.match(SPACE);
    return this.scanner.takes(symbol);
  }

  expect(symbol: string): void {
    if (!this.takes(symbol)) this.fail(`expected ${symbol}`);
  }

  /** Takes one of these words if it is the next token and `then` follows it. */
  word(words: readonly string[], then = ''): string | undefined {
    const { scanner, start } = this;
    const word = scanner.match(WORD)?.[0] ?? '';
    const ends = then === '' ? !scanner.look(NAME) : scanner.isAt(then);
    if (words.includes(word) && ends) return word;
    scanner.at = start;
    return undefined;
  }

  /** Takes the name of a member in dot notation, without skipping white space. */
  name(): string {
    return this.scanner.match(NAME)?.[0] ?? this.fail('expected a name');
  }

  number(): Operand | undefined {
    this.scanner.match(SPACE);
    const text = this.scanner.match(NUMBER)?.[0];
    if (text === undefined) return undefined;
    if (this.scanner.look(NAME)) this.fail('malformed number');
    const value = Number(text);
    return Number.isFinite(value) ? { is: 'literal', value, text } : this.fail('the number is too large');
  }

  /** Takes a string in single or double quotes, and resolves its escapes. */
  string(): string {
    const { scanner, start } = this;
    const quoteMark = scanner.take('expected a string');
    const take = (): string => (scanner.next === '' ? scanner.fail('unclosed quote', start) : scanner.take(''));
    let value = '';
    for (let character = take(); character !== quoteMark; character = take()) {
      value += character === '\\' ? this.unescape(take()) : character;
    }
    return value;
  }

  /** Takes `/pattern/flags`. A slash in the pattern is escaped as `\/`. */
  pattern(): Pattern {
    if (this.next !== '/') this.fail('expected a /pattern/');
    const start = this.scanner.at + 1;
    const [, source = '', flags = ''] = this.scanner.match(PATTERN) ?? this.fail('unclosed /');
    return this.patternAt(start, (work) => parsePattern(source, flags, work));
  }

  /** Runs `parse` for a pattern whose source starts at this position. All patterns of the filter share `work`. */
  patternAt(start: number, parse: (work: Work) => Pattern): Pattern {
    try {
      return parse(this.work);
    } catch (error) {
      if (error instanceof PatternError) return this.fail(error.message, start + error.offset);
      throw error;
    }
  }

  /** Runs `read` one level deeper. Throws InvalidInputError if the filter is nested too deeply. */
  nest<T>(read: () => T): T {
    return this.scanner.nest(TOO_NESTED, read);
  }

  /** Throws InvalidInputError for the filter, with the column of the problem. */
  fail(message: string, at?: number): never {
    return this.scanner.fail(message, at);
  }

  /** Throws InvalidInputError for a token that is not allowed here. */
  failUnexpected(): never {
    const { at, text } = this.scanner;
    return this.fail(`unexpected ${quote(text.slice(at, at + 20))}`);
  }

  private unescape(character: string): string {
    if (character !== 'u') return ESCAPES[character] ?? character;
    const digits = this.scanner.match(/[0-9a-fA-F]{4}/y)?.[0] ?? this.fail('malformed escape');
    return String.fromCharCode(parseInt(digits, 16));
  }
}
