import ipaddr from 'ipaddr.js';

const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/**
 * What limits count as one place: an IPv4 address, also where it is mapped into IPv6 (RFC 4291, 2.5.5.2), or an IPv6 /64,
 * all of which one subscriber has (RFC 6177). A proxy may add a port to the address.
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
