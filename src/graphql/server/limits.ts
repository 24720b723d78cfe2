import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isLeafType,
  visit,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';

import { DEFAULT_PAGE } from '../resources/connection';

/** Tokens of a document. */
export const MAX_TOKENS = 2000;

/** Characters of a document that is remembered: anybody may send documents, each another one and full of comments. */
export const MAX_REMEMBERED = 10_000;

/**
 * Characters of all documents that are remembered in one way. Parsed, a character takes about 130 bytes, compiled about
 * 300.
 */
export const MAX_PARSED = 500_000;
export const MAX_COMPILED = 200_000;

const MAX_OBJECTS = 10_000;
/** Levels of a variable. No input of the schema is that deep but for filters, which have a limit of their own. */
const MAX_VARIABLE_DEPTH = 100;
const LIST_SIZE = 5;
/** What counting the objects of a document costs that is refused for them. */
const COUNTING = 500;

// Armor's rules throw unless they are told to report, and Apollo answers 500 to a rule that throws.
const REPORTED = {
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, error: GraphQLError): void => {
      // It calls them syntax errors.
      context?.reportError(new GraphQLError(error.message.replace(/^Syntax Error: /, '')));
    },
  ],
};

/** What a document may be at most; the graph has links both ways, so that a short one could ask for everything. */
const limitRules: readonly ValidationRule[] = [
  maxDepthRule({ n: 10, ignoreIntrospection: true, ...REPORTED }),
  maxAliasesRule({ n: 30, ...REPORTED }),
  maxDirectivesRule({ n: 50, ...REPORTED }),
]; // Armor's visitors are classes; graphql takes them

const TOO_MANY_TOKENS = /Document contains more tha\w \d+ tokens/;

/** The code of a document that does not parse: one that is too long is not said to be no GraphQL. */
export function parseFailure(message: string): { readonly message: string; readonly code: string } {
  return TOO_MANY_TOKENS.test(message)
    ? { message: `The document has more than ${String(MAX_TOKENS)} tokens`, code: 'GRAPHQL_VALIDATION_FAILED' }
    : { message, code: 'GRAPHQL_PARSE_FAILED' };
}

/** Characters of a document's text; at least 1. */
export function lengthOf({ loc }: DocumentNode): number {
  return Math.max(1, loc?.source.body.length ?? 0);
}

/** The rules for documents beside graphql's own; without discovery, no document may ask for the schema. */
export function rulesFor(discovery: boolean): readonly ValidationRule[] {
  return discovery ? limitRules : [...limitRules, NoSchemaIntrospectionCustomRule];
}

/** A subscription's event cannot be left out (GraphQL, 5.2.4.1); graphql itself stumbles over one that is. */
export function rootDirectivesIn({ definitions }: DocumentNode): readonly GraphQLError[] {
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  );
  const misplaced: DirectiveNode[] = [];
  const seen = new Set<string>();
  const look = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      const named = selection.directives?.filter(({ name }) => name.value === 'skip' || name.value === 'include');
      misplaced.push(...(named ?? []));
      if (selection.kind === Kind.INLINE_FRAGMENT) look(selection.selectionSet);
      if (selection.kind !== Kind.FRAGMENT_SPREAD || seen.has(selection.name.value)) continue;
      seen.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      if (fragment) look(fragment.selectionSet);
    }
  };
  for (const each of definitions) {
    if (each.kind === Kind.OPERATION_DEFINITION && each.operation === OperationTypeNode.SUBSCRIPTION)
      look(each.selectionSet);
  }
  return misplaced.map(
    (node) => new GraphQLError(`@${node.name.value} may not stand at the root of a subscription`, { nodes: node }),
  );
}

/** Objects that introspection takes as long as: the whole schema about 50 ms. */
const INTROSPECTION: Readonly<Record<string, number>> = { __schema: 2000, __type: 400 };

const countObjects: ComplexityEstimator = ({ field, args, childComplexity }) => {
  const introspection = INTROSPECTION[field.name];
  if (introspection !== undefined) return introspection;
  if (isLeafType(getNamedType(field.type))) return 0;
  const paged = field.args.some(({ name }) => name === 'first');
  const { first, last, ids } = args as { first?: number | null; last?: number | null; ids?: readonly string[] };
  const listed = field.name !== 'nodes' && field.name !== 'edges' && String(field.type).startsWith('[');
  const size = paged ? Math.max(first ?? last ?? DEFAULT_PAGE, 1) : (ids?.length ?? (listed ? LIST_SIZE : 1));
  return 1 + size * childComplexity;
};

/** Why a document is not run with these variables; undefined where it may be. */
export function refusalOf(
  schema: GraphQLSchema,
  query: DocumentNode,
  operationName: string | null | undefined,
  variables: Record<string, unknown>,
  /** Told how many objects it may give, or what it cost to refuse it. */
  spend?: (objects: number) => void,
): GraphQLError | undefined {
  const operation = getOperationAST(query, operationName);
  // graphql would say so without a code.
  if (!operation) return refusal("operationName has to name one of the document's operations", 'BAD_USER_INPUT');
  const deep = deepVariable(variables);
  if (deep !== undefined) {
    const message = `Variable "$${deep}" is nested deeper than ${String(MAX_VARIABLE_DEPTH)} levels`;
    return refusal(message, 'BAD_USER_INPUT', { fields: [deep] });
  }
  let objects: number;
  try {
    objects = getComplexity({
      ...{ schema, query, variables, estimators: [countObjects] },
      ...(typeof operationName === 'string' && { operationName }),
    });
  } catch (error) {
    // Variables that do not fit are told by the executor, which then reads nothing. Whatever else cannot be counted,
    // such as a document that is too long with its fragments written out, is not run.
    const fits = getVariableValues(schema, operation.variableDefinitions ?? [], variables).errors === undefined;
    if (!fits) return undefined;
    spend?.(COUNTING);
    return uncountable(error);
  }
  if (objects > MAX_OBJECTS) {
    spend?.(COUNTING);
    return tooManyObjects(objects);
  }
  spend?.(objects);
  return undefined;
}

/** The name of a variable that is nested too deeply: whatever walks through it would run out of stack. */
export function deepVariable(variables: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(variables).find((name) => isDeeper(variables[name], MAX_VARIABLE_DEPTH));
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** Whether variables decide how many objects a document may give, or whether that can be told. */
export function isVariablyLarge(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    // Of a connection, of `nodes`, and of @include and @skip.
    Argument: ({ name, value }) => {
      if (value.kind === Kind.VARIABLE && ['first', 'last', 'ids', 'if'].includes(name.value)) found = true;
    },
    // It may be null where no null may be.
    VariableDefinition: ({ defaultValue }) => {
      if (defaultValue) found = true;
    },
  });
  return found;
}

function tooManyObjects(objects: number): GraphQLError {
  return refusal(
    `The query may give ${String(objects)} objects, which is more than ${String(MAX_OBJECTS)}; ask for smaller pages`,
    'GRAPHQL_VALIDATION_FAILED',
  );
}

function uncountable(error: unknown): GraphQLError {
  const message = error instanceof GraphQLError ? error.message : 'The query cannot be measured';
  // graphql prints the argument, which may hold a secret.
  return refusal(message.replace(/ has invalid value [^]*/, ' has an invalid value.'), 'BAD_USER_INPUT');
}

/** An error of a document that is not run: HTTP's answer to it is 400. */
export function refusal(message: string, code: string, more: Readonly<Record<string, unknown>> = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { code, status: 400, ...more, http: { status: 400 } } });
}
