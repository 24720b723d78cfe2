import type { FastifyInstance } from 'fastify';

import type { Health } from '../monitoring/health';
import type { TransportAccess } from '../session/access';
import { bearerToken, restCaller } from './headers';

/** Serves monitoring: /healthz (liveness), /readyz (readiness) and /metrics (Prometheus, with a token). */
export function registerProbes(http: FastifyInstance, transport: TransportAccess, health: Health): void {
  http.get('/healthz', () => ({ status: 'up' }));
  http.get('/readyz', async (_request, reply) => {
    const readiness = await health.readiness();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
  http.get('/metrics', async (request, reply) => {
    const caller = restCaller(request, bearerToken(request.headers.authorization));
    const { metrics } = (await transport.access.open(caller)).shared;
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}
