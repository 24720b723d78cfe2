import { DEFAULT_PRIORITY, DEFAULT_WEIGHT, PRIORITY_OF_HOST } from '../../model/format/destination';
import { placeOf } from '../../model/gateway-health';

/*
 * SQL for the places to which calls of the gateway `g` go, in the views of Kamailio, so for MySQL and MariaDB only. Each is
 * an entry `e`: that with the place 1 is the host of the gateway, and the others are its destinations.
 */

const HOST = `JSON_ARRAY(JSON_OBJECT('host', g.host, 'transport', g.transport, 'port', COALESCE(g.port, 0),
  'priority', ${String(PRIORITY_OF_HOST)}))`;

function entriesOf(list: string): string {
  return `JSON_TABLE(${list}, '$[*]' COLUMNS (place FOR ORDINALITY, host VARCHAR(253) PATH '$.host', port INT PATH '$.port',
    transport VARCHAR(16) PATH '$.transport', priority INT PATH '$.priority', weight INT PATH '$.weight',
    enabled VARCHAR(5) PATH '$.enabled', draining VARCHAR(5) PATH '$.draining')) e`;
}

/** SQL for whether a destination is disabled. */
export const IS_PLACE_DISABLED = "COALESCE(e.enabled, 'true') IN ('false', '0')";

/** SQL for a join to the places to which new calls go: those that are enabled, and all others for which a condition holds, too. */
export function placesWith(also: string): string {
  return `JOIN ${entriesOf(`JSON_MERGE_PRESERVE(${HOST}, COALESCE(g.destinations, '[]'))`)}
  ON (NOT ${IS_PLACE_DISABLED} OR ${also})`;
}

/** Where requests to a gateway are sent: to its outbound proxy, or else to its host. */
export const HOP = placeOf('g');

/** SQL for a join to the destinations besides the host. */
export const DESTINATIONS = `JOIN ${entriesOf("COALESCE(g.destinations, '[]')")} ON TRUE`;

/** SQL for the columns of a place, comparable with text in this collation. */
export function columnsOfPlace(
  collation: string,
): Readonly<Record<'host' | 'port' | 'transport' | 'priority' | 'weight' | 'isDraining', string>> {
  const text = (value: string): string => `(CONVERT(${value} USING utf8mb4) COLLATE ${collation})`;
  return {
    host: text('e.host'),
    port: 'COALESCE(e.port, 0)',
    transport: `LOWER(COALESCE(${text('e.transport')}, g.transport))`,
    priority: `COALESCE(e.priority, ${String(DEFAULT_PRIORITY)})`,
    weight: `COALESCE(e.weight, ${String(DEFAULT_WEIGHT)})`,
    isDraining: "COALESCE(e.draining, 'false') IN ('true', '1')",
  };
}

/** SQL for a list of hosts in JSON, separated by commas. */
function hostsIn(list: string): string {
  return `REPLACE(REPLACE(TRIM(TRAILING ']' FROM TRIM(LEADING '[' FROM ${list})), '"', ''), ', ', ',')`;
}

/** SQL for the hosts of the destinations of the gateway `g`, separated by commas. */
export const HOSTS = hostsIn("JSON_EXTRACT(g.destinations, '$[*].host')");

/** The same of those that are enabled, in a collation. Most gateways have no others, and their entries are not read. */
export function openHosts(collation: string): string {
  const enabled = `(SELECT JSON_ARRAYAGG(e.host) FROM ${entriesOf('g.destinations')} WHERE NOT ${IS_PLACE_DISABLED})`;
  const [open, all] = ([hostsIn(enabled), HOSTS] as const).map(
    (hosts) => `CONVERT(${hosts} USING utf8mb4) COLLATE ${collation}`,
  );
  return `IF(JSON_CONTAINS(g.destinations, '{"enabled":false}'), ${open}, ${all})`;
}
