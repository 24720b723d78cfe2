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

/** Finds what a document uses of the schema that is deprecated. */
export class Deprecations {
  /** Whether anything is deprecated: otherwise no document is looked at. */
  private readonly exist: boolean;
  private readonly known = new WeakMap<DocumentNode, readonly string[]>();

  constructor(private readonly schema: GraphQLSchema) {
    this.exist = hasDeprecations(schema);
  }

  /**
   * Returns the deprecated fields, arguments, and literal values of enums and input fields in a valid document, each once,
   * such as `Gateway.host` or `Query.dids(filter:)`. A document is looked at once.
   */
  in(document: DocumentNode): readonly string[] {
    if (!this.exist) return [];
    const known = this.known.get(document);
    if (known) return known;
    const found = deprecatedIn(this.schema, document);
    this.known.set(document, found);
    return found;
  }
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
