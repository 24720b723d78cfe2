import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/**
 * Adds `reply.compress()` for routes that opt in to compression. The size of a compressed response can reveal its secrets to an
 * attacker who injects text into it and observes the traffic (BREACH, CVE-2013-3587). So only static texts
 * (static-text.ts) and GraphQL responses are compressed, except those of mutations, which can contain a token. REST responses contain secrets and are
 * never compressed.
 */
export async function registerCompression(http: FastifyInstance): Promise<void> {
  // Compressed requests are not supported: BODY_LIMIT counts bytes as they arrive.
  await http.register(compress, { global: false, threshold: 1024, encodings: ['br', 'gzip'] });
}
