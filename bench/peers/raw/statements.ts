const DID_AND_GATEWAY = 'n.ref, n.tel_url, n.aor_link, g.ref, g.name, g.host FROM numbers n';
const MEMBERS = 'LEFT JOIN agent_domains m ON m.agent_id = a.id LEFT JOIN domains d ON d.id = m.domain_id';
const GATEWAYS = 'SELECT id, ref, name, host FROM gateways WHERE id > ? ORDER BY id LIMIT 10';
const AGENT_DOCUMENT = `a.ref, a.name, a.created_on, a.modified_on, a.username, a.secret, a.privacy, a.max_contacts,
  d.domain_uri`;

/** A page of DIDs with their gateways, beginning after a row id. */
const dids = (limit: number): string =>
  // LEFT JOIN, although each DID has a gateway. Otherwise, MariaDB starts with the gateways and sorts all numbers.
  `SELECT n.id, ${DID_AND_GATEWAY} LEFT JOIN gateways g ON g.id = n.gateway_id
  WHERE n.kind = 'DID' AND n.id > ? ORDER BY n.id LIMIT ${limit}`;

/**
 * The statements of the baseline: one for each request, because the way to a server costs more than what is sent twice.
 * Limits are part of the text: SQLite prepares a statement again for another value of `LIMIT ?`.
 */
export const statements = {
  did: `SELECT ${DID_AND_GATEWAY} JOIN gateways g ON g.id = n.gateway_id WHERE n.kind = 'DID' AND n.ref = ?`,
  dids: dids(30),
  page: dids(31),
  // The tenth DID of a gateway ends its rows; the index numbers_gateway finds it.
  gateways: `SELECT g.id, g.ref, g.name, g.host, n.ref, n.tel_url FROM (${GATEWAYS}) g
    LEFT JOIN numbers n ON n.gateway_id = g.id AND n.kind = 'DID' AND n.id <= COALESCE(
      (SELECT x.id FROM numbers x WHERE x.gateway_id = g.id AND x.kind = 'DID' ORDER BY x.id LIMIT 1 OFFSET 9),
      9223372036854775807)
    ORDER BY g.id, n.id`,
  agents: `SELECT a.id, a.ref, a.name, a.username, d.ref, d.name, d.domain_uri
    FROM (SELECT id, ref, name, username FROM agents WHERE id > ? ORDER BY id LIMIT 30) a ${MEMBERS}
    ORDER BY a.id, m.position`,
  gatewaysOfHost: 'SELECT ref, name, host, port FROM gateways WHERE host = ? ORDER BY id LIMIT 30',

  // The ids first: an index has them, so that only the rows of the page are read.
  gatewayDocuments: (limit: number): string =>
    `SELECT g.ref, g.name, g.created_on, g.modified_on, g.host, g.username, g.secret, g.transport, g.port, g.expires,
      g.send_register, g.registries
    FROM (SELECT id FROM gateways ORDER BY id LIMIT ${limit} OFFSET ?) p JOIN gateways g ON g.id = p.id ORDER BY g.id`,
  agentDocuments: (limit: number): string =>
    `SELECT ${AGENT_DOCUMENT} FROM (SELECT id FROM agents ORDER BY id LIMIT ${limit} OFFSET ?) p
    JOIN agents a ON a.id = p.id ${MEMBERS} ORDER BY a.id, m.position`,
  agentDocumentsOfUser: (limit: number): string =>
    `SELECT ${AGENT_DOCUMENT} FROM (SELECT id FROM agents WHERE username = ? ORDER BY id LIMIT ${limit} OFFSET ?) p
    JOIN agents a ON a.id = p.id ${MEMBERS} ORDER BY a.id, m.position`,
  didDocument: `SELECT n.ref, n.created_on, n.modified_on, g.ref, n.geo_info_city, n.geo_info_country,
    n.geo_info_country_isocode, n.tel_url, n.aor_link
    FROM numbers n JOIN gateways g ON g.id = n.gateway_id WHERE n.kind = 'DID' AND n.ref = ?`,
  countGateways: 'SELECT COUNT(*) FROM gateways',
  countAgents: 'SELECT COUNT(*) FROM agents',
  countAgentsOfUser: 'SELECT COUNT(*) FROM agents WHERE username = ?',

  // No row is stored without a gateway: the column is NOT NULL.
  insertDid: `INSERT INTO numbers (ref, created_on, modified_on, extra, kind, gateway_id, geo_info_city,
      geo_info_country, geo_info_country_isocode, tel_url, aor_link, tel_digits, digits_key, aor_user, aor_host)
    VALUES (?, ?, ?, NULL, 'DID', (SELECT id FROM gateways WHERE ref = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?)
    RETURNING (SELECT ref FROM gateways WHERE id = gateway_id), (SELECT name FROM gateways WHERE id = gateway_id),
      (SELECT host FROM gateways WHERE id = gateway_id)`,
  insertDidOnly: `INSERT INTO numbers (ref, created_on, modified_on, extra, kind, gateway_id, geo_info_city,
      geo_info_country, geo_info_country_isocode, tel_url, aor_link, tel_digits, digits_key, aor_user, aor_host)
    VALUES (?, ?, ?, NULL, 'DID', (SELECT id FROM gateways WHERE ref = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
} as const;
