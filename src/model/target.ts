/*
 * Whom an address of record names, in SQL: the agent with that user name in that domain, else the peer with that user name.
 * Peers register in any domain.
 */

/** Joins the agent with the address of record in these columns: its domain is `d`, its membership `m`. */
export function agentOf(user: string, host: string, join: 'JOIN' | 'LEFT JOIN' = 'JOIN'): string {
  return `${join} domains d ON d.domain_uri = ${host}
    ${join} agent_domains m ON m.domain_id = d.id AND m.username = ${user}`;
}

/** Whether an agent has the address of record in these columns; then it names no peer. */
export function hasAgent(user: string, host: string): string {
  return `EXISTS (SELECT 1 FROM domains d JOIN agent_domains m ON m.domain_id = d.id
    WHERE d.domain_uri = ${host} AND m.username = ${user})`;
}

/** Joins the peer with the user name in this column, as `p`. */
export function peerOf(user: string, join: 'JOIN' | 'LEFT JOIN' = 'JOIN'): string {
  return `${join} peers p ON p.username = ${user}`;
}

/** The addresses of record of agents: each membership `m` with its domain `d`. */
export const ADDRESSES_OF_AGENTS = 'agent_domains m JOIN domains d ON d.id = m.domain_id';
