import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { EXPOSED_HEADERS } from '../http/exposed-headers';

/**
 * Lets pages of any origin use the API with a token in the query, as legacy consoles do (docs/legacy-clients.md,
 * "Requests"). Only pages of the listed origins may send the Authorization header; `*` is any origin.
 */
export async function allowOrigins(http: FastifyInstance, origins: readonly string[]): Promise<void> {
  const isListed = ({ headers }: FastifyRequest): boolean =>
    origins.includes('*') || origins.includes(headers.origin ?? '');

  const mayAnswer = (request: FastifyRequest): boolean =>
    request.headers.authorization === undefined || isListed(request);

  // The plugin merges its options for each request, so it handles only preflights. Other responses need only the
  // headers that are set here.
  http.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS') {
      reply.header('vary', 'Origin');
      reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      if (mayAnswer(request)) reply.header('access-control-allow-origin', '*');
    }
    done();
  });
  await http.register(async (preflights) => {
    await preflights.register(cors, {
      delegator: (request, callback) => {
        const { 'access-control-request-method': method = '', 'access-control-request-headers': headers = '' } =
          request.headers;
        callback(null, {
          origin: mayAnswer(request) ? '*' : false,
          methods: method,
          allowedHeaders: headers
            .split(',')
            .filter((name) => isListed(request) || !/^\s*authorization\s*$/i.test(name))
            .join(','),
          maxAge: 600,
          strictPreflight: false,
        });
      },
    });
  });
}
