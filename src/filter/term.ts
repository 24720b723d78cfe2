import { TRUE, all, any, type Fragment } from '../database/fragment';
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

/** Nothing at all. */
export const ABSENT: Term = [];
