import { InvalidInputError, quote } from '../../errors';
import { workOfOneFilter, type Work } from '../../filter/pattern/cost';
import { parsePattern } from '../../filter/pattern/parse';
import { ANYTHING, literal, PatternError, sequence, type Pattern } from '../../filter/pattern/pattern';
import {
  EACH,
  type HealthOf,
  type Operand,
  type Path,
  type Predicate,
  type Relation,
  type Scalar,
} from '../../filter/predicate';
import { HEALTH_STATES } from '../../model/gateway-health';
import { asDialed, telDigits } from '../../model/format/tel-uri';
import type { Field, Kind, Lookup } from '../../model/kind';
import { linksOf } from '../../resources/read/links';
import { international } from '../../spelling/telephone';
import { numberIn } from '../../spelling/written';

const MAX_VALUES = 1000;
const MAX_TEXT = 1024;
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

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
function condition(path: Path, name: string, value: unknown, at: readonly string[], work: Work): Predicate {
  const operator = RELATIONS[name];
  if (operator) return relation(path, operator, value, at);
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
function relation(path: Path, name: Relation, value: unknown, at: readonly string[] = []): Predicate {
  return { is: 'relation', relation: name, left: { is: 'path', path }, right: operandOf(value, at) };
}

function operandOf(value: unknown, at: readonly string[]): Operand {
  if (Array.isArray(value)) {
    if (value.length > MAX_VALUES) throw wrong(at, `has more than ${String(MAX_VALUES)} values`);
    return { is: 'list', items: value.map((item) => operandOf(item, at)) };
  }
  const plain = value instanceof Date ? textOfTime(value) : (value as Scalar); // ensured by the types of the schema
  if (typeof plain === 'string') textIn(plain, at);
  return { is: 'literal', value: plain, text: String(plain) };
}

/** A time as resources have it, whose texts are compared. The offset of a time may put it into a later year, which has a `+`. */
function textOfTime(time: Date): string {
  return new Date(Math.min(time.getTime(), LAST_TIME)).toISOString();
}

function textIn(value: unknown, at: readonly string[]): string {
  const text = String(value);
  if (text.length > MAX_TEXT) throw wrong(at, `is longer than ${String(MAX_TEXT)} characters`);
  return text;
}

/** The digits of a number: as it is written, without a leading 00, and without the 0 of `+49 (0)30`. */
function digitsIn(value: unknown, at: readonly string[]): readonly string[] {
  const text = textIn(value, at);
  const number = numberIn(text)?.number ?? '';
  const digits = telDigits(number);
  if (digits === '') throw wrong(at, `${quote(text)} is not a telephone number`);
  return [...new Set([...asDialed(digits), telDigits(international(number, undefined))])];
}

/** A predicate that holds if all of these hold. */
function and(of: readonly Predicate[]): Predicate {
  return { is: 'and', of };
}

/** The predicate, or its negation. */
function whether(predicate: Predicate, holds: boolean): Predicate {
  return holds ? predicate : { is: 'not', of: predicate };
}

/** Returns an error whose message starts with the position in `where`. */
function wrong(at: readonly string[], message: string): InvalidInputError {
  return InvalidInputError.of('where', at.length > 0 ? `${at.join('.')} ${message}` : message);
}

type Input = Readonly<Record<string, unknown>>;

const MAX_NESTING = 16;
const MAX_CONDITIONS = 200;

/** Returns the predicate of a typed filter. Throws InvalidInputError with the position of the invalid condition. */
export function predicateOf(kind: Kind, where: Input): Predicate {
  return new WhereReader().of(kind, where, []);
}

class WhereReader {
  private conditions = 0;
  private readonly work = workOfOneFilter();

  of(kind: Kind, where: Input, at: readonly string[]): Predicate {
    if (at.length > MAX_NESTING) throw wrong(at, `is nested more than ${String(MAX_NESTING)} levels deep`);
    return and(entriesOf(where).map(([name, value]) => this.part(kind, name, value, [...at, name])));
  }

  private part(kind: Kind, name: string, value: unknown, at: readonly string[]): Predicate {
    const below = (each: unknown, index: number): Predicate => {
      this.count();
      return this.of(kind, objectIn(each, at), [...at, String(index)]);
    };
    this.count();
    if (value === null) throw wrong(at, 'is null; omit it, or use isNull');
    switch (name) {
      case 'and':
        return and((value as readonly unknown[]).map(below));
      case 'or':
        return { is: 'or', of: (value as readonly unknown[]).map(below) };
      case 'not':
        return { is: 'not', of: this.of(kind, objectIn(value, at), at) };
      case 'registered':
        return whether({ is: 'registered' }, value === true);
      case 'covers':
        return { is: 'covers', digits: digitsIn(value, at) };
      case 'health':
        return this.ofHealth('host', objectIn(value, at), at);
      case 'destinationHealth':
        return this.ofHealth('destinations', objectIn(value, at), at);
      case 'ref':
      case 'createdOn':
      case 'modifiedOn':
        return this.ofField(['metadata', name], objectIn(value, at), at);
      default:
        return this.ofMember(kind, name, objectIn(value, at), at);
    }
  }

  private ofHealth(of: HealthOf, conditions: Input, at: readonly string[]): Predicate {
    return and(
      entriesOf(conditions).map(([name, value]) => {
        this.count();
        if (value === null) throw wrong([...at, name], 'is null; omit it');
        const given: readonly unknown[] = Array.isArray(value) ? value : [value];
        const isWanted = name === 'eq' || name === 'in';
        return { is: 'health', of, states: HEALTH_STATES.filter((state) => given.includes(state) === isWanted) };
      }),
    );
  }

  private ofMember(kind: Kind, name: string, value: Input, at: readonly string[]): Predicate {
    const lookup = kind.lookups.find((each) => each.name === name);
    if (lookup) return and(entriesOf(value).map(([key, each]) => this.ofLookup(lookup, key, each, [...at, key])));
    const target = targetOf(kind, name);
    if (target) return { is: 'linked', link: name, where: this.of(target, value, at) };
    const field = kind.fields.find((each) => each.name === name);
    if (field?.format.entries) return this.ofEntries(field, value, at);
    if (field) return this.ofField(field.pathKeys, value, at);
    const group = kind.fields.filter(({ keys }) => keys[0] === name);
    return and(entriesOf(value).map(([key, each]) => this.ofGroup(group, key, each, [...at, key])));
  }

  /** A condition on a field of the entries is one on the list of its values. */
  private ofEntries({ pathKeys, format }: Field, value: Input, at: readonly string[]): Predicate {
    const isOfEntry = (key: string): boolean => format.entries?.fields.some(({ name }) => name === key) === true;
    return and(
      entriesOf(value).map(([key, each]) =>
        isOfEntry(key)
          ? this.ofField([...pathKeys, EACH, key], objectIn(each, [...at, key]), [...at, key])
          : this.ofField(pathKeys, { [key]: each }, at),
      ),
    );
  }

  private ofGroup(group: readonly Field[], key: string, value: unknown, at: readonly string[]): Predicate {
    const field = group.find(({ keys }) => keys[1] === key);
    return this.ofField(field?.pathKeys ?? [], objectIn(value, at), at);
  }

  /** A lookup leads to at most one resource. A condition on a kind holds only for a resource of that kind. */
  private ofLookup(lookup: Lookup, key: string, value: unknown, at: readonly string[]): Predicate {
    const target = (where: Predicate): Predicate => ({ is: 'linked', link: lookup.name, where });
    if (key === 'exists') return whether(target(and([])), value === true);
    if (key === 'registered') return whether(target({ is: 'registered' }), value === true);
    const found = lookup.to.find((to) => to.target.singular === key)?.target;
    if (!found) throw wrong(at, 'is not a condition');
    return { is: 'linked', link: lookup.name, kind: found.name, where: this.of(found, objectIn(value, at), at) };
  }

  private count(): void {
    if (++this.conditions > MAX_CONDITIONS) throw wrong([], `has more than ${String(MAX_CONDITIONS)} conditions`);
  }

  private ofField(path: Path, conditions: Input, at: readonly string[]): Predicate {
    return and(
      entriesOf(conditions).map(([name, value]) => {
        const place = [...at, name];
        this.count();
        if (value === null) throw wrong(place, 'is null; omit it, or use isNull');
        return condition(path, name, value, place, this.work);
      }),
    );
  }
}

/** The kind that a link leads to; undefined if no link has this name. */
function targetOf(kind: Kind, link: string): Kind | undefined {
  const reference = kind.references.find(({ refersTo }) => refersTo.link === link);
  return reference?.refersTo.target ?? linksOf(kind).find(({ name }) => name === link)?.target;
}

/** The members that are given. An omitted variable is undefined. */
function entriesOf(input: Input): [string, unknown][] {
  return Object.entries(input).filter(([, value]) => value !== undefined);
}

function objectIn(value: unknown, at: readonly string[]): Input {
  if (typeof value === 'object' && value !== null) return value as Input;
  throw wrong(at, 'is null; omit it, or use isNull');
}
