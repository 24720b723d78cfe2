import type { IncomingMessage } from 'node:http';

import { GraphQLError } from 'graphql';
import { CloseCode, MessageType, type Server as Protocol, type ServerOptions } from 'graphql-ws';
import type { WebSocket } from 'ws';

import { RateLimitedError, UnavailableError } from '../../errors';
import type { ClientConnection, Context } from '../context';
import type { Documents, PreparedOperation } from './documents';
import { bearerToken } from '../../http/bearer-token';
import { tokenIn } from './connection-params';
import { isSmallOperation } from './small-operation';
import type { TokenWatch } from './token-watch';

/** The state of a WebSocket connection. */
export interface SocketState {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  token?: string;
  ended?: AbortSignal;
  /** Charges the user's budget. Set after connection_init. */
  spend?: (work: number) => void;
}

/** The dependencies of the protocol. */
export interface ProtocolOptions {
  readonly documents: Documents;
  readonly tokens: TokenWatch;
  readonly contextOf: (request: IncomingMessage, connection: ClientConnection) => Promise<Context>;
  /** Presents a failure to the client, and logs one that is unexpected. */
  readonly present: (failure: unknown) => GraphQLError;
}

/** Maximum number of concurrent operations of a connection. */
const MAX_OPERATIONS = 100;
const TOO_MANY = { extensions: { code: 'RATE_LIMITED', status: 429 } };
/**
 * Maximum number of bytes that wait to be sent to a client. While more are waiting, nothing is read from the client.
 */
const MAX_BUFFERED = 1 << 20;
/** Parsing this many bytes of a message takes about as long as reading one object. */
const BYTES_PER_OBJECT = 50;
const PONG = JSON.stringify({ type: MessageType.Pong });
/** Close code "try again later" (registry of RFC 6455). */
const TRY_AGAIN_LATER = 1013;

/**
 * Returns the options of graphql-ws, which authenticate connections and run their operations. A connection whose token
 * becomes invalid is closed with 4403.
 */
export function protocolOf({
  documents,
  tokens,
  contextOf,
  present,
}: ProtocolOptions): ServerOptions<Record<string, unknown>, SocketState> {
  return {
    onConnect: async ({ connectionParams, extra }) => {
      const { socket, request } = extra;
      const token = tokenIn(connectionParams) ?? bearerToken(request.headers.authorization);
      let spend: SocketState['spend'];
      try {
        const context = await contextOf(request, { token, cut: () => socket.terminate() });
        if (!context.isSignedIn) return false;
        onClose(socket, context.session.hold('connections'));
        spend = context.session.spend;
      } catch (error) {
        const mayRetry = error instanceof UnavailableError || error instanceof RateLimitedError;
        if (mayRetry) socket.close(TRY_AGAIN_LATER, error.message);
        return false;
      }
      const { ended, leave } = tokens.begin(token ?? '');
      ended.addEventListener('abort', () => {
        // Subscriptions are not completed first, because their clients would not reconnect then.
        socket.close(CloseCode.Forbidden, 'The token is no longer valid'); // 4403
        closeSoon(socket);
      });
      onClose(socket, leave);
      Object.assign(extra, { token, ended, spend });
      return true;
    },
    onSubscribe: async ({ extra, subscriptions }, _id, { query, operationName, variables }) => {
      if (Object.keys(subscriptions).length > MAX_OPERATIONS) {
        return [new GraphQLError(`More than ${String(MAX_OPERATIONS)} concurrent operations`, TOO_MANY)];
      }
      const { socket, request, token, ended } = extra;
      try {
        const context = await contextOf(request, { token, ended, cut: () => socket.terminate() });
        const prepared = documents.prepare({ query, operationName, variables }, context);
        return 'errors' in prepared ? prepared.errors : prepared;
      } catch (error) {
        // Only this operation is rejected; the connection's other operations continue.
        return [present(error)];
      }
    },
    execute: (args) => documents.execute(args as PreparedOperation), // from onSubscribe
    subscribe: (args) => documents.subscribe(args as PreparedOperation),
  };
}

/** Connects a WebSocket to the protocol, as the adapter of graphql-ws does, but without writing to the console. */
export function serveSocket(protocol: Protocol<SocketState>, state: SocketState, { present }: ProtocolOptions): void {
  const { socket } = state;
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) =>
        new Promise((resolve) => {
          if (socket.readyState === socket.OPEN) socket.send(data, () => resolve());
          else resolve();
        }),
      close: (code, reason) => {
        socket.close(code, reason);
        closeSoon(socket);
      },
      // The pong does not repeat the payload, which could be large.
      onPing: () => {
        socket.send(PONG);
      },
      onMessage: (handle) => {
        socket.on('message', (data: Buffer) => {
          try {
            state.spend?.(Math.ceil(data.length / BYTES_PER_OBJECT));
          } catch (error) {
            // Over budget, only a small operation is rejected alone; any other message closes the connection.
            if (!isSmallOperation(data)) {
              socket.close(TRY_AGAIN_LATER, present(error).message);
              closeSoon(socket);
              return;
            }
          }
          handle(data.toString()).catch((failure: unknown) =>
            socket.close(CloseCode.InternalServerError, present(failure).message),
          );
          if (socket.bufferedAmount > MAX_BUFFERED) socket.pause();
        });
      },
    },
    state,
  );
  socket.once('close', (code, reason) => void closed(code, reason.toString()));
}

/** Terminates a connection whose client does not answer the close frame. */
export function closeSoon(socket: WebSocket): void {
  setTimeout(() => socket.terminate(), 1000).unref();
}

/** Calls `leave` when the socket closes, or at once if it is already closed. */
function onClose(socket: WebSocket, leave: () => void): void {
  if (socket.readyState === socket.OPEN) socket.once('close', leave);
  else leave();
}
