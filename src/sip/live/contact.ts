import { textOrNull, type Row, type SqlValue } from '../../database/sql';
import { writeAddressOfRecord, type AddressOfRecord } from '../../model/format/address-of-record';
import { globalId } from '../../model/global-id';
import { visibleText } from '../calls/call';
import { isBehindNat } from './contact-query';

/** A binding: an address at which an address of record can be reached now (RFC 3261, 10). */
export interface Contact {
  readonly rowId: number;
  /** Opaque; does not change while the device stays registered. */
  readonly id: string;
  /** The address of record, as a SIP URI. */
  readonly addressOfRecord: string;
  /** The contact URI, without parameters. */
  readonly uri: string;
  readonly transport: string;
  /** Whether the device is behind a NAT. */
  readonly nat: boolean;
  /** The lifetime that the device requested, in seconds. */
  readonly expires: number;
  /** When the binding ends, in milliseconds since the epoch. */
  readonly expiresOn: number;
  readonly userAgent: string | null;
  /** The node of the SIP server where the device is registered, as host:port; null if unknown. */
  readonly node: string | null;
}

/** The columns of `location l` that `toContact` reads. */
export const CONTACT_COLUMNS =
  'l.id, l.username, l.domain, l.contact, l.received, l.expires, l.last_modified, l.cflags, l.socket, l.user_agent, l.ruid';

/** The address of record in the columns `username` and `domain` of `location`. */
export function toAddressOfRecord(username: SqlValue | undefined, domain: SqlValue | undefined): AddressOfRecord {
  return { user: String(username), host: domain === null || domain === undefined ? undefined : String(domain) };
}

/** A Contact from a row with CONTACT_COLUMNS from `offset` on. */
export function toContact(row: Row, offset = 0): Contact {
  const [id, username, domain, contact, received, expires, modified, flags, socket, userAgent, ruid] =
    row.slice(offset);
  const uri = String(contact);
  return {
    rowId: Number(id),
    id: globalId('Contact', String(ruid)),
    addressOfRecord: writeAddressOfRecord(toAddressOfRecord(username, domain)),
    uri: withoutParameters(uri),
    transport: (
      /;transport=([a-z]+)/i.exec(uri)?.[1] ??
      /^[a-z]+(?=:)/i.exec(String(socket ?? ''))?.[0] ??
      'udp'
    ).toLowerCase(),
    nat: isBehindNat(textOrNull(received), Number(flags)),
    expires: Number(expires) - Number(modified),
    expiresOn: Number(expires) * 1000,
    userAgent: visibleText(userAgent === '' ? null : userAgent),
    node: nodeOf(textOrNull(socket)),
  };
}

/** Seconds since the epoch, the unit of `location.expires`. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** The host:port of a socket in Kamailio's notation, `udp:127.0.0.1:5060`. */
export function nodeOf(socket: string | null): string | null {
  return socket === null || socket === '' ? null : socket.replace(/^[a-z]+:/i, '');
}

/** How the sockets for TLS of a node begin, which have a port of their own (`kamailio config --tls`). */
export function tlsSocketOf(node: string): string {
  return `tls:${node.replace(/:\d+$/, '')}:`;
}

/** Whether a socket is one of a node. */
export function isOfNode(socket: string, node: string): boolean {
  return nodeOf(socket) === node || socket.startsWith(tlsSocketOf(node));
}

/** The user part may contain semicolons, too (RFC 3261, 25.1 `user-unreserved`). */
function withoutParameters(uri: string): string {
  const end = uri.indexOf(';', uri.indexOf('@') + 1);
  return end === -1 ? uri : uri.slice(0, end);
}
