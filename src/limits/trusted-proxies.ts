import type { IncomingMessage } from 'node:http';

import proxyAddr, { compile } from '@fastify/proxy-addr';

/** Whether a proxy at this address, so many hops from this server, is believed about the address before it. */
export type TrustedProxies = (address: string, hop: number) => boolean;

const MAX_HOPS = 10;

/** The caller's address, as Fastify finds it. */
export function callerAddress(request: IncomingMessage, trusted: TrustedProxies | undefined): string {
  return trusted ? proxyAddr(request, trusted) : (request.socket.remoteAddress ?? '');
}

/**
 * The proxies that TRUST_PROXY names: a number of hops, or addresses and networks with commas (also `loopback`,
 * `linklocal`, `uniquelocal`). Throws an Error that says what is wrong.
 */
export function trustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'false' || text === '0') return undefined;
  if (text === 'true') {
    throw new Error(
      'lets every caller choose their address; give the number of proxies in front of this server, or their networks',
    );
  }
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    if (hops > MAX_HOPS) throw new Error(`"${text}" is more than ${String(MAX_HOPS)} hops`);
    // A function, because Fastify 5.12 trusts nobody where it is given a number.
    return (_address, hop) => hop < hops;
  }
  const networks = text.split(',').map((each) => each.trim());
  for (const network of networks) {
    if (/\/0+$/.test(network)) throw new Error(`"${network}" is everybody`);
    try {
      if (/^\d*$/.test(network)) throw new Error();
      compile(network);
    } catch {
      throw new Error(`"${network}" is neither a number of hops nor an address or network such as 10.0.0.0/8`);
    }
  }
  return compile(networks);
}
