/** The statements of the hand-written server. */
export const sql = {
  user: 'SELECT role, generation FROM users WHERE ref = ?',

  did: `SELECT n.ref, n.tel_url, n.aor_link, g.ref, g.name, g.host
    FROM numbers n JOIN gateways g ON g.id = n.gateway_id WHERE n.kind = 'DID' AND n.ref = ?`,
  // LEFT JOIN, although each DID has a gateway: otherwise, MariaDB starts with the gateways and sorts all numbers (14 ms a page).
  dids: `SELECT n.ref, n.tel_url, n.aor_link, g.ref, g.name, g.host
    FROM numbers n LEFT JOIN gateways g ON g.id = n.gateway_id WHERE n.kind = 'DID' ORDER BY n.id LIMIT 30`,
  gateways: 'SELECT id, ref, name, host FROM gateways ORDER BY id LIMIT 10',
  // The first ten numbers of each of ten gateways, each found through the index.
  numbersOfGateways: Array.from(
    { length: 10 },
    (_, index) =>
      `SELECT * FROM (SELECT gateway_id, ref, tel_url FROM numbers
        WHERE gateway_id = ? AND kind = 'Number' ORDER BY id LIMIT 10) n${index}`,
  ).join(' UNION ALL '),

  countGateways: 'SELECT COUNT(*) FROM gateways',
  gatewayDocuments: `SELECT ref, name, created_on, modified_on, extra, host, username, secret, transport, port, expires,
    send_register, registries FROM gateways ORDER BY id LIMIT ? OFFSET ?`,
  didDocument: `SELECT n.ref, n.created_on, n.modified_on, n.extra, g.ref, n.geo_info_city, n.geo_info_country,
    n.geo_info_country_isocode, n.tel_url, n.aor_link
    FROM numbers n JOIN gateways g ON g.id = n.gateway_id WHERE n.kind = 'DID' AND n.ref = ?`,

  gateway: 'SELECT id, ref, name, host FROM gateways WHERE ref = ?',
  insertDid: `INSERT INTO numbers (ref, created_on, modified_on, extra, kind, gateway_id, geo_info_city, geo_info_country,
    geo_info_country_isocode, tel_url, aor_link, tel_digits, aor_user, aor_host)
    VALUES (?, ?, ?, NULL, 'DID', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,

  nextChange: 'UPDATE change_head SET last = last + 1 WHERE id = 1',
  noteChange: `INSERT INTO changes (id, at, kind, ref, did)
    SELECT last, ?, 'DID', ?, 'CREATED' FROM change_head WHERE id = 1`,
};
