import { isUtf8 } from 'node:buffer';

import { Busboy } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse as parseJson } from 'secure-json-parse';

import { DomainError, InvalidInputError } from '../errors';
import { assertUncompressed, NOT_UTF8, utf8Text } from '../http/json-bodies';
import { CHARACTERS_PER_OBJECT } from '../limits/budgets';
import { marksIn, parseYaml } from '../resources/documents/yaml';

/** The resources in an uploaded file. */
export class UploadedList {
  constructor(readonly entries: readonly unknown[]) {}
}

const PART = 'file';
/** The beginning of a Content-Type (RFC 9110, 8.3.1). */
const MEDIA_TYPE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+\s*(;|$)/;
/** The characters of a body that cost as much as one object. Parsing YAML takes much longer than parsing JSON. */
const PARSED = { json: CHARACTERS_PER_OBJECT, form: 4 };
const MAX_DOCUMENTS = 1000;
/** Maximum number of resources in a file. Reading ten times as many would block the event loop for seconds. */
const MAX_RESOURCES = 10_000;
/** Maximum number of parts of a form, each of which takes as long to read as some kilobytes. */
const MAX_PARTS = 20;
const SLICE = 4096;

/** Charges the sender of a request for objects. Throws RateLimitedError. */
type Charge = (request: FastifyRequest, objects: number) => void;

/**
 * Parses bodies as JSON regardless of their Content-Type, because legacy clients send a wrong one or none. Only
 * multipart/form-data is parsed as a form (docs/legacy-clients.md, "Requests"). Charges the sender before parsing.
 */
export function acceptBodies(http: FastifyInstance, charge: Charge): void {
  http.removeAllContentTypeParsers();
  // Fastify refuses a Content-Type that is no media type before any parser sees it.
  http.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    if (headers['content-type'] !== undefined && !MEDIA_TYPE.test(headers['content-type']))
      headers['content-type'] = 'application/json';
    done();
  });
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (isIgnored(request)) {
      done(null, undefined);
      return;
    }
    try {
      charge(request, Math.floor(body.length / PARSED.json));
      done(null, body.length === 0 ? undefined : parseJson(utf8Text(request, body)));
    } catch (error) {
      done(error instanceof DomainError ? error : InvalidInputError.of('body', reasonOf(error)));
    }
  });
  http.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (isIgnored(request)) return undefined;
      assertUncompressed(request);
      charge(request, Math.ceil(body.length / PARSED.form));
      const text = await fileIn(request.headers['content-type'] ?? '', body);
      if (text === undefined) throw InvalidInputError.of(PART, 'is missing in the form');
      return new UploadedList(listIn(text));
    },
  );
}

/** Clients may send the headers of a body with each request. That of a DELETE has no meaning (RFC 9110, 9.3.5). */
function isIgnored({ method }: FastifyRequest): boolean {
  return method === 'DELETE';
}

/** Why a body is refused. The parser refuses members with which a body could change the prototypes of objects. */
function reasonOf(error: unknown): string {
  const isForbidden = error instanceof Error && error.message.includes('forbidden prototype');
  return isForbidden ? 'has the member __proto__ or constructor.prototype, which is refused' : 'is not JSON';
}

/** The text of the part `file`; undefined without one. Throws InvalidInputError if there are several. */
function fileIn(type: string, body: Buffer): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const malformed = (): void => reject(InvalidInputError.of('body', 'is not a well-formed form'));
    try {
      const form = new Busboy({ headers: { 'content-type': type }, limits: { parts: MAX_PARTS } });
      let rest = body;
      form.on('partsLimit', () => {
        rest = Buffer.alloc(0);
        reject(InvalidInputError.of('body', `has more than ${String(MAX_PARTS)} parts`));
      });
      let found: string | undefined;
      const take = (text: string): void => {
        if (found === undefined) found = text;
        else reject(InvalidInputError.of(PART, 'is there more than once in the form'));
      };
      form.on('field', (name, value) => {
        if (name !== PART) return;
        if (isUtf8(body)) take(value);
        else reject(InvalidInputError.of(PART, NOT_UTF8));
      });
      form.on('file', (name, stream) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        // The stream of a truncated part has its own error event, which would end the process if not handled.
        stream.on('error', malformed);
        stream.on('end', () => {
          if (name !== PART) return;
          const file = Buffer.concat(chunks);
          if (isUtf8(file)) take(file.toString());
          else reject(InvalidInputError.of(PART, NOT_UTF8));
        });
      });
      form.on('finish', () => resolve(found));
      form.on('error', malformed);
      // In slices, because Busboy also reads the parts beyond the limit.
      while (rest.length > 0) {
        const slice = rest.subarray(0, SLICE);
        rest = rest.subarray(SLICE);
        form.write(slice);
      }
      form.end();
    } catch {
      malformed();
    }
  });
}

/**
 * Parses YAML or JSON. A single resource is returned as a list of one. Throws InvalidInputError if the text cannot be
 * parsed or contains no resource.
 */
function listIn(text: string): readonly unknown[] {
  const { values, mistakes } = parseYaml(text, {
    documents: MAX_DOCUMENTS,
    entries: MAX_RESOURCES,
    marks: marksIn(text),
  });
  const [mistake] = mistakes;
  if (mistake) throw InvalidInputError.of(PART, `line ${String(mistake.line)}: ${mistake.message}`);
  if (values.length === 0) throw InvalidInputError.of(PART, 'contains no resource');
  return values.map(({ value }) => value);
}
