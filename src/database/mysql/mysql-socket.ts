import type { Socket } from 'node:net';

import type { Connection } from 'mysql2';

/** Returns the socket of a connection, which mysql2 does not declare. */
export function socketOf(connection: Connection): Socket {
  return (connection as unknown as { readonly stream: Socket }).stream;
}

/**
 * Closes a connection and its socket at once. `destroy` of mysql2 alone keeps the socket until the server closes it, and
 * a server that is silent never does.
 */
export function disconnect(connection: Connection): void {
  connection.destroy();
  socketOf(connection).destroy();
}
