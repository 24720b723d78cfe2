import { InvalidInputError } from '../../errors';
import type { Work } from '../../filter/pattern/cost';
import { parsePattern } from '../../filter/pattern/parse';
import { ANYTHING, PatternError, literal, sequence, type Pattern } from '../../filter/pattern/pattern';
import type { Operand, Path, Predicate, Relation, Scalar } from '../../filter/predicate';

const MAX_VALUES = 1000;
const MAX_TEXT = 1024;

const RELATIONS: Readonly<Record<string, Relation>> = {
  eq: '==',
  ne: '!=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  in: 'in',
  notIn: 'nin',
  contains: 'contains',
  containsAny: 'anyof',
  isEmpty: 'empty',
};

/** Returns the predicate of a condition, such as `startsWith`, on the value at a path. Throws InvalidInputError. */
export function condition(path: Path, name: string, value: unknown, at: readonly string[], work: Work): Predicate {
  const cached = RELATIONS[name];
  if (cached) return relation(path, cached, value, at);
  if (name === 'isNull') return whether({ is: 'exists', path }, value === false);
  if (name === 'containsAll') {
    return { is: 'relation', relation: 'subsetof', left: operandOf(value, at), right: { is: 'path', path } };
  }
  return { is: 'matches', operand: { is: 'path', path }, pattern: patternOf(name, textIn(value, at), at, work) };
}

function patternOf(name: string, text: string, at: readonly string[], work: Work): Pattern {
  try {
    const words = literal(text, name.endsWith('IgnoreCase'));
    switch (name.replace('IgnoreCase', '')) {
      case 'startsWith':
        return sequence(words, ANYTHING);
      case 'endsWith':
        return sequence(ANYTHING, words);
      case 'contains':
        return sequence(ANYTHING, words, ANYTHING);
      case 'eq':
        return words;
      default:
        return parsePattern(text, '', work);
    }
  } catch (error) {
    if (error instanceof PatternError) throw wrong(at, `column ${String(error.offset + 1)}: ${error.message}`);
    throw error;
  }
}

/** Returns a relation between the value at a path and a given value. */
export function relation(path: Path, name: Relation, value: unknown, at: readonly string[] = []): Predicate {
  return { is: 'relation', relation: name, left: { is: 'path', path }, right: operandOf(value, at) };
}

function operandOf(value: unknown, at: readonly string[]): Operand {
  if (Array.isArray(value)) {
    if (value.length > MAX_VALUES) throw wrong(at, `has more than ${String(MAX_VALUES)} values`);
    return { is: 'list', items: value.map((item) => operandOf(item, at)) };
  }
  const plain = value instanceof Date ? value.toISOString() : (value as Scalar); // ensured by the types of the schema
  if (typeof plain === 'string') textIn(plain, at);
  return { is: 'literal', value: plain, text: String(plain) };
}

function textIn(value: unknown, at: readonly string[]): string {
  const text = String(value);
  if (text.length > MAX_TEXT) throw wrong(at, `is longer than ${String(MAX_TEXT)} characters`);
  return text;
}

/** A predicate that holds if all of these hold. */
export function and(of: readonly Predicate[]): Predicate {
  return { is: 'and', of };
}

/** The predicate, or its negation. */
export function whether(predicate: Predicate, holds: boolean): Predicate {
  return holds ? predicate : { is: 'not', of: predicate };
}

/** Returns an error whose message starts with the position in `where`. */
export function wrong(at: readonly string[], message: string): InvalidInputError {
  return InvalidInputError.of('where', at.length > 0 ? `${at.join('.')} ${message}` : message);
}
