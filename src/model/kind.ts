import type { SeekKey } from '../database/page';
import { Property } from './declare';
import { isValid, text, type Format } from './format/format';
import { labels, looksLikeLabels } from './format/label';
import type { KindOptions, LookupOptions, LookupTargetOptions, PropertyOptions, ReferenceOptions } from './options';

// Kept out of the row where the database does so with long texts.
const note: Format = { ...text(1000), column: { type: 'text' } };

/** The fields that resources of every kind have. */
export abstract class Resource {
  /** The id of the row. It increases in creation order, the default order of lists; only opaque cursors expose it. */
  rowId!: number;
  /** The row's values of the sort fields in a sorted list; undefined in creation order. */
  seekKey?: SeekKey;
  /** The whole lists of links that were read together with the resource, by name. */
  lists?: Readonly<Record<string, readonly Resource[]>>;
  /** In a dry run: the fields that start from the row, which were read before it was undone. */
  ahead?: ReadonlyMap<string, unknown>;
  /** Opaque; unique across all kinds. */
  id!: string;
  ref!: string;
  /** Milliseconds since the epoch. */
  createdOn!: number;
  /** Milliseconds since the epoch. */
  modifiedOn!: number;

  @Property({
    path: 'metadata.labels',
    format: labels(),
    claims: looksLikeLabels,
    about: 'Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key.',
  })
  labels!: readonly string[] | null;

  @Property({
    path: 'metadata.note',
    format: note,
    claims: (value) => isValid(note, value),
    about: 'A note for people: at most 1,000 characters.',
  })
  note!: string | null;

  /** Set on the prototype, as is `apiVersion`, because all resources of a class share it. */
  declare readonly kind: string;
  declare readonly apiVersion: string;
}

/** A name with its article: `an Agent`. */
export function withArticle(name: string): string {
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** A class declared with `@KindOf`. */
export type KindClass = new () => Resource;

/** The version of the resource definitions (docs/rest-contract.md, section 9). */
export const API_VERSION = 'v1beta1';

/** A reference with its target resolved. */
export interface Reference extends ReferenceOptions {
  readonly target: Kind;
  /** The target's field `by`; undefined for `ref`. */
  readonly targetField: Field | undefined;
  /** The column of the target's field `by`. */
  readonly targetColumn: string;
}

/** A target of a lookup. */
export interface LookupTarget extends LookupTargetOptions {
  readonly target: Kind;
}

/** A lookup with its targets resolved. */
export interface Lookup extends LookupOptions {
  readonly to: readonly LookupTarget[];
}

/** A lookup that can lead to a given kind, with the kind that declares it. */
export interface LookupSource {
  readonly kind: Kind;
  readonly lookup: Lookup;
  readonly to: LookupTarget;
}

/** A compiled field. `name` is its path in GraphQL (`geoInfo.city`). */
export interface Field extends PropertyOptions {
  readonly name: string;
  readonly keys: readonly string[];
  readonly pathKeys: readonly string[];
  readonly required: boolean;
  readonly requiredInGroup: boolean;
  /** The column in the kind's table. For a reference, `ReferenceOptions.column`. */
  readonly column: string;
  readonly refersTo?: Reference;
}

/** A field that refers to another kind. */
export interface ReferenceField extends Field {
  readonly refersTo: Reference;
}

/** A reference field, and the kind that declares it. */
export interface Referrer {
  readonly kind: Kind;
  readonly field: ReferenceField;
}

/** A group of fields, which is null if all its fields are null. */
export interface Group {
  readonly name: string;
  readonly class: new () => object;
  readonly about: string;
  readonly fields: readonly Field[];
}

/**
 * A kind, compiled from its class. GraphQL, REST, filters, validation and the SQL of reads and writes are derived from
 * it.
 */
export interface Kind extends KindOptions {
  readonly class: KindClass;
  /** The name of the kind in a query, such as `did`. */
  readonly singular: string;
  readonly fields: readonly Field[];
  readonly groups: readonly Group[];
  /** The fields that refer to other kinds. */
  readonly references: readonly ReferenceField[];
  readonly lookups: readonly Lookup[];
  /** The references of all kinds to this one. */
  readonly referrers: readonly Referrer[];
  /** The lookups of all kinds that can lead to this one. */
  readonly lookedUpBy: readonly LookupSource[];
}
