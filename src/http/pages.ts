import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { isAccepted } from './accepted-encoding';

// GraphiQL, Monaco and Swagger UI set inline styles. Everything else is loaded from this server only.
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

const HTML = 'text/html; charset=utf-8';
/** Maximum number of slashes in the path of a page, after the first. */
const MAX_DEPTH = 10;

/** The static pages that `npm run build` generates. */
export interface PageOptions {
  /** Contains the HTML files, and `assets/` with the files that they load. */
  readonly directory: string;
  /** URL path to HTML file name. A path may end in `*`, for a page that has addresses of its own. */
  readonly pages: Readonly<Record<string, string>>;
  /** URL path of the assets. */
  readonly assets: string;
}

/** Serves the pages and their assets with the security headers of Helmet. */
export async function registerPages(http: FastifyInstance, { directory, pages, assets }: PageOptions): Promise<void> {
  await http.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: POLICY },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // HSTS applies to the whole host, so the TLS terminator has to set it.
    strictTransportSecurity: false,
  });
  for (const [path, name] of Object.entries(pages)) {
    const file = join(directory, name);
    const page = existsSync(file) ? pageAt(readFileSync(file, 'utf8')) : undefined;
    http.get(path, async (request, reply) => {
      reply.header('cache-control', 'no-cache');
      if (page) await page(request, reply);
      else
        await reply.code(404).type('text/plain; charset=utf-8').send('This page is not built: run `npm run build`\n');
    });
  }
  const root = join(directory, 'assets');
  if (!existsSync(root)) return;
  await http.register(fastifyStatic, {
    root,
    prefix: assets,
    index: false,
    preCompressed: true,
    // File names contain a hash of the content, except those of the workers.
    setHeaders: (reply, path) => {
      void reply.header(
        'cache-control',
        /\.worker\.js(\.br|\.gz)?$/.test(path) ? 'no-cache' : 'public, max-age=31536000, immutable',
      );
    },
  });
}

/**
 * Returns a handler that sends a page in which `%ROOT%` is the relative path to the root of the server, which may be
 * below a path of a proxy. Only the number of segments counts, so few forms of the page are kept.
 */
function pageAt(html: string): ReturnType<typeof staticText> {
  const forms = new Map<number, ReturnType<typeof staticText>>();
  return async (request, reply) => {
    const depth = request.url.replace(/\?.*/, '').split('/').length - 2;
    if (depth > MAX_DEPTH) {
      reply.callNotFound();
      // Waits until it is sent, which an unread body delays: a handler that ends before has an error in the log.
      await reply;
      return;
    }
    const known = forms.get(depth) ?? staticText(html.replaceAll('%ROOT%', '../'.repeat(depth)), HTML);
    forms.set(depth, known);
    await known(request, reply);
  };
}

/** Redirects browsers from / to a page, given as a relative path. Other clients get 404. */
export function registerHome(http: FastifyInstance, page: string): void {
  http.get('/', (request, reply) => {
    reply.header('vary', 'accept');
    if (wantsPage(request)) return reply.redirect(page);
    reply.callNotFound();
    return reply;
  });
}

/** Whether the request is a browser's navigation to a page, and not a GraphQL request. */
export function wantsPage({ method, headers, query }: FastifyRequest): boolean {
  const asksForPage = /^text\/html\b/.test(headers.accept ?? '');
  return method === 'GET' && asksForPage && !(typeof query === 'object' && query !== null && 'query' in query);
}

const compressors = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify(gzip),
};

/**
 * Returns a handler that sends a text that does not change. The text is compressed on the first request for each
 * encoding, and then cached.
 */
function staticText(text: string, type: string): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  // A string would be converted for each response, and kept as long as its client does not read.
  const plain = Buffer.from(text);
  const compressed: Partial<Record<keyof typeof compressors, Promise<Buffer>>> = {};
  return async ({ headers }, reply) => {
    const encoding = (['br', 'gzip'] as const).find((each) => isAccepted(each, headers['accept-encoding']));
    reply.type(type).header('vary', 'accept-encoding');
    if (encoding) reply.header('content-encoding', encoding);
    await reply.send(encoding ? await (compressed[encoding] ??= compressors[encoding](text)) : plain);
  };
}

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
