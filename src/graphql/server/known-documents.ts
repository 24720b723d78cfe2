import { createHash } from 'node:crypto';

import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

import { MAX_PARSED, MAX_REMEMBERED, lengthOf } from './limits';
import { isOpen } from './open-document';

/** Hexadecimal digits of the SHA-256 of a document's text, which Apollo's keys end with. */
const DIGITS = 64;

/**
 * Apollo's store of documents that were parsed and validated. Its own counts what a document parses to, and not the text
 * that it holds. What everybody may send is not remembered.
 */
export class KnownDocuments {
  private readonly documents = new LRUCache<string, DocumentNode>({ maxSize: MAX_PARSED, sizeCalculation: lengthOf });

  has(text: string): boolean {
    return this.documents.has(createHash('sha256').update(text).digest('hex'));
  }

  get(key: string): Promise<DocumentNode | undefined> {
    return Promise.resolve(this.documents.get(key.slice(-DIGITS)));
  }

  set(key: string, document: DocumentNode): Promise<void> {
    if (lengthOf(document) <= MAX_REMEMBERED && !isOpen(document)) this.documents.set(key.slice(-DIGITS), document);
    return Promise.resolve();
  }

  delete(key: string): Promise<boolean> {
    return Promise.resolve(this.documents.delete(key.slice(-DIGITS)));
  }
}
