import compress from '@fastify/compress';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Adds `reply.compress()` for routes that opt in to compression. The size of a compressed response can reveal its
 * secrets to an attacker who injects text into it and observes the traffic (BREACH, CVE-2013-3587). Therefore REST
 * responses, which contain secrets, and responses to GraphQL mutations, which can contain a token, are never
 * compressed. Other GraphQL responses and static texts (`staticText`) are.
 */
export async function registerCompression(http: FastifyInstance): Promise<void> {
  // Compressed requests are not supported: BODY_LIMIT counts bytes as they arrive.
  await http.register(compress, { global: false, threshold: 1024, encodings: ['br', 'gzip'] });
}

/** Whether the client has closed its connection while its response was about to be compressed. */
export function isAbandoned({ code }: FastifyError, { raw }: FastifyRequest): boolean {
  return code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed;
}
