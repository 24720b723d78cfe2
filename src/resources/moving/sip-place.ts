import { isIP } from 'node:net';

import { MAX_NETWORKS } from '../../model/format/address-range';
import type { MoveReport } from './moved-record';

/** A place in the network, as a URI of another system names it. */
export interface SipPlace {
  readonly user: string;
  readonly host: string;
  /** As text, because it becomes a cell; empty for the default. */
  readonly port: string;
  /** `udp`, `tcp`, `tls`, `ws`, `wss` or `sctp`. */
  readonly transport: string;
}

const PLACE = /^(?:(sips?):)?(?:([^@;>]*)@)?(\[[^\]]+\]|[^:;>?]+)(?::(\d{1,5}))?([;?>].*)?$/i;
const TRANSPORT = /;transport=(udp|tcp|tls|wss?|sctp)/i;

/** Reads `host`, `host:port`, or a SIP URI; undefined for what is none. */
export function placeIn(text: string): SipPlace | undefined {
  if (isIP(text.trim()) === 6) return { user: '', host: `[${text.trim().toLowerCase()}]`, port: '', transport: 'udp' };
  const [, scheme = '', user = '', host, port = '', rest = ''] = PLACE.exec(text.trim().replace(/^<|>$/g, '')) ?? [];
  if (host === undefined || /\s/.test(host)) return undefined;
  const transport = TRANSPORT.exec(rest)?.[1]?.toLowerCase() ?? (/^sips$/i.test(scheme) ? 'tls' : 'udp');
  return { user, host: host.toLowerCase(), port: port === '0' ? '' : port, transport };
}

/** `host:port`, without a port that is not given. */
export function hostPortOf({ host, port }: SipPlace): string {
  return port === '' ? host : `${host}:${port}`;
}

/** Identifies a server. */
export function placeKey({ host, port, transport }: SipPlace): string {
  return `${host}:${port || (transport === 'tls' ? '5061' : '5060')};${transport}`;
}

/** A network of an address and the length of its mask, if it has one; undefined if it is none, such as a host name. */
export function networkOf(address: string, mask: string): string | undefined {
  const family = isIP(address);
  const whole = family === 4 ? 32 : 128;
  const bits = mask === '' ? whole : Number(mask);
  if (family === 0 || !Number.isInteger(bits) || bits < 1) return undefined;
  return bits >= whole ? address : `${address}/${String(bits)}`;
}

/** The network in a row of Kamailio's table `address`, whose mask is 32 by default, even beside an IPv6 address. */
export function networkInRow(address: string, mask: string): string | undefined {
  return networkOf(address, mask === '32' ? '' : mask);
}

/** The networks that a gateway or a peer can have, as a cell. Reports the others. */
export function networkCell(networks: Iterable<string>, place: string, report: Pick<MoveReport, 'miss'>): string {
  const all = [...new Set(networks)];
  if (all.length > MAX_NETWORKS)
    report.miss(`networks of a gateway or peer after the ${String(MAX_NETWORKS)}th`, place, all.length - MAX_NETWORKS);
  return all.slice(0, MAX_NETWORKS).join(' ');
}

/** The first text of at most 100 characters that is not empty. */
export function nameOf(...texts: readonly (string | null | undefined)[]): string {
  return (texts.find((text) => (text ?? '').trim() !== '') ?? '').trim().slice(0, 100);
}
