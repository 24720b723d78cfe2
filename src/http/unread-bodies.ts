import type { IncomingMessage } from 'node:http';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Hooks of a route that responds before the request's body is read. */
export function withoutBody(handler: Handler): { readonly onRequest: Handler; readonly handler: Handler } {
  return { onRequest: handler, handler };
}

// The limits, in bytes and milliseconds, for reading and discarding the rest of a refused request. If the connection
// were closed immediately, a client that is still sending might not receive the response.
const MAX_DISCARDED = 1024 * 1024;
const MAX_WAIT = 500;

/**
 * Allows responses before the request's body has arrived. The rest of the body is discarded within limits. If the body
 * exceeds the limits, the connection is closed.
 */
export function leaveBodiesUnread(http: FastifyInstance): void {
  // By default, Node requests the body before the caller is authenticated (`Expect: 100-continue`, RFC 9110, 10.1.1).
  http.server.on('checkContinue', (request, response) => http.server.emit('request', request, response));
  http.addHook('preParsing', (request, reply, _payload, done) => {
    if (isAwaitingContinue(request)) reply.raw.writeContinue();
    done();
  });
  http.addHook('onSend', ({ raw, headers }, reply, payload, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody || raw.complete) {
      done(null, payload);
      return;
    }
    const whole = headers.expect === undefined ? discard(raw) : Promise.resolve(false);
    void whole.then((isWhole) => {
      if (!isWhole) reply.header('connection', 'close');
      done(null, payload);
    });
  });
}

function isAwaitingContinue({ headers }: FastifyRequest): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}

/** Discards the rest of a body within the limits. Resolves to whether the body was complete. */
function discard(body: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let left = MAX_DISCARDED;
    const discard = (chunk: Buffer): void => {
      left -= chunk.length;
      if (left < 0) end();
    };
    const end = (): void => {
      clearTimeout(timer);
      body.off('data', discard).off('close', end).off('end', end).pause();
      resolve(body.complete);
    };
    const timer = setTimeout(end, MAX_WAIT);
    body.on('data', discard).on('end', end).on('close', end).resume();
  });
}
