import { isEnabled, takesCalls } from '../../model/enabled';
import { entriesOfMinutes } from '../../model/format/daily-minutes';
import { measuredAt } from '../../model/gateway-health';
import { REGISTERS } from '../live/registration-reader';
import { columnsOfPlace, DESTINATIONS, HOP, HOSTS, IS_PLACE_DISABLED, openHosts, placesWith } from './places';
import {
  AGENT_TAKES_CALLS,
  AUTH_USER,
  agentsOf,
  attemptsOf,
  egressOf,
  formsOf,
  isRange,
  numbersAt,
  numbersOf,
  numbersOfAgents,
  numbersOfPeers,
  peersOf,
  quirksOf,
  routesOf,
  signOf,
  TAKES_CALLS_OF_ROUTE,
  TURN,
} from './routing';
import { sourcesOf } from './sources';
import { DIALOG_TABLES } from './dialog-tables';

/** The schemas of sipgraph's tables and of Kamailio's views, and the collation of sipgraph's columns. */
interface ViewPlaces {
  readonly model: string;
  readonly schema: string;
  readonly collation: string;
}

/** Returns the views, by name, through which Kamailio 5.6 to 6.1 reads resources and writes registrations. */
export function viewsOf({ model, schema, collation }: ViewPlaces): Readonly<Record<string, string>> {
  const table = (name: string): string => `\`${model}\`.\`${name}\``;
  const [agents, peers] = [agentsOf(table), peersOf(table)];
  const place = columnsOfPlace(collation);
  // The places to which a call goes, with whether each is known to be down, or is disabled, which an emergency call tries last.
  const ways = `${place.host} AS host, ${place.port} AS port, ${place.transport} AS transport, ${place.priority} AS priority,
      ${place.weight} AS weight, COALESCE(${AUTH_USER}, '') AS username, COALESCE(g.secret, '') AS secret, ${quirksOf(place)},
      IF(${IS_PLACE_DISABLED}, 2, IF(e.place = 1, h.gw_ref, k.gw_ref) IS NOT NULL) AS down`;
  const now = 'UNIX_TIMESTAMP() * 1000';
  const health = `LEFT JOIN ${table('gateway_health')} h ON ${measuredAt('g')} AND h.state = 'DOWN' AND h.expires_at > ${now}`;
  const places = (
    also: string,
  ): string => `${placesWith(also)} LEFT JOIN ${table('destination_health')} k ON e.place > 1 AND k.gw_ref = g.ref
      AND k.host = ${place.host} AND k.port = ${place.port} AND k.transport = ${place.transport} AND k.state = 'DOWN'
      AND k.expires_at > ${now}`;
  const [callingAgents, callingPeers] = [`${agents} AND ${AGENT_TAKES_CALLS}`, `${peers} AND ${isEnabled('p')}`];
  const callingPeersInDomains = `${table('peers')} p CROSS JOIN ${table('domains')} d
    WHERE p.secret <> '' AND ${isEnabled('p')} AND ${isEnabled('d')}`;
  return {
    // The table versions, which Kamailio checks at startup.
    version: versions({
      version: 1,
      subscriber: 7,
      location: 9,
      location_attrs: 1,
      domain: 2,
      domain_attrs: 1,
      uacreg: 5,
      [`uacreg${WITH_TLS}`]: 5,
      dialog: 7,
      dialog_vars: 1,
    }),

    // Users by name. Each of these views reads single rows by unique keys, and selects only the columns that its
    // look-ups need, because the database resolves all columns of a view for each statement. Users without a secret are
    // excluded. Those who are disabled have no credentials, but are known, so that their calls do not go elsewhere.
    agent: `SELECT m.username AS username, d.domain_uri AS domain, a.ref AS ref, ${AGENT_TAKES_CALLS} AS enabled, ${LIMITS_OF_DOMAIN}
      FROM ${agents}`,
    agent_credentials: `SELECT m.username AS username, d.domain_uri AS domain, ${ha1('a', 'm.username', 'd.domain_uri')} AS ha1,
      a.ref AS ref, COALESCE(a.max_contacts, 0) AS max_contacts, ${PRIVATE} AS private, ${limitsOf('a')}, ${LIMITS_OF_DOMAIN},
      a.daily_minutes IS NOT NULL OR d.daily_minutes IS NOT NULL AS has_minutes FROM ${callingAgents}`,
    // All agents and peers in all domains, for calls to the emergency numbers of these.
    emergency_users: [
      credentials('agent', agents),
      credentials('peer', `${table('peers')} p CROSS JOIN ${table('domains')} d WHERE p.secret <> ''`),
    ].join(' UNION ALL '),
    // The agents among those of enabled domains, for configurations that were printed before the view above existed.
    emergency_credentials: `SELECT m.username AS username, d.domain_uri AS domain, ${ha1('a', 'm.username', 'd.domain_uri')} AS ha1,
      ${ha1b('a', 'm.username', 'd.domain_uri')} AS ha1b, a.ref AS ref, ${PRIVATE} AS private, ${limitsOf('a')}, ${LIMITS_OF_DOMAIN}
      FROM ${agents} AND ${isEnabled('d')}`,
    // What a REGISTER needs of the agents that are enabled, which is most of what phones send.
    registering_agents: `SELECT m.username AS username, d.domain_uri AS domain, ${ha1('a', 'm.username', 'd.domain_uri')} AS ha1,
      a.ref AS ref, COALESCE(a.max_contacts, 0) AS max_contacts FROM ${callingAgents}`,
    peer: `SELECT p.username AS username, p.ref AS ref, ${CONTACT}, ${isEnabled('p')} AS enabled FROM ${peers}`,
    peer_credentials: `SELECT p.username AS username, d.domain_uri AS domain, ${ha1('p', 'p.username', 'd.domain_uri')} AS ha1,
      p.ref AS ref, ${LIMITS_OF_DOMAIN} FROM ${callingPeersInDomains}`,
    // Peers that address the server by its IP address or a host name.
    peer_realm_credentials: `SELECT p.username AS username, '${PEERS}' AS domain, ${ha1('p', 'p.username', `'${PEERS}'`)} AS ha1,
      p.ref AS ref FROM ${callingPeers}`,

    // One row per address of record, for digests whose user name contains a domain, and for configurations that were
    // printed before the views above existed. Agents come first, because Kamailio uses the first row.
    subscriber: [
      credentials('agent', callingAgents, { most: 'COALESCE(a.max_contacts, 0)' }),
      credentials('peer', callingPeersInDomains),
      // Peers that address the server by its IP address or a host name.
      credentials('peer', callingPeers, { domain: `'${PEERS}'` }),
    ].join(' UNION ALL '),

    domain: `SELECT id, domain_uri AS domain, ref AS did,
      CAST('2000-01-01 00:00:01' AS DATETIME) AS last_modified, ${DENIES} AS denies FROM ${table('domains')} d WHERE ${isEnabled('d')}`,
    domain_limits: `SELECT d.domain_uri AS domain, ${LIMITS_OF_DOMAIN} FROM ${table('domains')} d WHERE ${isEnabled('d')}`,
    domain_attrs: `SELECT 0 AS id, CAST('' AS CHAR(64)) AS did, CAST('' AS CHAR(32)) AS name, 0 AS type,
      CAST('' AS CHAR(255)) AS value, CAST('2000-01-01 00:00:01' AS DATETIME) AS last_modified FROM DUAL WHERE FALSE`,

    // The destination of calls to a number. A block is a range that begins with the number.
    number: `SELECT n.tel_digits AS did, ${isRange('n')} AS block, n.aor_link AS aor, g.ref AS gw_ref, ${isEnabled('n')} AS enabled, ${TARGETS} AS targets,
      ${signOf('n')} AS sign FROM ${numbersOf(table)}`,

    // The destination of calls to a number, with their permitted sources: the registrar's address, the gateway's hosts
    // and its sources. `refusal` is the status with which a call is refused because of what is disabled, or 0. `form` is how
    // the gateway writes numbers: what comes instead of +, its country, and what comes instead of + and that. `open_hosts` are the
    // hosts of the destinations that are enabled.
    did_route: `SELECT n.tel_digits AS did, n.aor_link AS aor, g.ref AS gw_ref, COALESCE(r.ip, '') AS gw_ip, ${HOP.host} AS gw_host,
      ${SOURCES} AS gw_sources, ${shortText(HOSTS)} AS gw_hosts, IF(NOT ${takesCalls('g')}, 503, IF(${isEnabled('n')}, 0, 480)) AS refusal, ${limitsOf('g')}, ${TARGETS} AS targets,
      ${isRange('n')} AS block, n.id AS row_id, ${shortText(openHosts(collation))} AS open_hosts,
      CONCAT_WS('|', COALESCE(g.number_plus, '+'), COALESCE(g.number_country, ''), COALESCE(g.number_trunk, '')) AS form,
      ${signOf('n')} AS sign
      FROM ${numbersAt(table, 'UNIX_TIMESTAMP() * 1000')}`,

    // The forms in which national numbers of calls from providers are read, which Kamailio keeps in memory.
    number_forms: formsOf(table),

    // The ranges, by which `rangeWith` finds that of a number.
    number_ranges: `SELECT range_first, range_last FROM ${table('number_ranges')}`,

    // The egress policy of each domain.
    egress: `SELECT d.domain_uri AS domain, d.egress_policy_rule AS rule, n.tel_digits AS number, g.ref AS gw_ref,
      ${ways}, NOT ${takesCalls('g')} OR ${place.isDraining} AS closed, ${limitsOf('g')}, ${MINUTES}, ${signOf('n')} AS sign FROM ${egressOf(table)} ${health} ${places('FALSE')} WHERE ${isEnabled('d')}`,

    // The routes of each domain: what a dialed number begins with, or is as a whole.
    routes: `SELECT d.domain_uri AS domain, r.prefix AS prefix, COALESCE(r.emergency, FALSE) AS emergency, r.id AS route, r.ref AS ref
      FROM ${routesOf(table)}`,

    // The attempts of each route, in the order of `turn`: the caller, and each place of the gateway. Those of one turn share the
    // calls by `share`; it is NULL where the order is that of `position`.
    ways_out: `SELECT m.route_id AS route, m.position AS position, ${TURN} AS turn, sh.weight AS share, n.tel_digits AS number, g.ref AS gw_ref,
      ${ways}, NOT ${TAKES_CALLS_OF_ROUTE} OR (${place.isDraining} AND NOT COALESCE(r.emergency, FALSE)) AS closed, ${limitsOf('g')}, ${MINUTES}, ${signOf('n')} AS sign FROM ${attemptsOf(table, now)} ${places('COALESCE(r.emergency, FALSE)')}`,

    // The numbers that agents and peers may show in attempts through the gateways of these numbers.
    agent_callers: `SELECT a.ref AS ref, g.ref AS gw_ref, k.tel_digits AS number, ${signOf('k')} AS sign FROM ${numbersOfAgents(table)}`,
    peer_callers: `SELECT p.ref AS ref, g.ref AS gw_ref, k.tel_digits AS number, ${isRange('k')} AS block, ${signOf('k')} AS sign
      FROM ${numbersOfPeers(table)}`,

    ...viewsOfMinutes(table, collation),

    // What a gateway expects within calls, whatever their route was.
    gateway_credentials: `SELECT g.ref AS gw_ref, ${AUTH_USER} AS username, g.secret AS secret, LOWER(g.transport) AS transport
      FROM ${table('gateways')} g WHERE g.username <> ''`,

    // The sources and the hosts of all gateways, which Kamailio keeps in memory for requests within calls, also that there are none.
    gateway_sources: `SELECT g.ref AS ref, ${SOURCES} AS sources, ${shortText(`CONCAT_WS(',', ${HOP.host}, NULLIF(CONVERT(${HOSTS} USING utf8mb4) COLLATE ${collation}, ''))`)} AS hosts FROM ${table('gateways')} g`,

    // The networks of gateways and peers, which Kamailio keeps in memory to tell whose an address is. `owner` is the ref of a
    // peer, or empty for gateways, which come before peers with the same network; the peer that was created first comes before
    // others. `bits` identifies a network: family, length, and its bits in hexadecimal digits, such as `4/23/c0a80a`.
    sources: sourcesOf(table, collation),

    // The same with the networks of peers that are disabled, whose owner has a mark before the ref: a call from there is that of no
    // gateway with a shorter network. A configuration that was printed before would take the mark for a ref.
    sources_of_all: sourcesOf(table, collation, 'all'),

    // The entries of access control lists: network and mask, each as two halves of 64 bits.
    acl: ['allow', 'deny'].map((action) => entriesOf(action, table('domains'))).join(' UNION ALL '),

    ...viewsOfGateways(table, collation, '', "'udp', 'tcp'"),
    ...viewsOfGateways(table, collation, WITH_TLS, "'udp', 'tcp', 'tls'"),

    // Calls of deleted agents and peers, and those that have lasted as long as the minutes of the day that were left.
    ended_calls: `SELECT DISTINCT c.hash_entry AS hash_entry, c.hash_id AS hash_id, v.dialog_value AS ref, 'which was deleted' AS why,
      c.callid AS callid, c.from_tag AS from_tag, c.to_tag AS to_tag FROM \`${schema}\`.dialog c
      JOIN \`${schema}\`.dialog_vars v ON v.hash_entry = c.hash_entry AND v.hash_id = c.hash_id AND v.dialog_key IN ('caller_ref', 'callee_ref')
      WHERE c.state IN (3, 4) AND NOT EXISTS (SELECT 1 FROM ${table('agents')} a WHERE a.ref = v.dialog_value COLLATE ${collation})
      AND NOT EXISTS (SELECT 1 FROM ${table('peers')} p WHERE p.ref = v.dialog_value COLLATE ${collation})
      UNION ALL SELECT c.hash_entry, c.hash_id, ${USER}, 'which was deleted', c.callid, c.from_tag, c.to_tag FROM \`${schema}\`.dialog c
      JOIN \`${schema}\`.dialog_vars v ON v.hash_entry = c.hash_entry AND v.hash_id = c.hash_id AND v.dialog_key = 'user'
      JOIN (SELECT 1 AS which UNION ALL SELECT 3) side
      WHERE c.state IN (3, 4) AND ${USER} <> '-'
      AND NOT EXISTS (SELECT 1 FROM ${table('agents')} a WHERE a.ref = ${USER} COLLATE ${collation})
      AND NOT EXISTS (SELECT 1 FROM ${table('peers')} p WHERE p.ref = ${USER} COLLATE ${collation})
      UNION ALL SELECT c.hash_entry, c.hash_id, c.from_uri, 'whose minutes of today are used', c.callid, c.from_tag, c.to_tag FROM \`${schema}\`.dialog c
      JOIN \`${schema}\`.dialog_vars v ON v.hash_entry = c.hash_entry AND v.hash_id = c.hash_id AND v.dialog_key = 'seconds'
      WHERE c.state IN (3, 4) AND c.start_time + CAST(v.dialog_value AS UNSIGNED) <= UNIX_TIMESTAMP()
      UNION ALL SELECT hash_entry, hash_id, from_uri, 'which has had no request for 12 hours', callid, from_tag, to_tag FROM \`${schema}\`.dialog
      WHERE ${TIMES_OUT}`,

    // Kamailio can write these views, because each selects from a single table.
    ...Object.fromEntries(WRITTEN_TABLES.map((name) => [name, `SELECT * FROM ${table(name)}`])),
  };
}

