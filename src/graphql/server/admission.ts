import { Transform, type Readable } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { UnauthenticatedError } from '../../errors';
import { closeWithResponse } from '../../http/request-permit';
import type { Context } from '../context';
import { documentIn, takeListedText } from './operation-request';
import { publicDocument } from './public-document';

declare module 'fastify' {
  interface FastifyRequest {
    /** The context of an admitted GraphQL request. */
    graphqlContext: Context | undefined;
  }
}

/** Maximum number of bytes of a body in a request without a valid token. */
export const MAX_PUBLIC_BODY = 16 * 1024;

/**
 * Admits every request with a valid token. Without a valid token, admits only a small JSON body, or a query string,
 * whose document needs no token. Anything else is rejected before its body is read if possible, and always before the
 * schema is used. Returns a function that returns the context of an admitted request.
 */
export function admitRequests(
  http: FastifyInstance,
  contextOf: (request: FastifyRequest) => Promise<Context>,
): (request: FastifyRequest) => Context {
  // Not a WeakMap: V8 frees the values of one only when it collects the old generation, with all that was loaded for them.
  http.decorateRequest('graphqlContext', undefined);
  const admit = ({ graphqlContext }: FastifyRequest): Context => {
    if (!graphqlContext) throw new UnauthenticatedError();
    return graphqlContext;
  };
  http.addHook('onRequest', async (request, reply) => {
    const context = await contextOf(request);
    request.graphqlContext = context;
    if (context.permit) closeWithResponse(context.permit, request, reply);
    if (context.refusal && !mayBeOpen(request)) throw context.refusal;
  });
  http.addHook('preParsing', (request, _reply, payload, done) => {
    const { refusal } = admit(request);
    // The body of a GET or HEAD is not read.
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    done(null, refusal && hasBody ? limit(payload, refusal) : payload);
  });
  http.addHook('preValidation', (request, _reply, done) => {
    const context = admit(request);
    takeListedText(request, context);
    const { refusal } = context;
    const waiting = refusal ? undefined : context.session.resume();
    if (waiting) waiting.then(() => done(), done);
    else done(refusal && !publicDocument(documentIn(request)) ? refusal : undefined);
  });
  return admit;
}

function mayBeOpen({ method, headers }: FastifyRequest): boolean {
  if (headers.accept?.includes('text/event-stream') === true && !headers.accept.includes('json')) return false;
  if (method !== 'POST') return true;
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  return isJson && Number(headers['content-length'] ?? 0) <= MAX_PUBLIC_BODY;
}

/** Limits a chunked body, whose length is not known in advance. */
function limit(payload: Readable, refusal: Error): Readable {
  let left = MAX_PUBLIC_BODY;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(refusal);
      else done(null, chunk);
    },
  });
  // The reader of the body handles the error. Without a reader, the error would end the process.
  limit.on('error', () => undefined);
  return payload.pipe(limit);
}
