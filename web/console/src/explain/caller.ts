import { numberIn } from '../../../../src/spelling/written';
import type { Nodes } from '../graph/lists';
import { useGraph } from '../graph/request';

const CALLERS = `query Callers($username: String!) {
  agents(first: 2, where: { username: { eq: $username } }) { nodes { username domains { domainUri } } }
}`;

interface Callers {
  readonly agents: Nodes<{ readonly username: string; readonly domains: readonly { readonly domainUri: string }[] }>;
}

/**
 * The caller that a text means: the address of the only agent with this user name, which people write without its domain. Undefined
 * while it is looked for.
 */
export function useCaller(from: string, source: string): string | undefined {
  const written = numberIn(from)?.number ?? from;
  // With a source address, it is a call from outside.
  const isName = written !== '' && source === '' && !/[@+]/.test(written);
  const { data, error } = useGraph<Callers>('callers', CALLERS, { username: written }, { enabled: isName });
  if (!isName || error) return from;
  if (!data) return undefined;
  const [only, another] = data.agents.nodes;
  const [domain, second] = only?.domains ?? [];
  return only && domain && !another && !second ? `${only.username}@${domain.domainUri}` : from;
}
