import { raw, sql, type Fragment } from '../../database/fragment';
import { isEnabled, takesCalls } from '../../model/enabled';
import { rangeKeyOf } from '../../model/format/number-range';
import { hasAgent } from '../../model/target';
import { isRange, routesOf, TABLES } from '../kamailio/routing';
import { seconds, tlsSocketOf } from '../live/contact';
import { REGISTERS, registrationState } from '../live/registration-reader';
import { BY_DIGITS } from './same-digits';

// A DID and a Number with the same spelling and destination do not conflict, also at two gateways, because a call from a gateway
// takes the number of that gateway. Nor does a disabled number. A range does not conflict with its first number, which
// comes before it.
const RIVALS = `FROM numbers o WHERE o.tel_digits = n.tel_digits AND o.id <> n.id AND ${isEnabled('o')}
  AND NOT ${isRange('o')} AND NOT ${isRange('n')}
  AND (o.tel_url <> n.tel_url OR o.aor_user <> n.aor_user OR o.aor_host <> n.aor_host
    OR COALESCE(o.further_targets, '[]') <> COALESCE(n.further_targets, '[]'))`;
/** The devices of an address of record, with or without a valid registration. `of` is the table with the address. */
const devicesOf = (of: string): string =>
  `FROM location l WHERE l.username = ${of}.aor_user AND l.domain = ${of}.aor_host`;
/** The devices of a number `n`. */
export const DEVICES = devicesOf('n');

/** SQL for whether the agent with the id `m.agent_id` is disabled. It reads one row by its key. */
export const IS_AGENT_DISABLED = 'EXISTS (SELECT 1 FROM agents a WHERE a.id = m.agent_id AND a.enabled = FALSE)';

/** The time and the node for which live state is computed. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The node of the SIP server where calls arrive, if configured. */
  readonly node: string | undefined;
}

/**
 * The devices that a call can reach. If `node` is set, only the devices that are registered at that node, because a
 * node has only its own bindings in memory.
 */
export function reachableDevices(node: string | undefined, of = 'n'): Fragment {
  if (node === undefined) return raw(devicesOf(of));
  const tls = tlsSocketOf(node);
  return sql`${raw(devicesOf(of))} AND (l.socket IS NULL OR SUBSTR(l.socket, INSTR(l.socket, ':') + 1) = ${node}
    OR SUBSTR(l.socket, 1, ${tls.length}) = ${tls})`;
}

// The longest outside number, with its +.
const LONGEST = 16;

/** Whether a call to a further target rings, as SQL. OWN: the outside number is one of this server. */
export const TARGET_RINGS = { NO: 0, YES: 1, OWN: 2 } as const;

/**
 * SQL for whether a call to the further target `t` rings, one of TARGET_RINGS. `host` is the domain that calls an outside number:
 * by a route, or else by its egress policy, through a gateway that takes calls.
 */
export function targetRings(t: string, host: string, { now, node }: Moment): Fragment {
  const { byRoute, route, byPolicy } = waysOf(t, host);
  const calls = raw(`(EXISTS (SELECT 1 ${byRoute}) OR (${route} IS NULL AND EXISTS (SELECT 1 ${byPolicy})))`);
  // Not with `rangeWith`: derived tables of MariaDB cannot use columns of the row of `t`.
  const outside = rangeKeyOf(`SUBSTR(${t}.outside, 2)`);
  const isOwn = raw(`(EXISTS (SELECT 1 FROM numbers tn WHERE tn.tel_digits = SUBSTR(${t}.outside, 2))
    OR COALESCE((SELECT tq.range_last FROM number_ranges tq WHERE tq.range_first <= ${outside}
      ORDER BY tq.range_first DESC LIMIT 1) >= ${outside}, FALSE))`);
  const agent = raw(hasAgent(`${t}.aor_user`, `${t}.aor_host`));
  const isCalled = raw(`EXISTS (SELECT 1 FROM domains ed JOIN agent_domains em ON em.domain_id = ed.id
    JOIN agents ea ON ea.id = em.agent_id WHERE ed.domain_uri = ${t}.aor_host AND em.username = ${t}.aor_user
    AND ${isEnabled('ea')} AND ${isEnabled('ed')})`);
  const peer = (condition: string): Fragment =>
    raw(`EXISTS (SELECT 1 FROM peers tp WHERE tp.username = ${t}.aor_user AND ${isEnabled('tp')} AND ${condition})`);
  const devices = sql`EXISTS (SELECT 1 ${reachableDevices(node, t)} AND l.expires > ${seconds(now)})`;
  return sql`CASE WHEN ${raw(t)}.outside <> '' AND ${isOwn} THEN 2 WHEN ${raw(t)}.outside <> '' AND ${calls} THEN 1
    WHEN ${raw(t)}.outside <> '' THEN 0
    WHEN ${agent} THEN CASE WHEN ${isCalled} AND ${devices} THEN 1 ELSE 0 END
    WHEN ${peer('tp.contact_addr IS NOT NULL')} OR (${devices} AND ${peer('TRUE')}) THEN 1 ELSE 0 END`;
}

