import type { RequestListener, Server } from 'node:http';

/**
 * The number of connections that may wait to be accepted. Beyond it, the kernel ignores connections, and their clients try
 * again after a second.
 */
export const BACKLOG = 4096;

// New connections that are accepted before more requests are handled, and the milliseconds for which these are handled then.
const CONNECTIONS = 32;
const SLICE = 10;

/**
 * Accepts new connections before it handles more requests. Node accepts one connection in each turn of the event loop.
 * Under load, a turn takes long, so the last of several hundred new clients would wait for seconds.
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
      const end = performance.now() + SLICE;
      do waiting.shift()?.();
      while (waiting.length > 0 && performance.now() < end);
    }
    isAccepting ||= waiting.length > 0;
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
