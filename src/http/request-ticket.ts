import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Ticket } from '../limits/admission';

/**
 * Closes the ticket of a request with its response. The ticket gives its place back until `ticket.resume` while the
 * client still sends the body.
 */
export function closeWithResponse(ticket: Ticket, { raw: request }: FastifyRequest, { raw }: FastifyReply): void {
  ticket.cut = () => raw.destroy();
  raw.once('close', () => ticket.close());
  if (raw.closed) ticket.close();
  else if (!request.complete) ticket.pause();
}
