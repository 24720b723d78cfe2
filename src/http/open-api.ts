import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import { staticText } from './static-text';

/** Serves the OpenAPI document of the REST API at /openapi.json. */
export function registerOpenApi(http: FastifyInstance, document: object): void {
  const text = JSON.stringify(document);
  const send = staticText(text, 'application/json; charset=utf-8');
  const tag = `W/"${createHash('sha256').update(text).digest('base64url')}"`;
  http.get('/openapi.json', async (request, reply) => {
    reply.header('etag', tag).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
    if (request.headers['if-none-match'] === tag) await reply.code(304).send();
    else await send(request, reply);
  });
}
