import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Context } from '../context';
import { assertValid } from './document-rules';
import { parseAtCost } from './document-work';
import { isOpen } from './open-document';

/** Characters of a document that is remembered, so that a few long documents do not displace all others. */
const MAX_REMEMBERED = 10_000;
/** Characters of all documents that are remembered; a parsed document takes about 130 bytes for each. */
const MAX_ALL = 500_000;

/**
 * Parses and validates documents, and remembers those that are valid. Clients that send the same text share one document,
 * and with it what is kept for each document, such as query plans.
 */
export class ValidDocuments {
  private readonly documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_ALL,
    sizeCalculation: (_document, text) => Math.max(1, text.length),
  });

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly discovery: boolean,
  ) {}

  /** Charges the caller for a document that is not known. Throws GraphQLError, InvalidDocumentError and RateLimitedError. */
  find(text: string, context: Context, hideSuggestions: boolean): DocumentNode {
    const known = this.documents.get(text);
    if (known) return known;
    const document = parseAtCost(text, (objects) => context.spend(objects));
    assertValid(this.schema, document, { discovery: this.discovery, hideSuggestions });
    // Documents that need no token could come from anybody, in any number.
    if (text.length <= MAX_REMEMBERED && !isOpen(document)) this.documents.set(text, document);
    return document;
  }
}
