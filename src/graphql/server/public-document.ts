import { BREAK, Kind, OperationTypeNode, parse, visit, type DocumentNode, type FieldNode } from 'graphql';

/**
 * Maximum number of tokens of a document in a request without an access token. The full introspection query has 190.
 */
const MAX_PUBLIC_TOKENS = 500;

const SCHEMA_FIELDS = ['__schema', '__type'];

const PUBLIC_FIELDS = ['createToken', '__typename', ...SCHEMA_FIELDS];

const ROOTS = ['Query', 'Mutation', 'Subscription'];

/** Fields of an introspected type that return a single type: nesting them does not multiply the result. */
const SINGLE = ['type', 'ofType'];

/** Parses a document that needs no access token. Returns undefined for any other document. Does not use the schema. */
export function publicDocument(text: string): DocumentNode | undefined {
  try {
    const document = parse(text, { maxTokens: MAX_PUBLIC_TOKENS, noLocation: true });
    return isPublic(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a document needs no access token: it signs in, or selects the schema. The schema may not be selected with
 * aliases, which no tool uses and which would let a short document select the same many times.
 */
export function isPublic(document: DocumentNode): boolean {
  const roots = rootFields(document).map(({ name }) => name.value);
  if (!roots.every((name) => PUBLIC_FIELDS.includes(name)) || !repeatsNothing(document)) return false;
  return !roots.some((name) => SCHEMA_FIELDS.includes(name)) || !hasAliases(document);
}

/** Whether a document selects only the schema: every caller gets the same result until the server restarts. */
export function isIntrospection(document: DocumentNode): boolean {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (operations.length !== 1 || operation?.operation !== OperationTypeNode.QUERY || !isPublic(document)) return false;
  return rootFields(document).some(({ name }) => SCHEMA_FIELDS.includes(name.value));
}

/** Returns the root fields of every operation, and of every fragment on a root type. */
function rootFields(document: DocumentNode): readonly FieldNode[] {
  const fields: FieldNode[] = [];
  visit(document, {
    FragmentDefinition: ({ typeCondition }) => (ROOTS.includes(typeCondition.name.value) ? undefined : false),
    Field: (field) => {
      fields.push(field);
      return false;
    },
  });
  return fields;
}

function hasAliases(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field: ({ alias }) => {
      if (!alias) return undefined;
      found = true;
      return BREAK;
    },
  });
  return found;
}

/**
 * Whether each field that returns objects is selected at most once, or twice for `args`, as in the introspection query.
 * Aliases and nesting can then multiply neither sign-ins nor introspected types.
 */
function repeatsNothing(document: DocumentNode): boolean {
  const times = new Map<string, number>();
  visit(document, {
    Field: ({ name: { value: name }, selectionSet }) => {
      if (selectionSet && !SINGLE.includes(name)) times.set(name, (times.get(name) ?? 0) + 1);
    },
  });
  return [...times].every(([name, count]) => count <= (name === 'args' ? 2 : 1));
}
