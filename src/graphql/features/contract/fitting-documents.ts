import {
  FieldsOnCorrectTypeRule,
  FragmentsOnCompositeTypesRule,
  GraphQLError,
  Kind,
  KnownArgumentNamesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  OperationTypeNode,
  parse,
  PossibleFragmentSpreadsRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  validate,
  ValuesOfCorrectTypeRule,
  VariablesAreInputTypesRule,
  type DocumentNode,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';

import type { Role } from '../../../auth/role';
import { assertDocuments, type TrustedDocument } from '../../../auth/trusted-documents';
import { InvalidInputError } from '../../../errors';

/** Maximum number of tokens of a document, as of the document of a request. */
const MAX_TOKENS = 2000;

/** Rules that take time in proportion to the length of a document, and are broken by most that do not fit the schema. */
const RULES = [
  KnownTypeNamesRule,
  FragmentsOnCompositeTypesRule,
  VariablesAreInputTypesRule,
  ScalarLeafsRule,
  FieldsOnCorrectTypeRule,
  KnownFragmentNamesRule,
  PossibleFragmentSpreadsRule,
  KnownArgumentNamesRule,
  ValuesOfCorrectTypeRule,
  ProvidedRequiredArgumentsRule,
];

/** The mutations that do not require the role of an operator. */
const MUTATIONS_OF_VIEWERS = new Set(['__typename', 'createToken', 'startExport', 'cancelExport']);

/** What documents are checked against, and who pays for that, in objects. */
interface Check {
  readonly schema: GraphQLSchema;
  readonly spend: (objects: number) => void;
}

/**
 * Returns the documents of an API token with their names. Throws InvalidInputError for too many or too long texts, for one
 * that is not a document with an operation or has a mutation that the role of the token may not send, and, with `check`, for one
 * that does not fit the schema. All rules are checked when it is sent.
 */
export function trustedDocuments(texts: readonly string[], role: Role, check?: Check): readonly TrustedDocument[] {
  // First, because parsing takes time.
  assertDocuments(texts);
  return texts.map((text, index) => {
    const document = parseDocument(text, index);
    const name = namesIn(document);
    if (name === '') throw InvalidInputError.of('documents', `documents[${String(index)}] has no operation`);
    if (check) assertFits(document, index, check);
    if (role === 'viewer') assertForViewers(document, index);
    return { name, text };
  });
}

function assertFits(document: DocumentNode, index: number, { schema, spend }: Check): void {
  // As for the validation of a request: an object for each token.
  let tokens = 0;
  for (let token = document.loc?.startToken.next; token; token = token.next) tokens++;
  spend(tokens);
  const [error] = validate(schema, document, RULES, { maxErrors: 1, hideSuggestions: true });
  if (!error) return;
  throw InvalidInputError.of('documents', `documents[${String(index)}] does not fit the schema${placeOf(error)}`);
}

/** A token that is refused each time is a mistake of who makes it. */
function assertForViewers({ definitions }: DocumentNode, index: number): void {
  for (const each of definitions) {
    if (each.kind !== Kind.OPERATION_DEFINITION && each.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const isMutation =
      each.kind === Kind.OPERATION_DEFINITION
        ? each.operation === OperationTypeNode.MUTATION
        : each.typeCondition.name.value === 'Mutation';
    const name = isMutation ? fieldsIn(each.selectionSet).find((field) => !MUTATIONS_OF_VIEWERS.has(field)) : undefined;
    if (name === undefined) continue;
    const place = `documents[${String(index)}]`;
    throw InvalidInputError.of(
      'documents',
      `${place} has the mutation ${name}, which a token with the role VIEWER may not send`,
    );
  }
}

/** The names of the fields of a selection, without those of named fragments. */
function fieldsIn({ selections }: SelectionSetNode): readonly string[] {
  return selections.flatMap((each) => {
    if (each.kind === Kind.FIELD) return [each.name.value];
    return each.kind === Kind.INLINE_FRAGMENT ? fieldsIn(each.selectionSet) : [];
  });
}

function placeOf({ locations }: GraphQLError): string {
  const [place] = locations ?? [];
  return place ? ` (line ${String(place.line)}, column ${String(place.column)})` : '';
}

function parseDocument(text: string, index: number): DocumentNode {
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (!(error instanceof GraphQLError) && !(error instanceof RangeError)) throw error;
    // The message of graphql contains a part of the document, which may be a secret.
    const where = error instanceof GraphQLError ? placeOf(error) : '';
    throw InvalidInputError.of('documents', `documents[${String(index)}] is not a GraphQL document${where}`);
  }
}

/** The operations of a document, such as `query Health, mutation Create`. */
function namesIn({ definitions }: DocumentNode): string {
  return definitions
    .flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? [`${each.operation} ${each.name?.value ?? ''}`] : []))
    .map((name) => name.trim())
    .join(', ');
}
