import { FALSE, TRUE, all, any, list, sql, type Fragment } from '../database/fragment';
import { numberOf, type LiteralList } from './literal';
import { onBoth, onEach, type Form, type ListForm, type ScalarForm, type Term } from './term';

/** Whether two values are equal. For the results of a deep scan, whether one of them is. */
export function equalOnEach(a: Term, b: Term): Fragment {
  return onEach(a, (x) => onEach(b, (y) => equal(x, y)));
}

/** Whether two values of any types are equal. */
export function equal(a: Term, b: Term): Fragment {
  return any(a.flatMap((x) => b.map((y) => all([x.when, y.when, equalForms(x, y)]))));
}

/** Whether a list contains a value. */
export function isOneOf(member: Term, entries: ListForm): Fragment {
  const { items } = entries as LiteralList; // `items` is undefined for other lists
  if (!items) return entries.some((entry) => equal(entry, member));
  return any(member.map((form) => all([form.when, isLiteralOf(form, items)])));
}

function equalForms(x: Form, y: Form): Fragment {
  if (x.type === 'null') return y.type === 'null' ? TRUE : FALSE;
  if (x.type === 'list') return y.type === 'list' ? equalLists(x, y) : FALSE;
  if (x.type === 'object' || y.type === 'null' || y.type === 'list' || y.type === 'object') return FALSE;
  if (x.type === y.type) return onBoth(x, y, (a, b) => sql`${a} = ${b}`, true);
  if (x.type === 'string' && y.type === 'number') return equalAcrossTypes(x, y);
  return x.type === 'number' && y.type === 'string' ? equalAcrossTypes(y, x) : FALSE;
}

/** Compares lists entry by entry. One list must be a literal: two lists of a document never count as equal. */
function equalLists(x: ListForm, y: ListForm): Fragment {
  const items = (y as LiteralList).items ?? (x as LiteralList).items; // undefined for other lists
  const other = (y as LiteralList).items ? x : y;
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
  const values = new Set(items.flat().flatMap((item) => valuesEqualTo(item, form.type === 'string')));
  if (values.size === 0) return FALSE;
  if (values.size === 1) return form.where((value) => sql`${value} = ${list([...values])}`, true);
  return form.where((value) => sql`${value} IN (${list([...values])})`);
}

/** The string (with `asText`) or number that equals a literal, as a list; empty if there is none. */
function valuesEqualTo(item: Form, asText: boolean): readonly (string | number)[] {
  if ((item.type !== 'string' && item.type !== 'number') || !item.literal) return [];
  const value = asText ? item.literal.text : numberOf(item.literal);
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
    return string.where((value) => sql`${value} = ${text}`, true);
  }
  const value = string.literal && numberOf(string.literal);
  return value === undefined ? FALSE : number.where((column) => sql`${column} = ${value}`);
}
