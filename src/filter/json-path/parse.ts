import { InvalidInputError } from '../../errors';
import { bound } from '../pattern/cost';
import { parsePattern } from '../pattern/parse';
import { anywhere } from '../pattern/pattern';
import {
  EACH,
  EVERYTHING,
  SCAN,
  type Operand,
  type Path,
  type Predicate,
  type Relation,
  type Step,
} from '../predicate';
import { Tokens } from './tokens';

const MAX_BYTES = 1024;

// Filters that select every resource.
const ALL = /^\s*(?:@|\$(?:\.\.\*|\.\*|\[\*\])?|\.?\*)?\s*$/;
// The start of a path with a predicate, such as `$[` in `$[?(@.spec.port == 5060)]`.
const PATH = /\s*(?:(?:\$|@)?(?:\.\.\*?|\.\*|\[\s*\*\s*\])?|\*)\.?\[\s*(?=\?)/y;
const SYMBOLS: readonly Relation[] = ['==', '!=', '<=', '>=', '<', '>'];
const WORDS: readonly Relation[] = ['in', 'nin', 'contains', 'subsetof', 'anyof', 'noneof', 'size', 'empty'];

/**
 * Parses the filter of a list (docs/rest-contract.md, section 4.1; docs/legacy-clients.md, "Filters"): a predicate such
 * as `@.spec.port == 5060`, or a path such as `$[?(@.spec.port == 5060)]`, in the syntax of Jayway's JsonPath or of RFC
 * 9535. Throws InvalidInputError with the column of the problem.
 */
export function parseFilter(text: string): Predicate {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw InvalidInputError.of('filter', `is longer than ${String(MAX_BYTES)} bytes`);
  }
  return ALL.test(text) ? EVERYTHING : new FilterParser(text).parse();
}

class FilterParser {
  private readonly tokens: Tokens;
  private readonly operands: OperandReader;

  constructor(text: string) {
    this.tokens = new Tokens(text);
    this.operands = new OperandReader(this.tokens);
  }

  parse(): Predicate {
    const { tokens } = this;
    const path = tokens.scanner.match(PATH);
    tokens.takes('?');
    const predicate = this.or();
    if (path) tokens.expect(']');
    return tokens.next === '' ? predicate : tokens.failUnexpected();
  }

  private or(): Predicate {
    const of = [this.and()];
    while (this.tokens.takes('||')) of.push(this.and());
    return of.length === 1 && of[0] ? of[0] : { is: 'or', of };
  }

  private and(): Predicate {
    const of = [this.unary()];
    while (this.tokens.takes('&&')) of.push(this.unary());
    return of.length === 1 && of[0] ? of[0] : { is: 'and', of };
  }

  private unary(): Predicate {
    const { tokens } = this;
    if (tokens.next === '!' && !tokens.scanner.isAt('!=')) {
      return tokens.nest(() => {
        tokens.takes('!');
        return { is: 'not', of: this.unary() };
      });
    }
    if (tokens.next === '(') {
      return tokens.nest(() => {
        tokens.takes('(');
        const predicate = this.or();
        tokens.expect(')');
        return predicate;
      });
    }
    return this.test();
  }

  private test(): Predicate {
    const { tokens } = this;
    const name = tokens.word(['match', 'search'], '(');
    if (name) return this.matching(name);
    const start = tokens.scanner.at;
    const left = this.operands.operand();
    if (tokens.takes('=~')) return { is: 'matches', operand: left, pattern: tokens.pattern() };
    const relation = this.relation();
    if (relation) return { is: 'relation', relation, left, right: this.operands.rightOf(relation) };
    if (left.is === 'path') return { is: 'exists', path: left.path };
    return tokens.fail('expected a comparison', left.is === 'literal' ? start : tokens.scanner.at);
  }

  private relation(): Relation | undefined {
    const { tokens } = this;
    const symbol = SYMBOLS.find((each) => tokens.takes(each));
    if (symbol) return symbol;
    if (tokens.next === '=') tokens.fail('expected == instead of a single =');
    return tokens.word(WORDS) as Relation | undefined; // one of WORDS
  }

  /** Reads the arguments of `match` or `search` (RFC 9535, 2.4.6 and 2.4.7). */
  private matching(name: string): Predicate {
    const { tokens } = this;
    tokens.expect('(');
    const operand = this.operands.operand();
    tokens.expect(',');
    const { start } = tokens;
    if (!tokens.isString) tokens.fail('expected a pattern in quotes');
    const source = tokens.string();
    const pattern = tokens.patternAt(start + 1, (work) => {
      const whole = parsePattern(source, '', work);
      return name === 'match' ? whole : bound(anywhere(whole), work);
    });
    tokens.expect(')');
    return { is: 'matches', operand, pattern };
  }
}

const LITERALS: Readonly<Record<string, true | false | null>> = { true: true, false: false, null: null };
const FUNCTIONS = ['length', 'count', 'value', 'match', 'search'];
const NEEDS_LIST: readonly Relation[] = ['in', 'nin', 'subsetof', 'anyof', 'noneof'];

/** Reads the operands of a filter: paths, literals, lists and functions that return a value. */
class OperandReader {
  private readonly paths: PathReader;

  constructor(private readonly tokens: Tokens) {
    this.paths = new PathReader(tokens);
  }

