import type { FastifyRequest } from 'fastify';

/** Returns the header Idempotency-Key of a request. */
export function idempotencyKeyIn({ headers }: FastifyRequest): string | undefined {
  const value = headers['idempotency-key'];
  return Array.isArray(value) ? value.join(', ') : value;
}
