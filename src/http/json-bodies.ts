import { isUtf8 } from 'node:buffer';

import type { FastifyInstance } from 'fastify';

import { InvalidInputError } from '../errors';

export const NOT_UTF8 = 'is not UTF-8';

/** Decodes the body of a request. Throws InvalidInputError if it is not UTF-8, as JSON is (RFC 8259, 8.1). */
export function utf8Text(body: Buffer): string {
  if (!isUtf8(body)) throw InvalidInputError.of('body', NOT_UTF8);
  return body.toString();
}

/** Accepts bodies of JSON alone, and refuses those with which a body could change the prototypes of objects. */
export function acceptJson(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error');
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) =>
    parse(request, utf8Text(body), done),
  );
}
