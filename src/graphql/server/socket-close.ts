import type { WebSocket } from 'ws';

/** Close code "try again later" (registry of RFC 6455). */
export const TRY_AGAIN_LATER = 1013;

/** Terminates a connection whose client does not answer the close frame. */
export function closeSoon(socket: WebSocket): void {
  setTimeout(() => socket.terminate(), 1000).unref();
}

/** Calls `leave` when the socket closes, or immediately if the socket is already closing or closed. */
export function onClose(socket: WebSocket, leave: () => void): void {
  if (socket.readyState === socket.OPEN) socket.once('close', leave);
  else leave();
}