/**
 * Whether Kamailio forgets a call within ten minutes, after the 12 hours of `default_timeout` (templates/modules.cfg): it
 * would send no BYE, and nothing would count the call any more. The table has the time of a call once its ACK has arrived.
 */
const TIMES_OUT =
  '(state = 4 AND timeout <= UNIX_TIMESTAMP() + 600 OR state = 3 AND start_time + 42600 <= UNIX_TIMESTAMP())';

/** The ref of a user in the variable `user` of a dialog (templates/calls.cfg): of its caller (`which` is 1), or callee (3). */
const USER = "SUBSTRING_INDEX(SUBSTRING_INDEX(SUBSTRING_INDEX(v.dialog_value, '|', side.which), '|', -1), ':', -1)";

/** The entries of the limits of minutes a day. `most` is in seconds. They do not read what is used, so that it can be written from them. */
function viewsOfMinutes(table: (name: string) => string, collation: string): Readonly<Record<string, string>> {
  const { join, columns } = entriesOfMinutes('o.daily_minutes', collation);
  const entries = (owners: string): string => `o.ref AS ref, ${columns} FROM ${table(owners)} o ${join}`;
  return {
    agent_minutes: `SELECT ${entries('agents')}`,
    domain_minutes: `SELECT o.domain_uri AS domain, ${entries('domains')}`,
    gateway_minutes: `SELECT ${entries('gateways')}`,
  };
}

