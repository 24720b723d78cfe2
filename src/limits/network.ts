import ipaddr from 'ipaddr.js';

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
