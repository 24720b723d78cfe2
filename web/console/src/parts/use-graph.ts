import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';

import { request } from '../graph/client';
import type { Variables } from '../graph/post';
import { RETRIES } from '../graph/retries';

/** Reads from the graph. `what` names it, so that `useRefresh` can read it again. */
export function useGraph<Data>(
  what: string,
  query: string,
  variables: Variables = {},
  options: { readonly enabled?: boolean; readonly staleTime?: number } = {},
): UseQueryResult<Data> {
  return useQuery({
    queryKey: [what, variables],
    queryFn: async ({ signal }) => request<Data>(query, variables, { signal }),
    ...RETRIES,
    ...options,
  });
}

/** Returns a function that reads again what `useGraph` has read under these names. */
export function useRefresh(...whats: readonly string[]): () => Promise<unknown> {
  const client = useQueryClient();
  return async () => Promise.all(whats.map(async (what) => client.invalidateQueries({ queryKey: [what] })));
}

/** The message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
