import { TRUE, all, any, sql, type Fragment } from '../database/fragment';
import type { Operand, Scalar } from './predicate';

/** An operand in SQL: a form for each JSON type that its value can have. In each row, at most one form has a value. */
export type Term = readonly Form[];

/** An operand whose value has one JSON type. */
export type Form = ScalarForm | ListForm | { readonly type: 'null' | 'object'; readonly when: Fragment };

export interface ScalarForm {
  readonly type: 'string' | 'number' | 'boolean';
  /** Whether the value exists and has this type. */
  readonly when: Fragment;
  /**
   * Whether the value exists and meets a condition. `exact` states that at most one value meets the condition, so that
   * a reference to another table can use `=` instead of IN.
   */
  readonly where: (condition: (value: Fragment) => Fragment, exact?: boolean) => Fragment;
  /** The literal, if the filter contains the value. */
  readonly literal?: { readonly value: Scalar; readonly text: string };
  /** A condition that all values meet which equal one of these texts, and by which an index finds them. */
  readonly found?: (texts: readonly string[]) => Fragment;
  /** Spells a text as the value is stored, so that a literal in the spelling of a document is found. */
  readonly spelling?: (text: string) => string;
}

export interface ListForm {
  readonly type: 'list';
  /** The list contains the results of a deep scan, which are compared one by one. */
  readonly scan?: boolean;
  /** The entries of a list in the text of a filter; undefined for other lists. */
  readonly items?: readonly Term[];
  /** Whether the value exists and is a list. */
  readonly when: Fragment;
  /** Whether a condition holds for at least one entry. */
  readonly some: (condition: (entry: Term) => Fragment) => Fragment;
  /** The number of entries. */
  readonly size: Fragment;
  /** The value at a path within the entries, for a list of objects. */
  readonly below?: (steps: readonly (string | number)[]) => Term;
  /** The values of a member of the entries, for a list of objects. */
  readonly membersOf?: (name: string) => Term;
  /** The entry at an index; a negative index counts from the end. */
  readonly at: (index: number) => Term;
}

/** A form whose value is a SQL expression. */
export function scalar(type: ScalarForm['type'], value: Fragment, when: Fragment = TRUE): ScalarForm {
  return { type, when, where: (condition) => condition(value) };
}

/** Whether the value exists. */
export function isThere(term: Term): Fragment {
  return any(term.map(({ when }) => when));
}

/** A term whose value exists only if these conditions hold. */
export function within(term: Term, conditions: readonly Fragment[]): Term {
  return term.map((form) => ({ ...form, when: all([...conditions, form.when]) }));
}

type FormOf<T> = T extends 'list' ? ListForm : T extends ScalarForm['type'] ? ScalarForm : Form;

/** Whether the value has this type and meets a condition. */
export function ofType<T extends Form['type']>(
  term: Term,
  type: T,
  condition: (form: FormOf<T>) => Fragment,
): Fragment {
  return any(term.flatMap((form) => (isOf(form, type) ? all([form.when, condition(form)]) : [])));
}

function isOf<T extends Form['type']>(form: Form, type: T): form is Form & FormOf<T> {
  return form.type === type;
}

/** The results of a deep scan, as a list; `terms` are the members that it may find. */
export function scan(terms: readonly Term[]): Term {
  const there = terms.filter((term) => term.length > 0);
  if (there.length === 0) return ABSENT;
  const count = there.map((term) => sql`(CASE WHEN ${isThere(term)} THEN 1 ELSE 0 END)`);
  return [
    {
      type: 'list',
      scan: true,
      when: any(there.map(isThere)),
      at: () => ABSENT,
      some: (condition) => any(there.map((term) => all([isThere(term), condition(term)]))),
      size: sql`(${count.reduce((sum, one) => sql`${sum} + ${one}`)})`,
    },
  ];
}

/** Whether a value meets a condition; for a deep scan, whether at least one result does. */
export function onEach(term: Term, condition: (value: Term) => Fragment): Fragment {
  const [form] = term;
  return form?.type === 'list' && form.scan ? form.some(condition) : condition(term);
}

/** The same value, with which literals are compared in another spelling. */
export function spelledWith(form: Form, spelling: ScalarForm['spelling']): Form {
  if (!spelling) return form;
  if (form.type === 'string') return { ...form, spelling };
  if (form.type !== 'list') return form;
  const entries = (term: Term): Term => term.map((each) => spelledWith(each, spelling));
  return {
    ...form,
    some: (condition) => form.some((entry) => condition(entries(entry))),
    at: (index) => entries(form.at(index)),
  };
}

/** A literal in the spelling of the value that it is compared with. */
function literalFor({ spelling }: ScalarForm, form: ScalarForm): ScalarForm {
  if (!spelling || form.type !== 'string' || !form.literal) return form;
  const text = spelling(form.literal.text);
  return { ...scalar('string', sql`${text}`, form.when), literal: { value: text, text } };
}

/** The condition by which an index finds the values of `x` that equal a literal, if there is one. */
export function foundBy({ found, spelling }: ScalarForm, { literal }: ScalarForm): Fragment | undefined {
  return literal && found?.([spelling?.(literal.text) ?? literal.text]);
}

/** Whether two values meet a condition. `exact`: if `y` is a literal, at most one value of `x` does. */
export function onBoth(
  x: ScalarForm,
  y: ScalarForm,
  condition: (a: Fragment, b: Fragment) => Fragment,
  exact = false,
): Fragment {
  const isExact = exact && y.literal !== undefined;
  const [left, right] = [literalFor(y, x), literalFor(x, y)];
  return left.where((a) => right.where((b) => condition(a, b)), isExact);
}

/** A value that no row has. */
export const ABSENT: Term = [];

/** The form of a literal. */
export function literalForm({ value, text }: Extract<Operand, { is: 'literal' }>): Form {
  if (value === null) return { type: 'null', when: TRUE };
  const literal = { value, text };
  if (typeof value === 'boolean') return { ...scalar('boolean', sql`${value ? 1 : 0}`), literal };
  return { ...scalar(typeof value === 'string' ? 'string' : 'number', sql`${value}`), literal };
}

/** The form of a list of literals. */
export function literalList(items: readonly Term[]): ListForm {
  return {
    type: 'list',
    when: TRUE,
    items,
    size: sql`${items.length}`,
    some: (condition) => any(items.map((item) => condition(item))),
    at: (index) => items.at(index) ?? ABSENT,
  };
}

const NUMERIC = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number that equals a literal; undefined if there is none. */
export function numberOf({ value, text }: { readonly value: Scalar; readonly text: string }): number | undefined {
  return typeof value === 'number' || NUMERIC.test(text) ? Number(value) : undefined;
}