/** The suffix of the views of gateways for a configuration with TLS. */
export const WITH_TLS = '_tls';

/**
 * The views of gateways with certain transports, which are written as in SQL. A configuration without TLS must not see
 * gateways with TLS.
 */
function viewsOfGateways(
  table: (name: string) => string,
  collation: string,
  suffix: string,
  transports: string,
): Readonly<Record<string, string>> {
  const place = columnsOfPlace(collation);
  const registered = `${REGISTERS} AND LOWER(g.transport) IN (${transports})`;
  return {
    // The user part of the Contact at the provider is the gateway's ref, which identifies its calls.
    [`uacreg${suffix}`]: `SELECT g.id AS id, g.ref AS l_uuid, g.username AS l_username, 'gateways' AS l_domain,
      g.username AS r_username, g.host AS r_domain, '' AS realm, ${AUTH_USER} AS auth_username, g.secret AS auth_password,
      '' AS auth_ha1, CONCAT('sip:', COALESCE(g.outbound_proxy, CONCAT(g.host, ${PORT})), ';transport=', g.transport) AS auth_proxy,
      CAST(COALESCE(NULLIF(g.expires, 0), 3600) AS SIGNED) AS expires, CAST(0 AS SIGNED) AS flags,
      CAST(0 AS SIGNED) AS reg_delay, '' AS contact_addr, '' AS socket
      FROM ${table('gateways')} g WHERE ${registered}`,

    // The hosts of gateways and of peers with a contactAddr, which Kamailio resolves in the background.
    [`gateway_hosts${suffix}`]: `SELECT ${HOP.host} AS host, ${HOP.port} AS port, LOWER(g.transport) AS transport, 'gateway' AS kind
      FROM ${table('gateways')} g WHERE LOWER(g.transport) IN (${transports})
      UNION SELECT ${place.host} AS host, ${place.port} AS port, ${place.transport} AS transport, 'gateway' AS kind
      FROM ${table('gateways')} g ${DESTINATIONS} WHERE g.destinations IS NOT NULL AND ${place.transport} IN (${transports})
      UNION SELECT ${CONTACT_HOST} AS host, ${CONTACT_PORT} AS port, 'udp' AS transport, 'peer' AS kind FROM ${table('peers')} p
      WHERE p.contact_addr IS NOT NULL`,

    [`gateway_checks${suffix}`]: checksOf(
      `SELECT g.ref, ${isEnabled('g')} AS enabled, ${HOP.host} AS host, ${HOP.port} AS port, LOWER(g.transport) AS transport, ${NOW}
      FROM ${table('gateways')} g WHERE LOWER(g.transport) IN (${transports})`,
      table('gateway_health'),
    ),

    // The same of their destinations, each with its place in the list.
    [`destination_checks${suffix}`]: checksOf(
      `SELECT g.ref, e.place AS place, ${isEnabled('g')} AND NOT ${IS_PLACE_DISABLED} AS enabled, ${place.host} AS host, ${place.port} AS port,
        ${place.transport} AS transport, ${NOW} FROM ${table('gateways')} g ${DESTINATIONS}
      WHERE g.destinations IS NOT NULL AND ${place.transport} IN (${transports})`,
      table('destination_health'),
      'c.place AS place, ',
    ),

    // Kamailio caches domains and gateways, and polls these checksums for changes.
    [`gw_rev${suffix}`]: `SELECT g.ref AS l_uuid, CAST(${hashOf(GATEWAY)} AS CHAR(20)) AS rev, ${HOP.host} AS hop FROM ${table('gateways')} g
      WHERE ${registered}`,
    [`kam_rev${suffix}`]: `SELECT
      (SELECT CAST(CONCAT(COUNT(*), '-', COALESCE(SUM(${hashOf(`CONCAT(domain_uri, '|', ref, '|', ${DENIES})`)}), 0)) AS CHAR(60)) FROM ${table('domains')} d
        WHERE ${isEnabled('d')})
        AS domains_rev,
      (SELECT CAST(CONCAT(COUNT(*), '-', COALESCE(SUM(${hashOf(GATEWAY)}), 0)) AS CHAR(60)) FROM ${table('gateways')} g
        WHERE ${registered}) AS gateways_rev`,
  };
}

