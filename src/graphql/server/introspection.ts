import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Kind, print, type DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

import { isIntrospection, publicDocument } from './public-document';
import type { OperationRequest } from './operation-request';

/** A response body, with its compressed forms. */
interface Answer {
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

/** Maximum size of the cache in bytes. The whole schema has about 200,000. */
const MAX_KEPT = 8_000_000;

const zip = promisify(gzip);

/**
 * Caches responses to introspection. The schema does not change while the server runs, so a document is executed and
 * its result compressed only once, however the document is formatted.
 */
export class SchemaAnswers {
  private readonly answers = new LRUCache<string, Answer>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ plain, zipped }, key) => plain.length + zipped.length + key.length,
  });

  /** Returns the cache key of a request; undefined if it is not introspection. */
  keyOf({ query, operationName, variables }: OperationRequest): string | undefined {
    if (!/__(schema|type)\b/.test(query)) return undefined;
    const document = publicDocument(query);
    if (!document || !isIntrospection(document) || !isNamed(document, operationName)) return undefined;
    return `${JSON.stringify(variables ?? {})}\n${print(withoutNames(document))}`;
  }

  /** Caches a response, which must not contain errors. */
  async keep(key: string, answer: string): Promise<void> {
    const plain = Buffer.from(answer);
    this.answers.set(key, { plain, zipped: await zip(plain) });
  }

  /**
   * Returns the cached response in an encoding that the request accepts, and sets its headers; undefined if there is
   * none.
   */
  find(key: string, { headers }: FastifyRequest, reply: FastifyReply): Buffer | undefined {
    const answer = this.answers.get(key);
    if (!answer) return undefined;
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`);
    const accepted = headers['accept-encoding'] ?? '';
    if (!/\bgzip\b(?!\s*;\s*q=0)/i.test(accepted)) return answer.plain;
    reply.header('content-encoding', 'gzip');
    return answer.zipped;
  }
}

/** Whether the request's operationName, if any, refers to the document's only operation. */
function isNamed({ definitions }: DocumentNode, name: string | null | undefined): boolean {
  if (name === undefined || name === null) return true;
  return definitions.some((each) => each.kind === Kind.OPERATION_DEFINITION && each.name?.value === name);
}

function withoutNames({ kind, definitions }: DocumentNode): DocumentNode {
  return {
    kind,
    definitions: definitions.map((each) => {
      if (each.kind !== Kind.OPERATION_DEFINITION) return each;
      const { name: _name, ...rest } = each;
      return rest;
    }),
  };
}
