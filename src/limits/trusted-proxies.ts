import type { IncomingMessage } from 'node:http';

import proxyAddr, { compile } from '@fastify/proxy-addr';

/** Whether to trust the X-Forwarded-For entry of a proxy with this address, `hop` hops away from this server. */
export type TrustedProxies = (address: string, hop: number) => boolean;

const MAX_HOPS = 10;

/** Returns the caller's address, determined in the same way as by Fastify. */
export function callerAddress(request: IncomingMessage, trusted: TrustedProxies | undefined): string {
  return trusted ? proxyAddr(request, trusted) : (request.socket.remoteAddress ?? '');
}

/**
 * Parses TRUST_PROXY: a number of hops, or a comma-separated list of addresses and networks (also `loopback`,
 * `linklocal`, `uniquelocal`). Returns undefined for `false` and `0`. Throws an Error whose message contains the
 * invalid part.
 */
export function trustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'false' || text === '0') return undefined;
  if (text === 'true') {
    throw new Error(
      '"true" would let every caller choose their address; set the number of proxies in front of this server, or their networks',
    );
  }
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    if (hops > MAX_HOPS) throw new Error(`"${text}" is more than ${String(MAX_HOPS)} hops`);
    // A function, because Fastify 5.12 trusts no proxy if it is given a number.
    return (_address, hop) => hop < hops;
  }
  const networks = text.split(',').map((each) => each.trim());
  for (const network of networks) {
    if (/\/0+$/.test(network)) throw new Error(`"${network}" includes every address`);
    try {
      if (/^\d*$/.test(network)) throw new Error();
      compile(network);
    } catch {
      throw new Error(`"${network}" is neither a number of hops nor an address or network such as 10.0.0.0/8`);
    }
  }
  return compile(networks);
}