// Milliseconds since the epoch.
const NOW = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) AS at';

/**
 * SQL for what is known of hosts that are checked with OPTIONS: the state, or UNKNOWN if it was measured at another host or has
 * expired, seconds since the last check, and the time. `hosts` selects them.
 */
function checksOf(hosts: string, health: string, columns = ''): string {
  return `SELECT c.ref AS ref, ${columns}c.host AS host, c.port AS port, c.transport AS transport, c.at AS at,
    LEAST(COALESCE(GREATEST(FLOOR((c.at - h.checked_on) / 1000), 0), ${NEVER}), ${NEVER}) AS age,
    COALESCE(h.state, 'UNKNOWN') AS state, COALESCE(h.since, c.at) AS since, h.answered_on AS answered_on,
    COALESCE(h.misses, 0) AS misses, COALESCE(h.answers, 0) AS answers, c.enabled AS enabled FROM (${hosts}) c
    LEFT JOIN ${health} h ON h.gw_ref = c.ref AND h.host = c.host AND h.port = c.port AND h.transport = c.transport
      AND h.expires_at > c.at`;
}

const WRITTEN_TABLES = [
  ...['location', 'gateway_registrations', 'refused_callers', 'gateway_health', 'destination_health', 'health_lease'],
  ...['calls', 'call_nodes', 'registration_events', 'registration_nodes', 'call_alerts', 'used_minutes'],
];

