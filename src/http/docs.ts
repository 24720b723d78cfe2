import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types';

// Swagger UI sets styles on elements; everything else comes from here alone.
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Serves the REST API's documentation: /openapi.json, and Swagger UI on it at /docs. */
export async function registerDocs(http: FastifyInstance, document: OpenAPIV3_1.Document): Promise<void> {
  // The plugin's types stop at 3.0; it serves a static document as it is.
  await http.register(swagger, { mode: 'static', specification: { document: document as OpenAPIV3.Document } });
  await http.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { layout: 'BaseLayout' },
    theme: { title: 'sipgraph REST API' },
    staticCSP: POLICY,
  });
  http.get('/openapi.json', { schema: { hide: true } }, () => document);
}
