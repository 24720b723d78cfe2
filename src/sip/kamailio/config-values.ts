import { isIP } from 'node:net';

import { InvalidInputError, quote } from '../../errors';
import type { OwnAddresses } from './patterns';

/**
 * Checks a secret that is written unescaped into a configuration and a URL. Throws InvalidInputError without the value.
 */
export function assertSecret(name: string, secret: string): void {
  if (!/^[^"\\/\p{Cc}]{1,100}$/u.test(secret))
    throw InvalidInputError.of(name, 'must be 1 to 100 characters without quotes, slashes and backslashes');
}

/** Checks a listen address, `host:port`. Throws InvalidInputError. */
export function assertAddress(name: string, address: string): void {
  const port = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):(\d{1,5})$/.exec(address)?.[1];
  if (port === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw InvalidInputError.of(name, `${quote(address)} is not host:port`);
}

/** Rejects a wildcard address, which other hosts cannot reach. Throws InvalidInputError. */
export function assertReachable(name: string, address: string): void {
  if (/^(?:0+(?:\.0+)*|\[[0:.]*\]):/.test(address))
    throw InvalidInputError.of(
      name,
      `${quote(address)} is a wildcard: give the address at which phones and providers reach this server`,
    );
}

/**
 * Checks the public address of a NAT in front of the server, `ADDRESS` or `ADDRESS:PORT`. Returns it for SIP, by default with the port
 * there, and for TLS, of which a NAT keeps the port. Throws InvalidInputError.
 */
export function advertisedFor(advertise: string, { sip, tls }: OwnAddresses): OwnAddresses {
  const [, host = '', port = portOf(sip)] = /^(\[[\dA-Fa-f:]+\]|[\d.]+)(?::(\d{1,5}))?$/.exec(advertise) ?? [];
  const family = familyOf(host);
  // Kamailio 5.6 would not listen for SIP if a name has no address in DNS when it starts.
  if (family === 0 || Number(port) < 1 || Number(port) > 65_535)
    throw InvalidInputError.of(
      'advertise',
      `${quote(advertise)} is not an IP address, in brackets if it is IPv6: give ADDRESS or ADDRESS:PORT`,
    );
  const advertised = { sip: `${host}:${port}`, tls: tls && `${host}:${portOf(tls)}` };
  assertReachable('advertise', advertised.sip);
  for (const address of [sip, tls ?? sip]) {
    const own = familyOf(address.replace(/:\d+$/, ''));
    if (own !== 0 && own !== family)
      throw InvalidInputError.of(
        'advertise',
        `${quote(advertise)} is an IPv${String(family)} address, but ${quote(address)} is not`,
      );
  }
  if (advertised.sip === advertised.tls)
    throw InvalidInputError.of('advertise', `${quote(advertise)} has the port of SIP over TLS`);
  return advertised;
}

/** 4 or 6 for an IP address, and 0 for a host name. */
function familyOf(host: string): number {
  return isIP(host.replace(/[[\]]/g, ''));
}

function portOf(address: string): string {
  return address.split(':').at(-1) ?? '';
}

/** Checks that the host of host:port is an IP address, in brackets if it is IPv6. Throws InvalidInputError. */
export function assertNumeric(name: string, address: string): void {
  const host = /^\[(.*)\]:\d+$|^([0-9.]+):\d+$/.exec(address);
  if (isIP(host?.[1] ?? host?.[2] ?? '') === 0)
    throw InvalidInputError.of(name, `${quote(address)} does not begin with an IP address: give ADDRESS:PORT`);
}

/** Checks a path that is written unescaped into a configuration. Throws InvalidInputError. */
export function assertDirectory(name: string, path: string): void {
  if (!/^[^"\\\p{Cc}]{1,80}$/u.test(path))
    throw InvalidInputError.of(name, `${quote(path)} is not 1 to 80 characters without quotes and backslashes`);
}
