import { raw, type Fragment } from '../database/fragment';
import type { Pattern } from './pattern/pattern';
import type { Form, Term } from './term';

/** The parts of a filter's SQL that differ between databases. */
export interface FilterDialect {
  /** Makes a text expression compare by code points. Columns already do; other expressions need a collation. */
  readonly text: (value: Fragment) => Fragment;
  /** Whether the whole text matches a pattern. */
  readonly matches: (value: Fragment, pattern: Pattern) => Fragment;
  /** The number of characters of a text. */
  readonly length: (value: Fragment) => Fragment;
  /** Converts a whole number to text. */
  readonly digits: (value: Fragment) => Fragment;
  /** Converts milliseconds since the epoch to ISO 8601 in UTC. */
  readonly isoTime: (milliseconds: Fragment) => Fragment;
  /** The value at a path in a JSON text. Steps are names of members and indexes of entries. */
  readonly json: (text: Fragment, steps: readonly (string | number)[]) => Term;
  /** A condition on values in a JSON text, which is false if the database cannot read the text. */
  readonly whereReadable: (text: Fragment, condition: Fragment) => Fragment;
  /** A column with a JSON list of texts. */
  readonly texts: (json: Fragment) => Form;
  /** A column with a JSON list of objects. */
  readonly entries: (json: Fragment) => Form;
  /** Whether a list of objects has one whose members, with these names, meet a condition. Those that are missing are NULL. */
  readonly hasObject: (json: Fragment, names: readonly string[], condition: ObjectCondition) => Fragment;
}

/** A condition on the members of an object, which it reads by their names. */
type ObjectCondition = (member: (name: string) => Fragment) => Fragment;

let depth = 0;

/**
 * Gives the entries of a list an alias in a condition. The alias depends only on the nesting depth, so that equal
 * filters produce the same statement.
 */
export function withEntry(condition: (entry: Fragment) => Fragment): Fragment {
  depth++;
  try {
    return condition(raw(`j${String(depth)}`));
  } finally {
    depth--;
  }
}

/** Writes the name of a member in a JSON path of SQL. The parser rejects names with quotes and backslashes. */
export function member(name: string): string {
  return `."${name}"`;
}
