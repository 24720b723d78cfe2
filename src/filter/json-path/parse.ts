import { InvalidInputError } from '../../errors';
import { bounded } from '../pattern/cost';
import { parsePattern } from '../pattern/parse';
import { anywhere } from '../pattern/pattern';
import { EVERYTHING, type Predicate, type Relation } from '../predicate';
import { OperandReader } from './operands';
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
      return tokens.nested(() => {
        tokens.takes('!');
        return { is: 'not', of: this.unary() };
      });
    }
    if (tokens.next === '(') {
      return tokens.nested(() => {
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
      return name === 'match' ? whole : bounded(anywhere(whole), work);
    });
    tokens.expect(')');
    return { is: 'matches', operand, pattern };
  }
}
