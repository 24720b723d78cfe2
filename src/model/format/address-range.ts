import { isIP, isIPv4 } from 'node:net';

import { IPv4 } from 'ipaddr.js';

import { list, refine, text, type Format } from './format';

/** An IP address, a CIDR block (RFC 4632), or an address and a mask (`10.0.0.0/255.0.0.0`). */
export function addressRange(): Format {
  const format = text(64);
  return refine(
    format,
    (value) => {
      const [address = '', mask, ...rest] = value.split('/');
      const version = isIP(address);
      // A zone (RFC 4007) identifies an interface of one host.
      if (version === 0 || address.includes('%') || rest.length > 0) return false;
      if (mask === undefined) return true;
      if (/^\d{1,3}$/.test(mask)) return Number(mask) <= (version === 4 ? 32 : 128);
      return version === 4 && isMask(mask);
    },
    'an IP address, a CIDR block or ip/mask',
  );
}

function isMask(mask: string): boolean {
  return isIPv4(mask) && IPv4.parse(mask).prefixLengthFromSubnetMask() !== null;
}

/** The shortest prefixes of a network. A few blocks with shorter ones would be everybody. */
const MIN_PREFIX = { 4: 8, 6: 16 };

/** An IP address, or a CIDR block (RFC 4632) that is no large part of IPv4 or IPv6. */
function network(): Format {
  const least = `${String(MIN_PREFIX[4])} (IPv4) or ${String(MIN_PREFIX[6])} (IPv6)`;
  return refine(addressRange(), isNetwork, `an IP address or a CIDR block with a prefix of at least ${least}`);
}

/** The most networks of a provider or a peer. Kamailio reads those of a gateway as one text. */
export const MAX_NETWORKS = 64;

/** The networks from which a provider or a peer sends calls. */
export function networks(): Format {
  return list(network(), { max: MAX_NETWORKS });
}

function isNetwork(value: string): boolean {
  const [address = '', prefix] = value.split('/');
  return prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) >= MIN_PREFIX[isIPv4(address) ? 4 : 6]);
}
