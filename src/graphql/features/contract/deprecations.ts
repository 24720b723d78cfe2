import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';

import { memoized } from '../../../limits/memoized';

/**
 * Returns a function that finds the deprecated fields, arguments, and literal values of enums and input fields in a valid document,
 * each once, such as `Gateway.host` or `Query.dids(filter:)`. A document is looked at once, and none if nothing is deprecated.
 */
export function deprecationsOf(schema: GraphQLSchema): (document: DocumentNode) => readonly string[] {
  return hasDeprecations(schema) ? memoized((document) => deprecatedIn(schema, document)) : () => [];
}

function hasDeprecations(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some((type) => {
    // The types of the schema itself have names with two underscores.
    if (type.name.startsWith('__')) return false;
    if (isEnumType(type)) return type.getValues().some(isDeprecated);
    if (isInputObjectType(type)) return Object.values(type.getFields()).some(isDeprecated);
    if (!isObjectType(type) && !isInterfaceType(type)) return false;
    return Object.values(type.getFields()).some((field) => isDeprecated(field) || field.args.some(isDeprecated));
  });
}

function isDeprecated({ deprecationReason }: { readonly deprecationReason?: string | null | undefined }): boolean {
  return typeof deprecationReason === 'string';
}

function deprecatedIn(schema: GraphQLSchema, document: DocumentNode): readonly string[] {
  const found = new Set<string>();
  const info = new TypeInfo(schema);
  const fieldName = (): string => `${info.getParentType()?.name ?? ''}.${info.getFieldDef()?.name ?? ''}`;
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: () => {
        const field = info.getFieldDef();
        if (field && isDeprecated(field)) found.add(fieldName());
      },
      Argument: ({ name }) => {
        const argument = info.getArgument();
        if (argument && isDeprecated(argument)) found.add(`${fieldName()}(${name.value}:)`);
      },
      EnumValue: ({ value }) => {
        const type = info.getInputType();
        const given = info.getEnumValue();
        if (given && isDeprecated(given)) found.add(`${String(type).replace(/[[\]!]/g, '')}.${value}`);
      },
      ObjectField: ({ name }) => {
        const parent = info.getParentInputType();
        const field = isInputObjectType(parent) ? parent.getFields()[name.value] : undefined;
        if (isInputObjectType(parent) && field && isDeprecated(field)) found.add(`${parent.name}.${name.value}`);
      },
    }),
  );
  return [...found].sort();
}
