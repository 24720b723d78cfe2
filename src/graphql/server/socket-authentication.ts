import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';

import { DomainError, shorten, UnavailableError } from '../../errors';
import { bearerToken } from '../../http/headers';
import { sessionIn } from '../../http/session-cookie';
import type { ClientConnection, Context } from '../context';
import type { TokenWatch, WatchedToken } from './token-watch';

/** Close code "try again later" (registry of RFC 6455). */
export const TRY_AGAIN_LATER = 1013;

/** Maximum number of bytes of the reason in a close frame (RFC 6455, 5.5). */
const MAX_REASON = 123;

/** Closes a connection with a code and a reason, and terminates it if the client does not answer. */
export function closeWith(socket: WebSocket, code: number | undefined, reason = ''): void {
  socket.close(code, shorten(reason, MAX_REASON));
  closeSoon(socket);
}

/** Terminates a connection whose client does not answer the close frame. */
export function closeSoon(socket: WebSocket): void {
  setTimeout(() => socket.terminate(), 1000).unref();
}

/** Calls `leave` when the socket closes, or immediately if the socket is already closing or closed. */
function onClose(socket: WebSocket, leave: () => void): void {
  if (socket.readyState === socket.OPEN) socket.once('close', leave);
  else leave();
}

/** The state of a WebSocket connection. */
export interface SocketState {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  token?: string;
  watched?: WatchedToken;
  /** Bytes that were received, without the data of messages since connection_init. Nobody has paid for them. */
  unpaid: number;
  /** Pays for messages in both directions. Set after connection_init. */
  context?: Context;
}

/** The dependencies of the authentication. */
export interface AuthenticationOptions {
  readonly tokens: TokenWatch;
  readonly contextOf: (request: IncomingMessage, connection: ClientConnection) => Promise<Context>;
  /** Returns the token of a browser's session, which `connection_init` names. */
  readonly cookieToken: (headers: IncomingHttpHeaders, session: string | undefined) => string | undefined;
}

const NO_TOKEN = 'Send a token in connection_init: { "token": "…" }';

/**
 * Authenticates a connection by the token in `connection_init` or in the Authorization header, or by the cookie of the
 * session that `connection_init` names, and watches the token. A connection whose token becomes invalid or gets another
 * role is closed with 4403. Returns false if the connection must be rejected: it has no valid token, or the
 * authentication failed. After a failure that may pass, the connection is closed with 1013, so that the client retries.
 */
export async function authenticateSocket(
  state: SocketState,
  connectionParams: Readonly<Record<string, unknown>> | undefined,
  { tokens, contextOf, cookieToken }: AuthenticationOptions,
): Promise<boolean> {
  const { socket, request } = state;
  const { headers } = request;
  const token =
    tokenIn(connectionParams) ??
    bearerToken(headers.authorization) ??
    cookieToken(headers, sessionIn(connectionParams ?? {}));
  let context: Context;
  try {
    context = await contextOf(request, { token, cut: () => socket.terminate() });
    context.permit?.close();
    if (!context.isSignedIn) {
      closeWith(socket, CloseCode.Forbidden, token === undefined ? NO_TOKEN : 'The token is not valid');
      return false;
    }
    context.spend(1); // so that a user who owes for former connections opens none
    onClose(socket, context.session.hold('connections'));
  } catch (error) {
    if (error instanceof DomainError)
      closeWith(socket, error.mayPass ? TRY_AGAIN_LATER : CloseCode.Forbidden, error.message);
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

/**
 * The token in the parameters of `connection_init`: in `{ authorization: "Bearer ..." }`, in any case, or in `{ token:
 * "..." }`.
 */
function tokenIn(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const [name, value] of Object.entries(params ?? {})) {
    if (typeof value !== 'string') continue;
    if (name.toLowerCase() === 'authorization') return bearerToken(value);
    if (name === 'token') return value;
  }
  return undefined;
}
