import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { Values } from '../data/forms';
import { request } from '../graph/request';
import { isWorthRetrying } from '../graph/retries';
import type { Kind } from '../model/model';

const HOSTS = `query Hosts($hosts: [String!]) {
  domains(first: 100, where: { domainUri: { in: $hosts } }) { nodes { domainUri } }
}`;

/**
 * Of the hosts to which numbers without a target lead, those that are no domains: that is why nothing rings. Read at once,
 * after the numbers are shown; undefined until then.
 */
export function useMissingDomains(
  { collection }: Kind,
  records: readonly Values[] | undefined,
): ReadonlySet<string> | undefined {
  const hosts = useMemo(() => [...new Set((records ?? []).flatMap((record) => hostOf(record) ?? []))], [records]);
  const { data, isError } = useQuery({
    // Read again with the list.
    queryKey: [collection, 'hosts', hosts],
    queryFn: async ({ signal }) =>
      request<{ domains: { nodes: readonly { domainUri: string }[] } }>(HOSTS, { hosts }, { signal }),
    enabled: hosts.length > 0,
    retry: isWorthRetrying,
  });
  // The same set while nothing has changed, so that no row is rendered again.
  return useMemo(() => {
    if (hosts.length === 0 || isError) return new Set();
    if (!data) return undefined;
    const known = new Set(data.domains.nodes.map(({ domainUri }) => domainUri.toLowerCase()));
    return new Set(hosts.filter((host) => !known.has(host)));
  }, [hosts, data, isError]);
}

/** The host that a number without a target leads to, as the names of domains are written; undefined for others. */
export function hostOf({ aorLink, target }: Values): string | undefined {
  if (typeof aorLink !== 'string' || target !== null) return undefined;
  return aorLink
    .slice(aorLink.lastIndexOf('@') + 1)
    .replace(/[;:?].*$/, '')
    .toLowerCase();
}
