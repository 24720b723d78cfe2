/**
 * SQL for the entries of an access control list: `10.0.0.0/8`, `10.0.0.0/255.0.0.0`, `2001:db8::/32` or single
 * addresses. IPv4 addresses are mapped to IPv6 (RFC 4291, 2.5.5.2). The column `family` prevents `::/0` from matching
 * IPv4 addresses.
 */
export function entriesOf(action: string, domains: string): string {
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
