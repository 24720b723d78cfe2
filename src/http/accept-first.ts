import type { RequestListener, Server } from 'node:http';

/**
 * The number of connections that may wait to be accepted. Beyond it, the kernel ignores connections, and their clients
 * try again after a second.
 */
export const BACKLOG = 4096;

// New connections that are accepted before as many requests are handled.
const CONNECTIONS = 32;

/**
 * Accepts new connections before it handles more requests. Node accepts one connection in each turn of the event loop.
 * Under load, a turn takes long, so the last of several hundred new clients would wait for seconds. As many
 * requests are handled meanwhile as connections are accepted.
 */
export function acceptFirst(server: Server, handle: RequestListener): RequestListener {
  const waiting: (() => void)[] = [];
  let isAccepting = false;
  let hasAccepted = false;
  let accepted = 0;
  const turn = (): void => {
    isAccepting = hasAccepted;
    hasAccepted = false;
    if (!isAccepting || accepted >= CONNECTIONS) {
      accepted = 0;
      for (const start of waiting.splice(0, isAccepting ? CONNECTIONS : Infinity)) start();
    }
    if (isAccepting) setImmediate(turn);
  };
  server.on('connection', () => {
    hasAccepted = true;
    accepted++;
    if (isAccepting) return;
    isAccepting = true;
    setImmediate(turn);
  });
  return (request, response) => {
    if (!isAccepting) handle(request, response);
    else
      waiting.push(() => {
        if (request.socket.writable) handle(request, response);
      });
  };
}
