import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

/** The first part of a shutdown. */
interface Drain {
  /** Whether the shutdown has begun. */
  readonly hasBegun: boolean;
}

/**
 * Makes a shutdown begin with a drain of some milliseconds: requests and new connections are still served, but every
 * response closes its connection. Meanwhile, load balancers notice that the server is not ready, and requests that were
 * sent but not read yet are processed. Their connections look idle and would be reset. Then, connections on which nothing
 * was sent are closed, such as those that browsers open in advance: Node does not count them as idle, and would wait for
 * them.
 */
export function drainBeforeClose(http: FastifyInstance, milliseconds: number): Drain {
  const drain = { hasBegun: false };
  const sockets = new Set<Socket>();
  http.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  http.addHook('preClose', async () => {
    drain.hasBegun = true;
    await setTimeout(milliseconds);
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  });
  // On send, so that responses to requests in flight close their connections, too.
  http.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.hasBegun) reply.header('connection', 'close');
    done();
  });
  return drain;
}
