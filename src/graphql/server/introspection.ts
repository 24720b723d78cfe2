import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Kind, print, type DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

import { isIntrospection, openDocument } from './open-document';

/** An answer, and its compressed form. */
interface Answer {
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

/** A request whose answer depends on the schema alone. */
interface Introspection {
  readonly query: string;
  readonly operationName: string | null | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Bytes of all answers that are kept; the whole schema has about 200,000. */
const MAX_KEPT = 8_000_000;

const zip = promisify(gzip);

/**
 * Answers to introspection: the schema does not change, so that a document is run once, however it is written. Compressed
 * once, too.
 */
export class SchemaAnswers {
  private readonly answers = new LRUCache<string, Answer>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ plain, zipped }, key) => plain.length + zipped.length + key.length,
  });

  /** What the answer to a request is kept by; undefined where it is no introspection. */
  keyOf({ query, operationName, variables }: Introspection): string | undefined {
    if (!/__(schema|type)\b/.test(query)) return undefined;
    const document = openDocument(query);
    if (!document || !isIntrospection(document) || !isNamed(document, operationName)) return undefined;
    return `${JSON.stringify(variables)}\n${print(unnamed(document))}`;
  }

  /** Keeps an answer without errors. */
  async keep(key: string, answer: string): Promise<void> {
    const plain = Buffer.from(answer);
    this.answers.set(key, { plain, zipped: await zip(plain) });
  }

  /** The answer as the request takes it, with its headers set; undefined where there is none. */
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

/** Whether the name that a request gives is that of the only operation. */
function isNamed({ definitions }: DocumentNode, name: string | null | undefined): boolean {
  if (name === undefined || name === null) return true;
  return definitions.some((each) => each.kind === Kind.OPERATION_DEFINITION && each.name?.value === name);
}

function unnamed({ kind, definitions }: DocumentNode): DocumentNode {
  return {
    kind,
    definitions: definitions.map((each) => {
      if (each.kind !== Kind.OPERATION_DEFINITION) return each;
      const { name: _name, ...rest } = each;
      return rest;
    }),
  };
}
