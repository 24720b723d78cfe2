import type { Fetcher, FetcherReturnType } from '@graphiql/toolkit';

interface Answer {
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

/** Sends GraphiQL's documents with the token; tells when the server does not take the token any more. */
export function createFetcher(token: string | undefined, onUnauthenticated: () => void): Fetcher {
  return async (params, options): Promise<Awaited<FetcherReturnType>> => {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(options?.headers as Record<string, string> | undefined),
      },
      body: JSON.stringify(params),
    });
    const answer = (await response.json()) as Answer & Awaited<FetcherReturnType>;
    if (answer.errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) onUnauthenticated();
    return answer;
  };
}
