import { isIP } from 'node:net';

import { entries } from './entries';
import { boolean, choice, integer, type EntryField, type Value } from './format';
import { comparableHost, host } from './host';

/** The most further destinations of a gateway. */
export const MAX_DESTINATIONS = 16;
/** The priority of the host of a gateway, which is its first destination. */
export const PRIORITY_OF_HOST = 0;
/** The priority of a destination that has none: after the host. */
export const DEFAULT_PRIORITY = 1;
/** The weight of the host, and of a destination that has none. */
export const DEFAULT_WEIGHT = 10;
/** The highest port, priority and weight of a destination. */
export const MAX_OF_DESTINATION = 65_535;

/** The transports to providers. */
export const transport = choice('Transport', 'A SIP transport (RFC 3261, 18; RFC 7118; RFC 4168).', [
  'udp',
  'tcp',
  'tls',
  'ws',
  'wss',
  'sctp',
]);

const FIELDS: readonly EntryField[] = [
  { name: 'host', format: host(), required: true, about: 'Host name or address of the SIP server.' },
  { name: 'port', format: integer(1, MAX_OF_DESTINATION), about: 'By default, that of the transport.' },
  { name: 'transport', format: transport, about: 'By default, that of the gateway.' },
  {
    name: 'priority',
    format: integer(0, MAX_OF_DESTINATION),
    about: `Lower priorities are called first (RFC 2782). The host of the gateway has ${String(PRIORITY_OF_HOST)}; by default, ${String(DEFAULT_PRIORITY)}.`,
  },
  {
    name: 'weight',
    format: integer(1, MAX_OF_DESTINATION),
    about: `The share of the calls among destinations of the same priority (RFC 2782). The host of the gateway has ${String(DEFAULT_WEIGHT)}; by default, ${String(DEFAULT_WEIGHT)}.`,
  },
  { name: 'enabled', format: boolean(), about: 'False: no call goes to it. By default, true.' },
  {
    name: 'draining',
    format: boolean(),
    about:
      'True: no new call goes to it, except to an emergency number. Calls in progress go on, and its health is checked.',
  },
];

/** The places to which the calls of a gateway go besides its host. */
export const destinations = entries({
  name: 'GatewayDestination',
  about: 'A place to which calls of a gateway go besides its host.',
  fields: FIELDS,
  unique: ['host', 'port', 'transport'],
  max: MAX_DESTINATIONS,
});

/** A place to which calls of a gateway go, as in an entry of `destinations`. */
export interface Destination {
  readonly host: string;
  readonly port?: number;
  readonly transport?: string;
  readonly priority?: number;
  readonly weight?: number;
  readonly enabled?: boolean;
  readonly draining?: boolean;
}

/** Reads destinations that were normalised. */
export function destinationsIn(value: Value | null | undefined): readonly Destination[] {
  return Array.isArray(value) ? (value as readonly Destination[]) : []; // as `destinations` parsed them
}

/**
 * Whether two destinations lead to one place. A numeric address without a port has the default port of its transport
 * (RFC 3261, 19.1.2). A host name without one may lead elsewhere, because its SRV records decide (RFC 3263, 4.2).
 */
export function isSamePlace(one: Destination, other: Destination): boolean {
  return placeOf(one) === placeOf(other);
}

function placeOf({ host, port, transport }: Destination): string {
  const isAddress = isIP(host.replace(/[[\]]/g, '')) !== 0;
  return [comparableHost(host), port ?? (isAddress ? (transport === 'tls' ? 5061 : 5060) : ''), transport].join('|');
}