/** The views and tables that Kamailio writes. It only reads the others. */
export const WRITTEN: readonly string[] = [...WRITTEN_TABLES, ...Object.keys(DIALOG_TABLES)];

/** The realm of peers that use no local domain. */
const PEERS = 'peers';

// Seconds since the last check of a host that was not checked.
const NEVER = '1000000';

/**
 * SQL for a text of a view. Kamailio's module db_mysql logs a warning for each statement with a column of the type LONGTEXT, which is
 * that of most functions.
 */
function shortText(text: string): string {
  return `CAST(COALESCE(${text}, '') AS CHAR(4096))`;
}

// A peer's contactAddr is host or host:port, with an IPv6 address in brackets. The database would compile a regular
// expression for each statement.
const LAST = "SUBSTRING_INDEX(p.contact_addr, ':', -1)";
const HAS_PORT = "p.contact_addr LIKE '%:%' AND p.contact_addr NOT LIKE '%]'";
const CONTACT_HOST = `IF(${HAS_PORT}, LEFT(p.contact_addr, CHAR_LENGTH(p.contact_addr) - CHAR_LENGTH(${LAST}) - 1), p.contact_addr)`;
const CONTACT_PORT = `CAST(IF(${HAS_PORT}, ${LAST}, 0) AS SIGNED)`;

