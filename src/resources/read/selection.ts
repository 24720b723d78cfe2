import { memoized } from '../../limits/memoized';
import type { Kind } from '../../model/kind';

/**
 * What to read of a kind: fields by name, `<secret>Set`, `extra`, `rowId` where other links need it, and links to a
 * single resource, which are joined.
 */
export interface Selection {
  readonly fields: ReadonlySet<string>;
  readonly links: ReadonlyMap<string, Selection>;
  /** Links to whole lists, which are read together with a page. */
  readonly lists: ReadonlyMap<string, Selection>;
}

/** Returns a selection of fields only. */
export function fieldsOnly(...fields: readonly string[]): Selection {
  return { fields: new Set(fields), links: new Map(), lists: new Map() };
}

/** Selects the ref. */
export const REF_ONLY = fieldsOnly('ref');

/**
 * Selects everything in the legacy document. Returns the same object each time, because its plan is cached for that
 * object.
 */
export const wholeOf = memoized(({ fields }: Kind) =>
  fieldsOnly('createdOn', 'modifiedOn', 'extra', ...fields.map(({ name }) => name)),
);

/** Returns the target kind of a joined link. Undefined if the kind has no joined link with that name. */
export function linkedKind(kind: Kind, link: string): Kind | undefined {
  return kind.references.find(({ refersTo }) => refersTo.link === link && !refersTo.through)?.refersTo.target;
}
