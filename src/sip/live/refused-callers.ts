import ipaddr from 'ipaddr.js';

import { raw, sql } from '../../database/fragment';
import { where } from '../../database/page';
import type { Reads } from '../../database/sql';

/** An address from which calls to numbers of a gateway were refused, because it is none of the gateway's sources. */
export interface RefusedCaller {
  /** The gateway's row. */
  readonly rowId: number;
  /** Null for readers who see no addresses. */
  readonly ip: string | null;
  /** The digits of the number that was called last, which is one of the gateway's. */
  readonly digits: string;
  readonly calls: number;
  /** Milliseconds since the epoch. */
  readonly firstOn: number;
  readonly lastOn: number;
}

// Kamailio stores at most 1,024.
const MOST_SHOWN = 100;
const DAYS_SHOWN = 30;

/** Reads from where calls to numbers were refused, which the SIP server stores. */
export class RefusedCallerReader {
  constructor(
    private readonly sql: Reads,
    /** Charges the user for a read, in objects. Throws RateLimitedError. */
    private readonly spend: (objects: number) => void,
    /** Whether addresses are hidden. */
    private readonly isHidden: boolean,
  ) {}

  /** The latest callers of the last 30 days, newest first; with `gatewayRef`, those of one gateway. */
  async latest(gatewayRef?: string): Promise<readonly RefusedCaller[]> {
    const since = Date.now() - DAYS_SHOWN * 86_400_000;
    const ofGateway = gatewayRef === undefined ? undefined : sql`g.ref = ${gatewayRef}`;
    const { text, values } = sql`SELECT g.id, r.ip, r.did, r.calls, r.first_at, r.last_at, g.sources
      FROM refused_callers r JOIN gateways g ON g.ref = r.gw_ref
      ${where([sql`r.last_at > ${since}`, ofGateway])} ORDER BY ${raw('r.last_at DESC, r.place')}`;
    const rows = await this.sql.rows(text, values);
    this.spend(rows.length);
    return rows
      .filter((row) => !isAmong(String(row[1]), row[6] === null ? [] : (JSON.parse(String(row[6])) as string[])))
      .slice(0, MOST_SHOWN)
      .map(([rowId, ip, did, calls, first, last]) => ({
        rowId: Number(rowId),
        ip: this.isHidden ? null : String(ip),
        digits: String(did),
        calls: Number(calls),
        firstOn: Number(first),
        lastOn: Number(last),
      }));
  }
}

/** Whether an address is in one of the networks, which have the format of a gateway's sources. */
function isAmong(ip: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return networks.some((network) => {
    const [base, size] = network.includes('/') ? ipaddr.parseCIDR(network) : [ipaddr.parse(network), undefined];
    return address.kind() === base.kind() && address.match(base, size ?? base.toByteArray().length * 8);
  });
}
