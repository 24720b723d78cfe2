import { seek, toPage, whereAll, type Page, type Range } from '../database/page';
import { padded, places, type Row, type Sql, type SqlValue } from '../database/sql';

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
    const { conditions, order, values } = seek('g.id', range);
    return toPage(await this.select(conditions, values, `ORDER BY ${order} LIMIT ?`, [range.limit + 1]), range);
  }

  /** A page by its number from 1. */
  numberedPage(page: number, size: number): Promise<readonly Registration[]> {
    return this.select([], [], 'ORDER BY g.id LIMIT ? OFFSET ?', [size, (page - 1) * size]);
  }

  async count(): Promise<number> {
    const [row] = await this.sql.rows(`SELECT COUNT(*) FROM ${FROM} WHERE r.expires_at > ?`, [Date.now()]);
    return Number(row?.[0]);
  }

  /** The registrations of gateways, by row id. */
  async of(gatewayIds: readonly number[]): Promise<ReadonlyMap<number, Registration>> {
    const keys = padded(gatewayIds, 0);
    const found = await this.select([`g.id IN (${places(keys.length)})`], keys, '', []);
    return new Map(found.map((registration) => [registration.rowId, registration]));
  }

  private async select(
    conditions: readonly string[],
    values: readonly SqlValue[],
    rest: string,
    restValues: readonly SqlValue[],
  ): Promise<readonly Registration[]> {
    const rows = await this.sql.rows(
      `SELECT ${COLUMNS} FROM ${FROM} ${whereAll([...conditions, 'r.expires_at > ?'])} ${rest}`,
      [...values, Date.now(), ...restValues],
    );
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
