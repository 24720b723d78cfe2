import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import type { GraphQLError } from 'graphql';
import {
  CloseCode,
  makeServer,
  MessageType,
  parseMessage,
  type Server as Protocol,
  type ServerOptions,
  type SubscribePayload,
} from 'graphql-ws';
import { WebSocketServer, type WebSocket } from 'ws';

import { RateLimitedError } from '../../errors';
import { retryHeaders, retryOf } from '../../http/headers';
import type { Context } from '../context';
import { ignoreUpgrade } from '../../http/ignored-upgrade';
import { MAX_PUBLIC_BODY } from './admission';
import type { Documents, PreparedOperation } from './documents';
import { wantsCost, withListedText, type OperationRequest } from './operation-request';
import { refusal } from './present-error';
import { chargeMessage } from './response-size';
import {
  authenticateSocket,
  closeSoon,
  closeWith,
  TRY_AGAIN_LATER,
  type AuthenticationOptions,
  type SocketState,
} from './socket-authentication';

/** The dependencies of the protocol. */
interface ProtocolOptions extends AuthenticationOptions {
  readonly documents: Documents;
  /** Presents a failure to the client, and logs one that is unexpected. */
  readonly present: (failure: unknown) => GraphQLError;
}

/** Maximum number of concurrent operations of a connection. */
const MAX_OPERATIONS = 100;
/**
 * Maximum number of bytes that wait to be sent to a client. While more are waiting, nothing is read from the client.
 */
const MAX_BUFFERED = 1 << 20;
/** Parsing this many bytes of a message takes about as long as reading one object. */
const BYTES_PER_OBJECT = 50;
/** A frame without data takes six bytes, and as long as a part of an object. */
const BYTES_PER_OBJECT_IN_FRAMES = 8;
/** Bytes beside the data of messages that a connection need not pay for between two pings: the headers and pongs of most clients. */
const FREE_BYTES_PER_PING = 1024;
/** Bytes that may have arrived of messages that are not complete, beyond the longest one. Node reads so many at once. */
const MAX_READ = 64 * 1024;
const PONG = JSON.stringify({ type: MessageType.Pong });

/** Returns the options of graphql-ws, which authenticate connections and run their operations. */
function protocolOf(options: ProtocolOptions): ServerOptions<Record<string, unknown>, SocketState> {
  const { documents, contextOf, present } = options;
  return {
    onConnect: ({ connectionParams, extra }) => authenticateSocket(extra, connectionParams, options),
    onSubscribe: async ({ extra, subscriptions }, _id, payload) => {
      if (Object.keys(subscriptions).length > MAX_OPERATIONS) {
        return [refusal(`More than ${String(MAX_OPERATIONS)} concurrent operations`, 'RATE_LIMITED', { status: 429 })];
      }
      const { socket, request, token, watched } = extra;
      const ended = watched?.ended;
      let context: Context | undefined;
      try {
        context = await contextOf(request, { token, ended, cut: () => socket.terminate() });
        if (context.isSignedIn) watched?.use(context.session.viewer.role);
        const prepared = documents.prepare(operationOf(payload, context), context);
        if (!('errors' in prepared || ended?.aborted)) {
          extra.context?.prepay(prepared.objects);
          return prepared;
        }
        context.permit?.close();
        return 'errors' in prepared ? prepared.errors : [present(ended?.reason)];
      } catch (error) {
        context?.permit?.close();
        // Only this operation is rejected. The connection's other operations continue.
        return [present(error)];
      }
    },
    execute: (args) => {
      const prepared = args as PreparedOperation; // from onSubscribe
      return documents.execute(prepared).finally(() => prepared.contextValue.permit?.close());
    },
    subscribe: (args) => documents.subscribe(args as PreparedOperation),
  };
}

/** The operation of a message. A client whose API token has documents may send the hash of one, with an empty `query`. */
function operationOf(payload: SubscribePayload, context: Context): OperationRequest {
  const { query } = withListedText({ ...payload }, context) ?? payload;
  const { operationName, variables, extensions } = payload;
  return { query: String(query), operationName, variables, wantsCost: wantsCost(extensions) };
}

