import {
  FieldsOnCorrectTypeRule,
  FragmentsOnCompositeTypesRule,
  GraphQLError,
  Kind,
  KnownArgumentNamesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  parse,
  PossibleFragmentSpreadsRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  validate,
  ValuesOfCorrectTypeRule,
  VariablesAreInputTypesRule,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';

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

/** What documents are checked against, and who pays for that, in objects. */
interface Check {
  readonly schema: GraphQLSchema;
  readonly spend: (objects: number) => void;
}

/**
 * Returns the documents of an API token with their names. Throws InvalidInputError for too many or too long texts, for one
 * that is not a document with an operation, and, with `check`, for one that does not fit the schema. All rules are checked when
 * it is sent.
 */
export function trustedDocuments(texts: readonly string[], check?: Check): readonly TrustedDocument[] {
  // First, because parsing takes time.
  assertDocuments(texts);
  return texts.map((text, index) => {
    const document = parsed(text, index);
    const name = namesIn(document);
    if (name === '') throw InvalidInputError.of('documents', `documents[${String(index)}] has no operation`);
    if (check) assertFits(document, index, check);
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

function placeOf({ locations }: GraphQLError): string {
  const [place] = locations ?? [];
  return place ? ` (line ${String(place.line)}, column ${String(place.column)})` : '';
}

function parsed(text: string, index: number): DocumentNode {
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
