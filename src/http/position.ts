import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Consistency } from '../database/reads/request-reads';

/** The header with the position of a write: sent with its response, and sent back by clients to read what was written. */
export const POSITION = 'sipgraph-after';

/** Returns the position that a request sends back. */
export function positionIn({ headers }: FastifyRequest): string | undefined {
  const value = headers[POSITION];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Sends the position of what a request wrote, if there are replicas. */
export function sendPosition(reply: FastifyReply, consistency: Consistency | undefined): void {
  const position = consistency?.position;
  if (position !== undefined) reply.header(POSITION, position);
}
