import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { RequestSpan, Tracer } from '../tracing/tracer';

/** Records a span for each traced request, from its headers to the end of its response. Event streams are not traced. */
export function traceRequests(http: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  http.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const isStream = headers.accept?.includes('text/event-stream') === true;
    const span = isStream ? undefined : tracer.request(method, routeOptions.url ?? 'unknown', headers);
    if (!span) {
      done();
      return;
    }
    spans.set(request, span);
    span.within(done);
  });
  // Again, because the events of the body do not run within the hook above.
  http.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.within(done);
    else done();
  });
  http.addHook('onResponse', (request, reply, done) => {
    spans.get(request)?.end(reply.statusCode);
    done();
  });
  http.addHook('onClose', () => tracer.close());
}
