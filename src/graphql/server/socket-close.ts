import type { WebSocket } from 'ws';

import { shorten } from '../../errors';

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
export function onClose(socket: WebSocket, leave: () => void): void {
  if (socket.readyState === socket.OPEN) socket.once('close', leave);
  else leave();
}
