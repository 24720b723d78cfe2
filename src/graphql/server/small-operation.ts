import { MessageType, parseMessage } from 'graphql-ws';

import { MAX_PUBLIC_BODY } from './admission';

/** Whether a WebSocket message starts an operation and costs little to parse. */
export function isSmallOperation(message: Buffer): boolean {
  if (message.length > MAX_PUBLIC_BODY) return false;
  try {
    return parseMessage(message.toString()).type === MessageType.Subscribe;
  } catch {
    return false;
  }
}
