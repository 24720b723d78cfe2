import { isEnabled } from '../../model/enabled';
import { columnsOfPlace, DESTINATIONS, HOP } from './places';

/** What stands before the ref of a disabled peer as an owner of networks. No ref has it. */
export const DISABLED = '!';

// The place of the first peer that is disabled, after all that are enabled.
const AFTER_ALL = '1000000000000';

/**
 * SQL for the networks of gateways and peers, for MySQL and MariaDB only: see the views `sources` and `sources_of_all`. `collation`
 * is that of sipgraph's columns.
 */
export function sourcesOf(
  table: (name: string) => string,
  collation: string,
  peers: 'all' | 'enabled' = 'enabled',
): string {
  const place = columnsOfPlace(collation);
  const plain = (text: string): string => `CONVERT(${text} USING utf8mb4) COLLATE utf8mb4_bin`;
  const selectNetworks = (name: string, owner: string, rank: string): string =>
    `SELECT ${plain('e.item')} AS network, ${plain(owner)} AS owner, ${rank} AS place FROM ${table(name)} t,
      JSON_TABLE(t.sources, '$[*]' COLUMNS (item VARCHAR(64) PATH '$')) e WHERE t.sources IS NOT NULL`;
  const host = (column: string): string => `REPLACE(REPLACE(${column}, '[', ''), ']', '')`;
  // What has only digits and dots is an address, as `isHost` requires.
  const isAddress = (column: string): string => `(${column} LIKE '[%' OR ${column} REGEXP '^[0-9.]+$')`;
  const digits = "HEX(INET6_ATON(SUBSTRING_INDEX(s.network, '/', 1)))";
  const length =
    "IF(s.network LIKE '%/%', CAST(SUBSTRING_INDEX(s.network, '/', -1) AS SIGNED), IF(s.network LIKE '%:%', 128, 32))";
  const disabled =
    peers === 'enabled'
      ? ''
      : ` UNION ALL ${selectNetworks('peers', `CONCAT('${DISABLED}', t.ref)`, `t.id + ${AFTER_ALL}`)} AND t.secret <> '' AND NOT ${isEnabled('t')}`;
  // The digit of which only a part belongs to the network.
  const part = `CONV(FLOOR(CONV(SUBSTRING(${digits}, FLOOR((${length}) / 4) + 1, 1), 16, 10) / POW(2, 4 - (${length}) % 4)) * POW(2, 4 - (${length}) % 4), 10, 16)`;
  return `SELECT s.network AS network, s.owner AS owner, s.place AS place, ${length} AS length, IF(s.network LIKE '%:%', 6, 4) AS family,
    LOWER(CONCAT(IF(s.network LIKE '%:%', 6, 4), '/', ${length}, '/', LEFT(${digits}, FLOOR((${length}) / 4)),
      IF((${length}) % 4 = 0, '', ${part}))) AS bits FROM (
    ${selectNetworks('gateways', "''", '0')}
    UNION ALL ${selectNetworks('peers', 't.ref', 't.id')} AND t.secret <> '' AND ${isEnabled('t')}${disabled}
    UNION ALL SELECT ${plain(host(HOP.host))}, ${plain("''")}, 0 FROM ${table('gateways')} g WHERE ${isAddress(HOP.host)}
    UNION ALL SELECT ${plain(host(place.host))}, ${plain("''")}, 0 FROM ${table('gateways')} g ${DESTINATIONS}
      WHERE g.destinations IS NOT NULL AND ${isAddress(place.host)}
    UNION ALL SELECT ${plain('r.ip')}, ${plain("''")}, 0 FROM ${table('gateway_registrations')} r
      WHERE r.ip <> '' AND r.expires_at > UNIX_TIMESTAMP() * 1000) s`;
}
