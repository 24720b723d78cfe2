import { hostIn } from './host';
import { partsOfSipUri } from './sip-uri';

/** A user and a host that a registrar binds contacts to (RFC 3261, section 6), as Kamailio's `location` keeps them. */
export interface AddressOfRecord {
  /** Unescaped. */
  readonly user: string;
  /** Without a port; undefined where the SIP server keeps no domains. */
  readonly host: string | undefined;
}

/**
 * The address of record in what a caller wrote: `sip:1001@sip.local`, also without the scheme, with a port, or with escapes.
 * The user is unescaped, the host in lower case (RFC 3261, 19.1.4). Undefined where the text is none.
 */
export function parseAddressOfRecord(text: string): AddressOfRecord | undefined {
  const [, user = '', hostPort] = /^(?:sips?:)?(.*?)(?:@([^@]*))?$/i.exec(text) ?? [];
  const host = hostPort === undefined ? undefined : hostIn(hostPort);
  if (hostPort !== undefined && host === undefined) return undefined;
  // A space is allowed where it is certain that an address is meant, as the server shows such users without escapes.
  if (!(host === undefined ? /^[^\s:<>"]+$/ : /^[^:<>"\p{Cc}]+$/u).test(user)) return undefined;
  return { user: unescaped(user), host };
}

/** The address of record that a SIP URI names, as it is compared; its parts are empty where the URI has none. */
export function addressOfRecordIn(sipUri: string): { readonly user: string; readonly host: string } {
  const { user, host } = partsOfSipUri(sipUri);
  return { user: unescaped(user), host: host.toLowerCase() };
}

/** An address of record as a SIP URI. */
export function writeAddressOfRecord({ user, host }: AddressOfRecord): string {
  return `sip:${escaped(user)}${host === undefined ? '' : `@${host}`}`;
}

/** The inverse of writeAddressOfRecord. */
export function readAddressOfRecord(written: string): AddressOfRecord {
  // A user may contain an @, so the last one counts.
  const [, user = '', host] = /^sip:(.*?)(?:@([^@]*))?$/s.exec(written) ?? [];
  return { user: unescaped(user), host };
}

/** Whether two are the same: hosts are compared without case (RFC 3261, 19.1.4). */
export function isSameAddressOfRecord(a: AddressOfRecord, b: AddressOfRecord): boolean {
  return a.user === b.user && a.host?.toLowerCase() === b.host?.toLowerCase();
}

/** A user without escapes (RFC 3261, 19.1.2): `%6Fscar` is oscar. Escapes that are no UTF-8 stay as they are. */
function unescaped(user: string): string {
  return user.replace(/(?:%[0-9A-F]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** A user as it is written: only what would be read as an escape is escaped, so that names stay readable. */
function escaped(user: string): string {
  return user.replace(/%(?=[0-9A-F]{2})/gi, '%25');
}
