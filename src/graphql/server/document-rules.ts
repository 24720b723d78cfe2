import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  specifiedRules,
  validate,
  type ASTVisitor,
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

import { documentError } from './present-error';

/** A document that failed validation. */
export class InvalidDocumentError extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super('The document is invalid');
  }
}

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
  const rules = [...specifiedRules, limitRule, ...(discovery ? [] : [NoSchemaIntrospectionCustomRule])];
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
  const fragments = fragmentsOf(definitions);
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

function fragmentsOf(definitions: DocumentNode['definitions']): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  );
}

/** What counts against the limits of an operation. */
interface Size {
  /** Levels of fields, through fragments. */
  readonly depth: number;
  /** Levels of fields and of fragments. */
  readonly nesting: number;
  /** Fields and fragments, those of a fragment as often as it is spread. Whoever expands them takes time for each. */
  readonly selections: number;
  readonly aliases: number;
  readonly directives: number;
}

const LIMITS: Size = { depth: 10, nesting: 50, selections: 10_000, aliases: 30, directives: 50 };
const TITLES: Readonly<Record<keyof Size, string>> = {
  depth: 'Query depth',
  nesting: 'Nesting',
  selections: 'Selections',
  aliases: 'Aliases',
  directives: 'Directives',
};
const NOTHING: Size = { depth: 0, nesting: 0, selections: 0, aliases: 0, directives: 0 };

/** Returns a function that measures selections, with what their fragments add wherever they are spread. */
function measure(
  fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined,
): (set: SelectionSetNode) => Size {
  const sizes = new Map<string, Size>();

  const ofFragment = (name: string): Size => {
    const cached = sizes.get(name);
    if (cached) return cached;
    // A fragment that spreads itself is an error of another rule.
    sizes.set(name, NOTHING);
    const fragment = fragmentOf(name);
    if (!fragment) return NOTHING;
    const below = ofSet(fragment.selectionSet);
    const size = { ...below, directives: below.directives + (fragment.directives?.length ?? 0) };
    sizes.set(name, size);
    return size;
  };

  const ofSet = ({ selections }: SelectionSetNode): Size => {
    let { depth, nesting, selections: count, aliases, directives } = NOTHING;
    for (const each of selections) {
      const below =
        each.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(each.name.value)
          : each.selectionSet
            ? ofSet(each.selectionSet)
            : NOTHING;
      // The usual introspection is deeper than any other query.
      if (each.kind !== Kind.FIELD) depth = Math.max(depth, below.depth);
      else if (each.name.value !== '__schema') depth = Math.max(depth, below.depth + 1);
      nesting = Math.max(nesting, below.nesting + 1);
      count += below.selections + 1;
      aliases += below.aliases + (isAliased(each) ? 1 : 0);
      directives += below.directives + (each.directives?.length ?? 0);
    }
    return { depth, nesting, selections: count, aliases, directives };
  };
  return ofSet;
}

/** Returns the number of fields and fragments of a valid document, those of a fragment as often as it is spread. */
export function selectionsOf({ definitions }: DocumentNode): number {
  const fragments = fragmentsOf(definitions);
  const ofSet = measure((name) => fragments.get(name));
  return definitions.reduce(
    (sum, each) => sum + (each.kind === Kind.OPERATION_DEFINITION ? ofSet(each.selectionSet).selections : 0),
    0,
  );
}

/**
 * Limits the size of each operation. Types link to each other in both directions, so a short document could select all
 * data.
 */
function limitRule(context: ValidationContext): ASTVisitor {
  const ofSet = measure((name) => context.getFragment(name));
  return {
    OperationDefinition: ({ selectionSet, directives = [] }) => {
      const size = ofSet(selectionSet);
      const found = { ...size, directives: size.directives + directives.length };
      for (const each of ['depth', 'nesting', 'selections', 'aliases', 'directives'] as const) {
        if (found[each] <= LIMITS[each]) continue;
        const message = `${TITLES[each]} limit of ${String(LIMITS[each])} exceeded, found ${String(found[each])}.`;
        context.reportError(new GraphQLError(message));
      }
    },
  };
}

/** Whether a field has an alias. Clients add `__typename` themselves. */
function isAliased(node: SelectionNode): boolean {
  return (
    node.kind === Kind.FIELD &&
    node.alias !== undefined &&
    node.alias.value !== '__typename' &&
    node.name.value !== '__typename'
  );
}
