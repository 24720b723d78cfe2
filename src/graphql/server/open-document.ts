import { BREAK, Kind, OperationTypeNode, parse, visit, type DocumentNode, type FieldNode } from 'graphql';

/** Tokens of a document without a token: the whole introspection query has 190. */
const MAX_OPEN_TOKENS = 500;

const SCHEMA_FIELDS = ['__schema', '__type'];

const OPEN_FIELDS = ['createToken', '__typename', ...SCHEMA_FIELDS];

const ROOTS = ['Query', 'Mutation', 'Subscription'];

/** Fields of an introspected type that give one type, and so multiply nothing where they have no alias. */
const SINGLE = ['type', 'ofType'];

/** A document that everybody may ask for, without comments; undefined for any other. Decided without the schema. */
export function openDocument(text: string): DocumentNode | undefined {
  try {
    const document = parse(text, { maxTokens: MAX_OPEN_TOKENS, noLocation: true });
    return isOpen(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a document asks only for what needs no token: signing in, and the schema. No introspection query of a tool has
 * an alias; with them, a short document would ask for the same again and again.
 */
export function isOpen(document: DocumentNode): boolean {
  const roots = rootFields(document).map(({ name }) => name.value);
  if (!roots.every((name) => OPEN_FIELDS.includes(name)) || !repeatsNothing(document)) return false;
  return !roots.some((name) => SCHEMA_FIELDS.includes(name)) || !hasAliases(document);
}

/** Whether all that a document asks for is the schema: everybody gets the same answer as long as the server runs. */
export function isIntrospection(document: DocumentNode): boolean {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (operations.length !== 1 || operation?.operation !== OperationTypeNode.QUERY || !isOpen(document)) return false;
  return rootFields(document).some(({ name }) => SCHEMA_FIELDS.includes(name.value));
}

/** The root fields of every operation, and of every fragment that may hold some. */
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
 * Whether each object is asked for once (`args` twice, as in the introspection query), so that aliases and nesting
 * multiply neither sign-ins nor introspected types.
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
