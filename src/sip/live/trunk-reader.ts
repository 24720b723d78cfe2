import { all, list, raw, sql, type Fragment } from '../../database/fragment';
import { byColumn, seek, toPage, where, type Page, type Range } from '../../database/page';
import type { Reads, Row } from '../../database/sql';
import { REGISTERS, stateOf } from './registration-reader';
import { contains } from './search';

/** The states of a trunk: those of a registration, and UNKNOWN without a recorded attempt. */
export const TRUNK_STATES = ['REGISTERED', 'REFUSED', 'UNREACHABLE', 'EXPIRED', 'UNKNOWN'] as const;
export type TrunkState = (typeof TRUNK_STATES)[number];

/** A gateway that registers at its provider. */
export interface Trunk {
  /** The gateway's row. */
  readonly rowId: number;
  readonly state: TrunkState;
  /**
   * When the registration was granted or when it ended, in milliseconds since the epoch; null if it never was granted.
   */
  readonly since: number | null;
}

/** Which trunks to read. All conditions must hold. */
export interface TrunkQuery {
  readonly states?: readonly TrunkState[] | undefined;
  /** Part of the gateway's name, host or user name, ignoring case. */
  readonly search?: string | undefined;
}

const FROM = 'gateways g LEFT JOIN gateway_registrations r ON r.gw_ref = g.ref';
const SEARCHED = "CONCAT(g.name, ' ', g.host, ' ', g.username)";
// More gateways are scanned as a heavy query.
const MAX_SCANNED = 5000;

/** Reads the gateways that register at their providers, in any state, in the order in which they were created. */
export class TrunkReader {
  constructor(private readonly sql: Reads) {}

  async page(range: Range, query: TrunkQuery): Promise<Page<Trunk>> {
    const { condition, order } = seek(byColumn('g.id'), range);
    const rows = await this.scan(sql`SELECT g.id, ${trunkState()}, r.registered_on, r.expires_at FROM ${raw(FROM)}
      ${where([matching(query), condition])} ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`);
    return toPage(rows.map(toTrunk), range);
  }

  async count(query: TrunkQuery): Promise<number> {
    const [row] = await this.scan(sql`SELECT COUNT(*) FROM ${raw(FROM)} ${where([matching(query)])}`);
    return Number(row?.[0]);
  }

  /** The number of trunks in each state. States without trunks are missing. */
  async counts(): Promise<ReadonlyMap<TrunkState, number>> {
    const states = sql`SELECT ${trunkState()} AS state FROM ${raw(FROM)} WHERE ${raw(REGISTERS)}`;
    const rows = await this.scan(sql`SELECT state, COUNT(*) FROM (${states}) trunks GROUP BY state`);
    return new Map(rows.map(([state, many]) => [state as TrunkState, Number(many)])); // trunkState returns no others
  }

  private async scan({ text, values }: Fragment): Promise<readonly Row[]> {
    const isSmall = (await this.sql.atMost('gateways')) <= MAX_SCANNED;
    return isSmall ? this.sql.rows(text, values) : this.sql.heavy(text, values);
  }
}

/** SQL for the state of the trunk of gateway `g`, with its registration `r`, if any. */
export function trunkState(): Fragment {
  return sql`CASE WHEN r.gw_ref IS NULL THEN 'UNKNOWN' ELSE ${stateOf(Date.now())} END`;
}

function matching({ states, search }: TrunkQuery): Fragment {
  return all([
    raw(REGISTERS),
    states && sql`${trunkState()} IN (${states.length > 0 ? list(states) : raw('NULL')})`,
    search === undefined ? undefined : contains(SEARCHED, search),
  ]);
}

function toTrunk([rowId, state, registeredOn, expiresAt]: Row): Trunk {
  const since = Number(state === 'REGISTERED' ? registeredOn : expiresAt);
  return { rowId: Number(rowId), state: state as TrunkState, since: since === 0 ? null : since }; // as in `counts`
}
