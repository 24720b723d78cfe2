import {
  GraphQLError,
  Kind,
  getNamedType,
  getOperationAST,
  isAbstractType,
  isLeafType,
  visit,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';

import { DEFAULT_PAGE } from '../schema/connection';
import type { OperationRequest, Variables } from './operation-request';
import { refusal } from './present-error';
import { chargeVariables, coerceVariables, variablesFor, type CoercedDocuments } from './variables';

/** Maximum number of objects that an operation may return. */
export const MAX_OBJECTS = 10_000;
/** The assumed number of objects of a list without a page size. */
const LIST_SIZE = 5;
/** The cost, in objects, of counting the objects of an operation that is then rejected. */
const COUNTING = 500;
/** The cost of introspection, in objects that take as long. The whole schema takes about 50 ms. */
const INTROSPECTION: Readonly<Record<string, number>> = { __schema: 2000, __type: 400 };

/** The cost of explaining, in objects that take as long: one call takes some 20 statements and 5 ms. */
const EXPLAINED: Readonly<Record<string, number>> = { explainCall: 100, explainNumber: 20, explainAddress: 20 };

/** Counts the objects of a field. */
const countObjects =
  (schema: GraphQLSchema): ComplexityEstimator =>
  ({ field, node, args, childComplexity }) => {
    const introspection = INTROSPECTION[field.name];
    if (introspection !== undefined) return introspection;
    const type = getNamedType(field.type);
    // A value is part of its object, but with aliases an object may have it many times.
    if (isLeafType(type)) return node.alias && field.name !== '__typename' ? 1 : 0;
    const paged = field.args.some(({ name }) => name === 'first');
    const { first, last, ids } = args as { first?: number | null; last?: number | null; ids?: readonly string[] };
    const listed = field.name !== 'nodes' && field.name !== 'edges' && String(field.type).startsWith('[');
    const size = paged ? Math.max(first ?? last ?? DEFAULT_PAGE, 1) : (ids?.length ?? (listed ? LIST_SIZE : 1));
    // A search returns a page of each kind.
    const pages = field.name === 'search' && isAbstractType(type) ? schema.getPossibleTypes(type).length : 1;
    return (EXPLAINED[field.name] ?? 1) + size * pages * childComplexity;
  };

/** An operation to charge for. */
interface Chargeable {
  readonly schema: GraphQLSchema;
  readonly documents: CoercedDocuments;
  readonly document: DocumentNode;
  readonly request: OperationRequest;
  /** The number of objects that the operation may return, if it is known and does not depend on its variables. */
  readonly counted: number | undefined;
  readonly hideSuggestions: boolean;
}

/** An operation that has been charged for. */
interface Charged {
  /** The number of objects that the operation may return. */
  readonly objects: number;
  /** The variables as values of their types. */
  readonly coerced: Variables;
}

/** The variables of an operation do not match their types. */
export class VariablesError extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super('The variables do not match their types');
  }
}

/**
 * Charges for the variables of an operation and for the objects that it may return. Throws VariablesError,
 * GraphQLError if the operation must not run, and the errors of `spend`.
 */
export function chargeOperation(
  { schema, documents, document, request, counted, hideSuggestions }: Chargeable,
  spend: (objects: number) => void,
): Charged {
  const { operationName } = request;
  const variables = request.variables ?? {};
  const operation = getOperationAST(document, operationName);
  if (!operation) throw refusal("operationName must name one of the document's operations", 'BAD_USER_INPUT');
  chargeVariables(document, variables, spend);
  // Also checked for compiled operations, because graphql would report 50 errors, and each message prints the whole
  // variable.
  const { errors, coerced } = coerceVariables(schema, operation, variables, hideSuggestions);
  if (errors) {
    spend(COUNTING);
    throw new VariablesError(errors);
  }
  if (counted !== undefined) {
    spend(counted);
    return { objects: counted, coerced };
  }
  let objects: number;
  try {
    const query = documents.of(document, operationName);
    objects = getComplexity({
      schema: documents.schema,
      query: query.document,
      variables: variablesFor(query, variables, coerced),
      estimators: [countObjects(schema)],
      ...(typeof operationName === 'string' ? { operationName } : {}),
    });
  } catch (error) {
    // An operation whose objects cannot be counted does not run, for example because it is too long after its fragments
    // are expanded.
    spend(COUNTING);
    throw uncountable(error);
  }
  if (objects > MAX_OBJECTS) {
    spend(COUNTING);
    throw tooManyObjects(objects);
  }
  spend(objects);
  return { objects, coerced };
}

/** Whether the number of objects depends on variables, so that it must be counted for each request. */
export function dependsOnVariables(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    // The page size of a connection, the ids of `nodes`, and the condition of @include and @skip.
    Argument: ({ name, value }) => {
      if (value.kind === Kind.VARIABLE && ['first', 'last', 'ids', 'if'].includes(name.value)) found = true;
    },
    // A variable with a default may be null although its argument may not. In this case, the objects of the operation
    // cannot be counted.
    VariableDefinition: ({ defaultValue }) => {
      if (defaultValue) found = true;
    },
  });
  return found;
}

function tooManyObjects(objects: number): GraphQLError {
  return refusal(
    `The query may return ${String(objects)} objects, which is more than ${String(MAX_OBJECTS)}; request smaller pages`,
    'GRAPHQL_VALIDATION_FAILED',
  );
}

function uncountable(error: unknown): GraphQLError {
  const message = error instanceof GraphQLError ? error.message : 'The cost of the query cannot be calculated';
  // The message of graphql contains the argument, which may be a secret.
  return refusal(message.replace(/ has invalid value [^]*/, ' has an invalid value.'), 'BAD_USER_INPUT');
}
