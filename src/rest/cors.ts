import type { FastifyInstance, FastifyRequest } from 'fastify';

import { withoutBody } from '../http/unread-bodies';

/**
 * Lets pages of any origin use the API with a token in the query, as legacy consoles do (docs/legacy-clients.md, "Requests"). The
 * Authorization header is for pages of the given origins; `*` is any.
 */
export function allowOrigins(http: FastifyInstance, origins: readonly string[]): void {
  const isListed = ({ headers }: FastifyRequest): boolean =>
    origins.includes('*') || origins.includes(headers.origin ?? '');

  http.addHook('onRequest', (request, reply, done) => {
    if (request.headers.authorization === undefined || isListed(request)) {
      reply.header('access-control-allow-origin', '*');
    }
    done();
  });
  const preflight = withoutBody(async (request, reply) => {
    const { 'access-control-request-method': method, 'access-control-request-headers': headers = '' } = request.headers;
    const allowed = headers.split(',').filter((name) => isListed(request) || !/^\s*authorization\s*$/i.test(name));
    if (method !== undefined) reply.header('access-control-allow-methods', method);
    if (allowed.join() !== '') reply.header('access-control-allow-headers', allowed.join());
    return reply.code(204).header('access-control-max-age', '600').header('vary', 'origin').send();
  });
  http.route({ method: 'OPTIONS', url: '/*', config: { numericStatus: false }, ...preflight });
}
