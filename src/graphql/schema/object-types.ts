import {
  Field as GraphqlField,
  GraphQLISODateTime,
  ID,
  Int,
  InterfaceType,
  ObjectType,
  createUnionType,
  registerEnumType,
} from 'type-graphql';

import { memoized } from '../../limits/memoized';
import { declarationsOf } from '../../model/declare';
import type { Format } from '../../model/format/format';
import { type Field, type Kind, type Lookup, Resource, withArticle } from '../../model/kind';

/**
 * The enum with the names of the kinds. Types refer to this enum before the kinds are known, so `declareObjectTypes`
 * adds the names later.
 */
export const KindEnum: Record<string, string> = {};

/** Relay's Node. */
@InterfaceType({ description: 'An object with a globally unique id (Relay).' })
export abstract class Node {
  @GraphqlField(() => ID, { description: 'Opaque and globally unique. Pass it to `node` and `nodes`.' })
  id!: string;
}

/** The fields of every kind. */
@InterfaceType('Resource', { implements: Node, description: 'The fields of every kind of resource.' })
export abstract class ResourceInterface extends Node {
  @GraphqlField(() => String, { description: 'Reference, unique within the kind. Generated if it was not given.' })
  ref!: string;

  @GraphqlField(() => String, { description: 'Version of the resource definitions: v1beta1.' })
  apiVersion!: string;

  @GraphqlField(() => KindEnum, { description: 'The kind of the resource.' })
  kind!: string;

  @GraphqlField(() => GraphQLISODateTime, { description: 'When the resource was created.' })
  createdOn!: number;

  @GraphqlField(() => GraphQLISODateTime, { description: 'When the resource was last changed.' })
  modifiedOn!: number;
}

/** The GraphQL type of a declared value. */
export function typeOf(format: Format): Parameters<typeof GraphqlField>[0] & (() => unknown) {
  const { schema } = format;
  if (format.choice) {
    const choices = enumOf(format);
    return () => choices;
  }
  if (format.entries) {
    const entry = entryTypeOf(format.entries);
    return () => [entry];
  }
  if (schema.type === 'array') return () => [String];
  if (schema.type === 'integer') return () => Int;
  return schema.type === 'boolean' ? () => Boolean : () => String;
}

/** The object type of the entries of a list. */
export const entryTypeOf = memoized(({ name, about, fields }: NonNullable<Format['entries']>): new () => object => {
  const type = class {};
  ObjectType(name, { description: about })(type);
  for (const field of fields) {
    const options = { nullable: !field.required, description: field.about };
    GraphqlField(typeOf(field.format), options)(type.prototype, field.name);
  }
  return type;
});

/** The enum of a choice. */
const enumOf = memoized(({ schema, choice }: Format): Record<string, string> => {
  const { name = '', about = '' } = choice ?? {};
  const values = Object.fromEntries((schema.enum ?? []).map((value) => [value.toUpperCase(), value]));
  registerEnumType(values, {
    name,
    description: about,
    valuesConfig: Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, { description: `\`${value}\` in REST.` }]),
    ),
  });
  return values;
});

/**
 * Declares the classes of the kinds as object types with their fields. A secret, which is write-only, becomes
 * `<name>Set`.
 */
export function declareObjectTypes(kinds: readonly Kind[]): void {
  for (const { name } of kinds) KindEnum[name] = name;
  registerEnumType(KindEnum, {
    name: 'ResourceKind',
    description: 'The kind of a resource.',
    valuesConfig: Object.fromEntries(kinds.map(({ name, about }) => [name, { description: about }])),
  });
  const inherited = declarationsOf(Resource.prototype).properties.map(({ key }) => key);
  for (const field of kinds[0]?.fields ?? [])
    if (inherited.includes(field.name)) declareField(ResourceInterface, field);
  // Kinds can share a group.
  const groups = new Map(kinds.flatMap((kind) => kind.groups.map((group) => [group.class, group])));
  for (const kind of kinds) {
    const options = { implements: [Node, ResourceInterface], description: kind.about };
    ObjectType(kind.name, options)(kind.class);
    for (const field of kind.fields) if (field.keys.length === 1) declareField(kind.class, field);
    for (const { name, class: type, about } of kind.groups) {
      GraphqlField(() => type, { nullable: true, description: about })(kind.class.prototype as object, name);
    }
  }
  for (const { class: type, about, fields } of groups.values()) {
    ObjectType(type.name, { description: about })(type);
    for (const field of fields) declareField(type, field);
  }
}

function declareField({ prototype }: { readonly prototype: object }, field: Field): void {
  const key = field.keys.at(-1) ?? field.name;
  if (field.secret) {
    const description = `Whether ${withArticle(key)} is set. The ${key} itself is never returned.`;
    GraphqlField(() => Boolean, { description })(prototype, `${key}Set`);
  } else if (!field.refersTo?.through) {
    // A list of references appears only as a link to the resources.
    const nullable = !field.required && !field.requiredInGroup;
    const { about: description, deprecated } = field;
    const options = { nullable, description, ...(deprecated !== undefined && { deprecationReason: deprecated }) };
    GraphqlField(typeOf(field.format), options)(prototype, key);
  }
}

const unions = new Map<string, object>();

/** Returns the union of a lookup's targets. Kinds with the same lookup share a union. */
export function unionOf({ type: { name, about }, to }: Lookup): object {
  const cached = unions.get(name);
  if (cached) return cached;
  const made = createUnionType({ name, description: about, types: () => to.map(({ target }) => target.class) });
  unions.set(name, made);
  return made;
}

/**
 * Returns the union with this name, for the resolvers of features. Called when the schema is built, after all unions
 * are declared. Throws if there is no such union.
 */
export function unionNamed(name: string): object {
  const cached = unions.get(name);
  if (!cached) throw new Error(`no kind has a lookup of type ${name}`);
  return cached;
}
