import { list, raw, sql, type Fragment } from '../../database/fragment';
import { byColumn, seek, toPage, where, type Page, type Range } from '../../database/page';
import { shapeOf } from '../../database/row-shape';
import { numberOrNull, pad, type Reads, type Row, type SqlValue } from '../../database/sql';
import { isEnabled } from '../../model/enabled';
import { globalId } from '../../model/global-id';
import { visibleText } from '../calls/call';
import { scanTable } from './scan';

/**
 * The state of a gateway's registration at its provider (RFC 3261, 10): accepted, refused, no response, or expired
 * without renewal. A registration stays valid until it expires, even if the provider no longer responds.
 */
export type RegistrationState = 'REGISTERED' | 'REFUSED' | 'UNREACHABLE' | 'EXPIRED';

/** A gateway's registration, or the result of the last attempt. */
export interface Registration {
  /** The gateway's row. */
  readonly rowId: number;
  /** Opaque; does not change while the gateway exists. */
  readonly id: string;
  readonly gatewayRef: string;
  readonly username: string;
  readonly host: string;
  readonly ip: string;
  readonly port: number;
  readonly transport: string;
  /** The lifetime that the provider granted, in seconds. */
  readonly expires: number;
  /** Milliseconds since the epoch; null if the provider never accepted it. */
  readonly registeredOn: number | null;
  /** The end of the registration, in milliseconds since the epoch; null if the provider never accepted it. */
  readonly expiresOn: number | null;
  readonly state: RegistrationState;
  /** The provider's last response, for example `200 OK`; `408` for no response (RFC 3261, 8.1.3.1); null if unknown. */
  readonly lastResponse: string | null;
  /** Milliseconds since the epoch; null if unknown. */
  readonly nextAttemptAt: number | null;
}

/** A registration that is valid now. */
export type LiveRegistration = Registration & { readonly registeredOn: number; readonly expiresOn: number };

const REGISTRATION = shapeOf<Omit<Registration, 'state'>>({
  rowId: ['g.id', Number],
  id: ['r.gw_ref', (ref) => globalId('Registration', String(ref))],
  gatewayRef: ['r.gw_ref', String],
  username: ['r.username', String],
  host: ['r.host', String],
  ip: ['r.ip', String],
  port: ['r.port', Number],
  transport: ['r.transport', String],
  expires: ['r.expires', Number],
  registeredOn: ['r.registered_on', timeOrNull],
  expiresOn: ['r.expires_at', timeOrNull],
  lastResponse: ['r.last_response', visibleText],
  nextAttemptAt: ['r.next_attempt_at', numberOrNull],
});
// The join hides the registration of a deleted gateway.
const FROM = 'gateway_registrations r JOIN gateways g ON g.ref = r.gw_ref';

/**
 * Reads registrations. Except for `of`, reads only those that have not expired, in the order in which the gateways were
 * created.
 */
export class RegistrationReader {
  constructor(private readonly sql: Reads) {}

  async page(range: Range): Promise<Page<LiveRegistration>> {
    const { condition, order } = seek(byColumn('g.id'), range);
    return toPage(await this.select(condition, sql`ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`), range);
  }

  /** A page, counted from 1. */
  numberedPage(page: number, size: number): Promise<readonly LiveRegistration[]> {
    return this.select(undefined, sql`ORDER BY g.id LIMIT ${size} OFFSET ${(page - 1) * size}`);
  }

  async count(): Promise<number> {
    const [row] = await this.scan(sql`SELECT COUNT(*) FROM ${raw(FROM)} ${where([isLive()])}`);
    return Number(row?.[0]);
  }

  /** The registrations of gateways, in any state, by row id. Gateways without a recorded attempt are missing. */
  async of(gatewayIds: readonly number[]): Promise<ReadonlyMap<number, Registration>> {
    const { text, values } = select(sql`WHERE g.id IN (${list(pad(gatewayIds, 0))})`, raw(''));
    const found = (await this.sql.rows(text, values)).map(toRegistration);
    return new Map(found.map((registration) => [registration.rowId, registration]));
  }

  private async select(condition: Fragment | undefined, rest: Fragment): Promise<readonly LiveRegistration[]> {
    const rows = await this.scan(select(where([condition, isLive()]), rest));
    return rows.map(toRegistration) as readonly LiveRegistration[]; // ensured by isLive
  }

  private scan(statement: Fragment): Promise<readonly Row[]> {
    return scanTable(this.sql, 'gateways', statement);
  }
}

function select(condition: Fragment, rest: Fragment): Fragment {
  return sql`SELECT ${raw(REGISTRATION.columns)}, ${registrationState(Date.now())} FROM ${raw(FROM)} ${condition} ${rest}`;
}

/**
 * SQL for whether gateway `g` registers at its provider. If not, the provider is identified by its address, unless the
 * gateway is disabled.
 */
export const REGISTERS = `(g.username <> '' AND g.secret <> '' AND COALESCE(g.send_register, TRUE) AND ${isEnabled('g')})`;

/** SQL for the state of registration `r`, at a time in milliseconds since the epoch. */
export function registrationState(now: number): Fragment {
  return sql`CASE WHEN r.expires_at > ${now} THEN 'REGISTERED'
    WHEN COALESCE(r.last_response, '') = '' OR r.last_response LIKE '2%' THEN 'EXPIRED'
    WHEN r.last_response LIKE '408%' THEN 'UNREACHABLE' ELSE 'REFUSED' END`;
}

function isLive(): Fragment {
  return sql`r.expires_at > ${Date.now()}`;
}

function timeOrNull(value: SqlValue): number | null {
  return Number(value) === 0 ? null : Number(value);
}

function toRegistration(row: Row): Registration {
  return { ...REGISTRATION.read(row), state: row.at(-1) as RegistrationState }; // registrationState returns no other values
}
