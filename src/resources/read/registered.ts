import { FALSE, sql, raw, type Fragment } from '../../database/fragment';
import type { Kind } from '../../model/kind';
import { agentOf, hasAgent } from '../../model/target';

// SQL for the rows of a kind that are registered now: gateways at their provider, agents and peers with a binding. A
// binding for an agent's address of record belongs to the agent, even if a peer has the same user name.
const REGISTERED: Readonly<Record<string, (seconds: number) => Fragment>> = {
  Gateway: (seconds) =>
    sql`ref IN (SELECT r.gw_ref FROM gateway_registrations r WHERE r.expires_at > ${seconds * 1000})`,
  Agent: (seconds) => sql`id IN (SELECT m.agent_id FROM location l ${raw(agentOf('l.username', 'l.domain'))}
    WHERE l.expires > ${Math.floor(seconds)})`,
  Peer: (seconds) => sql`username IN (SELECT l.username FROM location l WHERE l.expires > ${Math.floor(seconds)}
    AND NOT ${raw(hasAgent('l.username', 'l.domain'))})`,
};

/** Whether resources of a kind can register. */
export function registers(kind: Kind): boolean {
  return kind.name in REGISTERED;
}

/** Returns SQL for whether a row of a kind, with the alias `alias`, is registered now. */
export function isRegistered(kind: Kind, alias: string): Fragment {
  const condition = REGISTERED[kind.name];
  return condition ? sql`${raw(`${alias}.`)}${condition(Date.now() / 1000)}` : FALSE;
}
