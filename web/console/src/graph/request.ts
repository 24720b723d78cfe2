import { keepPreviousData, type Query, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { GraphError } from './graph-error';
import { withNames } from './names';
import { post, type PostOptions, type Variables } from './post';
import { RETRIES } from './retries';
import { endSession, readRole, signedIn } from './session';

/**
 * Sends a query or mutation as the user who is signed in. If the session has ended, waits until the user has
 * signed in again, and then sends it again: a refused request had no effect. Throws a GraphError.
 */
export async function request<Data>(query: string, variables: Variables = {}, options?: PostOptions): Promise<Data> {
  const session = await signedIn();
  try {
    return await post<Data>(query, variables, session, options);
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    if (error.code === 'FORBIDDEN') void readRole(session).catch(() => undefined);
    if (error.code !== 'UNAUTHENTICATED') throw await named(error);
    endSession(session);
    return request(query, variables, options);
  }
}

/** The error with names instead of references in its messages. */
async function named(error: GraphError): Promise<GraphError> {
  const errors = error.errors.map(async (each) => ({ ...each, message: await withNames(each.message) }));
  return new GraphError(await Promise.all(errors));
}

/** The options of `useGraph`. Times are milliseconds. */
interface GraphOptions<Data> {
  readonly enabled?: boolean;
  readonly staleTime?: number;
  /** The time between two reads while the page is visible; by default, it is read once. */
  readonly refetchInterval?: number | ((query: Query<Data>) => number | false);
  /** Whether the previous result is shown while one for new variables is read. */
  readonly keepsPrevious?: boolean;
}

/** Reads from the graph. `what` names it, so that `useRefresh` can read it again. */
export function useGraph<Data>(
  what: string,
  query: string,
  variables: Variables = {},
  { keepsPrevious = false, ...options }: GraphOptions<Data> = {},
): UseQueryResult<Data> {
  return useQuery({
    queryKey: [what, variables],
    queryFn: async ({ signal }) => request<Data>(query, variables, { signal }),
    ...RETRIES,
    ...options,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
}

/** Returns a function that reads again what `useGraph` has read under these names. */
export function useRefresh(...whats: readonly string[]): () => Promise<unknown> {
  const client = useQueryClient();
  return async () => Promise.all(whats.map(async (what) => client.invalidateQueries({ queryKey: [what] })));
}

/** The value, once it has not changed for some milliseconds. */
export function useDebounced<T>(value: T, milliseconds = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** Returns a random id. Browsers lack `crypto.randomUUID` in pages that were loaded over plain HTTP. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
