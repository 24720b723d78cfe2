import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Caller } from '../auth/caller';
import type { Consistency } from '../database/reads/request-reads';
import { DomainError, RateLimitedError, type Quota } from '../errors';

/**
 * The header with the consistency token of a write: sent with its response, and sent back by clients to read what was
 * written.
 */
const CONSISTENCY_HEADER = 'sipgraph-after';

/** Returns the consistency token that a request sends back. */
export function consistencyTokenIn({ headers }: FastifyRequest): string | undefined {
  return valueOf(headers, CONSISTENCY_HEADER);
}

/** Sends the consistency token of what a request wrote, if there are replicas. */
export function sendConsistencyToken(reply: FastifyReply, consistency: Consistency | undefined): void {
  const token = consistency?.consistencyToken;
  if (token !== undefined) reply.header(CONSISTENCY_HEADER, token);
}

/** When to retry a failed request, in seconds, and the exceeded quota; empty if a retry does not help. */
export function retryOf(error: unknown): { readonly retryAfter?: number; readonly quota?: Quota } {
  if (!(error instanceof DomainError) || error.retryAfter === undefined) return {};
  const { retryAfter } = error;
  return { retryAfter, ...(error instanceof RateLimitedError && error.quota && { quota: error.quota }) };
}

/**
 * The headers for the result of `retryOf`: Retry-After (RFC 9110, 10.2.3), and the exceeded quota as RateLimit-Policy
 * and RateLimit (draft-ietf-httpapi-ratelimit-headers-11).
 */
export function retryHeaders({ retryAfter, quota }: ReturnType<typeof retryOf>): Readonly<Record<string, string>> {
  if (retryAfter === undefined) return {};
  return {
    'retry-after': String(retryAfter),
    ...(quota && {
      'ratelimit-policy': `"${quota.name}";q=${String(quota.points)};w=${String(quota.seconds)}`,
      ratelimit: `"${quota.name}";r=0;t=${String(retryAfter)}`,
    }),
  };
}

/** Returns the bearer token of an Authorization header (RFC 6750, 2.1); undefined without one. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1];
}

/** The sender of a request of REST, or for monitoring, with this token. */
export function restCaller({ ip, id, span, headers }: FastifyRequest, token: string | undefined): Caller {
  return { token, address: ip, requestId: id, channel: 'REST', userAgent: headers['user-agent'], span };
}

/** The headers of responses that pages of other origins may read (CORS). */
export const EXPOSED_HEADERS = [
  CONSISTENCY_HEADER,
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'x-request-id',
].join(', ');

/** Returns the header Idempotency-Key of a request. */
export function idempotencyKeyIn({ headers }: FastifyRequest): string | undefined {
  return valueOf(headers, 'idempotency-key');
}

function valueOf(headers: FastifyRequest['headers'], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
