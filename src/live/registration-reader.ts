import { list, raw, sql, type Fragment } from '../database/fragment';
import { byColumn, seek, toPage, where, type Page, type Range } from '../database/page';
import { padded, type Reads, type Row } from '../database/sql';
import { globalId } from '../resources/global-id';

/**
 * How a gateway stands with its provider (RFC 3261, 10): it accepted, it said no, it did not answer, or what it granted has
 * ended and was not renewed. What it granted holds until it ends, also when the provider does not answer any more.
 */
export type RegistrationState = 'REGISTERED' | 'REFUSED' | 'UNREACHABLE' | 'EXPIRED';

/** A gateway's registration, or what became of the last attempt. */
export interface Registration {
  /** The gateway's row. */
  readonly rowId: number;
  /** Opaque; the same for as long as the gateway exists. */
  readonly id: string;
  readonly gatewayRef: string;
  readonly username: string;
  readonly host: string;
  readonly ip: string;
  readonly port: number;
  readonly transport: string;
  /** Seconds that the provider granted. */
  readonly expires: number;
  /** Milliseconds since the epoch; null where the provider never granted it. */
  readonly registeredOn: number | null;
  /** When it ends or ended, in milliseconds since the epoch; null where the provider never granted it. */
  readonly expiresOn: number | null;
  readonly state: RegistrationState;
  /** What the provider answered last, as `200 OK`, `408` where it did not (RFC 3261, 8.1.3.1); null where not noted. */
  readonly lastResponse: string | null;
  /** Milliseconds since the epoch; null where it is not known. */
  readonly nextAttemptAt: number | null;
}

/** One that is registered now. */
export type LiveRegistration = Registration & { readonly registeredOn: number; readonly expiresOn: number };

const COLUMNS =
  'g.id, r.gw_ref, r.username, r.host, r.ip, r.port, r.transport, r.expires, r.registered_on, r.expires_at, r.last_response, r.next_attempt_at';
// Joined, so that a deleted gateway's registration is gone at once.
const FROM = 'gateway_registrations r JOIN gateways g ON g.ref = r.gw_ref';

/** Reads the registrations that have not expired, in the order in which the gateways were made. */
export class RegistrationReader {
  constructor(private readonly sql: Reads) {}

  async page(range: Range): Promise<Page<LiveRegistration>> {
    const { condition, order } = seek(byColumn('g.id'), range);
    return toPage(await this.select(condition, sql`ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`), range);
  }

  /** A page by its number from 1. */
  numberedPage(page: number, size: number): Promise<readonly LiveRegistration[]> {
    return this.select(undefined, sql`ORDER BY g.id LIMIT ${size} OFFSET ${(page - 1) * size}`);
  }

  async count(): Promise<number> {
    const [row] = await this.scan(sql`SELECT COUNT(*) FROM ${raw(FROM)} ${where([isLive()])}`);
    return Number(row?.[0]);
  }

  /** How gateways stand with their providers, by row id; nothing is known of the others. */
  async of(gatewayIds: readonly number[]): Promise<ReadonlyMap<number, Registration>> {
    const { text, values } = selected(sql`WHERE g.id IN (${list(padded(gatewayIds, 0))})`, raw(''));
    const found = (await this.sql.rows(text, values)).map(toRegistration);
    return new Map(found.map((registration) => [registration.rowId, registration]));
  }

  private async select(condition: Fragment | undefined, rest: Fragment): Promise<readonly LiveRegistration[]> {
    const rows = await this.scan(selected(where([condition, isLive()]), rest));
    return rows.map(toRegistration) as readonly LiveRegistration[]; // as the condition says
  }

  /** Reads what may need every gateway. */
  private async scan({ text, values }: Fragment): Promise<readonly Row[]> {
    const isSmall = (await this.sql.atMost('gateways')) <= MAX_SCANNED;
    return isSmall ? this.sql.rows(text, values) : this.sql.heavy(text, values);
  }
}

// Gateways that are looked at among other reads.
const MAX_SCANNED = 5000;

function selected(condition: Fragment, rest: Fragment): Fragment {
  return sql`SELECT ${raw(COLUMNS)}, ${stateOf(Date.now())} FROM ${raw(FROM)} ${condition} ${rest}`;
}

/** Whether a gateway named `g` registers at its provider at all; else it is known by its address. */
export const REGISTERS = "(g.username <> '' AND g.secret <> '' AND COALESCE(g.send_register, TRUE))";

/** The state of a row named `r`, at a time in milliseconds since the epoch. */
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
  const lastResponse = response === null || response === undefined ? null : String(response);
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
    state: state as RegistrationState, // as stateOf has it
    lastResponse,
    nextAttemptAt: next === null || next === undefined ? null : Number(next),
  };
}
