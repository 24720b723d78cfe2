import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Permit } from '../limits/admission';

/**
 * Closes the permit of a request with its response. The permit gives its place back until `permit.resume` while the
 * client still sends the body.
 */
export function closeWithResponse(permit: Permit, { raw: request }: FastifyRequest, { raw }: FastifyReply): void {
  permit.cut = () => raw.destroy();
  raw.once('close', () => permit.close());
  if (raw.closed) permit.close();
  else if (!request.complete) permit.pause();
}
