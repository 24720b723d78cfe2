import { kindOf, referencesOf } from '../model/kinds';
import type { Kind } from '../model/kind';

/** What is wanted of a kind: fields by name, hidden columns by theirs, and the links to one that are joined in. */
export interface Selection {
  readonly fields: ReadonlySet<string>;
  readonly links: ReadonlyMap<string, Selection>;
}

/** Everything that the legacy document shows. */
export function wholeOf(kind: Kind): Selection {
  return {
    fields: new Set(['createdOn', 'modifiedOn', 'extra', ...kind.fields.map((field) => field.name)]),
    links: new Map(),
  };
}

/** The kind that a link to one leads to, if the name is such a link. */
export function linkedKind(kind: Kind, link: string): Kind | undefined {
  const reference = referencesOf(kind).find((field) => field.refersTo.link === link && !field.refersTo.through);
  return reference && kindOf(reference.refersTo.kind);
}
