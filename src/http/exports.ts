import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { DomainError, OverloadedError, quote } from '../errors';
import type { ExportFile, ExportFiles } from '../jobs/exports/export-service';
import type { TransportAccess } from '../session/access';
import { restCaller } from './headers';

/** Files that a process sends at the same time, in total and to a user: slow readers leave room for other users. */
const MOST_DOWNLOADS = 20;
const MOST_OF_USER = 4;

/**
 * Serves the files of exports at their signed addresses, without a token, so that browsers and other programs can
 * download them. A range of bytes (RFC 9110, 14) continues a download that was interrupted: a file never changes.
 */
export function registerExports(http: FastifyInstance, files: ExportFiles, { access }: TransportAccess): void {
  /** The user of each file that is being sent. */
  const downloads: string[] = [];
  http.get<{ Params: { ref: string }; Querystring: { key?: unknown; signature?: unknown } }>(
    '/exports/:ref/:name',
    async (request, reply) => {
      access.admit(restCaller(request, undefined));
      const { key, signature } = request.query;
      const { ref } = request.params;
      const file = await files.open(ref, textOf(key), textOf(signature));
      // The client disconnected meanwhile, so that no further `close` would give the place back.
      if (reply.raw.destroyed) return reply.hijack();
      const { userRef } = file;
      const isSent = request.method !== 'HEAD';
      // A reader that reads nothing gives its place back after the server's `timeout` (server.ts).
      if (
        isSent &&
        (downloads.length >= MOST_DOWNLOADS || downloads.filter((each) => each === userRef).length >= MOST_OF_USER)
      )
        throw new OverloadedError(5);
      reply
        .type(file.type)
        .header('accept-ranges', 'bytes')
        .header('cache-control', 'private, no-store')
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .header('etag', `"${ref}"`);
      const [first, last] = rangeOf(request, file, reply, `"${ref}"`);
      reply.header('content-length', last - first + 1);
      if (!isSent) return reply.send(Readable.from([]));
      downloads.push(userRef);
      reply.raw.once('close', () => downloads.splice(downloads.indexOf(userRef), 1));
      return reply.send(Readable.from(file.read(first, last), { objectMode: false }));
    },
  );
}

/** The first and the last byte that a request asks for. Several ranges at once are answered with the whole file. */
function rangeOf(
  { headers }: FastifyRequest,
  { size }: ExportFile,
  reply: FastifyReply,
  etag: string,
): readonly [number, number] {
  const whole = [0, size - 1] as const;
  const { range, 'if-range': known = etag } = headers;
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if (known !== etag || (from === '' && to === '')) return whole;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to));
  if (first > last) {
    reply.header('content-range', `bytes */${String(size)}`);
    throw new DomainError('BAD_USER_INPUT', 416, `Range: ${quote(range ?? '')} is outside of the file`);
  }
  reply.code(206).header('content-range', `bytes ${String(first)}-${String(last)}/${String(size)}`);
  return [first, last];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
