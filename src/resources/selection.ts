import type { Kind } from '../model/kind';

/** What to read of a kind: fields by name, `<secret>Set`, `extra`, and the links to one, which are joined in. */
export interface Selection {
  readonly fields: ReadonlySet<string>;
  readonly links: ReadonlyMap<string, Selection>;
}

/** Everything in the legacy document. */
export function wholeOf(kind: Kind): Selection {
  return {
    fields: new Set(['createdOn', 'modifiedOn', 'extra', ...kind.fields.map((field) => field.name)]),
    links: new Map(),
  };
}

/** The kind that a joined link leads to; undefined where the kind has no joined link of that name. */
export function linkedKind(kind: Kind, link: string): Kind | undefined {
  return kind.references.find(({ refersTo }) => refersTo.link === link && !refersTo.through)?.refersTo.target;
}
