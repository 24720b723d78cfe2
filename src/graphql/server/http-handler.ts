import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { HeaderMap, type ApolloServer } from '@apollo/server';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { Kind, print, type DocumentNode, type ExecutionResult } from 'graphql';
import { LRUCache } from 'lru-cache';

import { isAccepted } from '../../http/accepted-encoding';
import { retryHeaders, sendConsistencyToken } from '../../http/headers';
import type { Context } from '../context';
import type { Documents } from './documents';
import { documentIn, plainOperationIn, type OperationRequest } from './operation-request';
import { isIntrospection, publicDocument } from './public-document';
import { chargeResponse } from './response-size';
import { variablesIn } from './variables';

/** The HTTP status of a result, and its headers. */
interface HttpStatus {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const OK: HttpStatus = { status: 200, headers: {} };

/**
 * Returns the status of a result: 429 or 503, with Retry-After, if the request may be retried later; 400 for an
 * operation that was not executed, 403 if the caller may not send it, or 500 if the server is the cause; otherwise 200
 * (GraphQL over HTTP, "Status Codes").
 */
export function httpStatusOf({ data, errors }: ExecutionResult): HttpStatus {
  if (!errors) return OK;
  const all = errors.map(({ extensions }) => extensions);
  const later = all.find(({ status }) => status === 429 || status === 503);
  // retryHeaders reads the extensions that presentFailure wrote.
  if (later) return { status: Number(later['status']), headers: retryHeaders(later) };
  if (data !== undefined) return OK;
  const status = [500, 403].find((each) => all.some((extensions) => extensions['status'] === each));
  return { status: status ?? 400, headers: {} };
}

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
class SchemaAnswers {
  private readonly answers = new LRUCache<string, Answer>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ plain, zipped }, key) => plain.length + zipped.length + key.length,
  });

  /** Returns the cache key of a request; undefined if it is not introspection. */
  keyOf({ query, operationName, variables }: OperationRequest): string | undefined {
    if (!/__(schema|type)\b/.test(query)) return undefined;
    const document = publicDocument(query);
    if (!document || !isIntrospection(document) || !isNamed(document, operationName)) return undefined;
    // Whatever other variables there are, the answer is the same.
    const used = variablesIn(document);
    const values = Object.entries(variables ?? {}).filter(([name]) => used.includes(name));
    return `${JSON.stringify(values)}\n${print(withoutNames(document))}`;
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
    if (!isAccepted('gzip', headers['accept-encoding'])) return answer.plain;
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

const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE_TYPE = 'application/graphql-response+json';

/** The content type of a response that Apollo does not choose (GraphQL over HTTP, "Media Types"). */
export function typeFor({ headers }: FastifyRequest): string {
  return headers.accept?.includes(RESPONSE_TYPE) === true ? `${RESPONSE_TYPE}; charset=utf-8` : JSON_TYPE;
}

/**
 * Handles GraphQL over HTTP. Responds to introspection from a cache, and executes compiled operations directly. Apollo
 * handles all other requests.
 */
export function httpHandler(
  documents: Documents,
  apollo: ApolloServer<Context>,
  contextOf: (request: FastifyRequest) => Context,
): RouteHandlerMethod {
  const answers = new SchemaAnswers();
  return async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const plain = plainOperationIn(request);
    const compiled = plain && documents.compiledOf(plain);
    if (compiled) {
      const context = contextOf(request);
      const result = await documents.answer(plain, compiled, context);
      if (context.isSignedIn) sendConsistencyToken(reply, context.session.read.consistency);
      const { status, headers } = httpStatusOf(result);
      reply.code(status).headers(headers).header('content-type', JSON_TYPE);
      return send(request, reply, JSON.stringify(result), context);
    }
    // An API token that may only send its own documents gets the schema only as one of them.
    const schemaKey = plain && !contextOf(request).documents ? answers.keyOf(plain) : undefined;
    const answer = schemaKey === undefined ? undefined : answers.find(schemaKey, request, reply);
    if (answer) return reply.header('content-type', JSON_TYPE).send(answer);
    const context = contextOf(request);
    const body = await executeWithApollo(apollo, request, reply, context);
    if (context.isSignedIn) sendConsistencyToken(reply, context.session.read.consistency);
    if (schemaKey !== undefined && typeof body === 'string' && reply.statusCode === 200)
      await answers.keep(schemaKey, body);
    return typeof body === 'string' ? send(request, reply, body, context) : body;
  };
}

/** Sets the status and headers of Apollo's response, and returns its body. */
async function executeWithApollo(
  apollo: ApolloServer<Context>,
  { body, headers, method, url }: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): Promise<string | Readable> {
  const query = url.indexOf('?');
  const answer = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      body,
      method,
      headers: new HeaderMap(Object.entries(headers).map(([name, value = '']) => [name, String(value)])),
      search: query < 0 ? '' : url.slice(query),
    },
    context: () => Promise.resolve(context),
  });
  reply.code(answer.status ?? 200).headers(Object.fromEntries(answer.headers));
  return answer.body.kind === 'complete' ? answer.body.string : Readable.from(answer.body.asyncIterator);
}

/**
 * Charges for a response. Compresses all responses except those of mutations, which may contain a token (see
 * http/compression.ts).
 */
function send(request: FastifyRequest, reply: FastifyReply, body: string, context: Context): FastifyReply {
  const tooLarge = chargeResponse(body, context);
  if (tooLarge !== undefined) return reply.code(400).send(tooLarge);
  // Mutations are rejected over GET.
  const query = documentIn(request);
  const holdsNoSecret = request.method === 'GET' || (query !== '' && !/\bmutation\b/.test(query));
  if (!holdsNoSecret) return reply.send(body);
  reply.compress(body);
  return reply;
}
