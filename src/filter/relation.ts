import { TRUE, all, any, not, sql, type Fragment } from '../database/fragment';
import type { FilterDialect } from './dialect';
import { equal, equalOnEach, isOneOf } from './equality';
import type { Relation } from './predicate';
import { isThere, ofType, onBoth, onEach, scalar } from './term';
import type { Form, ListForm, ScalarForm, Term } from './term';

const ORDER = { '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const;

/** Writes a relation between two operands as SQL. */
export function related(relation: Relation, a: Term, b: Term, dialect: FilterDialect): Fragment {
  switch (relation) {
    case '==':
      return equalOnEach(a, b);
    case '!=':
      return all([isThere(a), isThere(b), not(equalOnEach(a, b))]);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return onEach(a, (x) => onEach(b, (y) => ordered(relation, x, y)));
    case 'in':
      return onEach(a, (x) => has(b, x));
    case 'nin':
      return all([isThere(a), ofType(b, 'list', () => TRUE), not(onEach(a, (x) => has(b, x)))]);
    case 'contains':
      return any([has(a, b), substring(a, b)]);
    case 'subsetof':
      return onLists(a, b, (x, y) => not(x.some((entry) => not(isOneOf(entry, y)))));
    case 'anyof':
      return onLists(a, b, (x, y) => x.some((entry) => isOneOf(entry, y)));
    case 'noneof':
      return onLists(a, b, (x, y) => not(x.some((entry) => isOneOf(entry, y))));
    case 'size':
      return equalNumbers(lengthOf(a, dialect), b);
    case 'empty':
      return isEmpty(lengthOf(a, dialect), b);
  }
}

/** The number of characters of a string, or of entries of a list. */
export function lengthOf(term: Term, dialect: FilterDialect): Term {
  return term.flatMap((form): Form[] => {
    if (form.type === 'list') return [scalar('number', form.size, form.when)];
    if (form.type !== 'string') return [];
    const { when, where } = form;
    return [{ type: 'number', when, where: (condition) => where((value) => condition(dialect.length(value))) }];
  });
}

function equalNumbers(a: Term, b: Term): Fragment {
  return ofType(a, 'number', (x) => ofType(b, 'number', (y) => onBoth(x, y, (p, q) => sql`${p} = ${q}`)));
}

function ordered(relation: keyof typeof ORDER, a: Term, b: Term): Fragment {
  const compared = (type: 'string' | 'number'): Fragment =>
    ofType(a, type, (x) => ofType(b, type, (y) => onBoth(x, y, (p, q) => sql`${p} ${ORDER[relation]} ${q}`)));
  return any([compared('string'), compared('number')]);
}

function has(list: Term, member: Term): Fragment {
  return ofType(list, 'list', (form) =>
    form.scanned ? form.some((entry) => any([equal(entry, member), has(entry, member)])) : isOneOf(member, form),
  );
}

function substring(a: Term, b: Term): Fragment {
  const found = (p: Fragment, q: Fragment): Fragment => sql`INSTR(${p}, ${q}) > 0`;
  return ofType(a, 'string', (x) => ofType(b, 'string', (y) => onBoth(x, y, found)));
}

/** Compares whether a length is zero with the boolean on the right side. */
function isEmpty(length: Term, expected: Term): Fragment {
  return any(
    length.map((form) => {
      const isZero = (form as ScalarForm).where((size) => sql`${size} = 0`); // `lengthOf` returns numbers
      const condition = ofType(expected, 'boolean', ({ literal, where }) => {
        if (literal) return literal.value === true ? isZero : not(isZero);
        return any([
          all([where((value) => sql`${value} = 1`), isZero]),
          all([where((value) => sql`${value} = 0`), not(isZero)]),
        ]);
      });
      return all([form.when, condition]);
    }),
  );
}

function onLists(a: Term, b: Term, condition: (x: ListForm, y: ListForm) => Fragment): Fragment {
  return ofType(a, 'list', (x) => ofType(b, 'list', (y) => condition(x, y)));
}
