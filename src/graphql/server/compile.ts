import {
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  getOperationAST,
  getVariableValues,
  isInputObjectType,
  visit,
  type DocumentNode,
  type TypeNode,
  type VariableDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';

import type { Variables } from './operation-request';

/** The compiled form of an operation. */
export interface CompiledOperation {
  readonly query: CompiledQuery['query'];
  /** Prepares variables for `query`. */
  readonly coerce: (variables: Variables) => Variables;
}

const COERCED = new GraphQLScalarType({ name: 'Coerced' });

/**
 * Compiles operations, except for their input objects. graphql-jit generates a function for every use of an input type,
 * which takes seconds and hundreds of megabytes for a recursive type such as `AgentWhere`. graphql coerces a value in
 * microseconds.
 */
export class OperationCompiler {
  private readonly withCoerced: GraphQLSchema;

  constructor(private readonly schema: GraphQLSchema) {
    const config = schema.toConfig();
    this.withCoerced = new GraphQLSchema({ ...config, types: [...config.types, COERCED], assumeValid: true });
  }

  /** Returns undefined for an operation that graphql-jit cannot compile. */
  compile(document: DocumentNode, operationName: string | undefined): CompiledOperation | undefined {
    const inputs = getOperationAST(document, operationName)?.variableDefinitions?.filter((each) => this.isInput(each));
    const replaced = inputs?.length ? visit(document, { VariableDefinition: (each) => this.coerced(each) }) : document;
    const compiled = compileQuery(this.withCoerced, replaced, operationName, { disablingCapturingStackErrors: true });
    if (!isCompiledQuery(compiled)) return undefined;
    return { query: compiled.query, coerce: inputs?.length ? (values) => this.coerce(inputs, values) : (same) => same };
  }

  private coerce(inputs: readonly VariableDefinitionNode[], variables: Variables): Variables {
    return { ...variables, ...getVariableValues(this.schema, inputs, variables).coerced };
  }

  private coerced(definition: VariableDefinitionNode): VariableDefinitionNode | undefined {
    if (!this.isInput(definition)) return undefined;
    const type: TypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: COERCED.name } };
    return { kind: definition.kind, variable: definition.variable, type };
  }

  private isInput({ type: node }: VariableDefinitionNode): boolean {
    return isInputObjectType(this.schema.getType(nameOf(node)));
  }
}

function nameOf(node: TypeNode): string {
  return node.kind === Kind.NAMED_TYPE ? node.name.value : nameOf(node.type);
}
