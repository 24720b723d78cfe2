import { list, raw, sql, type Fragment } from '../database/fragment';
import { byColumn, seek, toPage, where, type Page, type Range } from '../database/page';
import { padded, type Row, type Sql } from '../database/sql';

/** That a gateway is registered at its provider now (RFC 3261, 10). */
export interface Registration {
  /** The gateway's row. */
  readonly rowId: number;
  readonly gatewayRef: string;
  readonly username: string;
  readonly host: string;
  readonly ip: string;
  readonly port: number;
  readonly transport: string;
  /** Seconds that the provider granted. */
  readonly expires: number;
  /** Milliseconds since the epoch. */
  readonly registeredOn: number;
  /** Milliseconds since the epoch. */
  readonly expiresOn: number;
}

const COLUMNS =
  'g.id, r.gw_ref, r.username, r.host, r.ip, r.port, r.transport, r.expires, r.registered_on, r.expires_at';
// Joined, so that a deleted gateway's registration is gone at once.
const FROM = 'gateway_registrations r JOIN gateways g ON g.ref = r.gw_ref';

/** Reads the registrations that have not expired, in the order in which the gateways were made. */
export class RegistrationReader {
  constructor(private readonly sql: Sql) {}

  async page(range: Range): Promise<Page<Registration>> {
    const { condition, order } = seek(byColumn('g.id'), range);
    return toPage(await this.select(condition, sql`ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`), range);
  }

  /** A page by its number from 1. */
  numberedPage(page: number, size: number): Promise<readonly Registration[]> {
    return this.select(undefined, sql`ORDER BY g.id LIMIT ${size} OFFSET ${(page - 1) * size}`);
  }

  async count(): Promise<number> {
    const [row] = await this.sql.rows(`SELECT COUNT(*) FROM ${FROM} WHERE r.expires_at > ?`, [Date.now()]);
    return Number(row?.[0]);
  }

  /** The registrations of gateways, by row id. */
  async of(gatewayIds: readonly number[]): Promise<ReadonlyMap<number, Registration>> {
    const found = await this.select(sql`g.id IN (${list(padded(gatewayIds, 0))})`, raw(''));
    return new Map(found.map((registration) => [registration.rowId, registration]));
  }

  private async select(condition: Fragment | undefined, rest: Fragment): Promise<readonly Registration[]> {
    const live = where([condition, sql`r.expires_at > ${Date.now()}`]);
    const { text, values } = sql`SELECT ${raw(COLUMNS)} FROM ${raw(FROM)} ${live} ${rest}`;
    const rows = await this.sql.rows(text, values);
    return rows.map(toRegistration);
  }
}

function toRegistration([rowId, ref, username, host, ip, port, transport, expires, on, until]: Row): Registration {
  return {
    rowId: Number(rowId),
    gatewayRef: String(ref),
    username: String(username),
    host: String(host),
    ip: String(ip),
    port: Number(port),
    transport: String(transport),
    expires: Number(expires),
    registeredOn: Number(on),
    expiresOn: Number(until),
  };
}
