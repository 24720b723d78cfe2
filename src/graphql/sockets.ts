import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { useServer } from 'graphql-ws/use/ws';
import { CloseCode, type Context as SocketContext } from 'graphql-ws';
import { WebSocketServer, type WebSocket } from 'ws';

import { UnavailableError } from '../errors';
import { bearerToken } from '../http/bearer-token';
import type { Context } from './context';
import type { OperationRunner, Prepared } from './operations';
import type { Sessions } from './sessions';

/** What the socket knows of its connection. */
interface Extra extends Record<PropertyKey, unknown> {
  leave?: () => void;
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
const PING = 12_000;

/** Takes WebSockets at /graphql, with the protocol of graphql-ws (graphql-transport-ws). Gives what ends them all. */
export function acceptSockets(server: Server, { runner, sessions, maxPayload, contextOf }: SocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload });
  const connectionOf = ({
    extra,
  }: SocketContext<Record<string, unknown>, Extra & { socket: { terminate(): void } }>) => ({
    ...{ token: extra.token, ended: extra.ended },
    cut: () => extra.socket.terminate(),
  });

  const disposable = useServer<Record<string, unknown>, Extra>(
    {
      onConnect: async ({ connectionParams, extra }) => {
        const token = tokenIn(connectionParams) ?? bearerToken(extra.request.headers.authorization);
        const { socket, request } = extra;
        try {
          const { isSignedIn } = await contextOf(request, { token, cut: () => socket.terminate() });
          if (!isSignedIn) return false;
        } catch (error) {
          // 1013 is `try again later` (RFC 6455's registry of close codes).
          if (error instanceof UnavailableError) socket.close(1013, error.message);
          return false;
        }
        const { ended, leave } = sessions.begin(token ?? '');
        ended.addEventListener('abort', () => {
          // What its subscriptions say last goes out first.
          setImmediate(() => socket.close(CloseCode.Forbidden, 'The token is no longer valid'));
        });
        Object.assign(extra, { token, ended, leave });
        return true;
      },
      onClose: ({ extra }) => extra.leave?.(),
      onSubscribe: async (context, _id, { query, operationName, variables }) => {
        if (Object.keys(context.subscriptions).length > MAX_OPERATIONS) {
          context.extra.socket.close(4429, `More than ${String(MAX_OPERATIONS)} operations at once`);
          return [];
        }
        return runner.prepare(
          { query, operationName, variables },
          await contextOf(context.extra.request, connectionOf(context)),
        );
      },
      execute: (args) => runner.execute(args as Prepared), // as onSubscribe made them
      subscribe: (args) => runner.subscribe(args as Prepared),
      isProd: true,
    },
    sockets,
    PING,
  );
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Nobody else listens any more for errors of a connection that was to be upgraded.
    socket.on('error', () => socket.destroy());
    if (request.url?.split('?', 1)[0] === '/graphql') {
      sockets.handleUpgrade(request, socket, head, (opened) => {
        sockets.emit('connection', opened, request);
        // ws tells a client of its mistake, and closes; graphql-ws would print it, with its stack.
        opened.removeAllListeners('error').on('error', () => endSoon(opened));
      });
    } else socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  return () => {
    void disposable.dispose();
    for (const socket of sockets.clients) endSoon(socket);
  };
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
