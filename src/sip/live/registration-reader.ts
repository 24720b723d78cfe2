import { list, raw, sql, type Fragment } from '../../database/fragment';
import { byColumn, seek, toPage, where, type Page, type Range } from '../../database/page';
import { numberOrNull, pad, textOrNull, type Reads, type Row } from '../../database/sql';
import { isEnabled } from '../../model/enabled';
import { globalId } from '../../model/global-id';
import { scan } from './scan';

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

const COLUMNS =
  'g.id, r.gw_ref, r.username, r.host, r.ip, r.port, r.transport, r.expires, r.registered_on, r.expires_at, r.last_response, r.next_attempt_at';
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
    return scan(this.sql, 'gateways', statement);
  }
}

function select(condition: Fragment, rest: Fragment): Fragment {
  return sql`SELECT ${raw(COLUMNS)}, ${stateOf(Date.now())} FROM ${raw(FROM)} ${condition} ${rest}`;
}

/**
 * SQL for whether gateway `g` registers at its provider. If not, the provider is identified by its address, unless the
 * gateway is disabled.
 */
export const REGISTERS = `(g.username <> '' AND g.secret <> '' AND COALESCE(g.send_register, TRUE) AND ${isEnabled('g')})`;

/** SQL for the state of registration `r`, at a time in milliseconds since the epoch. */
export function stateOf(now: number): Fragment {
  return sql`CASE WHEN r.expires_at > ${now} THEN 'REGISTERED'
    WHEN COALESCE(r.last_response, '') = '' OR r.last_response LIKE '2%' THEN 'EXPIRED'
    WHEN r.last_response LIKE '408%' THEN 'UNREACHABLE' ELSE 'REFUSED' END`;
}

function isLive(): Fragment {
  return sql`r.expires_at > ${Date.now()}`;
}

function toRegistration([
  rowId,
  ref,
  username,
  host,
  ip,
  port,
  transport,
  expires,
  on,
  until,
  response,
  next,
  state,
]: Row): Registration {
  const lastResponse = textOrNull(response);
  return {
    rowId: Number(rowId),
    id: globalId('Registration', String(ref)),
    gatewayRef: String(ref),
    username: String(username),
    host: String(host),
    ip: String(ip),
    port: Number(port),
    transport: String(transport),
    expires: Number(expires),
    registeredOn: Number(on) === 0 ? null : Number(on),
    expiresOn: Number(until) === 0 ? null : Number(until),
    state: state as RegistrationState, // stateOf returns no other values
    lastResponse,
    nextAttemptAt: numberOrNull(next),
  };
}
