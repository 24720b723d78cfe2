import {
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  getOperationAST,
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
  /** The names of the variables that `query` expects as values of their types. It expects the others as they were sent. */
  readonly coerce: readonly string[];
}

/** Returns the variables for the query of a compiled operation. `coerced` has them as values of their types. */
export function variablesFor(operation: CompiledOperation, sent: Variables, coerced: Variables): Variables {
  const variables = { ...sent };
  for (const name of operation.coerce) if (Object.hasOwn(coerced, name)) variables[name] = coerced[name];
  return variables;
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
    const { variableDefinitions = [] } = getOperationAST(document, operationName) ?? {};
    const coerced = variableDefinitions.filter((each) => this.isInput(each)).map(({ variable }) => variable.name.value);
    const replaced =
      coerced.length > 0 ? visit(document, { VariableDefinition: (each) => this.coerced(each) }) : document;
    const compiled = compileQuery(this.withCoerced, replaced, operationName, { disablingCapturingStackErrors: true });
    return isCompiledQuery(compiled) ? { query: compiled.query, coerce: coerced } : undefined;
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
