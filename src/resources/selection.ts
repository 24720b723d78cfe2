import type { Kind } from '../model/kind';

/** What to read of a kind: fields by name, `<secret>Set`, `extra`, and links to a single resource, which are joined. */
export interface Selection {
  readonly fields: ReadonlySet<string>;
  readonly links: ReadonlyMap<string, Selection>;
}

/** Selects everything in the legacy document. */
export function wholeOf(kind: Kind): Selection {
  return {
    fields: new Set(['createdOn', 'modifiedOn', 'extra', ...kind.fields.map((field) => field.name)]),
    links: new Map(),
  };
}

/** Returns the target kind of a joined link; undefined if the kind has no joined link with that name. */
export function linkedKind(kind: Kind, link: string): Kind | undefined {
  return kind.references.find(({ refersTo }) => refersTo.link === link && !refersTo.through)?.refersTo.target;
}
