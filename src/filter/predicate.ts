import type { Pattern } from './pattern/pattern';

/** A scalar JSON value. */
export type Scalar = string | number | boolean | null;

/**
 * A step of a path: a member by name, an entry of a list by index (from the end if negative), every entry, or a deep
 * scan, which finds the next step's member at any depth.
 */
export type Step = string | number | typeof EACH | typeof SCAN;

/** The step `[*]`: every entry of a list. */
export const EACH = Symbol('*');

/** The step `..`: Jayway's deep scan. */
export const SCAN = Symbol('..');

export type Path = readonly Step[];

/** One side of a relation. A literal keeps its text, because a string equals a number with the same text. */
export type Operand =
  | { readonly is: 'path'; readonly path: Path }
  | { readonly is: 'literal'; readonly value: Scalar; readonly text: string }
  | { readonly is: 'list'; readonly items: readonly Operand[] }
  /** The number of characters of a string, or of entries of a list. */
  | { readonly is: 'length'; readonly of: Operand }
  /** The number of nodes that a path selects (RFC 9535, 2.4.5). */
  | { readonly is: 'count'; readonly path: Path };

/** Relations between two operands. They are all false if a side is absent. */
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

/** A condition on a resource. JsonPath filters and typed filters both become predicates. */
export type Predicate =
  | { readonly is: 'and' | 'or'; readonly of: readonly Predicate[] }
  | { readonly is: 'not'; readonly of: Predicate }
  | { readonly is: 'exists'; readonly path: Path }
  | { readonly is: 'relation'; readonly relation: Relation; readonly left: Operand; readonly right: Operand }
  /** The whole text matches the pattern; for a list, the text of an entry. */
  | { readonly is: 'matches'; readonly operand: Operand; readonly pattern: Pattern }
  /** A linked resource meets a condition. `kind` is needed if the link leads to several kinds, and the condition is about one. */
  | { readonly is: 'linked'; readonly link: string; readonly kind?: string; readonly where: Predicate }
  /** A gateway is registered with its provider, or an agent or peer has a registered contact. */
  | { readonly is: 'registered' }
  /** The health of a gateway, or of one of its destinations, is in one of these states. */
  | { readonly is: 'health'; readonly of: HealthOf; readonly states: readonly string[] }
  /** A number has some of these digits, or is a range that has them. */
  | { readonly is: 'covers'; readonly digits: readonly string[] };

/** Whose health a condition is about: that of a gateway's host, or of one of its destinations. */
export type HealthOf = 'host' | 'destinations';

/** The predicate that all resources meet. */
export const EVERYTHING: Predicate = { is: 'and', of: [] };
