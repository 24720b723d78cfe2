import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  GraphQLError,
  getNamedType,
  isLeafType,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';

import { DEFAULT_PAGE } from './connection';

/** Tokens of a document. */
export const MAX_TOKENS = 2000;

const MAX_OBJECTS = 10_000;
const LIST_SIZE = 5;

// Armor's rules throw unless they are told to report, and Apollo answers 500 to a rule that throws.
const REPORTED = {
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, error: GraphQLError): void => {
      context?.reportError(error);
    },
  ],
};

/** What a document may be at most; the graph has links both ways, so that a short one could ask for everything. */
export const limitRules: readonly ValidationRule[] = [
  maxDepthRule({ n: 10, ignoreIntrospection: true, ...REPORTED }),
  maxAliasesRule({ n: 30, ...REPORTED }),
  maxDirectivesRule({ n: 50, ...REPORTED }),
]; // Armor's visitors are classes; graphql takes them

const countObjects: ComplexityEstimator = ({ field, args, childComplexity }) => {
  if (isLeafType(getNamedType(field.type))) return 0;
  const paged = field.args.some(({ name }) => name === 'first');
  const { first, last } = args as { first?: number | null; last?: number | null };
  const listed = field.name !== 'nodes' && field.name !== 'edges' && String(field.type).startsWith('[');
  const size = paged ? Math.max(first ?? last ?? DEFAULT_PAGE, 1) : listed ? LIST_SIZE : 1;
  return 1 + size * childComplexity;
};

/** How many objects a document may give, sizes of lists multiplied; and whether that is within the limit. */
export function costOf(
  schema: GraphQLSchema,
  query: DocumentNode,
  operationName: string | null | undefined,
  variables: Record<string, unknown>,
): { readonly objects: number; readonly affordable: boolean } {
  const objects = complexityOf(schema, query, operationName, variables);
  return { objects, affordable: objects <= MAX_OBJECTS };
}

/** The refusal of a document that may give too many objects. */
export function tooManyObjects(objects: number): GraphQLError {
  return new GraphQLError(
    `The query may give ${String(objects)} objects, which is more than ${String(MAX_OBJECTS)}; ask for smaller pages`,
    { extensions: { code: 'GRAPHQL_VALIDATION_FAILED', status: 400, http: { status: 400 } } },
  );
}

function complexityOf(
  schema: GraphQLSchema,
  query: DocumentNode,
  operationName: string | null | undefined,
  variables: Record<string, unknown>,
): number {
  try {
    return getComplexity({
      ...{ schema, query, variables, estimators: [countObjects] },
      ...(typeof operationName === 'string' && { operationName }),
    });
  } catch {
    // The variables do not fit; the executor says so, and nothing is read.
    return 0;
  }
}
