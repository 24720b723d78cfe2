import { TRUE, any, sql } from '../database/fragment';
import type { Operand, Scalar } from './predicate';
import { ABSENT, scalar, type Form, type ListForm, type Term } from './term';

const NUMERIC = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A list in the text of a filter. */
export interface LiteralList extends ListForm {
  readonly items?: readonly Term[];
}

/** The form of a literal. */
export function literalForm({ value, text }: Extract<Operand, { is: 'literal' }>): Form {
  if (value === null) return { type: 'null', when: TRUE };
  const literal = { value, text };
  if (typeof value === 'boolean') return { ...scalar('boolean', sql`${value ? 1 : 0}`), literal };
  return { ...scalar(typeof value === 'string' ? 'string' : 'number', sql`${value}`), literal };
}

/** The form of a list of literals. */
export function literalList(items: readonly Term[]): LiteralList {
  return {
    type: 'list',
    when: TRUE,
    items,
    size: sql`${items.length}`,
    some: (condition) => any(items.map((item) => condition(item))),
    at: (index) => items.at(index) ?? ABSENT,
  };
}

/** The number that equals a literal; undefined if there is none. */
export function numberOf({ value, text }: { readonly value: Scalar; readonly text: string }): number | undefined {
  return typeof value === 'number' || NUMERIC.test(text) ? Number(value) : undefined;
}
