import { list, raw, sql, type Fragment } from '../../database/fragment';
import { groupBy, numberOrNull, pad, type Reads, type Row } from '../../database/sql';
import type { Destination } from '../../model/format/destination';
import { healthState, measuredAt, type HealthState } from '../../model/gateway-health';
import { scanTable } from './scan';

/** The result of the SIP server's checks of a gateway's host with OPTIONS. Times are milliseconds since the epoch. */
export interface GatewayHealth {
  readonly state: HealthState;
  /** When the state began; null if it is UNKNOWN. */
  readonly since: number | null;
  /** Milliseconds until the response to the last check; null if there was none. */
  readonly roundTrip: number | null;
  /** The status code of the response to the last check; null if there was none. */
  readonly lastStatus: number | null;
  /** When the last check ended; null if the host was not checked. */
  readonly checkedOn: number | null;
}

/** The health of a gateway whose host was not checked. */
export const NOT_CHECKED: GatewayHealth = {
  state: 'UNKNOWN',
  since: null,
  roundTrip: null,
  lastStatus: null,
  checkedOn: null,
};

/** Returns the health of a destination of a gateway. */
type DestinationHealth = (destination: Destination) => GatewayHealth;

/** Reads what the SIP server found when it checked the hosts of gateways. */
export class HealthReader {
  constructor(private readonly sql: Reads) {}

  /** The health of gateways, by row id. Gateways whose present host was not checked are missing. */
  async of(gatewayIds: readonly number[]): Promise<ReadonlyMap<number, GatewayHealth>> {
    const { text, values } = sql`SELECT g.id, h.state, h.since, h.round_trip, h.last_status, h.checked_on,
      CASE WHEN h.expires_at > ${Date.now()} THEN 1 ELSE 0 END
      FROM gateways g JOIN gateway_health h ON ${raw(measuredAt('g'))} WHERE g.id IN (${list(pad(gatewayIds, 0))})`;
    return new Map((await this.sql.rows(text, values)).map((row) => [Number(row[0]), toHealth(row)]));
  }

  /**
   * The health of the destinations of gateways, by row id of the gateway. Gateways none of whose destinations was checked are
   * missing.
   */
  async ofDestinations(gatewayIds: readonly number[]): Promise<ReadonlyMap<number, DestinationHealth>> {
    const { text, values } = sql`SELECT g.id, k.state, k.since, k.round_trip, k.last_status, k.checked_on,
      CASE WHEN k.expires_at > ${Date.now()} THEN 1 ELSE 0 END, LOWER(g.transport), k.host, k.port, k.transport
      FROM gateways g JOIN destination_health k ON k.gw_ref = g.ref WHERE g.id IN (${list(pad(gatewayIds, 0))})`;
    const found = groupBy(await this.sql.rows(text, values), ([id]) => Number(id));
    return new Map(
      [...found].map(([id, rows]) => {
        const places = new Map(rows.map((row) => [row.slice(8).join('|'), toHealth(row)]));
        const keyOf = ({ host, port, transport }: Destination): string =>
          [host, port ?? 0, transport ?? rows[0]?.[7]].join('|');
        return [id, (destination) => places.get(keyOf(destination)) ?? NOT_CHECKED];
      }),
    );
  }

  /** The number of gateways in each state. States without gateways are missing. */
  async counts(): Promise<ReadonlyMap<HealthState, number>> {
    return toCounts(await scanTable(this.sql, 'gateways', countsOfHealth(Date.now())));
  }
}

/** SQL that counts gateways by health, at a time in milliseconds since the epoch. */
export function countsOfHealth(now: number): Fragment {
  return sql`SELECT state, COUNT(*) FROM (SELECT ${healthState('g', now)} AS state FROM gateways g) health GROUP BY state`;
}

/** Reads the rows of `countsOfHealth`. */
export function toCounts(rows: readonly Row[]): ReadonlyMap<HealthState, number> {
  return new Map(rows.map(([state, many]) => [state as HealthState, Number(many)])); // the SIP server stores no others
}

function toHealth([, state, since, roundTrip, lastStatus, checkedOn, isValid]: Row): GatewayHealth {
  if (Number(isValid) === 0) return { ...NOT_CHECKED, checkedOn: Number(checkedOn) };
  return {
    state: state as HealthState, // the SIP server stores no others
    since: state === 'UNKNOWN' ? null : Number(since),
    roundTrip: numberOrNull(roundTrip),
    lastStatus: numberOrNull(lastStatus),
    checkedOn: Number(checkedOn),
  };
}
