import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Caller } from '../auth/caller';
import { DomainError } from '../errors';
import type { Health } from '../monitoring/health';
import type { TransportAccess } from '../session/access';
import { bearerToken, retryHeaders, retryOf } from './headers';

/** Serves monitoring: /healthz (liveness), /readyz (readiness) and /metrics (Prometheus, with a token). */
export function registerProbes(http: FastifyInstance, transport: TransportAccess, health: Health): void {
  http.get('/healthz', () => ({ status: 'up' }));
  http.get('/readyz', async (_request, reply) => {
    const readiness = await health.readiness();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
  http.get('/metrics', async (request, reply) => {
    try {
      const { metrics } = (await transport.access.open(callerOf(request))).shared;
      return await reply.type(metrics.contentType).send(await metrics.text());
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return reply
        .code(error.status)
        .headers(retryHeaders(retryOf(error)))
        .type('text/plain; charset=utf-8')
        .send(`${error.message}\n`);
    }
  });
}

function callerOf({ headers, ip, id, span }: FastifyRequest): Caller {
  return { token: bearerToken(headers.authorization), address: ip, requestId: id, channel: 'REST', span };
}
