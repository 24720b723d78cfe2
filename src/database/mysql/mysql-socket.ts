import { connect, type Socket } from 'node:net';

import type { Connection } from 'mysql2';

import { addressText, type Address } from '../../config/database-url';
import { silence } from '../errors';

/** Returns the socket of a connection, which mysql2 does not declare. */
export function socketOf(connection: Connection): Socket {
  return (connection as unknown as { readonly stream: Socket }).stream;
}

/**
 * Closes a connection and its socket at once. `destroy` of mysql2 alone keeps the socket until the server closes it,
 * and a server that is silent never does.
 */
export function disconnect(connection: Connection): void {
  connection.destroy();
  socketOf(connection).destroy();
}

/**
 * Resolves to the response to a statement. Rejects if there is none within `milliseconds`. The time limit of mysql2
 * does not include that the statement waits for earlier ones of its connection, or is prepared.
 */
export function responseWithin<T>(
  milliseconds: number,
  send: (done: (error: Error | null, response: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(silence()), milliseconds);
    send((error, response) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(response);
    });
  });
}

/** Opens the sockets of connections, so that all connections to a server can be closed at once. */
export class HostSockets {
  private readonly sockets = new Map<string, Set<Socket>>();

  open(address: Address): Socket {
    const socket = connect(address).setNoDelay(true).setKeepAlive(true);
    const name = addressText(address);
    const others = this.sockets.get(name) ?? new Set();
    this.sockets.set(name, others.add(socket));
    socket.once('close', () => others.delete(socket));
    return socket;
  }

  /** Closes all sockets to a server. Statements in progress fail as if the server had closed their connections. */
  cut(address: Address): void {
    for (const socket of this.sockets.get(addressText(address)) ?? []) socket.destroy();
  }
}
