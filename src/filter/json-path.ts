import { InvalidInputError, quote } from '../errors';
import { parsePattern } from './pattern/parse';
import { PatternError, anywhere, type Pattern } from './pattern/pattern';
import { bounded, workOfOneFilter } from './pattern/cost';
import { EACH, SCAN, type Operand, type Path, type Predicate, type Relation, type Step } from './predicate';

const MAX_BYTES = 1024;
const MAX_NESTING = 16;
// Each makes the SQL longer by more than itself.
const MAX_PLACES = 4;
const MAX_SCANS = 4;

/** The predicate that all resources meet. */
export const EVERYTHING: Predicate = { is: 'and', of: [] };

/**
 * Reads the filter of a list (docs/rest-contract.md, section 4.1; docs/legacy-clients.md, "Filters"): a predicate over one
 * resource, or a whole path with the predicate in it, in Jayway's JsonPath or RFC 9535's. Throws InvalidInputError, which
 * says where.
 */
export function parseFilter(text: string): Predicate {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw InvalidInputError.of('filter', `is longer than ${String(MAX_BYTES)} bytes`);
  }
  return new FilterParser(text).whole();
}

const ALL = /^\s*(?:@|\$(?:\.\.\*|\.\*|\[\*\])?|\.?\*)?\s*$/;
const PATH = /^\s*(?:(?:\$|@)?(?:\.\.\*?|\.\*|\[\s*\*\s*\])?|\*)\.?\[\s*(?=\?)/;
const NAME = /[\p{L}\p{N}_$-]/u;
const SYMBOLS: readonly Relation[] = ['==', '!=', '<=', '>=', '<', '>'];
const WORDS: readonly Relation[] = ['in', 'nin', 'contains', 'subsetof', 'anyof', 'noneof', 'size', 'empty'];
const LITERALS: Readonly<Record<string, true | false | null>> = { true: true, false: false, null: null };
const FUNCTIONS = ['length', 'count', 'value', 'match', 'search'];
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class FilterParser {
  private at = 0;
  private depth = 0;
  private scans = 0;
  private readonly work = workOfOneFilter();

  constructor(private readonly text: string) {}

  whole(): Predicate {
    if (ALL.test(this.text)) return EVERYTHING;
    const path = PATH.exec(this.text);
    if (path) this.at = path[0].length;
    this.takes('?');
    const predicate = this.or();
    if (path) this.expect(']');
    if (this.next !== '') this.fail(`unexpected ${this.shown()}`);
    return predicate;
  }

  private or(): Predicate {
    const of = [this.and()];
    while (this.takes('||')) of.push(this.and());
    return of.length === 1 && of[0] ? of[0] : { is: 'or', of };
  }

  private and(): Predicate {
    const of = [this.unary()];
    while (this.takes('&&')) of.push(this.unary());
    return of.length === 1 && of[0] ? of[0] : { is: 'and', of };
  }

  private unary(): Predicate {
    if (this.next === '!' && this.text[this.at + 1] !== '=') {
      return this.nested(() => {
        this.takes('!');
        return { is: 'not', of: this.unary() };
      });
    }
    if (this.next === '(') {
      return this.nested(() => {
        this.takes('(');
        const predicate = this.or();
        this.expect(')');
        return predicate;
      });
    }
    return this.test();
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_NESTING) this.fail(`is nested more than ${String(MAX_NESTING)} levels deep`);
    const result = read();
    this.depth--;
    return result;
  }

  private test(): Predicate {
    const called = this.word(['match', 'search'], '(');
    if (called) return this.matching(called);
    const start = this.at;
    const left = this.operand();
    const relation = this.relation();
    if (relation === '=~') return { is: 'matches', operand: left, pattern: this.pattern() };
    if (relation) return { is: 'relation', relation, left, right: this.rightOf(relation) };
    if (left.is === 'path') return { is: 'exists', path: left.path };
    return this.fail('expected a comparison', left.is === 'literal' ? start : this.at);
  }

  private relation(): Relation | '=~' | undefined {
    if (this.takes('=~')) return '=~';
    const symbol = SYMBOLS.find((each) => this.takes(each));
    if (symbol) return symbol;
    if (this.next === '=') this.fail('expected ==, a lone = compares nothing');
    return this.word(WORDS) as Relation | undefined;
  }

  private rightOf(relation: Relation): Operand {
    this.skip();
    const start = this.at;
    const right = this.operand();
    const fits =
      right.is !== 'literal' ||
      !['in', 'nin', 'subsetof', 'anyof', 'noneof', 'size', 'empty'].includes(relation) ||
      (relation === 'size' && typeof right.value === 'number') ||
      (relation === 'empty' && typeof right.value === 'boolean');
    const expected = relation === 'size' ? 'a number' : relation === 'empty' ? 'true or false' : 'a list';
    return fits ? right : this.fail(`expected ${expected}`, start);
  }

  private operand(): Operand {
    const { next } = this;
    if (next === '@') return this.pathOperand();
    if (next === '$') return this.fail('a path within a predicate begins with @');
    if (next === "'" || next === '"') {
      const value = this.string();
      return { is: 'literal', value, text: value };
    }
    if (next === '[') return this.list();
    const number = this.number();
    if (number) return number;
    const literal = this.word(Object.keys(LITERALS));
    if (literal) return { is: 'literal', value: LITERALS[literal] ?? null, text: literal };
    const called = this.word(FUNCTIONS, '(');
    return called ? this.call(called) : this.fail('expected a value');
  }

  private pathOperand(): Operand {
    const path = this.path();
    const called = /\.(length|size)\(\s*\)/y;
    called.lastIndex = this.at;
    const method = called.exec(this.text);
    if (!method) return { is: 'path', path };
    this.at += method[0].length;
    return { is: 'length', of: { is: 'path', path } };
  }

  /** A function of RFC 9535 that gives a value. */
  private call(name: string): Operand {
    this.expect('(');
    const start = this.at;
    const argument = this.operand();
    this.expect(')');
    if (name === 'length') return { is: 'length', of: argument };
    if (argument.is !== 'path') return this.fail(`${name} takes a path`, start);
    return name === 'count' ? { is: 'count', path: argument.path } : argument;
  }

  /** `match` and `search` of RFC 9535. */
  private matching(name: string): Predicate {
    this.expect('(');
    const operand = this.operand();
    this.expect(',');
    this.skip();
    const start = this.at;
    if (this.next !== "'" && this.next !== '"') this.fail('expected a pattern in quotes');
    const source = this.string();
    const pattern = this.patternFrom(start + 1, () => {
      const whole = parsePattern(source, '', this.work);
      return name === 'match' ? whole : bounded(anywhere(whole), this.work);
    });
    this.expect(')');
    return { is: 'matches', operand, pattern };
  }

  private path(): Path {
    this.expect('@');
    const steps: Step[] = [];
    let places = 0;
    for (;;) {
      if (
        steps.at(-1) === EACH &&
        /[.[]/.test(this.text[this.at] ?? '') &&
        !/^\.(length|size)\(/.test(this.text.slice(this.at))
      ) {
        this.fail('a path ends with its *');
      }
      const step = this.step();
      if (step === undefined) return steps;
      if (typeof step === 'number' && ++places > MAX_PLACES)
        this.fail(`a path has more than ${String(MAX_PLACES)} places`);
      steps.push(step);
      if (step === EACH && steps.includes(SCAN)) this.fail('a path with .. has no *');
    }
  }

  private step(): Step | undefined {
    if (this.text.startsWith('..', this.at)) return this.scan();
    if (/^\.(length|size)\(/.test(this.text.slice(this.at))) return undefined;
    // Jayway also takes a dot before a bracket.
    if (this.text.startsWith('.[', this.at)) this.at++;
    else if (this.text[this.at] === '.') {
      this.at++;
      return this.text[this.at] === '*' ? (this.at++, EACH) : this.name();
    }
    if (this.text[this.at] !== '[') return undefined;
    this.at++;
    const step = this.bracketed();
    this.expect(']');
    return step;
  }

  /** `..`, before a name or a bracket with one; the step that follows reads it. */
  private scan(): Step {
    if (++this.scans > MAX_SCANS) this.fail(`a filter has more than ${String(MAX_SCANS)} deep scans`);
    this.at += 2;
    if (NAME.test(this.character)) this.at--;
    else if (!/^\[\s*['"]/.test(this.text.slice(this.at))) this.fail('expected a name after ..');
    return SCAN;
  }

  private name(): string {
    const start = this.at;
    for (let character = this.character; NAME.test(character); character = this.character) this.at += character.length;
    return this.at > start ? this.text.slice(start, this.at) : this.fail('expected a name');
  }

  private bracketed(): Step {
    const { next } = this;
    if (next === "'" || next === '"') {
      const start = this.at;
      const name = this.string();
      return /["\\\p{Cc}]/u.test(name)
        ? this.fail('a name has no quotes, backslashes or control characters', start)
        : name;
    }
    if (next === '*') {
      this.at++;
      return EACH;
    }
    const index = /-?\d{1,6}(?![\d:,])/y;
    index.lastIndex = this.at;
    const place = index.exec(this.text);
    if (!place) return this.fail('expected a name in quotes, a place or *');
    this.at += place[0].length;
    return Number(place[0]);
  }

  private list(): Operand {
    return this.nested(() => {
      this.expect('[');
      const items: Operand[] = [];
      while (this.next !== ']') {
        if (items.length > 0) this.expect(',');
        const item = this.operand();
        items.push(item.is === 'literal' ? item : this.fail('expected a value'));
      }
      this.expect(']');
      return { is: 'list', items };
    });
  }

  private number(): Operand | undefined {
    this.skip();
    NUMBER.lastIndex = this.at;
    const text = NUMBER.exec(this.text)?.[0];
    if (text === undefined) return undefined;
    this.at += text.length;
    if (NAME.test(this.character)) this.fail('malformed number');
    const value = Number(text);
    return Number.isFinite(value) ? { is: 'literal', value, text } : this.fail('this number is too large');
  }

  private string(): string {
    const quoteMark = this.next;
    const start = this.at++;
    let value = '';
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) return this.fail('unclosed quote', start);
      this.at++;
      if (character === quoteMark) return value;
      value += character === '\\' ? this.escaped() : character;
    }
  }

  private escaped(): string {
    const character = this.text[this.at] ?? '';
    this.at++;
    if (character !== 'u') return ESCAPES[character] ?? character;
    const digits = /^[0-9a-fA-F]{4}/.exec(this.text.slice(this.at))?.[0];
    if (digits === undefined) return this.fail('malformed escape');
    this.at += 4;
    return String.fromCharCode(parseInt(digits, 16));
  }

  /** `/regex/flags`; a slash within is written `\/`. */
  private pattern(): Pattern {
    if (this.next !== '/') this.fail('expected a /pattern/');
    const start = this.at + 1;
    const written = /\/((?:\\.|[^/\\])*)\/([a-zA-Z]*)/sy;
    written.lastIndex = this.at;
    const [all, source = '', flags = ''] = written.exec(this.text) ?? this.fail('unclosed /');
    this.at += all.length;
    return this.patternFrom(start, () => parsePattern(source, flags, this.work));
  }

  private patternFrom(start: number, read: () => Pattern): Pattern {
    try {
      return read();
    } catch (error) {
      if (error instanceof PatternError) return this.fail(error.message, start + error.offset);
      throw error;
    }
  }

  /** One of the words, as a whole word, and followed by `then`. */
  private word(words: readonly string[], then = ''): string | undefined {
    this.skip();
    const found = /[a-z]+/y;
    found.lastIndex = this.at;
    const word = found.exec(this.text)?.[0] ?? '';
    const rest = this.text.slice(this.at + word.length);
    const ends = then === '' ? !NAME.test(rest.slice(0, 1)) : rest.startsWith(then);
    if (!words.includes(word) || !ends) return undefined;
    this.at += word.length;
    return word;
  }

  /** The next character after white space, empty at the end. */
  private get next(): string {
    this.skip();
    return this.text[this.at] ?? '';
  }

  private get character(): string {
    const point = this.text.codePointAt(this.at);
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  private skip(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }

  private takes(symbol: string): boolean {
    this.skip();
    if (!this.text.startsWith(symbol, this.at)) return false;
    this.at += symbol.length;
    return true;
  }

  private expect(symbol: string): void {
    if (!this.takes(symbol)) this.fail(`expected ${symbol}`);
  }

  private shown(): string {
    return quote(this.text.slice(this.at, this.at + 20));
  }

  private fail(message: string, at = this.at): never {
    throw InvalidInputError.of('filter', `column ${String(at + 1)}: ${message}`);
  }
}
