import type { Position } from '../database/page';
import type { KindOptions, LookupOptions, LookupTargetOptions, PropertyOptions, ReferenceOptions } from './options';

/** What every resource has, whatever its kind. */
export abstract class Resource {
  /** The row's number: creation order, which pages follow. Never shown. */
  rowId!: number;
  /** The row's sort values in the list that it was read for; undefined in creation order. */
  position?: Position;
  /** Opaque and unique among all kinds. */
  id!: string;
  ref!: string;
  /** Milliseconds since the epoch. */
  createdOn!: number;
  /** Milliseconds since the epoch. */
  modifiedOn!: number;
  /** The same for each resource of a class, and so on its prototype. */
  declare readonly kind: string;
  declare readonly apiVersion: string;
}

/** A class declared with `@KindOf`. */
export type KindClass = new () => Resource;

/** The version of the resource definitions (docs/rest-contract.md, section 9). */
export const API_VERSION = 'v1beta1';

/** A reference whose target is known. */
export interface Reference extends ReferenceOptions {
  readonly target: Kind;
  /** The column of `by` in the target's table. */
  readonly targetColumn: string;
}

/** A target of a lookup. */
export interface LookupTarget extends LookupTargetOptions {
  readonly target: Kind;
}

/** A lookup whose targets are known. */
export interface Lookup extends LookupOptions {
  readonly to: readonly LookupTarget[];
}

/** A lookup that leads to a kind: the kind that has it, and the target. */
export interface LookupSource {
  readonly kind: Kind;
  readonly lookup: Lookup;
  readonly to: LookupTarget;
}

/** A field, compiled: `name` is GraphQL's path to it (`geoInfo.city`). */
export interface Field extends PropertyOptions {
  readonly name: string;
  readonly keys: readonly string[];
  readonly pathKeys: readonly string[];
  readonly required: boolean;
  readonly requiredInGroup: boolean;
  /** In the kind's table; see `ReferenceOptions` for a reference. */
  readonly column: string;
  readonly refersTo?: Reference;
}

/** A field that refers to another kind. */
export interface ReferenceField extends Field {
  readonly refersTo: Reference;
}

/** A reference, and the kind that holds it. */
export interface Referrer {
  readonly kind: Kind;
  readonly field: ReferenceField;
}

/** Several fields under one name; null when all of them are. */
export interface Group {
  readonly name: string;
  readonly class: new () => object;
  readonly about: string;
  readonly fields: readonly Field[];
}

/** A kind, compiled from its class: what everything else is derived from. */
export interface Kind extends KindOptions {
  readonly class: KindClass;
  /** `did`: the kind's name in a query. */
  readonly singular: string;
  readonly fields: readonly Field[];
  readonly groups: readonly Group[];
  /** The fields that refer to other kinds. */
  readonly references: readonly ReferenceField[];
  readonly lookups: readonly Lookup[];
  /** The references of all kinds to this one. */
  readonly referrers: readonly Referrer[];
  /** The lookups of all kinds that lead to this one. */
  readonly lookedUpBy: readonly LookupSource[];
}
