import type { FastifyRequest } from 'fastify';

import { InvalidInputError } from '../../errors';
import { isMembers } from '../../resources/documents/members';
import type { Context } from '../context';

const HASH = 'extensions.persistedQuery.sha256Hash';

/** Values of variables, as the client sent them. */
export type Variables = Readonly<Record<string, unknown>>;

/** A GraphQL operation as a client sent it, over any transport. */
export interface OperationRequest {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Variables | null | undefined;
  /** Whether the response says what the operation costs. */
  readonly wantsCost?: boolean | undefined;
}

/** Whether a request asks for its cost: `{ "extensions": { "cost": true } }`. */
export function wantsCost(extensions: unknown): boolean {
  return isMembers(extensions) && extensions['cost'] === true;
}

/** Returns the text of the document in an HTTP request; empty if there is none. */
export function documentIn(request: FastifyRequest): string {
  const { query } = parametersOf(request);
  return typeof query === 'string' ? query : '';
}

/**
 * Returns the operation in an HTTP request: in the JSON body, or in the query string of a GET (GraphQL over HTTP,
 * "GET"). Returns undefined if `query` is not a string or `variables` is not an object.
 */
export function operationIn(request: FastifyRequest): OperationRequest | undefined {
  const { query, operationName, variables, extensions } = parametersOf(request);
  if (typeof query !== 'string') return undefined;
  const values = typeof variables === 'string' ? parse(variables) : (variables ?? {});
  if (!isMembers(values)) return undefined;
  return {
    query,
    operationName: typeof operationName === 'string' ? operationName : undefined,
    variables: values,
    wantsCost: wantsCost(typeof extensions === 'string' ? parse(extensions) : extensions),
  };
}

/**
 * Returns the operation of a POST request that accepts JSON, has valid parameters and has no `extensions`. Nearly all
 * requests are of this form. Returns undefined for any other request, which Apollo then handles.
 */
export function plainOperationIn({ method, headers, body }: FastifyRequest): OperationRequest | undefined {
  const accepts = headers.accept ?? '*/*';
  if (method !== 'POST' || !(accepts.startsWith('*/*') || accepts.startsWith('application/json'))) return undefined;
  if (!isMembers(body) || 'extensions' in body) return undefined;
  const { query, operationName, variables = {} } = body;
  if (typeof query !== 'string' || !isMembers(variables)) return undefined;
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return undefined;
  return { query, operationName, variables };
}

/**
 * Replaces the hash of a document in the parameters of a request with the document, as in the persisted queries of
 * Apollo: `extensions.persistedQuery.sha256Hash`. Returns undefined if there is nothing to replace, or if the caller has
 * no API token with documents. Throws ForbiddenError for the hash of another document, and InvalidInputError if the hash
 * is not that of `query`.
 */
export function withListedText(
  parameters: Readonly<Record<string, unknown>>,
  context: Context,
): Readonly<Record<string, unknown>> | undefined {
  if (!context.documents) return undefined;
  const { query, extensions: given, ...rest } = parameters;
  const extensions = typeof given === 'string' ? parse(given) : given;
  if (!isMembers(extensions) || !isMembers(extensions['persistedQuery'])) return undefined;
  const { persistedQuery, ...others } = extensions;
  const hash = persistedQuery['sha256Hash'];
  if (typeof hash !== 'string') throw InvalidInputError.of(HASH, 'must be a string');
  const text = context.session.listedText(hash);
  if (typeof query === 'string' && query !== '' && query !== text)
    throw InvalidInputError.of(HASH, 'is not the hash of query');
  return { ...rest, query: text, ...(Object.keys(others).length > 0 && { extensions: others }) };
}

/** Lets a request with the hash of a listed document have the document. Throws the errors of `withListedText`. */
export function takeListedText(request: FastifyRequest, context: Context): void {
  const replaced = withListedText(parametersOf(request), context);
  if (!replaced) return;
  if (request.method !== 'POST' && request.headers.accept?.includes('text/event-stream') !== true)
    throw InvalidInputError.of(HASH, 'is accepted with POST, in event streams and over WebSockets');
  if (request.method === 'POST') request.body = replaced;
  else request.query = replaced;
}

function parametersOf({ method, body, query }: FastifyRequest): Readonly<Record<string, unknown>> {
  const parameters = method === 'POST' ? body : query;
  return isMembers(parameters) ? parameters : {};
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
