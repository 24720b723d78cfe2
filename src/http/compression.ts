import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/**
 * Gives routes `reply.compress()`, and compresses nothing by itself: the size of a compressed answer tells its secrets to
 * someone who can choose text beside them and see the traffic (BREACH, CVE-2013-3587). So only these are compressed: pages, the
 * OpenAPI document, and GraphQL answers other than those of mutations, which may hold a token. REST answers show secrets and are
 * never compressed.
 */
export async function registerCompression(http: FastifyInstance): Promise<void> {
  // Requests are not decompressed: BODY_LIMIT counts bytes as they arrive.
  await http.register(compress, { global: false, threshold: 1024, encodings: ['br', 'gzip'] });
}
