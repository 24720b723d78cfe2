import { connect, type Socket } from 'node:net';

import { addressText, type Address } from '../../config/database-url';

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
