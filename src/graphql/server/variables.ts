import {
  getOperationAST,
  getVariableValues,
  GraphQLScalarType,
  GraphQLSchema,
  isInputObjectType,
  Kind,
  visit,
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLNamedType,
  type OperationDefinitionNode,
  type TypeNode,
  type VariableDefinitionNode,
} from 'graphql';

import { memoized } from '../../limits/memoized';
import type { Variables } from './operation-request';
import { refusal } from './present-error';

/** Maximum number of levels of a variable. Only filters nest deeply, and a lower limit applies to them (where.ts). */
const MAX_DEPTH = 100;
/**
 * Maximum number of values in all variables, counted once per use of a variable, because each use converts them again.
 * A conversion takes about 10 microseconds.
 */
const MAX_VALUES = 10_000;
/** The values whose conversion takes as long as reading one object. */
const VALUES_PER_OBJECT = 10;
/** Maximum number of errors that are reported. Each message prints the whole variable. */
const MAX_MISTAKES = 10;

/**
 * Charges for the variables of an operation. Throws GraphQLError for a variable that is nested too deeply or has too
 * many values, and the errors of `spend`.
 */
export function chargeVariables(document: DocumentNode, variables: Variables, spend: (objects: number) => void): void {
  let left = MAX_VALUES;
  for (const name in variables) {
    const times = Math.max(1, usesIn(document).get(name) ?? 0);
    const values = countValues(variables[name], MAX_DEPTH, Math.floor(left / times));
    if (values === 'deep') throw refused(name, `is nested deeper than ${String(MAX_DEPTH)} levels`);
    if (values === 'many') {
      spend(MAX_VALUES / VALUES_PER_OBJECT);
      throw refused(
        name,
        `has too many values: all variables together may have ${String(MAX_VALUES)}, counted once per use`,
      );
    }
    left -= values * times;
  }
  spend(Math.floor((MAX_VALUES - left) / VALUES_PER_OBJECT));
}

function refused(name: string, message: string): GraphQLError {
  return refusal(`Variable "$${name}" ${message}`, 'BAD_USER_INPUT', {
    fields: [name],
    errors: [{ path: name, message }],
  });
}

/**
 * Returns the variables as values of their types, or the errors of those that do not match: at most MAX_MISTAKES and
 * one that says that there are more.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
  hideSuggestions: boolean,
): ReturnType<typeof getVariableValues> {
  const upTo = (maxErrors: number): ReturnType<typeof getVariableValues> =>
    getVariableValues(schema, variableDefinitions, variables, { maxErrors, hideSuggestions });
  // Nearly all variables are valid, so this first checks whether there is any error.
  const first = upTo(1);
  return first.errors ? upTo(MAX_MISTAKES) : first;
}

const COERCED = new GraphQLScalarType({ name: 'Coerced' });
// No name of GraphQL, so that no document can have a variable of this type.
const COERCED_NAME = ' coerced';

/** A schema that also finds COERCED by its name, and does not list it in introspection. */
class SchemaWithCoerced extends GraphQLSchema {
  override getType(name: string): GraphQLNamedType | undefined {
    return name === COERCED_NAME ? COERCED : super.getType(name);
  }
}

/** A document that expects some variables as values of their types, and the others as they were sent. */
interface CoercedDocument {
  readonly document: DocumentNode;
  /** The names of those variables of the operation. */
  readonly coerce: readonly string[];
}

/**
 * Documents whose input objects are not coerced again: to coerce a variable of 1,000 changes takes 30 ms. It also lets
 * operations be compiled without their input objects. graphql-jit generates a function for every use of an input type,
 * which takes seconds and hundreds of megabytes for a recursive type such as `AgentWhere`.
 */
export class CoercedDocuments {
  /** The schema in which these documents are executed. */
  readonly schema: GraphQLSchema;
  private readonly replace = memoized((document: DocumentNode): DocumentNode => {
    const type: TypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: COERCED_NAME } };
    return visit(document, {
      VariableDefinition: (each) =>
        this.isInput(each) ? { kind: each.kind, variable: each.variable, type } : undefined,
    });
  });

  constructor(private readonly given: GraphQLSchema) {
    this.schema = new SchemaWithCoerced({ ...given.toConfig(), assumeValid: true });
  }

  of(document: DocumentNode, operationName: string | null | undefined): CoercedDocument {
    const { variableDefinitions = [] } = getOperationAST(document, operationName) ?? {};
    const coerce = variableDefinitions.filter((each) => this.isInput(each)).map(({ variable }) => variable.name.value);
    return { document: coerce.length > 0 ? this.replace(document) : document, coerce };
  }

  private isInput({ type: node }: VariableDefinitionNode): boolean {
    return isInputObjectType(this.given.getType(nameOf(node)));
  }
}

function nameOf(node: TypeNode): string {
  return node.kind === Kind.NAMED_TYPE ? node.name.value : nameOf(node.type);
}

/** The variables for a document that expects those named `coerce` as values of their types, which `coerced` has. */
export function variablesFor(
  { coerce }: Pick<CoercedDocument, 'coerce'>,
  sent: Variables,
  coerced: Variables,
): Variables {
  const variables = { ...sent };
  for (const name of coerce) {
    if (Object.hasOwn(coerced, name)) variables[name] = coerced[name];
  }
  return variables;
}

/** The names of the variables in a part of a document, once per use. */
export function variablesIn(node: ASTNode): readonly string[] {
  const names: string[] = [];
  visit(node, { VariableDefinition: () => false, Variable: ({ name }) => void names.push(name.value) });
  return names;
}

/** The number of uses of each variable. */
const usesIn = memoized((document: DocumentNode): ReadonlyMap<string, number> => {
  const counted = new Map<string, number>();
  for (const name of variablesIn(document)) counted.set(name, (counted.get(name) ?? 0) + 1);
  return counted;
});

/**
 * Returns the number of values in a value, including the value itself; `many` if there are more than `most`, and `deep`
 * if there are more than `levels` levels.
 */
function countValues(value: unknown, levels: number, most: number): number | 'deep' | 'many' {
  if (most < 1) return 'many';
  if (typeof value !== 'object' || value === null) return 1;
  if (levels === 0) return 'deep';
  let count = 1;
  for (const each of Object.values(value)) {
    const within = countValues(each, levels - 1, most - count);
    if (typeof within === 'string') return within;
    count += within;
  }
  return count;
}
