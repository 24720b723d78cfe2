import type { IncomingMessage } from 'node:http';

import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';

import { DomainError, UnavailableError } from '../../errors';
import { bearerToken } from '../../http/bearer-token';
import type { ClientConnection, Context } from '../context';
import { tokenIn } from './connection-params';
import { TRY_AGAIN_LATER, closeWith, onClose } from './socket-close';
import type { TokenWatch, WatchedToken } from './token-watch';

/** The state of a WebSocket connection. */
export interface SocketState {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  token?: string;
  watched?: WatchedToken;
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
 * connection whose token becomes invalid or gets another role is closed with 4403. Returns false if the connection must
 * be rejected: it has no valid token, or the authentication failed. After a failure that may pass, the connection is
 * closed with 1013, so that the client retries.
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
    context.permit?.close();
    if (!context.isSignedIn) return false;
    onClose(socket, context.session.hold('connections'));
  } catch (error) {
    const mayRetry = error instanceof DomainError && error.retryAfter !== undefined;
    if (mayRetry) closeWith(socket, TRY_AGAIN_LATER, error.message);
    return false;
  }
  const watched = tokens.begin(token ?? '');
  const { ended } = watched;
  watched.use(context.session.viewer.role);
  ended.addEventListener('abort', () => {
    // Subscriptions are not completed first, because their clients would not reconnect then.
    const reason = ended.reason as Error; // from TokenWatch
    // 4403
    closeWith(socket, reason instanceof UnavailableError ? TRY_AGAIN_LATER : CloseCode.Forbidden, reason.message);
  });
  onClose(socket, () => watched.leave());
  Object.assign(state, { token, watched, context });
  return true;
}
