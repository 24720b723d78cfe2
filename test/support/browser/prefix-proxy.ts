import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { closeAtTheLatest } from '../runner/leftovers';

/** A reverse proxy that serves a server under a path prefix. */
export interface PrefixProxy {
  /** The URL of the server for its clients, which ends with the prefix. */
  readonly url: string;
  /** The requested paths without the prefix. */
  readonly strays: readonly string[];
  readonly close: () => Promise<void>;
}

/**
 * Serves `target` under `prefix`, which the target does not see, and other targets under theirs. Forwards requests,
 * event streams and WebSockets.
 */
export async function startPrefixProxy(
  target: string,
  prefix: string,
  others: Readonly<Record<string, string>> = {},
): Promise<PrefixProxy> {
  const strays: string[] = [];
  const targets = Object.entries({ [prefix]: target, ...others });
  const forwarded = ({ url = '', method, headers, socket }: IncomingMessage) => {
    const [under, to] = targets.find(([each]) => url.startsWith(`${each}/`)) ?? [];
    if (under === undefined || to === undefined) {
      strays.push(url);
      return undefined;
    }
    return request(`${to}${url.slice(under.length)}`, {
      method,
      headers: { ...headers, 'x-forwarded-for': socket.remoteAddress },
    });
  };

  const server = createServer((incoming, reply) => {
    const outgoing = forwarded(incoming);
    if (!outgoing) {
      reply.writeHead(404).end();
      return;
    }
    outgoing.on('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    outgoing.on('error', () => reply.destroy());
    reply.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  const sockets = new Set<Duplex>();
  server.on('upgrade', (incoming: IncomingMessage, client: Duplex) => {
    const outgoing = forwarded(incoming);
    if (!outgoing) {
      client.end('HTTP/1.1 404 Not Found\r\n\r\n');
      return;
    }
    outgoing.on('error', () => client.destroy());
    outgoing.on('upgrade', (answer, upstream) => {
      const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.join('')}\r\n`);
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
      }
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      client.pipe(upstream).pipe(client);
    });
    outgoing.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  closeAtTheLatest(close);
  const { port } = server.address() as AddressInfo; // it listens on one
  return { url: `http://127.0.0.1:${String(port)}${prefix}`, strays, close };
}