/** SQL for the gateway through which the outside number of `t` is called first, and the number that is shown: see `wayIn`. */
export function firstWayOf(t: string, host: string): Fragment {
  const { byRoute, byPolicy } = waysOf(t, host);
  const columns = `CONCAT(tg.ref, '\n', tg.name, '\n', tm.tel_url)`;
  return raw(`COALESCE((SELECT ${columns} ${byRoute} ORDER BY COALESCE(ts.priority, ta.position), COALESCE(ts.weight, 0) DESC, ta.position LIMIT 1),
    (SELECT ${columns} ${byPolicy}))`);
}

/**
 * SQL for how a domain calls the outside number of `t`: the route that decides, as route[WAY] of the SIP server finds it, or NULL,
 * and from FROM on, the numbers whose gateways take the calls of that route, and that of the egress policy.
 */
function waysOf(t: string, host: string): Readonly<Record<'byRoute' | 'route' | 'byPolicy', string>> {
  const prefixes = Array.from({ length: LONGEST + 1 }, (_, length) => `SUBSTR(${t}.outside, 1, ${String(length)})`);
  const isEmergency = 'COALESCE(r.emergency, FALSE)';
  const route = `(SELECT r.id FROM ${routesOf(TABLES)} WHERE d.domain_uri = ${host} AND r.prefix IN (${prefixes.join(', ')})
    AND (NOT ${isEmergency} OR r.prefix = ${t}.outside) ORDER BY ${isEmergency} DESC, LENGTH(r.prefix) DESC LIMIT 1)`;
  return {
    route,
    byRoute: `FROM routes tr JOIN route_numbers ta ON ta.route_id = tr.id JOIN numbers tm ON tm.id = ta.number_id
      LEFT JOIN route_shares ts ON ts.route_id = ta.route_id AND ts.position = ta.position
      JOIN gateways tg ON tg.id = tm.gateway_id AND (${takesCalls('tg')} OR COALESCE(tr.emergency, FALSE)) WHERE tr.id = ${route}`,
    byPolicy: `FROM domains td JOIN numbers tm ON tm.id = td.egress_number_id
      JOIN gateways tg ON tg.id = tm.gateway_id AND ${takesCalls('tg')}
      WHERE td.domain_uri = ${host} AND ${isEnabled('td')} AND ${t}.outside REGEXP td.egress_policy_rule`,
  };
}

/** SQL for the state of the number `n`, joined as in facts-query.ts. */
export function stateOfNumber({ now, node }: Moment): Fragment {
  const reachable = reachableDevices(node);
  const registration = registrationState(now);
  const isDomainDisabled = raw(`d.id IS NOT NULL AND NOT ${isEnabled('d')}`);
  const another = sql`EXISTS (SELECT 1 FROM number_targets t WHERE t.number_id = n.id
      AND ${targetRings('t', 'n.aor_host', { now, node })} = 1)`;
  const noTarget = raw('m.agent_id IS NULL AND p.id IS NULL');
  return sql`CASE
    WHEN NOT ${raw(isEnabled('n'))} THEN 'DISABLED'
    WHEN n.tel_digits <> '' AND EXISTS (SELECT ${BY_DIGITS} 1 ${raw(RIVALS)}) THEN 'AMBIGUOUS'
    WHEN NOT ${raw(isEnabled('g'))} THEN 'GATEWAY_DISABLED'
    WHEN COALESCE(g.draining, FALSE) THEN 'GATEWAY_DRAINING'
    WHEN ${raw(REGISTERS)} AND (r.gw_ref IS NULL OR ${registration} = 'UNREACHABLE') THEN 'GATEWAY_NOT_REGISTERED'
    WHEN ${raw(REGISTERS)} AND ${registration} = 'EXPIRED' THEN 'GATEWAY_EXPIRED'
    WHEN ${raw(REGISTERS)} AND ${registration} = 'REFUSED' THEN 'GATEWAY_REFUSED'
    WHEN ${another} THEN 'REACHABLE'
    WHEN ${noTarget} AND d.id IS NULL THEN 'DOMAIN_MISSING'
    WHEN (m.agent_id IS NOT NULL OR p.id IS NULL) AND ${isDomainDisabled} THEN 'TARGET_DISABLED'
    WHEN ${noTarget} AND EXISTS (SELECT 1 FROM agents a WHERE a.username = n.aor_user) THEN 'TARGET_FORBIDDEN'
    WHEN ${noTarget} THEN 'TARGET_MISSING'
    WHEN ${raw(IS_AGENT_DISABLED)} THEN 'TARGET_DISABLED'
    WHEN m.agent_id IS NULL AND NOT ${raw(isEnabled('p'))} THEN 'TARGET_DISABLED'
    WHEN EXISTS (SELECT 1 ${reachable} AND l.expires > ${seconds(now)}) THEN 'REACHABLE'
    WHEN m.agent_id IS NULL AND p.contact_addr IS NOT NULL THEN 'REACHABLE'
    WHEN EXISTS (SELECT 1 ${raw(DEVICES)} AND l.expires > ${seconds(now)}) THEN 'NOT_REGISTERED'
    WHEN EXISTS (SELECT 1 ${reachable}) THEN 'EXPIRED'
    ELSE 'NOT_REGISTERED' END`;
}
