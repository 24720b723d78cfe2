import { hostIn } from './host';
import { partsOfSipUri } from './sip-uri';

/** An address of record, to which a registrar binds contacts (RFC 3261, 6), as Kamailio stores it in `location`. */
export interface AddressOfRecord {
  /** Unescaped. */
  readonly user: string;
  /** Without a port; undefined if the SIP server does not use domains. */
  readonly host: string | undefined;
}

/**
 * Parses an address of record in a request: `sip:1001@sip.local`, also without the scheme, with a port, or with
 * escapes. The user is unescaped, the host in lower case (RFC 3261, 19.1.4). Returns undefined if the text is not an
 * address of record.
 */
export function parseAddressOfRecord(text: string): AddressOfRecord | undefined {
  const [, user = '', hostPort] = /^(?:sips?:)?(.*?)(?:@([^@]*))?$/i.exec(text) ?? [];
  const host = hostPort === undefined ? undefined : hostIn(hostPort);
  if (hostPort !== undefined && host === undefined) return undefined;
  // With a host, a user may contain spaces, because the server returns such users without escapes.
  if (!(host === undefined ? /^[^\s:<>"]+$/ : /^[^:<>"\p{Cc}]+$/u).test(user)) return undefined;
  return { user: unescape(user), host };
}

/** Returns the normalised address of record in a SIP URI. A part that the URI does not have is empty. */
export function addressOfRecordIn(sipUri: string): { readonly user: string; readonly host: string } {
  const { user, host } = partsOfSipUri(sipUri);
  return { user: unescape(user), host: host.toLowerCase() };
}

/** Formats an address of record as a SIP URI. */
export function writeAddressOfRecord({ user, host }: AddressOfRecord): string {
  return `sip:${escape(user)}${host === undefined ? '' : `@${host}`}`;
}

/** The inverse of writeAddressOfRecord. */
export function readAddressOfRecord(written: string): AddressOfRecord {
  // A user may contain an @, so the last one counts.
  const [, user = '', host] = /^sip:(.*?)(?:@([^@]*))?$/s.exec(written) ?? [];
  return { user: unescape(user), host };
}

/** Whether two addresses of record are equal. Hosts are compared without case (RFC 3261, 19.1.4). */
export function isSameAddressOfRecord(a: AddressOfRecord, b: AddressOfRecord): boolean {
  return a.user === b.user && a.host?.toLowerCase() === b.host?.toLowerCase();
}

/** Unescapes a user (RFC 3261, 19.1.2): `%6Fscar` becomes `oscar`. Escapes that are not valid UTF-8 are kept. */
function unescape(user: string): string {
  return user.replace(/(?:%[0-9A-F]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Escapes a user. Only text that looks like an escape is escaped, so that names stay readable. */
function escape(user: string): string {
  return user.replace(/%(?=[0-9A-F]{2})/gi, '%25');
}
