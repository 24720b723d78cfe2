import { isUtf8 } from 'node:buffer';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { InvalidInputError, quote } from '../errors';

export const NOT_UTF8 = 'is not UTF-8';

/** Throws InvalidInputError if the body of a request is compressed: a small one could become one of any size. */
export function assertUncompressed({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw InvalidInputError.of('body', `has the Content-Encoding ${quote(encoding)}, but must not be compressed`);
}

/**
 * Decodes the body of a request. Throws InvalidInputError if it is compressed, or is not UTF-8, as JSON is (RFC 8259,
 * 8.1).
 */
export function utf8Text(request: FastifyRequest, body: Buffer): string {
  assertUncompressed(request);
  if (!isUtf8(body)) throw InvalidInputError.of('body', NOT_UTF8);
  return body.toString();
}

/**
 * Accepts bodies of JSON alone, and refuses those with which a body could change the prototypes of objects. `charge` receives the
 * length of each in bytes before it is parsed.
 */
export function acceptJson(http: FastifyInstance, charge?: (request: FastifyRequest, bytes: number) => void): void {
  const parse = http.getDefaultJsonParser('error', 'error');
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    charge?.(request, body.length);
    return parse(request, utf8Text(request, body), done);
  });
}
