import type { Operand, Relation } from '../predicate';
import { PathReader } from './paths';
import type { Tokens } from './tokens';

const LITERALS: Readonly<Record<string, true | false | null>> = { true: true, false: false, null: null };
const FUNCTIONS = ['length', 'count', 'value', 'match', 'search'];
const NEEDS_LIST: readonly Relation[] = ['in', 'nin', 'subsetof', 'anyof', 'noneof'];

/** Reads the operands of a filter: paths, literals, lists and functions that return a value. */
export class OperandReader {
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
    return tokens.nested(() => {
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
