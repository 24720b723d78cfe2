/*
 * SQL for the target of an address of record: the agent with that user name in that domain, or otherwise the peer with
 * that user name. Peers can register in any domain.
 */

/**
 * Returns joins to the agent with the address of record in these columns. `d` is its domain, `m` its row in
 * `agent_domains`.
 */
export function agentOf(user: string, host: string, join: 'JOIN' | 'LEFT JOIN' = 'JOIN'): string {
  return `${join} domains d ON d.domain_uri = ${host}
    ${join} agent_domains m ON m.domain_id = d.id AND m.username = ${user}`;
}

/**
 * Returns SQL for whether an agent has the address of record in these columns. If so, the address does not refer to a
 * peer.
 */
export function hasAgent(user: string, host: string): string {
  return `EXISTS (SELECT 1 FROM domains d JOIN agent_domains m ON m.domain_id = d.id
    WHERE d.domain_uri = ${host} AND m.username = ${user})`;
}

/** Returns a join to the peer `p` with the user name in this column. */
export function peerOf(user: string, join: 'JOIN' | 'LEFT JOIN' = 'JOIN'): string {
  return `${join} peers p ON p.username = ${user}`;
}

/** The tables with the addresses of record of agents: `m` is a row of `agent_domains`, `d` its domain. */
export const ADDRESSES_OF_AGENTS = 'agent_domains m JOIN domains d ON d.id = m.domain_id';
