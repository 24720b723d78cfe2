import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';

const compressors = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify(gzip),
};

type Encoding = keyof typeof compressors;

/**
 * Returns a handler that sends a text that does not change. The text is compressed on the first request for each
 * encoding, and then cached.
 */
export function staticText(
  text: string,
  type: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const compressed: Partial<Record<Encoding, Promise<Buffer>>> = {};
  return async ({ headers }, reply) => {
    const encoding = acceptedIn(headers['accept-encoding'] ?? '');
    reply.type(type).header('vary', 'accept-encoding');
    if (encoding) reply.header('content-encoding', encoding);
    await reply.send(encoding ? await (compressed[encoding] ??= compressors[encoding](text)) : text);
  };
}

function acceptedIn(header: string): Encoding | undefined {
  return (['br', 'gzip'] as const).find((each) => new RegExp(`\\b${each}\\b(?!\\s*;\\s*q=0)`, 'i').test(header));
}