const CONTACT = `COALESCE(${CONTACT_HOST}, '') AS contact_host, COALESCE(${CONTACT_PORT}, 0) AS contact_port`;

const PRIVATE = "COALESCE(a.privacy = 'Private', FALSE)";

// Whether a domain has an access control list that may deny an address.
const DENIES = 'access_control_list_deny IS NOT NULL';

const PORT = "IF(g.port IS NULL, '', CONCAT(':', g.port))";

// The list of networks, without the characters of JSON, which are none of a network's: `10.0.0.0/8,2001:db8::/32`.
const SOURCES = shortText(`REPLACE(REPLACE(REPLACE(REPLACE(g.sources, '[', ''), ']', ''), '"', ''), ' ', '')`);

// The list of further targets, whose entries have no character of JSON: `sip:1002@sip.local|tel:+49301234 after 20`.
const TARGETS = shortText(`REPLACE(SUBSTRING(n.further_targets, 3, CHAR_LENGTH(n.further_targets) - 4), '","', '|')`);

const GATEWAY = `CONCAT_WS('|', g.ref, g.host, ${PORT}, g.transport, g.username, g.secret, g.expires,
  COALESCE(g.outbound_proxy, ''), COALESCE(g.auth_username, ''))`;

/** SQL for the limits of calls of `of`. 0 is none of its own. */
function limitsOf(of: string): string {
  return `COALESCE(${of}.max_calls, 0) AS max_calls, COALESCE(${of}.max_calls_per_second, 0) AS max_rate`;
}

// Whether the gateway has limits of minutes a day.
const MINUTES = 'g.daily_minutes IS NOT NULL AS has_minutes';

const LIMITS_OF_DOMAIN = `d.ref AS domain_ref, COALESCE(d.max_calls, 0) AS domain_calls,
  COALESCE(d.max_calls_per_second, 0) AS domain_rate`;
const UNLIMITED = '0 AS max_calls, 0 AS max_rate';
const UNLIMITED_DOMAIN = "'' AS domain_ref, 0 AS domain_calls, 0 AS domain_rate";

