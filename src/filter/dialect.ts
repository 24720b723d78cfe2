import { raw, type Fragment } from '../database/fragment';
import type { Pattern } from './pattern/pattern';
import type { Form, Term } from './term';

/** What filters need of a database that its SQL does not say in the same words as another's. */
export interface FilterDialect {
  /** Text that is compared by code points: what is no column has to say so. */
  readonly text: (value: Fragment) => Fragment;
  readonly matches: (value: Fragment, pattern: Pattern) => Fragment;
  /** Characters of a text. */
  readonly length: (value: Fragment) => Fragment;
  /** A whole number as text. */
  readonly digits: (value: Fragment) => Fragment;
  /** Milliseconds since the epoch as ISO 8601, in UTC. */
  readonly isoTime: (milliseconds: Fragment) => Fragment;
  /** What a JSON text has at the end of these steps: names of members, places of entries. */
  readonly json: (text: Fragment, steps: readonly (string | number)[]) => Term;
  /** A column with a JSON list of texts. */
  readonly texts: (json: Fragment) => Form;
}

let depth = 0;

/** Names a list's entries for a condition about one: by depth, so that equal filters are equal statements. */
export function withEntry(condition: (entry: Fragment) => Fragment): Fragment {
  depth++;
  try {
    return condition(raw(`j${String(depth)}`));
  } finally {
    depth--;
  }
}

/** A member's name in a path: the parser lets no quote and no backslash through. */
export function member(name: string): string {
  return `."${name}"`;
}
