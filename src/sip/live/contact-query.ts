import { all, raw, sql, type Fragment } from '../../database/fragment';
import { contains } from './contains';

/** Which contacts to read. All conditions must hold. */
export interface ContactQuery {
  /** Part of the address of record, the contact URI, the address that it was received from, or the user agent. */
  readonly search?: string | undefined;
  /** The host of the address of record. */
  readonly domain?: string | undefined;
  readonly transport?: string | undefined;
  readonly nat?: boolean | undefined;
}

// usrloc's nat_bflag: 6 in Kamailio's sample configuration and in ours.
const NAT_FLAG = 1 << 6;
// Set by our configuration, which stores the source address of each binding, if the device is not behind a NAT.
const DIRECT_FLAG = 1 << 7;

/** Whether the device of a row of `location` is behind a NAT. */
export function isBehindNat(received: string | null, flags: number): boolean {
  return (flags & NAT_FLAG) !== 0 || (received !== null && (flags & DIRECT_FLAG) === 0);
}

const SEARCHED = `CONCAT('sip:', l.username, '@', COALESCE(l.domain, ''), ' ', l.contact, ' ',
  COALESCE(l.received, ''), ' ', l.user_agent)`;
const IS_BEHIND_NAT = `((l.cflags & ${String(NAT_FLAG)}) <> 0 OR l.received IS NOT NULL AND (l.cflags & ${String(DIRECT_FLAG)}) = 0)`;

/** The condition on `location l` for a query. All comparisons ignore case. */
export function contactCondition({ search, domain, transport, nat }: ContactQuery): Fragment {
  return all([
    search === undefined ? undefined : contains(SEARCHED, search),
    domain === undefined ? undefined : sql`LOWER(l.domain) = LOWER(${domain})`,
    transport === undefined ? undefined : usesTransport(transport.toLowerCase()),
    nat === undefined ? undefined : raw(nat ? IS_BEHIND_NAT : `NOT ${IS_BEHIND_NAT}`),
  ]);
}

// Kamailio writes a socket as transport:host:port.
const SOCKET_TRANSPORT = "LOWER(COALESCE(SUBSTR(l.socket, 1, INSTR(l.socket, ':') - 1), ''))";

/** The transport is in the contact URI; if not, it is that of the socket, and UDP by default (as in `toContact`). */
function usesTransport(transport: string): Fragment {
  const ofSocket =
    transport === 'udp'
      ? sql`${raw(SOCKET_TRANSPORT)} NOT IN ('tcp', 'tls', 'ws', 'wss', 'sctp')`
      : sql`${raw(SOCKET_TRANSPORT)} = ${transport}`;
  return sql`CASE WHEN INSTR(LOWER(l.contact), ';transport=') > 0
    THEN INSTR(CONCAT(LOWER(l.contact), ';'), ${`;transport=${transport};`}) > 0 ELSE ${ofSocket} END`;
}
