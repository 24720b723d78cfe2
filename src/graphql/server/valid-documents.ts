import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Context } from '../context';
import { assertValid } from './document-rules';
import { parseAtCost } from './document-work';
import { isPublic } from './public-document';

/** Maximum number of characters of a cached document, so that a few long documents do not displace all others. */
const MAX_REMEMBERED = 10_000;
/** Maximum number of characters of all cached documents. A parsed document takes about 130 bytes per character. */
const MAX_ALL = 500_000;

/**
 * Parses and validates documents, and caches those that are valid. Requests with the same text share one document, and
 * the data that is cached per document, such as query plans.
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

  /**
   * Returns a document, and charges the caller if it is not cached. Throws GraphQLError if the document cannot be
   * parsed or is too expensive to validate, InvalidDocumentError if the document is invalid, and RateLimitedError if
   * the caller is over budget.
   */
  find(text: string, context: Context, hideSuggestions: boolean): DocumentNode {
    const cached = this.documents.get(text);
    if (cached) return cached;
    const document = parseAtCost(text, (objects) => context.spend(objects));
    assertValid(this.schema, document, { discovery: this.discovery, hideSuggestions });
    // Documents that need no token are not cached, because anybody could send enough of them to displace all others.
    if (text.length <= MAX_REMEMBERED && !isPublic(document)) this.documents.set(text, document);
    return document;
  }
}
