import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';

// GraphiQL and Monaco set styles on elements; everything else comes from this server alone.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the playground that `npm run build` put into the directory, at /playground. */
export function registerExplorerPage(http: FastifyInstance, { directory }: { readonly directory: string }): void {
  const file = join(directory, 'index.html');
  const page = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  http.get('/playground', (_request, reply) => {
    if (page === undefined) {
      return reply
        .code(404)
        .type('text/plain; charset=utf-8')
        .send('The playground is not built: run `npm run build`\n');
    }
    return reply
      .header('content-security-policy', POLICY)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page);
  });
  if (page === undefined) return;
  http.register(fastifyStatic, {
    root: join(directory, 'assets'),
    prefix: '/playground/assets/',
    index: false,
    preCompressed: true,
    // The workers' names stay the same, all others change with what is in the file.
    setHeaders: (reply, path) => {
      void reply.header(
        'cache-control',
        /\.worker\.js(\.br|\.gz)?$/.test(path) ? 'no-cache' : 'public, max-age=31536000, immutable',
      );
    },
  });
}

/** Leads a browser that comes to / to a page; any other client finds nothing there. */
export function registerHome(http: FastifyInstance, page: string): void {
  http.get('/', (request, reply) => {
    reply.header('vary', 'accept');
    if (wantsPage(request)) return reply.redirect(page);
    reply.callNotFound();
    return reply;
  });
}

/** Whether a browser asks for a page, and not a client for an answer. */
export function wantsPage({ method, headers, query }: FastifyRequest): boolean {
  const asksForPage = /^text\/html\b/.test(headers.accept ?? '');
  return method === 'GET' && asksForPage && !(typeof query === 'object' && query !== null && 'query' in query);
}
