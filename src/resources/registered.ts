import { FALSE, sql, raw, type Fragment } from '../database/fragment';
import type { Kind } from '../model/kind';
import { agentOf, hasAgent } from '../model/target';

// The rows of a kind that are registered now: a gateway with its provider, an agent or a peer with a binding of its own. A
// binding for an agent's address of record is the agent's, even where a peer has the same user name.
const REGISTERED: Readonly<Record<string, (seconds: number) => Fragment>> = {
  Gateway: (seconds) =>
    sql`ref IN (SELECT r.gw_ref FROM gateway_registrations r WHERE r.expires_at > ${seconds * 1000})`,
  Agent: (seconds) => sql`id IN (SELECT m.agent_id FROM location l ${raw(agentOf('l.username', 'l.domain'))}
    WHERE l.expires > ${Math.floor(seconds)})`,
  Peer: (seconds) => sql`username IN (SELECT l.username FROM location l WHERE l.expires > ${Math.floor(seconds)}
    AND NOT ${raw(hasAgent('l.username', 'l.domain'))})`,
};

/** Whether resources of a kind register. */
export function registers(kind: Kind): boolean {
  return kind.name in REGISTERED;
}

/** Whether a row of a kind, named `alias`, is registered now. */
export function registered(kind: Kind, alias: string): Fragment {
  const condition = REGISTERED[kind.name];
  return condition ? sql`${raw(`${alias}.`)}${condition(Date.now() / 1000)}` : FALSE;
}
