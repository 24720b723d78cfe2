import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  specifiedRules,
  validate,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

import { documentError } from './present-error';

/** A document that failed validation. */
export class InvalidDocumentError extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super('The document is invalid');
  }
}

// By default, Armor's rules throw instead of reporting, which would hide the errors of other rules.
const REPORTED = {
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, error: GraphQLError): void => {
      // Armor reports its errors as syntax errors.
      context?.reportError(new GraphQLError(error.message.replace(/^Syntax Error: /, '')));
    },
  ],
};

/** Types link to each other in both directions, so a short document could select all data. */
const limitRules: readonly ValidationRule[] = [
  maxDepthRule({ n: 10, ignoreIntrospection: true, ...REPORTED }),
  maxAliasesRule({ n: 30, ...REPORTED }),
  maxDirectivesRule({ n: 50, ...REPORTED }),
];

/** Maximum number of errors that are reported. The suggestions for one error take up to a millisecond. */
const MAX_MISTAKES = 20;

/** Options of the validation of a document. */
interface Rules {
  /** Whether introspection is allowed. */
  readonly discovery: boolean;
  /** Whether errors contain no suggestions for misspelled names. Validation then stops at the first error. */
  readonly hideSuggestions: boolean;
}

/** Validates a document, also against the limits. Throws InvalidDocumentError. */
export function assertValid(
  schema: GraphQLSchema,
  document: DocumentNode,
  { discovery, hideSuggestions }: Rules,
): void {
  const misplaced = misplacedDirectives(document);
  const rules = [...specifiedRules, ...limitRules, ...(discovery ? [] : [NoSchemaIntrospectionCustomRule])];
  const options = { maxErrors: hideSuggestions ? 1 : MAX_MISTAKES, hideSuggestions };
  const errors = misplaced.length > 0 ? misplaced : validate(schema, document, rules, options);
  if (errors.length === 0) return;
  throw new InvalidDocumentError(errors.map((error) => documentError(error, 'GRAPHQL_VALIDATION_FAILED')));
}

/**
 * The root field of a subscription cannot be skipped (GraphQL, 5.2.4.1). graphql 16 does not check this, and fails
 * later.
 */
function misplacedDirectives({ definitions }: DocumentNode): readonly GraphQLError[] {
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  );
  const misplaced: DirectiveNode[] = [];
  const visited = new Set<string>();
  const visitRoot = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      const conditions = selection.directives?.filter(({ name }) => name.value === 'skip' || name.value === 'include');
      misplaced.push(...(conditions ?? []));
      if (selection.kind === Kind.INLINE_FRAGMENT) visitRoot(selection.selectionSet);
      if (selection.kind !== Kind.FRAGMENT_SPREAD || visited.has(selection.name.value)) continue;
      visited.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      if (fragment) visitRoot(fragment.selectionSet);
    }
  };
  for (const each of definitions) {
    if (each.kind === Kind.OPERATION_DEFINITION && each.operation === OperationTypeNode.SUBSCRIPTION)
      visitRoot(each.selectionSet);
  }
  return misplaced.map(
    (node) =>
      new GraphQLError(`@${node.name.value} is not allowed on the root field of a subscription`, { nodes: node }),
  );
}
