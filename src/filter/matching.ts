import { FALSE, TRUE, all, any, sql, type Fragment } from '../database/fragment';
import type { FilterDialect } from './dialect';
import { MAX_SUBJECT } from './pattern/cost';
import { JAVASCRIPT, containedIn, prefixOf, written, type Pattern } from './pattern/pattern';
import { ofType, type ScalarForm, type Term } from './term';

/** Whether the text of a value matches a pattern. A list matches if one of its entries does. */
export function matched(term: Term, pattern: Pattern, dialect: FilterDialect): Fragment {
  const textMatches = (form: ScalarForm): Fragment => textMatched(form, pattern, dialect);
  return any([
    ofType(term, 'string', textMatches),
    ofType(term, 'number', (form) => textMatches(digitsOf(form, dialect))),
    ofType(term, 'boolean', ({ where }) => where((value) => booleanMatched(value, pattern))),
    ofType(term, 'list', ({ some }) => some((entry) => ofType(entry, 'string', textMatches))),
  ]);
}

/** Whether the text of a boolean matches. There are only two texts, so the database need not know the pattern. */
function booleanMatched(value: Fragment, pattern: Pattern): Fragment {
  const whole = new RegExp(written(pattern, JAVASCRIPT), 'u');
  if (whole.test('true')) return whole.test('false') ? TRUE : value;
  return whole.test('false') ? sql`(NOT ${value})` : FALSE;
}

/** The text of a whole number. Fractions never match, because databases format them differently. */
function digitsOf({ when, where }: ScalarForm, dialect: FilterDialect): ScalarForm {
  return {
    type: 'string',
    when,
    where: (condition) => where((value) => all([sql`${value} = ROUND(${value})`, condition(dialect.digits(value))])),
  };
}

/**
 * Matches a pattern. If all matches share a prefix, also restricts the text to that prefix, so that the database can
 * use an index.
 */
function textMatched({ where, literal }: ScalarForm, pattern: Pattern, dialect: FilterDialect): Fragment {
  const { prefix, rest } = prefixOf(pattern);
  if (literal) return where((value) => match(dialect.text(value), pattern, dialect));
  if (rest === 'nothing') return where((value) => sql`${value} = ${prefix}`, true);
  const successor = successorOf(prefix);
  const range = (value: Fragment): Fragment =>
    all([
      prefix === '' ? undefined : sql`${value} >= ${prefix}`,
      successor === undefined ? undefined : sql`${value} < ${successor}`,
    ]);
  return where((value) => all([range(value), rest === 'anything' ? undefined : match(value, pattern, dialect)]));
}

function match(value: Fragment, pattern: Pattern, { length, matches }: FilterDialect): Fragment {
  const contained = containedIn(pattern);
  const contains = contained === '' ? TRUE : sql`INSTR(LOWER(${value}), ${contained}) > 0`;
  return sql`(${contains} AND ${length(value)} <= ${MAX_SUBJECT} AND ${matches(value, pattern)})`;
}

/** The smallest text, by code points, that is greater than all texts with a prefix; undefined if there is none. */
function successorOf(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Skips the surrogates, which are not characters.
  points.push(last === 0xd7ff ? 0xe000 : last + 1);
  return String.fromCodePoint(...points);
}
