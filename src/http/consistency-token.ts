import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Consistency } from '../database/reads/request-reads';

/** The header with the consistency token of a write: sent with its response, and sent back by clients to read what was written. */
export const CONSISTENCY_HEADER = 'sipgraph-after';

/** Returns the consistency token that a request sends back. */
export function consistencyTokenIn({ headers }: FastifyRequest): string | undefined {
  const value = headers[CONSISTENCY_HEADER];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Sends the consistency token of what a request wrote, if there are replicas. */
export function sendConsistencyToken(reply: FastifyReply, consistency: Consistency | undefined): void {
  const position = consistency?.consistencyToken;
  if (position !== undefined) reply.header(CONSISTENCY_HEADER, position);
}
