import type { Pattern } from './pattern/pattern';

/** What a filter can compare with. */
export type Scalar = string | number | boolean | null;

/**
 * A step of a path: a member by name, an entry by its place (from the end when negative), every entry, or a scan for the
 * members that the next step names, however deep they are.
 */
export type Step = string | number | typeof EACH | typeof SCAN;

/** The step to every entry of a list: `[*]`. */
export const EACH = Symbol('*');

/** The step of Jayway's deep scan: `..`. */
export const SCAN = Symbol('..');

export type Path = readonly Step[];

/** A side of a relation. A number keeps its text, because a string equals a number that is written alike. */
export type Operand =
  | { readonly is: 'path'; readonly path: Path }
  | { readonly is: 'literal'; readonly value: Scalar; readonly text: string }
  | { readonly is: 'list'; readonly items: readonly Operand[] }
  /** Characters of a string, entries of a list. */
  | { readonly is: 'length'; readonly of: Operand }
  /** Nodes that a path selects (RFC 9535, 2.4.5). */
  | { readonly is: 'count'; readonly path: Path };

/** Relations between two operands; a side that is not there makes every one of them false. */
export type Relation =
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'nin'
  | 'contains'
  | 'subsetof'
  | 'anyof'
  | 'noneof'
  | 'size'
  | 'empty';

/** What a resource must be like: one tree for JsonPath and for typed filters. */
export type Predicate =
  | { readonly is: 'and' | 'or'; readonly of: readonly Predicate[] }
  | { readonly is: 'not'; readonly of: Predicate }
  | { readonly is: 'exists'; readonly path: Path }
  | { readonly is: 'relation'; readonly relation: Relation; readonly left: Operand; readonly right: Operand }
  /** The whole text matches; in a list, the text of an entry. */
  | { readonly is: 'matches'; readonly operand: Operand; readonly pattern: Pattern }
  /** A resource at the end of a link is like this. */
  | { readonly is: 'linked'; readonly link: string; readonly where: Predicate }
  /** Registered now: with the provider, or a device here. */
  | { readonly is: 'registered' };
