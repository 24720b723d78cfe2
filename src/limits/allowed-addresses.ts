import ipaddr from 'ipaddr.js';

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
  const allowed = parts.filter((each) => each !== '').map(networkOf);
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

function networkOf(text: string): Network {
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