/** A hash of 48 bits. Sums of a linear checksum such as CRC32 could miss changes. */
function hashOf(text: string): string {
  return `CAST(CONV(LEFT(SHA2(${text}, 256), 12), 16, 10) AS UNSIGNED)`;
}

function versions(tables: Readonly<Record<string, number>>): string {
  return Object.entries(tables)
    .map(([name, version]) => `SELECT '${name}' AS table_name, ${String(version)} AS table_version`)
    .join(' UNION ALL ');
}

/**
 * SQL for the digest hash (RFC 2617, 3.2.2.2), which the views contain instead of the secret. Users without a secret
 * must be excluded, because Kamailio would accept any digest for an empty hash.
 */
function ha1(of: string, user: string, domain: string): string {
  return `MD5(CONCAT(${user}, ':', ${domain}, ':', ${of}.secret))`;
}

/** The same for a user name that contains the domain. */
function ha1b(of: string, user: string, domain: string): string {
  return `MD5(CONCAT(${user}, '@', ${domain}, ':', ${domain}, ':', ${of}.secret))`;
}

/**
 * SQL for the users with a secret in `from`, with their limits and those of their domain `d`. `most` is SQL for the maximum number of
 * devices. Peers have no limits, and none of a domain without one.
 */
function credentials(kind: 'agent' | 'peer', from: string, { domain = 'd.domain_uri', most = '0' } = {}): string {
  const of = kind === 'peer' ? 'p' : 'a';
  const [isPrivate, contact, limits] =
    kind === 'peer' ? ['FALSE', CONTACT, UNLIMITED] : [PRIVATE, "'' AS contact_host, 0 AS contact_port", limitsOf('a')];
  const user = `${of}.username`;
  return `SELECT ${user} AS username, ${domain} AS domain, ${ha1(of, user, domain)} AS ha1,
    ${ha1b(of, user, domain)} AS ha1b, ${of}.ref AS ref, '${kind}' AS kind, ${most} AS max_contacts, ${isPrivate} AS private,
    ${contact}, ${limits}, ${domain === 'd.domain_uri' ? LIMITS_OF_DOMAIN : UNLIMITED_DOMAIN} FROM ${from}`;
}

/**
 * SQL for the entries of an access control list: `10.0.0.0/8`, `10.0.0.0/255.0.0.0`, `2001:db8::/32` or single
 * addresses. IPv4 addresses are mapped to IPv6 (RFC 4291, 2.5.5.2). The column `family` prevents `::/0` from matching
 * IPv4 addresses.
 */
function entriesOf(action: string, domains: string): string {
  const list = `d.access_control_list_${action}`;
  const raw = "HEX(INET6_ATON(SUBSTRING_INDEX(e.item, '/', 1)))";
  const size = "SUBSTRING_INDEX(e.item, '/', -1)";
  const bits = `CASE WHEN e.item NOT LIKE '%/%' THEN 128 WHEN ${size} LIKE '%.%' THEN 96 + BIT_COUNT(INET_ATON(${size}))
    ELSE IF(LENGTH(${raw}) = 8, 96, 0) + ${size} END`;
  const half = (start: number): string => `CAST(CONV(SUBSTRING(t.hex, ${String(start)}, 16), 16, 10) AS UNSIGNED)`;
  // A shift by 64 bits yields 0 in both MySQL and MariaDB.
  const mask = (first: number): string =>
    `(~CAST(0 AS UNSIGNED) << (64 - LEAST(64, GREATEST(0, CAST(t.bits AS SIGNED) - ${String(first)}))))`;
  return `SELECT t.domain AS domain, '${action}' AS action,
    IF(LEFT(t.hex, 24) = '00000000000000000000FFFF' AND t.bits >= 96, 4, 6) AS family,
    ${half(1)} AS net_high, ${mask(0)} AS mask_high, ${half(17)} AS net_low, ${mask(64)} AS mask_low
    FROM (SELECT d.domain_uri AS domain, LPAD(IF(LENGTH(${raw}) = 8, CONCAT('FFFF', ${raw}), ${raw}), 32, '0') AS hex, ${bits} AS bits
      FROM ${domains} d, JSON_TABLE(${list}, '$[*]' COLUMNS (item VARCHAR(64) PATH '$')) e
      WHERE ${list} IS NOT NULL AND INET6_ATON(SUBSTRING_INDEX(e.item, '/', 1)) IS NOT NULL) t`;
}
