import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of requests in progress on one connection. */
const MAX_PIPELINED = 16;

const waiting = new WeakMap<Socket, (() => void)[]>();

/** Whether the response to a request of this connection is in progress. */
export function isOccupied(socket: Socket): boolean {
  return waiting.has(socket);
}

const idle = new WeakMap<Server, Set<Socket>>();

/**
 * Closes the connections that wait for their next request. From Node 26 on, its own closeIdleConnections() also closes
 * those whose first request has not arrived.
 */
export function closeIdle(server: Server): void {
  for (const socket of idle.get(server) ?? []) socket.destroy();
}

/** Calls `begin` for each connection, once: an ignored upgrade hands its connection to the server again. */
export function onConnection(server: Server, begin: (socket: Socket) => void): void {
  const known = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => {
    if (known.has(socket)) return;
    known.add(socket);
    begin(socket);
  });
}

/**
 * Handles the requests of a connection one after the other. RFC 9112 (9.3.2) requires this order for pipelined requests
 * with unsafe methods. A connection therefore occupies one handler and one response at a time, and requests whose
 * connection closed before their turn are never handled. A connection with more than MAX_PIPELINED requests in progress
 * is closed.
 */
export function oneAfterAnother(server: Server, handle: RequestListener): RequestListener {
  const resting = new Set<Socket>();
  idle.set(server, resting);
  onConnection(server, (socket) => socket.once('close', () => resting.delete(socket)));
  server.on('upgrade', ({ socket }) => resting.delete(socket));
  return (request, response) => {
    const { socket } = request;
    resting.delete(socket);
    const next = (): void => {
      const start = waiting.get(socket)?.shift();
      if (!start) {
        waiting.delete(socket);
        if (!socket.destroyed) resting.add(socket);
      } else if (socket.writable) start();
    };
    const start = (): void => {
      response.once('close', next);
      handle(request, response);
    };
    const queue = waiting.get(socket);
    if (!queue) {
      waiting.set(socket, []);
      start();
    } else if (queue.length < MAX_PIPELINED - 1) queue.push(start);
    else socket.destroy();
  };
}
