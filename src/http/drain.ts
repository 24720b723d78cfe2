import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import { onConnection } from './pipelining';

/** Milliseconds that the rest of a request has after the drain. */
const ARRIVAL = 5000;

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
 * them. Those whose request has not arrived as a whole have some seconds more.
 */
export function drainBeforeClose(http: FastifyInstance, milliseconds: number): Drain {
  const drain = { hasBegun: false };
  const sockets = new Set<Socket>();
  const requests = new WeakMap<Socket, IncomingMessage>();
  onConnection(http.server, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // A WebSocket is closed by its own protocol.
  http.server.on('upgrade', ({ socket, headers }) => {
    if (headers.upgrade?.toLowerCase() === 'websocket') sockets.delete(socket);
  });
  http.server.on('request', (request, response) => {
    const { socket } = request;
    requests.set(socket, request);
    response.once('close', () => {
      // Another one may be behind it.
      if (requests.get(socket) === request) requests.delete(socket);
    });
  });
  http.addHook('preClose', async () => {
    drain.hasBegun = true;
    await pause(milliseconds);
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    const end = (): void => {
      for (const socket of sockets) if (requests.get(socket)?.complete !== true) socket.destroy();
    };
    setTimeout(end, ARRIVAL).unref();
  });
  // On send, so that responses to requests in flight close their connections, too.
  http.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.hasBegun) reply.header('connection', 'close');
    done();
  });
  return drain;
}
