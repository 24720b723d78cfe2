import { type Fragment } from '../../database/fragment';
import { isEnabled, takesCalls } from '../../model/enabled';
import { rangeKey } from '../../model/format/number-range';
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

/**
 * SQL for what a column of `number_ranges` has for the range in which a number is, by the key of the number (`rangeKey`); NULL if there
 * is none. Ranges do not overlap, so only the one that begins last, but not after the number, can have it.
 */
export function rangeWith(column: string, key: string): string {
  return `(SELECT q.found FROM (SELECT ${column} AS found, range_last FROM number_ranges WHERE range_first <= ${key}
    ORDER BY range_first DESC LIMIT 1) q WHERE q.range_last >= ${key})`;
}

/** Selects the row id of the range in which a number is, if there is one. */
export function rangeHolding(digits: string): Fragment {
  const key = rangeKey(digits);
  return { text: rangeWith('number_id', '?'), values: [key, key] };
}

/** SQL for the sign of a number: `+`, or nothing for a local number, whose digits are the same in all formats. */
export const signOf = (number: string): string =>
  `CASE WHEN SUBSTR(${number}.tel_url, 5, 1) = '+' THEN '+' ELSE '' END`;

/** SQL for whether a number is a range. */
export const isRange = (number: string): string => `${number}.last_tel_url IS NOT NULL`;

/** The egress policies of domains `d`, with the numbers `n` and gateways `g` through which their calls leave. */
export function egressOf(table: Tables): string {
  return `${table('domains')} d JOIN ${table('numbers')} n ON n.id = d.egress_number_id
    JOIN ${table('gateways')} g ON g.id = n.gateway_id`;
}

/** Whether the route `r` of the domain `d` carries calls. An emergency route always does. */
export const CARRIES_CALLS = `((${isEnabled('d')} AND ${isEnabled('r')}) OR COALESCE(r.emergency, FALSE))`;

/** The routes `r` of domains `d` that carry calls. */
export function routesOf(table: Tables): string {
  return `${table('domains')} d JOIN ${table('routes')} r ON r.domain_id = d.id AND ${CARRIES_CALLS}`;
}

/**
 * The attempts `m` of routes `r`, each with its number `n`, its gateway `g`, its share `sh` of the calls if it has one, and the row
 * `h` of a gateway that is known to be down at a time, as SQL for milliseconds since the epoch.
 */
export function attemptsOf(table: Tables, now: string): string {
  return `${table('routes')} r JOIN ${table('route_numbers')} m ON m.route_id = r.id JOIN ${table('numbers')} n ON n.id = m.number_id
    JOIN ${table('gateways')} g ON g.id = n.gateway_id
    LEFT JOIN ${table('route_shares')} sh ON sh.route_id = m.route_id AND sh.position = m.position
    LEFT JOIN ${table('gateway_health')} h ON ${measuredAt('g')} AND h.state = 'DOWN' AND h.expires_at > ${now}`;
}

/** The turn of an attempt: those with the same one come in a random order, by their `sh.weight`. */
export const TURN = 'COALESCE(sh.priority, m.position)';

/** Whether the gateway `g` takes the calls of the route `r`. Emergency calls leave through any. */
export const TAKES_CALLS_OF_ROUTE = `(${takesCalls('g')} OR COALESCE(r.emergency, FALSE))`;

/** The numbers `k` that agents `a` show, with their gateways `g`. */
export function numbersOfAgents(table: Tables): string {
  return `${table('agents')} a JOIN ${table('numbers')} k ON k.id = a.caller_number_id
    JOIN ${table('gateways')} g ON g.id = k.gateway_id`;
}

/** The numbers `k` that peers `p` may show, with their gateways `g`. */
export function numbersOfPeers(table: Tables): string {
  return `${table('peers')} p JOIN ${table('peer_numbers')} m ON m.peer_id = p.id
    JOIN ${table('numbers')} k ON k.id = m.number_id JOIN ${table('gateways')} g ON g.id = k.gateway_id`;
}

/**
 * How the INVITE to a gateway `g` is written, and where it is sent: to its outbound proxy, or else to this place, as columns of a
 * view.
 */
export function quirksOf(place: { readonly host: string; readonly port: string }): string {
  return `COALESCE(g.outbound_host, ${place.host}) AS via, CASE WHEN g.outbound_host IS NULL THEN ${place.port}
      ELSE COALESCE(CAST(g.outbound_port AS SIGNED), 0) END AS via_port, COALESCE(g.from_domain, '') AS from_domain,
    COALESCE(g.technical_prefix, '') AS technical, COALESCE(g.number_plus, '+') AS plus,
    COALESCE(g.number_country, '') AS country, COALESCE(g.number_trunk, '') AS trunk`;
}

/** The most forms that are read in calls from providers. */
const MOST_FORMS = 16;

/**
 * SQL for the forms in which gateways of a country write numbers, by which the SIP server reads `030123` in calls from them: what
 * comes instead of `+`, the code of the country, and what comes instead of both.
 */
export function formsOf(table: Tables): string {
  return `SELECT number_plus AS plus, number_country AS country, COALESCE(number_trunk, '') AS trunk FROM ${table('gateways')}
    WHERE number_country IS NOT NULL GROUP BY number_country, number_plus, number_trunk
    ORDER BY number_country, number_plus, number_trunk LIMIT ${String(MOST_FORMS)}`;
}

/** The user name with which a gateway `g` is proved to the provider. */
export const AUTH_USER = 'COALESCE(g.auth_username, g.username)';

/**
 * SQL for a number as a gateway writes it in SIP URIs, by the columns of `quirksOf` of `way`. What does not begin with `+` stays
 * as it is.
 */
export function writtenFor(way: string, number: string): string {
  return `CASE WHEN SUBSTR(${number}, 1, 1) <> '+' OR LENGTH(${number}) < 2 THEN ${number}
    WHEN ${way}.country <> '' AND LENGTH(${number}) > LENGTH(${way}.country) + 1
      AND SUBSTR(${number}, 2, LENGTH(${way}.country)) = ${way}.country
      THEN CONCAT(${way}.trunk, SUBSTR(${number}, LENGTH(${way}.country) + 2))
    ELSE CONCAT(${way}.plus, SUBSTR(${number}, 2)) END`;
}

/** SQL for the called number or name as a gateway expects it. Only a number has a technical prefix. */
export function calledFor(way: string, called: string, isNumber: string): string {
  return `CONCAT(CASE WHEN ${isNumber} = 1 THEN ${way}.technical ELSE '' END, ${writtenFor(way, called)})`;
}

/**
 * SQL for the number, with its sign, that the caller shows in an attempt `w`: one of its own `c` that belongs to the gateway, or
 * else that of the route or policy, which an emergency call always shows. The number as dialed comes before the one after a
 * leading 00, and of two with the same digits, the one with `+`.
 */
export const OWN_NUMBER = `CASE WHEN w.urgent = 1 THEN w.number ELSE COALESCE((SELECT c.number FROM c
    WHERE c.gw_ref = w.gw_ref ORDER BY LENGTH(c.number) DESC LIMIT 1), w.number) END`;

function gatewaysOfNumbers(table: Tables): string {
  return `${table('numbers')} n JOIN ${table('gateways')} g ON g.id = n.gateway_id`;
}
