const GATEWAY = `SELECT g.ref, g.name, g.created_on, g.modified_on, g.host, g.username, g.secret, g.transport, g.port,
  g.expires, g.send_register, g.registries`;
const AGENT = `SELECT a.ref, a.name, a.created_on, a.modified_on, a.username, a.secret, a.privacy, a.max_contacts,
  d.domain_uri`;
const MEMBERS = 'LEFT JOIN agent_domains m ON m.agent_id = a.id LEFT JOIN domains d ON d.id = m.domain_id';

/** The statements of the hand-written servers. */
export const sql = {
  gateways: 'SELECT id, ref, name, host, port FROM gateways WHERE id > ? ORDER BY id LIMIT ?',
  gatewaysOfHost: 'SELECT id, ref, name, host, port FROM gateways WHERE host = ? ORDER BY id LIMIT ?',

  // The ids first: an index has them, so that only the rows of the page are read.
  gatewayDocuments: `${GATEWAY} FROM (SELECT id FROM gateways ORDER BY id LIMIT ? OFFSET ?) p
    JOIN gateways g ON g.id = p.id ORDER BY g.id`,
  agentDocuments: `${AGENT} FROM (SELECT id FROM agents ORDER BY id LIMIT ? OFFSET ?) p JOIN agents a ON a.id = p.id
    ${MEMBERS} ORDER BY a.id, m.position`,
  agentDocumentsOfUser: `${AGENT} FROM (SELECT id FROM agents WHERE username = ? ORDER BY id LIMIT ? OFFSET ?) p
    JOIN agents a ON a.id = p.id ${MEMBERS} ORDER BY a.id, m.position`,
  countGateways: 'SELECT COUNT(*) FROM gateways',
  countAgents: 'SELECT COUNT(*) FROM agents',
  countAgentsOfUser: 'SELECT COUNT(*) FROM agents WHERE username = ?',
  didDocument: `SELECT n.ref, n.created_on, n.modified_on, g.ref, n.geo_info_city, n.geo_info_country,
    n.geo_info_country_isocode, n.tel_url, n.aor_link
    FROM numbers n JOIN gateways g ON g.id = n.gateway_id WHERE n.kind = 'DID' AND n.ref = ?`,

  gateway: 'SELECT id, ref, name, host FROM gateways WHERE ref = ?',
  insertDid: `INSERT INTO numbers (ref, created_on, modified_on, extra, kind, gateway_id, geo_info_city, geo_info_country,
    geo_info_country_isocode, tel_url, aor_link, tel_digits, digits_key, aor_user, aor_host)
    VALUES (?, ?, ?, NULL, 'DID', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,

  // The statements of loaders, without the joins to gateways and domains.
  didOnly: `SELECT id, ref, tel_url, aor_link, gateway_id FROM numbers WHERE kind = 'DID' AND ref = ?`,
  didsOnly: `SELECT id, ref, tel_url, aor_link, gateway_id FROM numbers WHERE kind = 'DID' AND id > ?
    ORDER BY id LIMIT ?`,
  agentsOnly: 'SELECT id, ref, name, username FROM agents WHERE id > ? ORDER BY id LIMIT ?',
} as const;

/**
 * The first DIDs of each of several gateways, up to the one that the index numbers_gateway finds. The values are its
 * position, and the gateways.
 */
export const didsOfGateways = perCount(
  (count) => `SELECT n.gateway_id, n.ref, n.tel_url, n.aor_link FROM gateways g
    JOIN numbers n ON n.gateway_id = g.id AND n.kind = 'DID' AND n.id <= COALESCE(
      (SELECT x.id FROM numbers x WHERE x.gateway_id = g.id AND x.kind = 'DID' ORDER BY x.id LIMIT 1 OFFSET ?),
      9223372036854775807)
    WHERE g.id IN (${places(count)}) ORDER BY g.id, n.id`,
);

/** Several gateways. */
export const gatewaysById = perCount(
  (count) => `SELECT id, ref, name, host, port FROM gateways WHERE id IN (${places(count)})`,
);

/** The domains of several agents. */
export const domainsOfAgents = perCount(
  (count) => `SELECT m.agent_id, d.ref, d.name, d.domain_uri FROM agent_domains m JOIN domains d ON d.id = m.domain_id
    WHERE m.agent_id IN (${places(count)}) ORDER BY m.agent_id, m.position`,
);

function places(count: number): string {
  return Array(count).fill('?').join(', ');
}

/** Caches the statement for each count. */
function perCount(build: (count: number) => string): (count: number) => string {
  const built = new Map<number, string>();
  return (count) => {
    const text = built.get(count) ?? build(count);
    built.set(count, text);
    return text;
  };
}
