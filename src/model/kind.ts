import type { Position } from '../database/page';
import type { Format, Value } from './format/format';

/** The kinds (docs/rest-contract.md, section 2.3). */
export type KindName = 'Gateway' | 'Agent' | 'Peer' | 'Domain' | 'DID' | 'Number';

/** What every resource has, whatever its kind. */
export abstract class Resource {
  /** The row's number: creation order, which pages follow. Never shown. */
  rowId!: number;
  /** Where it stands in the order of the list that it was read for, unless that is the order of creation. */
  position?: Position;
  /** Opaque and unique among all kinds. */
  id!: string;
  ref!: string;
  /** Milliseconds since the epoch. */
  createdOn!: number;
  /** Milliseconds since the epoch. */
  modifiedOn!: number;
  /** The same for each resource of a class, and so on its prototype. */
  declare readonly kind: KindName;
  declare readonly apiVersion: string;
}

/** The version of the resource definitions (docs/rest-contract.md, section 9). */
export const API_VERSION = 'v1beta1';

/** A field's declaration, as `@Property` takes it. */
export interface PropertyOptions {
  /** Its place in the legacy document, as `spec.credentials.username` (docs/rest-contract.md, sections 2.4 to 2.8). */
  readonly path: string;
  readonly format: Format;
  /** What it is for: the description in GraphQL and OpenAPI. */
  readonly about: string;
  /** Within a group of fields: where the group is there. */
  readonly required?: boolean;
  /** Written, and given back by REST to those who may write; in no other answer, filter, sort, error or log. */
  readonly secret?: boolean;
  /** Always in the legacy document: an unknown value is an empty string, in both directions (docs/legacy-clients.md, "Resources"). */
  readonly blank?: boolean;
  /** The field names a resource: the value is that one's `by`, and the row holds its id. */
  readonly refersTo?: Reference;
}

/** A link from the side that holds it; "must exist" (4091) and "in use" (4092) follow from it. */
export interface Reference {
  readonly kind: KindName;
  readonly by: 'ref' | 'domainUri';
  /** The name of the link in the graph. */
  readonly link: string;
  /** What the link leads to. */
  readonly linkAbout: string;
  /** The column that holds the id; a list of references has a table of its own, in which `column` is the target's id. */
  readonly column: string;
  readonly through?: Members;
}

/** The table of an ordered list of references. */
export interface Members {
  readonly table: string;
  /** The column of the side that holds the list. */
  readonly owner: string;
  /** A column repeated there, so that the database itself holds `owner's value is unique within the target`. */
  readonly repeats: string;
}

/** A link to the many that refer to this kind. */
export interface ChildrenOptions {
  readonly kind: KindName;
  /** The name of the reference, on the other side. */
  readonly reference: string;
  readonly about: string;
}

/** A field, compiled: `name` is GraphQL's path to it (`geoInfo.city`). */
export interface Field extends PropertyOptions {
  readonly name: string;
  readonly keys: readonly string[];
  readonly pathKeys: readonly string[];
  readonly required: boolean;
  readonly requiredInGroup: boolean;
  /** Of the kind's table; for a reference see there. */
  readonly column: string;
}

/** Several fields under one name, absent when all of them are. */
export interface Group {
  readonly name: string;
  readonly class: new () => object;
  readonly about: string;
  readonly fields: readonly Field[];
}

/** A column that is worked out from the fields on each write. */
export interface Derived {
  readonly column: string;
  readonly length: number;
  readonly from: (values: ReadonlyMap<string, Value>) => string;
}

/** What a kind declares beside its fields. */
export interface KindOptions {
  readonly name: KindName;
  /** The kind's path in REST, and its connection in GraphQL. */
  readonly collection: string;
  /** Begins the refs that the service makes. */
  readonly prefix: string;
  readonly about: string;
  readonly table: string;
  /** The table holds several kinds, told apart by its column `kind`. */
  readonly shared?: boolean;
  /** What may not stand twice: the fields for the message, and the columns that hold it. */
  readonly unique: readonly { readonly fields: readonly string[]; readonly columns: readonly string[] }[];
  /** The fields that a PUT cannot change, unless these are all fields of `unique` (docs/legacy-clients.md, "Resources"). */
  readonly fixed?: readonly string[];
  /** Fields that come together or not at all. */
  readonly together?: readonly (readonly string[])[];
  readonly derived?: readonly Derived[];
  /** Further indexes, by name: lists follow them, and so do the finders of numbers and live contacts. */
  readonly indices?: Readonly<Record<string, readonly string[]>>;
  /** The member of the envelope that holds a document in REST, unless it is `data` (docs/rest-contract.md, section 2.1). */
  readonly envelope?: 'result';
}

/** A kind, compiled from its class: what everything else is derived from. */
export interface Kind extends KindOptions {
  readonly class: new () => Resource;
  /** `did`: the kind's name in a query. */
  readonly singular: string;
  readonly fields: readonly Field[];
  readonly groups: readonly Group[];
  readonly children: readonly (ChildrenOptions & { readonly name: string })[];
}
