import { raw, sql, type Fragment } from '../../database/fragment';
import { isEnabled } from '../../model/enabled';
import { REGISTERS, stateOf } from '../live/registration-reader';
import { BY_DIGITS } from './same-digits';

// A DID and a Number with the same spelling and destination do not conflict, nor does a disabled number.
const RIVALS = `FROM numbers o WHERE o.tel_digits = n.tel_digits AND o.id <> n.id AND ${isEnabled('o')}
  AND (o.tel_url <> n.tel_url OR o.gateway_id <> n.gateway_id OR o.aor_user <> n.aor_user OR o.aor_host <> n.aor_host)`;
/** The devices of a number `n`, with or without a valid registration. */
export const DEVICES = 'FROM location l WHERE l.username = n.aor_user AND l.domain = n.aor_host';

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
export function reachableDevices(node: string | undefined): Fragment {
  if (node === undefined) return raw(DEVICES);
  return sql`${raw(DEVICES)} AND (l.socket IS NULL OR SUBSTR(l.socket, INSTR(l.socket, ':') + 1) = ${node})`;
}

/** SQL for the state of the number `n`, joined as in facts-query.ts. */
export function stateOfNumber({ now, node }: Moment): Fragment {
  const reachable = reachableDevices(node);
  const registration = stateOf(now);
  const isDomainDisabled = raw(`d.id IS NOT NULL AND NOT ${isEnabled('d')}`);
  const noTarget = raw('m.agent_id IS NULL AND p.id IS NULL');
  return sql`CASE
    WHEN NOT ${raw(isEnabled('n'))} THEN 'DISABLED'
    WHEN n.tel_digits <> '' AND EXISTS (SELECT ${BY_DIGITS} 1 ${raw(RIVALS)}) THEN 'AMBIGUOUS'
    WHEN NOT ${raw(isEnabled('g'))} THEN 'GATEWAY_DISABLED'
    WHEN COALESCE(g.draining, FALSE) THEN 'GATEWAY_DRAINING'
    WHEN ${raw(REGISTERS)} AND (r.gw_ref IS NULL OR ${registration} = 'UNREACHABLE') THEN 'GATEWAY_NOT_REGISTERED'
    WHEN ${raw(REGISTERS)} AND ${registration} = 'EXPIRED' THEN 'GATEWAY_EXPIRED'
    WHEN ${raw(REGISTERS)} AND ${registration} = 'REFUSED' THEN 'GATEWAY_REFUSED'
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

/** Seconds since the epoch, the unit of `location.expires`. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
