import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import ipaddr from 'ipaddr.js';

import { networkOf, type TrustedProxies } from '../limits/addresses';
import { closeIdle } from './pipelining';

/** The limits of open connections. */
export interface ConnectionLimits {
  readonly total: number;
  /** The limit for one network, as `networkOf` defines it. */
  readonly perNetwork: number;
  /** Trusted proxies. Their connections serve many clients, so only `total` applies to them. */
  readonly trustProxy: TrustedProxies | undefined;
}

/**
 * Closes each new connection that exceeds a limit. Connections from this host and from trusted proxies count only
 * towards `total`.
 */
export function limitConnections(server: Server, { total, perNetwork, trustProxy }: ConnectionLimits): void {
  server.maxConnections = total;
  // At the limit, closes idle connections to make room for new ones.
  server.on('drop', () => closeIdle(server));
  const open = new Map<string, number>();
  const counted = new WeakSet<Socket>();
  server.on('connection', (socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || counted.has(socket) || isLoopback(address) || trustProxy?.(address, 0)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= perNetwork) {
      socket.destroy();
      return;
    }
    counted.add(socket);
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
