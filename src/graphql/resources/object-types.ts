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

import { Agent } from '../../model/agent';
import type { Format } from '../../model/format/format';
import type { Field } from '../../model/kind';
import { kinds } from '../../model/kinds';
import { Peer } from '../../model/peer';

export const KindEnum = Object.fromEntries(kinds.map(({ name }) => [name, name]));
registerEnumType(KindEnum, {
  name: 'ResourceKind',
  description: 'What a resource is.',
  valuesConfig: Object.fromEntries(kinds.map(({ name, about }) => [name, { description: about }])),
});

/** Relay's Node. */
@InterfaceType({ description: 'Anything with an id that is unique in the whole graph (Relay).' })
export abstract class Node {
  @GraphqlField(() => ID, { description: 'Opaque and unique in the whole graph: the argument of node and nodes.' })
  id!: string;
}

/** What every kind has. */
@InterfaceType('Resource', { implements: Node, description: 'What every kind of resource has.' })
export abstract class ResourceInterface extends Node {
  @GraphqlField(() => String, { description: 'Reference, unique within its kind; generated unless it is given.' })
  ref!: string;

  @GraphqlField(() => String, { description: "Version of the resources' shape: v1beta1." })
  apiVersion!: string;

  @GraphqlField(() => KindEnum, { description: 'What the resource is.' })
  kind!: string;

  @GraphqlField(() => GraphQLISODateTime, { description: 'When the resource was created.' })
  createdOn!: number;

  @GraphqlField(() => GraphQLISODateTime, { description: 'When the resource was last changed.' })
  modifiedOn!: number;
}

const enums = new Map<string, Record<string, string>>();

/** The GraphQL type of a declared value. */
export function typeOf(format: Format): Parameters<typeof GraphqlField>[0] & (() => unknown) {
  const { schema } = format;
  if (format.choice) {
    const choices = enumOf(format, format.choice);
    return () => choices;
  }
  if (schema.type === 'array') return () => [String];
  if (schema.type === 'integer') return () => Int;
  return schema.type === 'boolean' ? () => Boolean : () => String;
}

function enumOf({ schema }: Format, { name, about }: NonNullable<Format['choice']>): Record<string, string> {
  const known = enums.get(name);
  if (known) return known;
  const values = Object.fromEntries((schema.enum ?? []).map((value) => [value.toUpperCase(), value]));
  registerEnumType(values, {
    name,
    description: about,
    valuesConfig: Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, { description: `${value}, as REST writes it.` }]),
    ),
  });
  enums.set(name, values);
  return values;
}

/** Makes object types of the kinds' classes: their fields but for the secrets, which are write-only. */
export function declareObjectTypes(): void {
  for (const kind of kinds) {
    const options = { implements: [Node, ResourceInterface], simpleResolvers: true, description: kind.about };
    ObjectType(kind.name, options)(kind.class);
    for (const field of kind.fields) if (field.keys.length === 1) declareField(kind.class, field);
    for (const { name, class: type, about } of kind.groups) {
      GraphqlField(() => type, { nullable: true, description: about })(kind.class.prototype as object, name);
    }
  }
  // Kinds may have a group in common.
  for (const { class: type, about, fields } of groupsByClass.values()) {
    ObjectType(type.name, { simpleResolvers: true, description: about })(type);
    for (const field of fields) declareField(type, field);
  }
}

/** The groups of all kinds, each once. */
export const groupsByClass = new Map(kinds.flatMap((kind) => kind.groups.map((group) => [group.class, group])));

function declareField(type: new () => object, field: Field): void {
  const key = field.keys.at(-1) ?? field.name;
  const prototype = type.prototype as object;
  if (field.secret) {
    const description = `Whether a ${key} is set; the ${key} itself is never shown.`;
    GraphqlField(() => Boolean, { description })(prototype, `${key}Set`);
  } else if (!field.refersTo?.through) {
    // A list of references is shown as the resources themselves, by a link.
    const nullable = !field.required && !field.requiredInGroup;
    GraphqlField(typeOf(field.format), { nullable, description: field.about })(prototype, key);
  }
}

/** What the address of record of a number names. */
export const Target = createUnionType({
  name: 'Target',
  description: 'What the address of record of a number names: an Agent in one of its domains, else a Peer.',
  types: () => [Agent, Peer] as const,
});
