import type { IncomingMessage } from 'node:http';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** A route that answers before its body is read. */
export function withoutBody(answer: Answer): { readonly onRequest: Answer; readonly handler: Answer } {
  return { onRequest: answer, handler: answer };
}

// What a client may send after its request was refused: bytes and milliseconds. One that is cut off while it sends may
// not see the answer.
const MAX_DISCARDED = 1024 * 1024;
const MAX_WAIT = 500;

/**
 * Lets requests be answered before their bodies have arrived: what remains of a body is discarded for a moment, and then
 * the connection ends.
 */
export function leaveBodiesUnread(http: FastifyInstance): void {
  // Node would ask for the body before anybody knows whose it is (`Expect: 100-continue`, RFC 9110, 10.1.1).
  http.server.on('checkContinue', (request, response) => http.server.emit('request', request, response));
  http.addHook('preParsing', (request, reply, _payload, done) => {
    if (isAwaitingContinue(request)) reply.raw.writeContinue();
    done();
  });
  http.addHook('onSend', async ({ raw, headers }, reply) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody || raw.complete) return;
    if (headers.expect !== undefined || !(await discarded(raw))) reply.header('connection', 'close');
  });
}

function isAwaitingContinue({ headers }: FastifyRequest): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}

/** Discards what comes for a moment; tells whether that was all. */
function discarded(body: IncomingMessage): Promise<boolean> {
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
