import { isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

import type { Context } from './context';

type Metadata = ReturnType<typeof getMetadataStorage>;
type Declared = Metadata['queries'][number] | Metadata['fieldResolvers'][number];
type Parameter = NonNullable<Declared['params']>[number];
type Resolve = GraphQLFieldResolver<unknown, Context, Record<string, unknown>>;

/**
 * Makes queries, mutations and fields call the methods of their resolver classes directly, and fields without a method
 * read the property with their name. By default, TypeGraphQL calls middleware for each property, and sorts the
 * parameters and converts the arguments to instances of their classes, again for each object of a list. The resolvers
 * only read arguments, so they need no instances. Subscriptions, which start rarely, are left to TypeGraphQL.
 */
export function callDirectly(schema: GraphQLSchema): void {
  const { queries, mutations, fieldResolvers, objectTypes, interfaceTypes } = getMetadataStorage();
  const instances = new Map<Declared['target'], object>();
  const callOf = (declared: Declared): Resolve => {
    const instance = instances.get(declared.target) ?? (Reflect.construct(declared.target, []) as object);
    instances.set(declared.target, instance);
    return direct(instance, declared);
  };
  for (const type of objectTypes) {
    const computed = fieldResolvers.filter(({ kind, target }) => kind === 'internal' && inherits(type, target));
    const fields = [...objectTypes, ...interfaceTypes].flatMap((each) =>
      inherits(type, each.target) ? (each.fields ?? []) : [],
    );
    for (const { name, schemaName } of fields)
      if (name === schemaName && !computed.some(({ methodName }) => methodName === name))
        setResolver(schema, type.name, schemaName, undefined);
  }
  for (const query of queries) setResolver(schema, 'Query', query.schemaName, callOf(query));
  for (const mutation of mutations) setResolver(schema, 'Mutation', mutation.schemaName, callOf(mutation));
  for (const field of fieldResolvers) {
    const { kind, getObjectType, schemaName } = field;
    const type = objectTypes.find(({ target }) => target === getObjectType?.());
    if (kind === 'external' && type) setResolver(schema, type.name, schemaName, callOf(field));
  }
}

function setResolver(schema: GraphQLSchema, typeName: string, fieldName: string, resolve: Resolve | undefined): void {
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (!field) return;
  if (resolve) field.resolve = resolve;
  else delete field.resolve;
}

/** Whether a type has the fields of a class: its own, one that it extends, or an interface. */
function inherits(
  { target, interfaceClasses = [] }: Metadata['objectTypes'][number],
  other: Declared['target'],
): boolean {
  return target === other || (target.prototype as object) instanceof other || interfaceClasses.includes(other);
}

function direct(instance: object, { methodName, params = [] }: Declared): Resolve {
  const method = Reflect.get(instance, methodName) as (...values: unknown[]) => unknown; // declared by its decorator
  const values = [...params].sort((a, b) => a.index - b.index).map(valueOf);
  return (...call) =>
    method.apply(
      instance,
      values.map((value) => value(...call)),
    );
}

/** How to get the value of a parameter of a resolver method. */
function valueOf(parameter: Parameter): Resolve {
  switch (parameter.kind) {
    case 'root':
      return (root) => root;
    case 'args':
      return (_root, args) => args;
    case 'arg':
      return (_root, args) => args[parameter.name];
    case 'context':
      return (_root, _args, context) => context;
    case 'info':
      return (_root, _args, _context, info) => info;
    default:
      throw new Error(`a resolver has a parameter of an unsupported kind: ${parameter.kind}`);
  }
}
