import type { FastifyInstance, FastifyRequest } from 'fastify';

export function registerExplorerPage(_http: FastifyInstance, _options: { directory: string }): void {
  // temporary
}

export function wantsPage(request: FastifyRequest): boolean {
  return request.method === 'GET' && (request.headers.accept ?? '').startsWith('text/html');
}
