import { GraphQLError, Kind, parse, type DocumentNode } from 'graphql';

import { assertDocuments, type TrustedDocument } from '../../../auth/trusted-documents';
import { InvalidInputError } from '../../../errors';

/** Maximum number of tokens of a document, as of the document of a request. */
const MAX_TOKENS = 2000;

/**
 * Returns the documents of an API token with their names. Throws InvalidInputError for too many or too long texts, and for
 * one that is not a document with an operation. Whether it fits the schema is checked when it is sent.
 */
export function trustedDocuments(texts: readonly string[]): readonly TrustedDocument[] {
  // First, because parsing takes time.
  assertDocuments(texts);
  return texts.map((text, index) => {
    const name = namesIn(parsed(text, index));
    if (name === '') throw InvalidInputError.of('documents', `documents[${String(index)}] has no operation`);
    return { name, text };
  });
}

function parsed(text: string, index: number): DocumentNode {
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (!(error instanceof GraphQLError) && !(error instanceof RangeError)) throw error;
    // The message of graphql contains a part of the document, which may be a secret.
    const place = error instanceof GraphQLError ? error.locations?.[0] : undefined;
    const where = place ? ` (line ${String(place.line)}, column ${String(place.column)})` : '';
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
