import type { IncomingMessage } from 'node:http';

import proxyAddr, { compile } from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

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

const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/**
 * Returns the network that limits apply to: the IPv4 address, also if it is mapped into IPv6 (RFC 4291, 2.5.5.2), or
 * the IPv6 /64, which belongs to one subscriber (RFC 6177). Accepts an address with a port, as some proxies send it.
 * Returns `unknown` for anything else.
 */
export function networkOf(address: string): string {
  const [, inBrackets, ipv4] = WITH_PORT.exec(address) ?? [];
  const text = inBrackets ?? ipv4 ?? address;
  if (!ipaddr.isValid(text)) return 'unknown';
  const ip = ipaddr.process(text);
  if (ip.kind() === 'ipv4') return ip.toString();
  return `${ip
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}/64`;
}

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Whether a webhook may connect to an IP address. */
export type AddressPolicy = (address: string) => boolean;

// The only part of the IPv6 address space from which global addresses are assigned (RFC 4291, 2.4). It excludes
// IPv4-compatible and site-local addresses, and both prefixes of NAT64.
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

// Azure's platform service, which is a public address by its number only, and gives secrets to virtual machines.
const AZURE = '168.63.129.16';

/**
 * Parses WEBHOOK_ALLOW: a comma-separated list of addresses and networks that webhooks may connect to besides public
 * addresses. Throws an Error whose message contains the invalid part.
 */
export function addressPolicy(text: string): AddressPolicy {
  const parts = text.split(',').map((each) => each.trim());
  const allowed = parts.filter((each) => each !== '').map(allowedNetwork);
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    // Also converts an IPv4-mapped IPv6 address to the IPv4 address, to which the system would connect.
    const ip = ipaddr.process(address);
    return isPublic(ip) || allowed.some(([network, bits]) => ip.kind() === network.kind() && ip.match(network, bits));
  };
}

function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return ip.toString() !== AZURE && ip.range() === 'unicast' && (ip instanceof ipaddr.IPv4 || ip.match(GLOBAL));
}

function allowedNetwork(text: string): Network {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    // Not a number, which would be accepted as an IPv4 address.
    if (!/[.:]/.test(text)) throw new Error();
    const ip = ipaddr.parse(text);
    return [ip, ip.toByteArray().length * 8];
  } catch {
    throw new Error(`"${text}" is not an address or network such as 10.0.0.0/8`);
  }
}
