import { parse, visit, type DocumentNode, type FieldNode } from 'graphql';

/** Tokens of a document without a token: the whole introspection query has 190. */
const MAX_OPEN_TOKENS = 500;

const OPEN_FIELDS = ['createToken', '__schema', '__type', '__typename'];

const ROOTS = ['Query', 'Mutation', 'Subscription'];

/** Fields of an introspected type that give one type, and so multiply nothing. */
const SINGLE = ['type', 'ofType'];

/** Whether everybody may ask for a document; decided without the schema. */
export function isOpenText(text: string): boolean {
  try {
    return isOpen(parse(text, { maxTokens: MAX_OPEN_TOKENS, noLocation: true }));
  } catch {
    return false;
  }
}

/** Whether a document asks only for what needs no token: signing in, and the schema. */
export function isOpen(document: DocumentNode): boolean {
  return rootFields(document).every(({ name }) => OPEN_FIELDS.includes(name.value)) && repeatsNothing(document);
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
