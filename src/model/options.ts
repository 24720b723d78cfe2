import type { Format, Value } from './format/format';
import type { Digits } from './format/number-range';

/** The declaration of a field, which `@Property` takes. */
export interface PropertyOptions {
  /**
   * The path of the field in the legacy document, such as `spec.credentials.username` (docs/rest-contract.md, sections
   * 2.4 to 2.8).
   */
  readonly path: string;
  readonly format: Format;
  /** The description in GraphQL and OpenAPI. */
  readonly about: string;
  /** Since when the field is deprecated, and what to use instead: `Since 2027-01-15: use host.` (docs/versioning.md) */
  readonly deprecated?: string;
  /** For a field of a group, it is required only if the group is present. */
  readonly required?: boolean;
  /**
   * Whether the value is a secret. GraphQL returns `<name>Set` instead of the value. REST returns the value only to
   * users who may write, and to nobody with REST_HIDE_SECRETS. Filters, sorts, errors and logs never contain the value.
   * The format must be `secretText`.
   */
  readonly secret?: boolean;
  /**
   * Always present in the legacy document, where an empty string represents null in both directions
   * (docs/legacy-clients.md, "Resources").
   */
  readonly blank?: boolean;
  /**
   * Whether a value of this member in a document is one of the field. Any other value stays an unknown member, as it
   * was before the model had the field. By default, all values are.
   */
  readonly claims?: (value: unknown) => boolean;
  /** Makes the field a reference. The value is that of the target's field `by`. The row stores the id of the target. */
  readonly refersTo?: ReferenceOptions;
}

/** A reference to another kind. The target must exist (4091), and cannot be deleted while it is in use (4092). */
export interface ReferenceOptions {
  readonly kind: string;
  /** The field of the target that the value is compared with: `ref`, or a unique field. */
  readonly by: string;
  /** The name of the GraphQL field for the link. */
  readonly link: string;
  /** The description of the link. */
  readonly linkAbout: string;
  /** The column with the id of the target. For a list of references, a column of `through`. */
  readonly column: string;
  readonly through?: Members;
}

/** The table of an ordered list of references. */
export interface Members {
  readonly table: string;
  /** The column with the id of the resource that has the list. */
  readonly owner: string;
  /** A column copied from the owner, for a unique index on target and value. */
  readonly repeats?: string;
}

/** A link in the opposite direction: from the target of a reference to the resources that refer to it. */
export interface InverseOptions {
  readonly name: string;
  readonly about: string;
  /** The entry of `indices` that begins with the reference, and in which the resources of a target are in the order of their row ids. */
  readonly index?: string;
}

/**
 * A link that is found by comparing values when it is read, without a foreign key. It leads to at most one resource, unless
 * `isMany`.
 */
export interface LookupOptions {
  readonly name: string;
  /** Whether it leads to several resources. It is then part of conditions, and of links in the opposite direction, only. */
  readonly isMany?: true;
  readonly about: string;
  /** The description of the link in a condition. */
  readonly whereAbout: string;
  /** The GraphQL union of the targets, and its filter `<type>Where`. */
  readonly type: { readonly name: string; readonly about: string; readonly whereAbout: string };
  /** In order of precedence. `unless` excludes the pairs for which an earlier target takes precedence. */
  readonly to: readonly LookupTargetOptions[];
}

/** A kind that a lookup can lead to, and how its resources are found. */
export interface LookupTargetOptions {
  readonly kind: string;
  /** SQL for a FROM clause that joins the resource, as `n`, with its target. */
  readonly from: string;
  /** The column of `from` with the target's id. */
  readonly id: string;
  /** SQL condition that excludes a pair. */
  readonly unless?: string;
  /** The link in the opposite direction. By default, there is none. */
  readonly inverse?: InverseOptions;
}

/** A condition on several fields together. `message` says what is wrong with `field` if the condition is broken. */
export interface Rule {
  readonly field: string;
  readonly isBroken: (values: ReadonlyMap<string, Value>) => boolean;
  readonly message: string;
}

/** A column that is computed from the fields on each write. */
export interface Derived {
  readonly column: string;
  readonly length: number;
  /** Whether it may be NULL, as it is in rows that an earlier version has written. */
  readonly isOptional?: true;
  /**
   * The field from which alone it is computed, if an index begins with the columns of this field: equal values have equal columns, so
   * that the index finds the rows with a value.
   */
  readonly finds?: string;
  readonly from: (values: ReadonlyMap<string, Value>) => string | null;
}

/**
 * Rows of another table that are computed from the fields on each write, in order, for look-ups by the entries of a list.
 * They are deleted with the row of the resource.
 */
export interface DerivedRows {
  readonly table: string;
  /** The column with the id of the resource. */
  readonly owner: string;
  /** The other columns, besides `position`. */
  readonly columns: readonly string[];
  readonly from: (values: ReadonlyMap<string, Value>) => readonly (readonly string[])[];
}

/**
 * Makes a resource a range of numbers, with the table `number_ranges`. Ranges do not overlap, nor have numbers of another
 * gateway inside (resources/write/number-ranges.ts).
 */
export interface RangeOptions {
  /** The fields whose change may break that. */
  readonly fields: readonly string[];
  /** The digits of the first and of the last number. */
  readonly digits: (values: ReadonlyMap<string, Value>) => Digits;
}

/** The declaration of a kind, without its fields. */
export interface KindOptions {
  /** At most 16 characters, because the outbox of changes and shared tables store it. */
  readonly name: string;
  /** The name of the path in REST, of the connection in GraphQL, and of the file in an export. */
  readonly collection: string;
  /** The prefix of generated refs. */
  readonly prefix: string;
  readonly about: string;
  readonly table: string;
  /** Whether the table contains several kinds. Its column `kind` distinguishes them. */
  readonly shared?: boolean;
  /** The natural keys: the fields, which the error message lists, and the columns of the unique index. */
  readonly unique: readonly { readonly fields: readonly string[]; readonly columns: readonly string[] }[];
  /** The fields that a PUT cannot change; by default, all fields of `unique` (docs/legacy-clients.md, "Resources"). */
  readonly fixed?: readonly string[];
  /** Sets of fields that are all present or all absent. */
  readonly together?: readonly (readonly string[])[];
  /** Conditions on several fields together. */
  readonly rules?: readonly Rule[];
  readonly derived?: readonly Derived[];
  readonly derivedRows?: readonly DerivedRows[];
  readonly ranges?: RangeOptions;
  /** Further indexes, by name. */
  readonly indices?: Readonly<Record<string, readonly string[]>>;
  /** Links in the opposite direction, by the name of the link of the reference. */
  readonly inverse?: Readonly<Record<string, InverseOptions>>;
  readonly lookups?: readonly LookupOptions[];
  /**
   * The member of the REST envelope that contains a document, if it is not `data` (docs/rest-contract.md, section 2.1).
   */
  readonly envelope?: 'result';
  /**
   * How Routr v1 generated refs: a prefix, and the fields that it hashed. With this option, an import generates the
   * same refs.
   */
  readonly legacyRef?: { readonly prefix: string; readonly fields: readonly string[] };
}
