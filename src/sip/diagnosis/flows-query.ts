import { FALSE, list, raw, sql, type Fragment } from '../../database/fragment';
import { numberOrNull, textOrNull, type Row } from '../../database/sql';
import type { NumberState } from './facts';
import { statesOf } from './facts-query';
import type { Moment } from './number-state';

/** What numbers lead to, in a flow: a domain, or an address of record. */
export type FlowEnd = 'DOMAIN' | 'TARGET';

/** Numbers of one gateway that lead to one end, and are in one state. */
export interface Flow {
  /** Null for the gateways that are summed up. */
  readonly gatewayId: number | null;
  /** The domain of the address of record; null for the ends that are summed up. */
  readonly host: string | null;
  /** The user of the address of record; null if the end is a domain, or summed up. */
  readonly user: string | null;
  readonly domainId: number | null;
  readonly agentId: number | null;
  readonly peerId: number | null;
  readonly state: NumberState;
  readonly count: number;
}

/** Counts the numbers in a window, their domains and their addresses of record, and selects the last id. */
export function countsOfEnds(window: Fragment): Fragment {
  return sql`SELECT COUNT(*), MAX(n.id), COUNT(DISTINCT n.aor_host), COUNT(DISTINCT CONCAT(n.aor_user, '@', n.aor_host))
    FROM (${window}) w JOIN numbers n ON n.id = w.id`;
}

/** Which flows to select. */
interface FlowSelection {
  readonly end: FlowEnd;
  /** How many gateways, and how many ends, have flows of their own: those of the most numbers. The others are summed up. */
  readonly most: number;
  /** By default, numbers in all states. */
  readonly states: readonly string[] | undefined;
}

/** Selects the flows of the numbers in a window, first those of the most numbers. `toFlow` reads the rows. */
export function flowsOf(window: Fragment, { end, most, states }: FlowSelection, moment: Moment): Fragment {
  const ifTarget = (column: string): Fragment => raw(`${end === 'TARGET' ? column : 'NULL'} AS ${column}`);
  const wanted = states ? sql`WHERE ${states.length === 0 ? FALSE : sql`state IN (${list(states)})`}` : raw('');
  const ends = sql`SELECT gateway_id, aor_host, ${ifTarget('aor_user')}, domain_id, ${ifTarget('agent_id')},
    ${ifTarget('peer_id')}, state FROM (${statesOf(window, moment)}) numbered ${wanted}`;
  const grouped = sql`SELECT gateway_id, aor_host, aor_user, state, MAX(domain_id) AS domain_id, MAX(agent_id) AS agent_id,
    MAX(peer_id) AS peer_id, COUNT(*) AS many FROM (${ends}) ended GROUP BY gateway_id, aor_host, aor_user, state`;
  const summed = sql`SELECT grouped.*, SUM(many) OVER (PARTITION BY gateway_id) AS of_gateway,
    SUM(many) OVER (PARTITION BY aor_host, aor_user) AS of_end FROM (${grouped}) grouped`;
  const placed = sql`SELECT summed.*, DENSE_RANK() OVER (ORDER BY of_gateway DESC, gateway_id) AS gateway_place,
    DENSE_RANK() OVER (ORDER BY of_end DESC, aor_host, aor_user) AS end_place FROM (${summed}) summed`;
  const columnWithin = (place: string, column: string): Fragment =>
    sql`CASE WHEN ${raw(place)} <= ${most} THEN ${raw(column)} END AS ${raw(column)}`;
  const folded = sql`SELECT state, many, gateway_place, end_place, ${columnWithin('gateway_place', 'gateway_id')},
    ${columnWithin('end_place', 'aor_host')}, ${columnWithin('end_place', 'aor_user')}, ${columnWithin('end_place', 'domain_id')},
    ${columnWithin('end_place', 'agent_id')}, ${columnWithin('end_place', 'peer_id')} FROM (${placed}) placed`;
  return sql`SELECT gateway_id, aor_host, aor_user, MAX(domain_id), MAX(agent_id), MAX(peer_id), state, SUM(many) AS total,
    MAX(gateway_place), MAX(end_place) FROM (${folded}) folded
    GROUP BY gateway_id, aor_host, aor_user, state ORDER BY total DESC, MIN(gateway_place), MIN(end_place), state`;
}

/** Reads a row that `flowsOf` selected. */
export function toFlow([gatewayId, host, user, domainId, agentId, peerId, state, count]: Row): Flow {
  return {
    gatewayId: numberOrNull(gatewayId),
    host: textOrNull(host),
    user: textOrNull(user),
    domainId: numberOrNull(domainId),
    agentId: numberOrNull(agentId),
    peerId: numberOrNull(peerId),
    state: state as NumberState, // stateOfNumber returns no others
    count: Number(count),
  };
}
