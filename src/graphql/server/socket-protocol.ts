import type { GraphQLError } from 'graphql';
import { CloseCode, MessageType, type Server as Protocol, type ServerOptions } from 'graphql-ws';

import type { Documents, PreparedOperation } from './documents';
import { refusal } from './present-error';
import { chargeMessage } from './response-size';
import { isSmallOperation } from './small-operation';
import { authenticateSocket, type AuthenticationOptions, type SocketState } from './socket-authentication';
import { TRY_AGAIN_LATER, closeWith } from './socket-close';

/** The dependencies of the protocol. */
export interface ProtocolOptions extends AuthenticationOptions {
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
const PONG = JSON.stringify({ type: MessageType.Pong });

/** Returns the options of graphql-ws, which authenticate connections and run their operations. */
export function protocolOf({
  documents,
  tokens,
  contextOf,
  present,
}: ProtocolOptions): ServerOptions<Record<string, unknown>, SocketState> {
  return {
    onConnect: ({ connectionParams, extra }) => authenticateSocket(extra, connectionParams, { tokens, contextOf }),
    onSubscribe: async ({ extra, subscriptions }, _id, { query, operationName, variables }) => {
      if (Object.keys(subscriptions).length > MAX_OPERATIONS) {
        return [refusal(`More than ${String(MAX_OPERATIONS)} concurrent operations`, 'RATE_LIMITED', { status: 429 })];
      }
      const { socket, request, token, watched } = extra;
      const ended = watched?.ended;
      try {
        const context = await contextOf(request, { token, ended, cut: () => socket.terminate() });
        if (context.isSignedIn) watched?.use(context.session.viewer.role);
        const prepared = documents.prepare({ query, operationName, variables }, context);
        if (!('errors' in prepared || ended?.aborted)) {
          extra.context?.prepay(prepared.objects);
          return prepared;
        }
        context.permit?.close();
        return 'errors' in prepared ? prepared.errors : [present(ended?.reason)];
      } catch (error) {
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

/** Connects a WebSocket to the protocol, as the adapter of graphql-ws does, but without writing to the console. */
export function serveSocket(protocol: Protocol<SocketState>, state: SocketState, { present }: ProtocolOptions): void {
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
          try {
            state.context?.spend(Math.ceil(data.length / BYTES_PER_OBJECT));
          } catch (error) {
            // The caller is over budget. A small operation is passed on, and `onSubscribe` rejects only that operation.
            // Any other message closes the connection.
            if (!isSmallOperation(data)) {
              closeWith(socket, TRY_AGAIN_LATER, present(error).message);
              return;
            }
          }
          handle(data.toString()).catch((failure: unknown) =>
            closeWith(socket, CloseCode.InternalServerError, present(failure).message),
          );
          if (socket.bufferedAmount > MAX_BUFFERED) socket.pause();
        });
      },
    },
    state,
  );
  socket.once('close', (code, reason) => void closed(code, reason.toString()));
}
