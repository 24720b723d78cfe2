import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { GraphQLError } from 'graphql';
import { CloseCode, makeServer, type Server as Protocol, type ServerOptions } from 'graphql-ws';
import { WebSocketServer, type WebSocket } from 'ws';

import { RateLimitedError, UnavailableError } from '../../errors';
import { bearerToken } from '../../http/bearer-token';
import { MAX_OPEN_BODY } from './admission';
import { retryHeaders, retryOf } from '../../http/retry-headers';
import type { Context } from '../context';
import type { OperationRunner, Prepared } from './operations';
import type { Sessions } from './sessions';

/** What the socket knows of its connection. */
interface Extra {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  token?: string;
  ended?: AbortSignal;
}

/** What sockets need of the graph. */
export interface SocketOptions {
  readonly runner: OperationRunner;
  readonly sessions: Sessions;
  /** Bytes of a message. */
  readonly maxPayload: number;
  readonly contextOf: (request: IncomingMessage, connection: Connection) => Promise<Context>;
  /** Throws RateLimitedError where the address may open no more for now: who it is, is told later. */
  readonly admit: (request: IncomingMessage) => void;
  /** A failure as it may be told; what is no caller's own is logged. */
  readonly present: (failure: unknown) => GraphQLError;
}

/** Who is connected, for as long as the token is good. */
export interface Connection {
  readonly token: string | undefined;
  readonly ended?: AbortSignal | undefined;
  /** Ends the connection at once. */
  readonly cut: () => void;
}

// Of one connection.
const MAX_OPERATIONS = 100;
const TOO_MANY = { extensions: { code: 'RATE_LIMITED', status: 429 } };
// Bytes that wait to be sent, beyond which nothing more is read from one who does not take them.
const MAX_WAITING = 1 << 20;
const PING = 12_000;

/** Takes WebSockets at /graphql, with the protocol of graphql-ws (graphql-transport-ws). Gives what ends them all. */
export function acceptSockets(server: Server, options: SocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: options.maxPayload });
  const protocol = makeServer(protocolOf(options));
  const present = new WeakSet<WebSocket>();
  const pinging = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!present.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, PING).unref();

  server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    // Nobody else listens any more for errors of a connection that was to be upgraded.
    connection.on('error', () => connection.destroy());
    if (request.url?.split('?', 1)[0] !== '/graphql') {
      connection.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    try {
      options.admit(request);
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error;
      const headers = Object.entries(retryHeaders(retryOf(error))).map(([name, value]) => `${name}: ${value}\r\n`);
      connection.end(
        `HTTP/1.1 429 Too Many Requests\r\n${headers.join('')}Content-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      return;
    }
    sockets.handleUpgrade(request, connection, head, (socket) => {
      present.add(socket);
      socket.on('pong', () => present.add(socket));
      // Of a client's mistake ws tells the client, and closes.
      socket.on('error', () => endSoon(socket));
      connection.on('drain', () => {
        socket.resume();
      });
      const extra: Extra = { socket, request };
      limitUntilSignedIn(connection, extra);
      speak(protocol, extra, options);
    });
  });
  return () => {
    clearInterval(pinging);
    for (const socket of sockets.clients) {
      socket.close(1001, 'Going away');
      endSoon(socket);
    }
    sockets.close();
  };
}

/** What graphql-ws's own adapter does, without its printing of what clients do. */
function speak(protocol: Protocol<Extra>, extra: Extra, { present }: SocketOptions): void {
  const { socket } = extra;
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) =>
        new Promise((resolve) => {
          // Whoever is gone is told nothing more.
          if (socket.readyState === socket.OPEN) socket.send(data, () => resolve());
          else resolve();
        }),
      close: (code, reason) => {
        socket.close(code, reason);
        endSoon(socket);
      },
      onMessage: (take) => {
        socket.on('message', (data: Buffer) => {
          take(data.toString()).catch((failure: unknown) =>
            socket.close(CloseCode.InternalServerError, present(failure).message),
          );
          if (socket.bufferedAmount > MAX_WAITING) socket.pause();
        });
      },
    },
    extra,
  );
  socket.once('close', (code, reason) => void closed(code, reason.toString()));
}

function protocolOf({
  runner,
  sessions,
  contextOf,
  present,
}: SocketOptions): ServerOptions<Record<string, unknown>, Extra> {
  return {
    onConnect: async ({ connectionParams, extra }) => {
      const { socket, request } = extra;
      const token = tokenIn(connectionParams) ?? bearerToken(request.headers.authorization);
      try {
        const context = await contextOf(request, { token, cut: () => socket.terminate() });
        if (!context.isSignedIn) return false;
        const left = context.session.hold('connections');
        if (socket.readyState === socket.OPEN) socket.once('close', left);
        else left();
      } catch (error) {
        // 1013 is `try again later` (RFC 6455's registry of close codes).
        const isLater = error instanceof UnavailableError || error instanceof RateLimitedError;
        if (isLater) socket.close(1013, error.message);
        return false;
      }
      const { ended, leave } = sessions.begin(token ?? '');
      ended.addEventListener('abort', () => {
        // At once: a subscription that was told of its end first would be complete, and its client not come back.
        socket.close(CloseCode.Forbidden, 'The token is no longer valid');
        endSoon(socket);
      });
      // It may have closed while it was looked at.
      if (socket.readyState === socket.OPEN) socket.once('close', leave);
      else leave();
      Object.assign(extra, { token, ended });
      return true;
    },
    onSubscribe: async ({ extra, subscriptions }, _id, { query, operationName, variables }) => {
      if (Object.keys(subscriptions).length > MAX_OPERATIONS) {
        return [new GraphQLError(`More than ${String(MAX_OPERATIONS)} operations at once`, TOO_MANY)];
      }
      const { socket, request, token, ended } = extra;
      try {
        const context = await contextOf(request, { token, ended, cut: () => socket.terminate() });
        return runner.prepare({ query, operationName, variables }, context);
      } catch (error) {
        // Such as the database away: a socket's other operations go on.
        return [present(error)];
      }
    },
    execute: (args) => runner.execute(args as Prepared), // as onSubscribe made them
    subscribe: (args) => runner.subscribe(args as Prepared),
  };
}

/** Ends a connection that sends more than a sign-in takes, before it has signed in. */
function limitUntilSignedIn(connection: Duplex, extra: Extra): void {
  let left = MAX_OPEN_BODY;
  const count = (data: Buffer): void => {
    left -= data.length;
    if (extra.token === undefined && left >= 0) return;
    connection.off('data', count);
    if (extra.token !== undefined) return;
    extra.socket.close(1009, 'Too much for a connection that has not signed in');
    endSoon(extra.socket);
  };
  connection.on('data', count);
}

/** For those who do not take leave themselves. */
function endSoon(socket: WebSocket): void {
  setTimeout(() => socket.terminate(), 1000).unref();
}

/** `{ authorization: "Bearer ..." }`, in any case, or `{ token: "..." }`. */
function tokenIn(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const [name, value] of Object.entries(params ?? {})) {
    if (typeof value !== 'string') continue;
    if (name.toLowerCase() === 'authorization') return bearerToken(value);
    if (name === 'token') return value;
  }
  return undefined;
}
