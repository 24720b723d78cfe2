import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { makeServer } from 'graphql-ws';
import { WebSocketServer } from 'ws';

import { RateLimitedError } from '../../errors';
import { ignoreUpgrade } from '../../http/ignored-upgrade';
import { retryHeaders, retryOf } from '../../http/retry-headers';
import { MAX_PUBLIC_BODY } from './admission';
import type { SocketState } from './socket-authentication';
import { closeSoon, closeWith } from './socket-close';
import { protocolOf, serveSocket, type ProtocolOptions } from './socket-protocol';

/** The dependencies of WebSockets. */
export interface SocketOptions extends ProtocolOptions {
  /** Maximum number of bytes of a message. */
  readonly maxPayload: number;
  /** Charges the client's address for a connection, because the user is not known yet. Throws RateLimitedError. */
  readonly admit: (request: IncomingMessage) => void;
}

/** Milliseconds between pings. A client that does not respond to a ping before the next one is disconnected. */
const PING = 12_000;

/**
 * Accepts WebSockets at /graphql with the protocol of graphql-ws (graphql-transport-ws). Returns a function that closes
 * all connections.
 */
export function acceptSockets(server: Server, options: SocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: options.maxPayload });
  const protocol = makeServer(protocolOf(options));
  const responsive = new WeakSet();
  const pinging = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!responsive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, PING).unref();

  server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      ignoreUpgrade(server, request, connection, head);
      return;
    }
    // Node's HTTP server no longer handles errors of this connection.
    connection.on('error', () => connection.destroy());
    if (request.url?.split('?', 1)[0] !== '/graphql') {
      refuse(connection, '404 Not Found');
      return;
    }
    try {
      options.admit(request);
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error;
      refuse(connection, '429 Too Many Requests', retryHeaders(retryOf(error)));
      return;
    }
    sockets.handleUpgrade(request, connection, head, (socket) => {
      responsive.add(socket);
      socket.on('pong', () => responsive.add(socket));
      // ws reports protocol errors to the client and closes the connection.
      socket.on('error', () => closeSoon(socket));
      connection.on('drain', () => {
        socket.resume();
      });
      const state: SocketState = { socket, request };
      limitUntilSignedIn(connection, state);
      serveSocket(protocol, state, options);
    });
  });
  return () => {
    clearInterval(pinging);
    for (const socket of sockets.clients) {
      closeWith(socket, 1001, 'Going away');
    }
    sockets.close();
  };
}

function refuse(connection: Duplex, status: string, headers: Readonly<Record<string, string>> = {}): void {
  const all = { ...headers, 'Content-Length': '0', Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  connection.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`);
}

/** Closes a connection that sends more data before connection_init than authentication requires. */
function limitUntilSignedIn(connection: Duplex, state: SocketState): void {
  let left = MAX_PUBLIC_BODY;
  const count = (data: Buffer): void => {
    left -= data.length;
    if (state.token === undefined && left >= 0) return;
    connection.off('data', count);
    if (state.token !== undefined) return;
    closeWith(state.socket, 1009, 'Too much data before connection_init');
  };
  connection.on('data', count);
}
