import { isEnabled, takesCalls } from '../../model/enabled';
import { measuredAt } from '../../model/gateway-health';

/*
 * The SQL by which calls are routed. Kamailio reads these rows through the views of views.ts, and explanations of calls
 * read them from the tables, so it is written for each database. `table` returns the name of a table in SQL.
 */
type Tables = (name: string) => string;

/** The tables of sipgraph's own schema. */
export const TABLES: Tables = (name) => name;

/** The agents `a` that exist, at each address `m.username`@`d.domain_uri`. */
export function agentsOf(table: Tables): string {
  return `${table('domains')} d JOIN ${table('agent_domains')} m ON m.domain_id = d.id
    JOIN ${table('agents')} a ON a.id = m.agent_id WHERE a.secret <> ''`;
}

/** Whether the agent `a` can call and be called in the domain `d`. */
export const AGENT_TAKES_CALLS = `(${isEnabled('a')} AND ${isEnabled('d')})`;

/** The peers `p` that exist, in any domain. */
export function peersOf(table: Tables): string {
  return `${table('peers')} p WHERE p.secret <> ''`;
}

/** The numbers `n` with digits, with their gateways `g`. */
export function numbersOf(table: Tables): string {
  return `${gatewaysOfNumbers(table)} WHERE n.tel_digits <> ''`;
}

/**
 * The same, with the registrations `r` of the gateways at their hosts that are valid at a time, as SQL for milliseconds
 * since the epoch.
 */
export function numbersAt(table: Tables, now: string): string {
  return `${gatewaysOfNumbers(table)} LEFT JOIN ${table('gateway_registrations')} r ON r.gw_ref = g.ref AND r.host = g.host
    AND r.expires_at > ${now} WHERE n.tel_digits <> ''`;
}

/** The egress policies of domains `d`, with the numbers `n` and gateways `g` through which their calls leave. */
export function egressOf(table: Tables): string {
  return `${table('domains')} d JOIN ${table('numbers')} n ON n.id = d.egress_number_id
    JOIN ${table('gateways')} g ON g.id = n.gateway_id`;
}

/** The routes `r` of domains `d` that carry calls. An emergency route always does. */
export function routesOf(table: Tables): string {
  return `${table('domains')} d JOIN ${table('routes')} r ON r.domain_id = d.id
    AND ${isEnabled('d')} AND (${isEnabled('r')} OR COALESCE(r.emergency, FALSE))`;
}

/**
 * The attempts `m` of routes `r`, each with its number `n`, its gateway `g`, and the row `h` of a gateway that is known to be
 * down at a time, as SQL for milliseconds since the epoch.
 */
export function attemptsOf(table: Tables, now: string): string {
  return `${table('routes')} r JOIN ${table('route_numbers')} m ON m.route_id = r.id JOIN ${table('numbers')} n ON n.id = m.number_id
    JOIN ${table('gateways')} g ON g.id = n.gateway_id
    LEFT JOIN ${table('gateway_health')} h ON ${measuredAt('g')} AND h.state = 'DOWN' AND h.expires_at > ${now}`;
}

/** Whether the gateway `g` takes the calls of the route `r`. Emergency calls leave through any. */
export const TAKES_CALLS_OF_ROUTE = `(${takesCalls('g')} OR COALESCE(r.emergency, FALSE))`;

function gatewaysOfNumbers(table: Tables): string {
  return `${table('numbers')} n JOIN ${table('gateways')} g ON g.id = n.gateway_id`;
}
