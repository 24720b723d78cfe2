import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { DomainError, InvalidInputError, NotFoundError } from '../errors';
import { retryHeaders, retryOf } from '../http/headers';
import { logFailure } from '../log';
import { failure, jsonOf, type Answer } from './envelope';
import type { RestOptions } from './options';

type StatusOptions = Pick<RestOptions, 'numericStatus' | 'profile'>;

/** Responds to requests for unknown paths, including those of other API versions. */
export function answerNotFound(options: StatusOptions) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    send(reply, failure(new NotFoundError('Path', request.url), options));
}

/**
 * Responds to requests that Fastify rejects before routing: those with a malformed escape, or a parameter longer than
 * any ref.
 */
export function answerFrameworkError(options: StatusOptions) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    // No hook runs for such a URL, so this header is set here. Pages of any origin may read that the URL is wrong.
    reply.header('access-control-allow-origin', '*');
    if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') void answerNotFound(options)(request, reply);
    else void send(reply, failure(InvalidInputError.of('url', 'is malformed'), options));
  };
}

/**
 * Responds to what is not HTTP, or arrives too slowly, and closes the connection. No path is known, so this is the envelope of
 * the legacy API.
 */
export function answerClientError(options: StatusOptions) {
  return (error: ConnectionError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const [code, reason] = CLIENT_ERRORS.get(error.code) ?? [
      400,
      'is not well-formed HTTP; a URL may have ASCII characters only',
    ];
    const { httpStatus, body } = failure(InvalidInputError.of('request', reason), options);
    // Routr v1's clients know neither 408 nor 431.
    const status = options.profile === 'routr1' ? httpStatus : code;
    const text = jsonOf({ ...body, status: options.numericStatus ? status : String(status) });
    const head = [
      `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${String(Buffer.byteLength(text))}`,
      'Access-Control-Allow-Origin: *',
      'Connection: close',
    ];
    if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
    socket.destroy(error);
  };
}

const CLIENT_ERRORS: ReadonlyMap<string, readonly [number, string]> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'did not arrive in time']],
  ['HPE_HEADER_OVERFLOW', [431, 'has a URL and headers that are too long together']],
]);

/** Responds to a failed request. Unexpected errors are logged and hidden. */
export function sendFailure(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  { profile }: StatusOptions,
): FastifyReply {
  const { numericStatus = false, bare = false, document = false } = request.routeOptions.config;
  const told = callerFault(error);
  if (!(told instanceof DomainError)) request.log.error({ err: error }, 'request failed unexpectedly');
  else if (told.cause !== undefined) logFailure(request.log, told, told.message, { err: told.cause });
  reply.headers(retryHeaders(retryOf(told)));
  // A body that could not be parsed is not a document.
  const context = { profile, numericStatus, bare, document: document && request.body !== undefined };
  return send(reply, failure(told, context));
}

/** Converts Fastify's own 4xx errors, which callers cause, to DomainErrors. */
function callerFault(error: FastifyError): Error {
  const status = error.statusCode ?? 500;
  if (error instanceof DomainError || status < 400 || status >= 500) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return InvalidInputError.of('body', 'is larger than the server accepts');
  return InvalidInputError.of('request', error.message);
}

/** Sends an envelope. */
export function send(reply: FastifyReply, { httpStatus, body }: Answer): FastifyReply {
  return reply.code(httpStatus).type('application/json; charset=utf-8').send(jsonOf(body));
}
