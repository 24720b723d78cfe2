import type { FastifyInstance } from 'fastify';

import type { RequestSpan, Tracer } from '../limits/tracer';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if the request is not traced. */
    span?: RequestSpan | undefined;
  }
}

/**
 * Records a span for each traced request, from its headers to the end of its response. Event streams are not traced.
 */
export function traceRequests(http: FastifyInstance, tracer: Tracer): void {
  http.decorateRequest('span', undefined);
  http.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const isStream = headers.accept?.includes('text/event-stream') === true;
    if (!isStream) request.span = tracer.request(method, routeOptions.url ?? 'unknown', headers);
    done();
  });
  http.addHook('onResponse', (request, reply, done) => {
    request.span?.end(reply.statusCode);
    done();
  });
  http.addHook('onClose', () => tracer.close());
}
