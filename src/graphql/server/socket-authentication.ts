import type { IncomingMessage } from 'node:http';

import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';

import { DomainError, UnavailableError } from '../../errors';
import { bearerToken } from '../../http/bearer-token';
import type { ClientConnection, Context } from '../context';
import { tokenIn } from './connection-params';
import { TRY_AGAIN_LATER, closeWith, onClose } from './socket-close';
import type { TokenWatch } from './token-watch';

/** The state of a WebSocket connection. */
export interface SocketState {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  token?: string;
  ended?: AbortSignal;
  /** Pays for messages in both directions. Set after connection_init. */
  context?: Context;
}

/** The dependencies of the authentication. */
export interface AuthenticationOptions {
  readonly tokens: TokenWatch;
  readonly contextOf: (request: IncomingMessage, connection: ClientConnection) => Promise<Context>;
}

/**
 * Authenticates a connection by the token in `connection_init` or in the Authorization header, and watches the token. A
 * connection whose token becomes invalid is closed with 4403. Returns false if the connection must be rejected: it has
 * no valid token, or the authentication failed. After a failure that may pass, the connection is closed with 1013, so
 * that the client retries.
 */
export async function authenticateSocket(
  state: SocketState,
  connectionParams: Readonly<Record<string, unknown>> | undefined,
  { tokens, contextOf }: AuthenticationOptions,
): Promise<boolean> {
  const { socket, request } = state;
  const token = tokenIn(connectionParams) ?? bearerToken(request.headers.authorization);
  let context: Context;
  try {
    context = await contextOf(request, { token, cut: () => socket.terminate() });
    context.ticket?.close();
    if (!context.isSignedIn) return false;
    onClose(socket, context.session.hold('connections'));
  } catch (error) {
    const mayRetry = error instanceof DomainError && error.retryAfter !== undefined;
    if (mayRetry) closeWith(socket, TRY_AGAIN_LATER, error.message);
    return false;
  }
  const { ended, leave } = tokens.begin(token ?? '');
  ended.addEventListener('abort', () => {
    // Subscriptions are not completed first, because their clients would not reconnect then.
    if (ended.reason instanceof UnavailableError) closeWith(socket, TRY_AGAIN_LATER, ended.reason.message);
    else closeWith(socket, CloseCode.Forbidden, 'The token is no longer valid'); // 4403
  });
  onClose(socket, leave);
  Object.assign(state, { token, ended, context });
  return true;
}