  operand(): Operand {
    const { tokens } = this;
    const { next } = tokens;
    if (next === '@') return this.paths.operand();
    if (next === '$') return tokens.fail('a path in a predicate must start with @');
    if (tokens.isString) {
      const value = tokens.string();
      return { is: 'literal', value, text: value };
    }
    if (next === '[') return this.list();
    const number = tokens.number();
    if (number) return number;
    const literal = tokens.word(Object.keys(LITERALS));
    if (literal) return { is: 'literal', value: LITERALS[literal] ?? null, text: literal };
    const name = tokens.word(FUNCTIONS, '(');
    return name ? this.call(name) : tokens.fail('expected a value');
  }

  /** Reads the right operand of a relation, and checks the type of a literal. */
  rightOf(relation: Relation): Operand {
    const { start } = this.tokens;
    const right = this.operand();
    const expected = right.is === 'literal' ? expectedType(relation) : undefined;
    if (right.is !== 'literal' || !expected || typeof right.value === expected.type) return right;
    return this.tokens.fail(`expected ${expected.name}`, start);
  }

  private list(): Operand {
    const { tokens } = this;
    return tokens.nest(() => {
      tokens.expect('[');
      const items: Operand[] = [];
      while (tokens.next !== ']') {
        if (items.length > 0) tokens.expect(',');
        const item = this.operand();
        items.push(item.is === 'literal' ? item : tokens.fail('expected a value'));
      }
      tokens.expect(']');
      return { is: 'list', items };
    });
  }

  /** Reads the argument of a function of RFC 9535 that returns a value. */
  private call(name: string): Operand {
    const { tokens } = this;
    tokens.expect('(');
    const start = tokens.scanner.at;
    const argument = this.operand();
    tokens.expect(')');
    if (name === 'length') return { is: 'length', of: argument };
    if (argument.is !== 'path') return tokens.fail(`${name} takes a path`, start);
    return name === 'count' ? { is: 'count', path: argument.path } : argument;
  }
}

/** The type that a literal must have on the right side of a relation; undefined if any type will do. */
function expectedType(relation: Relation): { readonly type: string; readonly name: string } | undefined {
  if (relation === 'size') return { type: 'number', name: 'a number' };
  if (relation === 'empty') return { type: 'boolean', name: 'true or false' };
  // No literal is a list.
  return NEEDS_LIST.includes(relation) ? { type: 'list', name: 'a list' } : undefined;
}

// Each index or scan makes the SQL of a path several times longer.
const MAX_INDEXES = 4;
const MAX_SCANS = 4;

const LENGTH_METHOD = /\.(?:length|size)\(/y;
const LENGTH_CALL = /\.(?:length|size)\(\s*\)/y;
const INDEX = /-?\d{1,6}(?![\d:,])/y;

/** Reads the paths of a filter: `@`, then member names, indexes, `*` and deep scans. */
class PathReader {
  private scans = 0;

  constructor(private readonly tokens: Tokens) {}

  /** Reads a path, or the length of one: `@.path.length()`. */
  operand(): Operand {
    const path = this.path();
    return this.tokens.scanner.match(LENGTH_CALL) ? { is: 'length', of: { is: 'path', path } } : { is: 'path', path };
  }

  private path(): Path {
    const { tokens } = this;
    tokens.expect('@');
    const steps: Step[] = [];
    for (let step = this.step(); step !== undefined; step = this.step()) {
      steps.push(step);
      if (steps.filter((each) => typeof each === 'number').length > MAX_INDEXES)
        tokens.fail(`a path has more than ${String(MAX_INDEXES)} indexes`);
      if (step === EACH && steps.includes(SCAN)) tokens.fail('a path cannot contain both .. and *');
      if (step === EACH && tokens.scanner.look(/[.[]/y) && !tokens.scanner.look(LENGTH_METHOD))
        tokens.fail('nothing can follow * in a path');
    }
    return steps;
  }

  private step(): Step | undefined {
    const { scanner } = this.tokens;
    if (scanner.isAt('..')) return this.scan();
    if (scanner.look(LENGTH_METHOD)) return undefined;
    // Jayway's JsonPath permits a dot before a bracket.
    if (!scanner.isAt('.[') && scanner.takes('.')) return scanner.takes('*') ? EACH : this.tokens.name();
    if (scanner.isAt('.[')) scanner.takes('.');
    if (!scanner.takes('[')) return undefined;
    const step = this.brackets();
    this.tokens.expect(']');
    return step;
  }

  /** Reads `..`. A name, or a bracket with a name, must follow. The next call of `step` reads that name. */
  private scan(): Step {
    const { tokens } = this;
    const { scanner } = tokens;
    if (++this.scans > MAX_SCANS) tokens.fail(`a filter has more than ${String(MAX_SCANS)} deep scans`);
    scanner.takes('..');
    // `..name` continues as `.name`.
    if (scanner.look(/[\p{L}\p{N}_$-]/uy)) scanner.at--;
    else if (!scanner.look(/\[\s*['"]/y)) tokens.fail('expected a name after ..');
    return SCAN;
  }

  private brackets(): Step {
    const { tokens } = this;
    const { start } = tokens;
    if (tokens.isString) {
      const name = tokens.string();
      return /["\\\p{Cc}]/u.test(name)
        ? tokens.fail('a name cannot contain quotes, backslashes or control characters', start)
        : name;
    }
    if (tokens.takes('*')) return EACH;
    const [index] = tokens.scanner.match(INDEX) ?? tokens.fail('expected a name in quotes, an index or *');
    return Number(index);
  }
}
