import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

/** Serves the OpenAPI document of the REST API at /openapi.json. */
export function registerOpenApi(http: FastifyInstance, document: object): void {
  const text = JSON.stringify(document);
  const tag = `W/"${createHash('sha256').update(text).digest('base64url')}"`;
  http.get('/openapi.json', (request, reply) => {
    reply.header('etag', tag).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
    if (request.headers['if-none-match'] === tag) reply.code(304).send();
    else reply.type('application/json; charset=utf-8').compress(text);
  });
}
