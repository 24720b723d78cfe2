import { FALSE, TRUE, all, any, list, not, sql, type Fragment } from '../database/fragment';
import type { FilterDialect } from './dialect';
import type { Relation } from './predicate';
import {
  foundBy,
  isThere,
  numberOf,
  ofType,
  onBoth,
  onEach,
  scalar,
  type Form,
  type ListForm,
  type ScalarForm,
  type Term,
} from './term';

const ORDER = { '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const;

/** Writes a relation between two operands as SQL. */
export function relate(relation: Relation, a: Term, b: Term, dialect: FilterDialect): Fragment {
  switch (relation) {
    case '==':
      return equalOnEach(a, b);
    case '!=':
      return all([isThere(a), isThere(b), not(equalOnEach(a, b))]);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return onEach(a, (x) => onEach(b, (y) => compareOrder(relation, x, y)));
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

function compareOrder(relation: keyof typeof ORDER, a: Term, b: Term): Fragment {
  const compare = (type: 'string' | 'number'): Fragment =>
    ofType(a, type, (x) => ofType(b, type, (y) => onBoth(x, y, (p, q) => sql`${p} ${ORDER[relation]} ${q}`)));
  return any([compare('string'), compare('number')]);
}

function has(list: Term, member: Term): Fragment {
  return ofType(list, 'list', (form) =>
    form.scan ? form.some((entry) => any([equal(entry, member), has(entry, member)])) : isOneOf(member, form),
  );
}

function substring(a: Term, b: Term): Fragment {
  const find = (p: Fragment, q: Fragment): Fragment => sql`INSTR(${p}, ${q}) > 0`;
  return ofType(a, 'string', (x) => ofType(b, 'string', (y) => onBoth(x, y, find)));
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

/** Whether two values are equal. For the results of a deep scan, whether one of them is. */
function equalOnEach(a: Term, b: Term): Fragment {
  return onEach(a, (x) => onEach(b, (y) => equal(x, y)));
}

/** Whether two values of any types are equal. */
function equal(a: Term, b: Term): Fragment {
  return any(a.flatMap((x) => b.map((y) => all([x.when, y.when, equalForms(x, y)]))));
}

/** Whether a list contains a value. */
function isOneOf(member: Term, entries: ListForm): Fragment {
  const { items } = entries;
  if (!items) return entries.some((entry) => equal(entry, member));
  return any(member.map((form) => all([form.when, isLiteralOf(form, items)])));
}

function equalForms(x: Form, y: Form): Fragment {
  if (x.type === 'null') return y.type === 'null' ? TRUE : FALSE;
  if (x.type === 'list') return y.type === 'list' ? equalLists(x, y) : FALSE;
  if (x.type === 'object' || y.type === 'null' || y.type === 'list' || y.type === 'object') return FALSE;
  if (x.type === y.type) return all([foundBy(x, y), foundBy(y, x), onBoth(x, y, (a, b) => sql`${a} = ${b}`, true)]);
  if (x.type === 'string' && y.type === 'number') return equalAcrossTypes(x, y);
  return x.type === 'number' && y.type === 'string' ? equalAcrossTypes(y, x) : FALSE;
}

/** Compares lists entry by entry. One list must be a literal: two lists of a document never count as equal. */
function equalLists(x: ListForm, y: ListForm): Fragment {
  const items = y.items ?? x.items;
  const other = y.items ? x : y;
  if (!items) return FALSE;
  return all([sql`${other.size} = ${items.length}`, ...items.map((item, index) => equal(other.at(index), item))]);
}

/** Compares with IN, because databases limit the depth of OR expressions. */
function isLiteralOf(form: Form, items: readonly Term[]): Fragment {
  if (form.type !== 'string' && form.type !== 'number') {
    const sameType = items.filter((item) => item.some(({ type }) => type === form.type));
    return any(sameType.map((item) => equal([form], item)));
  }
  if (form.literal) return any(items.map((item) => equal([form], item)));
  const values = new Set(items.flat().flatMap((item) => valuesEqualTo(item, form)));
  if (values.size === 0) return FALSE;
  const found = form.found?.([...values].map(String));
  if (values.size === 1) return all([found, form.where((value) => sql`${value} = ${list([...values])}`, true)]);
  return all([found, form.where((value) => sql`${value} IN (${list([...values])})`)]);
}

/** The string or number that equals a literal, for values of a form, as a list; empty if there is none. */
function valuesEqualTo(
  item: Form,
  { type, spelling = (text: string): string => text }: ScalarForm,
): readonly (string | number)[] {
  if ((item.type !== 'string' && item.type !== 'number') || !item.literal) return [];
  const value = type === 'string' ? spelling(item.literal.text) : numberOf(item.literal);
  return value === undefined ? [] : [value];
}

/**
 * Compares a string with a number. One of them must be a literal. A number literal is compared as text, in the spelling
 * of the filter.
 */
function equalAcrossTypes(string: ScalarForm, number: ScalarForm): Fragment {
  if (number.literal) {
    const { text } = number.literal;
    if (string.literal) return string.literal.text === text ? TRUE : FALSE;
    return all([string.found?.([text]), string.where((value) => sql`${value} = ${text}`, true)]);
  }
  const value = string.literal && numberOf(string.literal);
  return value === undefined ? FALSE : number.where((column) => sql`${column} = ${value}`);
}
