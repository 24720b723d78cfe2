import type { FastifyInstance } from 'fastify';

import { DomainError } from '../errors';
import type { Entrance } from '../services';
import type { Health } from '../system/health';
import { bearerToken } from './bearer-token';

/** For those who run the service: is it alive, is it ready, what does it do. */
export function registerProbes(http: FastifyInstance, entrance: Entrance, health: Health): void {
  http.get('/healthz', () => ({ status: 'up' }));
  http.get('/readyz', async (_request, reply) => {
    const readiness = await health.readiness();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
  http.get('/metrics', async (request, reply) => {
    try {
      const { metrics } = (await entrance.access.open(bearerToken(request.headers.authorization))).read;
      return await reply.type(metrics.contentType).send(await metrics.text());
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return reply.code(error.status).type('text/plain; charset=utf-8').send(`${error.message}\n`);
    }
  });
}
