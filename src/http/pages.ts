import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';

// GraphiQL, Monaco and Swagger UI set styles on elements; everything else comes from this server alone.
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ["'self'", 'data:'],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'worker-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

/** Pages that `npm run build` wrote. */
export interface PageOptions {
  /** Holds an HTML file for each page, and `assets/` with what the pages load. */
  readonly directory: string;
  /** The HTML file of each page, by its path. */
  readonly pages: Readonly<Record<string, string>>;
}

/** Serves the pages and their assets, with the security headers of Helmet. */
export async function registerPages(http: FastifyInstance, { directory, pages }: PageOptions): Promise<void> {
  await http.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: POLICY },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // It would bind the whole host, so whoever terminates TLS decides.
    strictTransportSecurity: false,
  });
  for (const [path, name] of Object.entries(pages)) {
    const file = join(directory, name);
    const page = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    http.get(path, (_request, reply) => {
      reply.header('cache-control', 'no-cache');
      if (page !== undefined) reply.type('text/html; charset=utf-8').compress(page);
      else reply.code(404).type('text/plain; charset=utf-8').send('This page is not built: run `npm run build`\n');
    });
  }
  const root = join(directory, 'assets');
  if (!existsSync(root)) return;
  await http.register(fastifyStatic, {
    root,
    prefix: '/assets/',
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

/** Leads a browser that comes to / to a page; any other client finds nothing there. The page's path is relative. */
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
