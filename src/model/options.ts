import type { Format, Value } from './format/format';

/** A field's declaration, as `@Property` takes it. */
export interface PropertyOptions {
  /** Its path in the legacy document, as `spec.credentials.username` (docs/rest-contract.md, sections 2.4 to 2.8). */
  readonly path: string;
  readonly format: Format;
  /** What it is for: the description in GraphQL and OpenAPI. */
  readonly about: string;
  /** In a group of fields: required when the group is present. */
  readonly required?: boolean;
  /**
   * Write-only: REST returns it to users who may write, GraphQL has `<name>Set` instead, and no filter, sort, error or log
   * has it. Its format is `secretText`.
   */
  readonly secret?: boolean;
  /** Always in the legacy document: an unknown value is an empty string, in both directions (docs/legacy-clients.md, "Resources"). */
  readonly blank?: boolean;
  /** The field names a resource: the value is that resource's `by`, and the row holds its id. */
  readonly refersTo?: ReferenceOptions;
}

/** A reference to another kind; "must exist" (4091) and "in use" (4092) follow from it. */
export interface ReferenceOptions {
  readonly kind: string;
  /** The target's field that the value is compared with: `ref`, or a unique field. */
  readonly by: string;
  /** The name of the link in the graph. */
  readonly link: string;
  /** What the link leads to. */
  readonly linkAbout: string;
  /** The column that holds the target's id; of `through`, for a list of references. */
  readonly column: string;
  readonly through?: Members;
}

/** The table of an ordered list of references. */
export interface Members {
  readonly table: string;
  /** The column with the id of the resource that has the list. */
  readonly owner: string;
  /** A column copied from the owner, for a unique index on target and value. */
  readonly repeats: string;
}

/** A link in the opposite direction: from the target of a reference to the resources that hold it. */
export interface InverseOptions {
  readonly name: string;
  readonly about: string;
}

/** A link that is found by comparing values when it is read, without a foreign key. It leads to one resource at most. */
export interface LookupOptions {
  readonly name: string;
  readonly about: string;
  /** What the link is called in a condition. */
  readonly whereAbout: string;
  /** The GraphQL union of the targets, and its filter `<type>Where`. */
  readonly type: { readonly name: string; readonly about: string; readonly whereAbout: string };
  /** In order of precedence; `unless` in each keeps them apart. */
  readonly to: readonly LookupTargetOptions[];
}

/** A kind that a lookup can lead to, and how its resources are found. */
export interface LookupTargetOptions {
  readonly kind: string;
  /** SQL, as FROM takes it: pairs of the resource `n` and its target. */
  readonly from: string;
  /** The column of `from` with the target's id. */
  readonly id: string;
  /** SQL condition that excludes a pair. */
  readonly unless?: string;
  /** What the target's link in the opposite direction leads to; its name is the collection of this kind. */
  readonly inverseAbout: string;
}

/** A column that is computed from the fields on each write. */
export interface Derived {
  readonly column: string;
  readonly length: number;
  readonly from: (values: ReadonlyMap<string, Value>) => string;
}

/** What a kind declares beside its fields. */
export interface KindOptions {
  /** At most 16 characters: the outbox of changes and shared tables store it. */
  readonly name: string;
  /** The kind's path in REST, its connection in GraphQL, and its file in an export. */
  readonly collection: string;
  /** The first characters of generated refs. */
  readonly prefix: string;
  readonly about: string;
  readonly table: string;
  /** The table holds several kinds; its column `kind` tells them apart. */
  readonly shared?: boolean;
  /** Natural keys: the fields for the message, and the columns of the unique index. */
  readonly unique: readonly { readonly fields: readonly string[]; readonly columns: readonly string[] }[];
  /** The fields that a PUT cannot change, unless these are all fields of `unique` (docs/legacy-clients.md, "Resources"). */
  readonly fixed?: readonly string[];
  /** Sets of fields that are all present or all absent. */
  readonly together?: readonly (readonly string[])[];
  readonly derived?: readonly Derived[];
  /** Further indexes, by name. */
  readonly indices?: Readonly<Record<string, readonly string[]>>;
  /** Links from the targets of references to this kind, by the name of the reference's link. */
  readonly inverse?: Readonly<Record<string, InverseOptions>>;
  readonly lookups?: readonly LookupOptions[];
  /** The member of the envelope that holds a document in REST, unless it is `data` (docs/rest-contract.md, section 2.1). */
  readonly envelope?: 'result';
  /** How Routr v1 generated refs: a prefix, and the fields that it hashed. Import generates the same; without it, new refs. */
  readonly legacyRef?: { readonly prefix: string; readonly fields: readonly string[] };
}
