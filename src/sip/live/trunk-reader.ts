import { all, list, raw, sql, type Fragment } from '../../database/fragment';
import { byColumn, seek, toPage, where, type Page, type Range } from '../../database/page';
import type { Reads, Row } from '../../database/sql';
import { measuredAt } from '../../model/gateway-health';
import { REGISTERS, registrationState } from './registration-reader';
import { scanTable } from './scan';
import { contains } from './contains';

/**
 * The states of a trunk: those of a registration, and UNKNOWN without a recorded attempt; of a gateway that does not
 * register, its health.
 */
export const TRUNK_STATES = ['REGISTERED', 'REFUSED', 'UNREACHABLE', 'EXPIRED', 'UNKNOWN', 'UP', 'DOWN'] as const;
export type TrunkState = (typeof TRUNK_STATES)[number];

/** Whether calls can be sent over a trunk in this state. */
export function isTrunkUp(state: TrunkState): boolean {
  return state === 'REGISTERED' || state === 'UP';
}

/** A gateway that registers at its provider, or whose health is known. */
export interface Trunk {
  /** The gateway's row. */
  readonly rowId: number;
  readonly state: TrunkState;
  /**
   * When the registration was granted or when it ended, in milliseconds since the epoch; null if it never was granted. Of
   * a gateway that does not register, when its state began.
   */
  readonly since: number | null;
}

/** The trunks in a state, and how many of them have a host that does not respond to OPTIONS. */
export interface TrunkCount {
  readonly state: TrunkState;
  readonly count: number;
  readonly silent: number;
}

/** Which trunks to read. All conditions must hold. */
interface TrunkQuery {
  readonly states?: readonly TrunkState[] | undefined;
  /** Part of the gateway's name, host or user name, ignoring case. */
  readonly search?: string | undefined;
}

const SEARCHED = "CONCAT(g.name, ' ', g.host, ' ', COALESCE(g.username, ''))";

/** Reads trunks in any state, in the order in which their gateways were created. */
export class TrunkReader {
  constructor(private readonly sql: Reads) {}

  async page(range: Range, query: TrunkQuery): Promise<Page<Trunk>> {
    const { condition, order } = seek(byColumn('g.id'), range);
    const rows = await this
      .scan(sql`SELECT g.id, ${trunkState()}, r.registered_on, r.expires_at, h.since FROM ${trunks()}
      ${where([matching(query), condition])} ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`);
    return toPage(rows.map(toTrunk), range);
  }

  async count(query: TrunkQuery): Promise<number> {
    const [row] = await this.scan(sql`SELECT COUNT(*) FROM ${trunks()} ${where([matching(query)])}`);
    return Number(row?.[0]);
  }

  /** The number of trunks in each state. States without trunks are missing. */
  async counts(): Promise<readonly TrunkCount[]> {
    const states = sql`SELECT ${trunkState()} AS state, CASE WHEN h.state = 'DOWN' THEN 1 ELSE 0 END AS silent
      FROM ${trunks()} WHERE ${raw(IS_TRUNK)}`;
    const rows = await this.scan(sql`SELECT state, COUNT(*), SUM(silent) FROM (${states}) trunks GROUP BY state`);
    return rows.map(([state, many, silent]) => ({
      state: state as TrunkState, // trunkState returns no others
      count: Number(many),
      silent: Number(silent),
    }));
  }

  private scan(statement: Fragment): Promise<readonly Row[]> {
    return scanTable(this.sql, 'gateways', statement);
  }
}

/** SQL for gateways `g` with their registrations `r` and what is known of their health `h`, if any. */
export function trunks(): Fragment {
  return sql`gateways g LEFT JOIN gateway_registrations r ON r.gw_ref = g.ref
    LEFT JOIN gateway_health h ON ${raw(measuredAt('g'))} AND h.expires_at > ${Date.now()} AND h.state <> 'UNKNOWN'`;
}

/** SQL for whether a gateway of `trunks` is a trunk. */
export const IS_TRUNK = `(${REGISTERS} OR h.gw_ref IS NOT NULL)`;

/** SQL for the state of a trunk. */
export function trunkState(): Fragment {
  return sql`CASE WHEN NOT COALESCE(${raw(REGISTERS)}, FALSE) THEN h.state
    WHEN r.gw_ref IS NULL THEN 'UNKNOWN' ELSE ${registrationState(Date.now())} END`;
}

function matching({ states, search }: TrunkQuery): Fragment {
  return all([
    raw(IS_TRUNK),
    states && sql`${trunkState()} IN (${states.length > 0 ? list(states) : raw('NULL')})`,
    search === undefined ? undefined : contains(SEARCHED, search),
  ]);
}

function toTrunk([rowId, state, registeredOn, expiresAt, healthSince]: Row): Trunk {
  const isHealth = state === 'UP' || state === 'DOWN';
  const since = Number(isHealth ? healthSince : state === 'REGISTERED' ? registeredOn : expiresAt);
  return { rowId: Number(rowId), state: state as TrunkState, since: since === 0 ? null : since }; // as in `counts`
}