/** Connects a WebSocket to the protocol, as the adapter of graphql-ws does, but without writing to the console. */
function serveSocket(protocol: Protocol<SocketState>, state: SocketState, { present }: ProtocolOptions): void {
  const { socket } = state;
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) =>
        new Promise((resolve) => {
          if (socket.readyState === socket.OPEN) socket.send(chargeMessage(data, state.context), () => resolve());
          else resolve();
        }),
      close: (code, reason) => {
        closeWith(socket, code, reason);
      },
      // The pong does not repeat the payload, which could be large.
      onPing: () => {
        socket.send(PONG);
      },
      onMessage: (handle) => {
        socket.on('message', (data: Buffer) => {
          // The messages after one that closed the connection are ignored.
          if (socket.readyState !== socket.OPEN) return;
          if (state.context) state.unpaid -= data.length;
          try {
            state.context?.spend(Math.ceil(data.length / BYTES_PER_OBJECT));
          } catch (error) {
            // The caller is over budget. A small operation is passed on, and `onSubscribe` rejects only that operation.
            // Any other message closes the connection.
            if (!isSmallOperation(data)) {
              closeUnread(socket, TRY_AGAIN_LATER, present(error).message);
              return;
            }
          }
          handle(data.toString()).catch((failure: unknown) => {
            // graphql-ws throws for messages that only a server sends.
            const isUnexpected = failure instanceof Error && failure.message.startsWith('Unexpected message');
            if (isUnexpected || !state.context) closeWith(socket, CloseCode.BadRequest, 'Invalid message');
            else closeWith(socket, CloseCode.InternalServerError, present(failure).message);
          });
          if (socket.bufferedAmount > MAX_BUFFERED) socket.pause();
        });
      },
    },
    state,
  );
  socket.once('close', (code, reason) => {
    if (state.unpaid > 0 && state.context?.isSignedIn === true)
      state.context.session.owe(Math.ceil(state.unpaid / BYTES_PER_OBJECT_IN_FRAMES));
    void closed(code, reason.toString());
  });
}

/** Whether a WebSocket message starts an operation and costs little to parse. */
function isSmallOperation(message: Buffer): boolean {
  if (message.length > MAX_PUBLIC_BODY) return false;
  try {
    return parseMessage(message.toString()).type === MessageType.Subscribe;
  } catch {
    return false;
  }
}

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
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxPayload,
    // One message of each connection in a turn of the event loop, so that the many of one client do not hold up the others.
    allowSynchronousEvents: false,
  });
  const protocol = makeServer(protocolOf(options));
  const responsive = new WeakSet();
  const states = new WeakMap<WebSocket, SocketState>();
  const pinging = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!responsive.delete(socket)) socket.terminate();
      else socket.ping();
      const state = states.get(socket);
      if (state && state.unpaid > 0) state.unpaid = Math.max(0, state.unpaid - FREE_BYTES_PER_PING);
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
        if (socket.readyState === socket.OPEN) socket.resume();
      });
      const state: SocketState = { socket, request, unpaid: 0 };
      states.set(socket, state);
      limitReceived(connection, state, options);
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
  // Node's HTTP server no longer closes a connection that the client leaves half open.
  setTimeout(() => connection.destroy(), 1000).unref();
}

/**
 * Closes a connection that sends more before connection_init than authentication requires, or later more beside the data of its
 * messages than its user may: pings, pongs and empty fragments of messages.
 */
function limitReceived(connection: Duplex, state: SocketState, { maxPayload, present }: SocketOptions): void {
  const { socket } = state;
  connection.on('data', (data: Buffer) => {
    if (socket.readyState !== socket.OPEN) return;
    state.unpaid += data.length;
    if (state.token === undefined) {
      if (state.unpaid > MAX_PUBLIC_BODY) closeUnread(socket, 1009, 'Too much data before connection_init');
      return;
    }
    if (state.unpaid <= maxPayload + MAX_READ) return;
    try {
      state.context?.spend(Math.ceil(state.unpaid / BYTES_PER_OBJECT_IN_FRAMES));
      state.unpaid = 0;
    } catch (error) {
      closeUnread(socket, TRY_AGAIN_LATER, present(error).message);
    }
  });
}

/** Closes a connection that sends too much, and reads no more from it: the client may go on until the connection is terminated. */
function closeUnread(socket: WebSocket, code: number, reason: string): void {
  closeWith(socket, code, reason);
  socket.pause();
}
