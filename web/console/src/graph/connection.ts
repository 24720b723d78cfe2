import { createClient, type Client } from 'graphql-ws/client';

import { serverUrl } from './server';

// Milliseconds between two tests of the connection, and for the response.
const TEST_AFTER = 15_000;
const TEST_LIMIT = 5000;

/** The connection of all subscriptions with a token. It opens with the first and closes after the last. */
export interface Connection {
  readonly token: string;
  readonly client: Client;
  isOpen: boolean;
}

let shared: Connection | undefined;

/** Returns the connection with a token. It is opened when it is used. */
export function connectionOf(token: string): Connection {
  if (shared?.token === token) return shared;
  const client = createClient({
    url: serverUrl('graphql').replace(/^http/, 'ws'),
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
    keepAlive: TEST_AFTER,
  });
  const connection: Connection = { token, client, isOpen: false };
  client.on('connected', () => (connection.isOpen = true));
  let limit: ReturnType<typeof setTimeout> | undefined;
  // A network that fails without closing the connection is noticed by the missing response only.
  client.on('ping', (isReceived) => {
    if (!isReceived) limit = setTimeout(() => client.terminate(), TEST_LIMIT);
  });
  client.on('pong', () => clearTimeout(limit));
  client.on('closed', () => {
    clearTimeout(limit);
    connection.isOpen = false;
  });
  return (shared = connection);
}
