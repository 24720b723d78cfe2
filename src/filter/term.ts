import { TRUE, all, any, sql, type Fragment } from '../database/fragment';
import type { Scalar } from './predicate';

/** What a path or a value stands for in SQL: the forms that it can have, of which a row has at most one. */
export type Term = readonly Form[];

/** A value of one JSON type. */
export type Form = ScalarForm | ListForm | { readonly type: 'null' | 'object'; readonly when: Fragment };

export interface ScalarForm {
  readonly type: 'string' | 'number' | 'boolean';
  /** Whether a row has it. */
  readonly when: Fragment;
  /** Whether a condition holds for the value; the condition alone is false where there is no value. */
  readonly where: (condition: (value: Fragment) => Fragment, exact?: boolean) => Fragment;
  /** Where the filter itself says the value: what it says. */
  readonly literal?: { readonly value: Scalar; readonly text: string };
}

export interface ListForm {
  readonly type: 'list';
  /** It holds what a deep scan found: a comparison with a value is one with each of them. */
  readonly scanned?: boolean;
  readonly when: Fragment;
  /** Whether a condition holds for one entry at least. */
  readonly some: (condition: (entry: Term) => Fragment) => Fragment;
  readonly size: Fragment;
  /** An entry by its place, from the end when negative. */
  readonly at: (place: number) => Term;
}

/** A form whose value is an expression. */
export function scalar(type: ScalarForm['type'], value: Fragment, when: Fragment = TRUE): ScalarForm {
  return { type, when, where: (condition) => condition(value) };
}

/** Whether there is something. */
export function isThere(term: Term): Fragment {
  return any(term.map(({ when }) => when));
}

/** A term that is there only where these conditions hold, too. */
export function within(term: Term, conditions: readonly Fragment[]): Term {
  return term.map((form) => ({ ...form, when: all([...conditions, form.when]) }));
}

type FormOf<T> = T extends 'list' ? ListForm : T extends ScalarForm['type'] ? ScalarForm : Form;

/** Whether a condition holds for a form of this type. */
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

/** What a deep scan found, of the terms that it may be at. */
export function scanned(terms: readonly Term[]): Term {
  const there = terms.filter((term) => term.length > 0);
  if (there.length === 0) return ABSENT;
  const count = there.map((term) => sql`(CASE WHEN ${isThere(term)} THEN 1 ELSE 0 END)`);
  return [
    {
      ...{ type: 'list', scanned: true, when: any(there.map(isThere)), at: () => ABSENT },
      some: (condition) => any(there.map((term) => all([isThere(term), condition(term)]))),
      size: sql`(${count.reduce((sum, one) => sql`${sum} + ${one}`)})`,
    },
  ];
}

/** A condition on a value: on one at least of those that a deep scan found. */
export function onEach(term: Term, condition: (value: Term) => Fragment): Fragment {
  const [form] = term;
  return form?.type === 'list' && form.scanned ? form.some(condition) : condition(term);
}

/** Nothing at all. */
export const ABSENT: Term = [];
