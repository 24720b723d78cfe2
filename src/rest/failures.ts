import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { DomainError, InvalidInputError, NotFoundError } from '../errors';
import { retryHeaders, retryOf } from '../http/headers';
import { failure, textOf, type Answer } from './envelope';
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
  else if (told.cause !== undefined) request.log.warn({ err: told.cause }, told.message);
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
  return reply.code(httpStatus).type('application/json; charset=utf-8').send(textOf(body));
}
