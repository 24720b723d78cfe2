import type { Fetcher, FetcherReturnType } from '@graphiql/toolkit';
import { OperationTypeNode, getOperationAST } from 'graphql';
import { createClient } from 'graphql-sse';

interface Answer {
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

type Result = Awaited<FetcherReturnType>;

/** Sends GraphiQL's documents with the token; tells when the server does not take the token any more. */
export function createFetcher(token: string | undefined, onUnauthenticated: () => void): Fetcher {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const watched = <T extends Answer>(answer: T): T => {
    if (answer.errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) onUnauthenticated();
    return answer;
  };

  async function* listen(params: Parameters<Fetcher>[0], headers: Record<string, string>): AsyncGenerator<Result> {
    const client = createClient({ url: 'graphql', headers: { ...authorization, ...headers }, retryAttempts: 0 });
    const { query, operationName } = params;
    const variables = params.variables as Record<string, unknown>; // GraphiQL parsed them
    const named = typeof operationName === 'string' ? { operationName } : {};
    try {
      for await (const told of client.iterate({ query, ...named, variables })) {
        yield watched(told as Answer & Result);
      }
    } finally {
      client.dispose();
    }
  }

  return async (params, options): Promise<Result> => {
    const headers = (options?.headers ?? {}) as Record<string, string>;
    const { documentAST } = options ?? {};
    // GraphiQL takes what can be iterated for a subscription.
    if (
      documentAST &&
      getOperationAST(documentAST, params.operationName)?.operation === OperationTypeNode.SUBSCRIPTION
    ) {
      return listen(params, headers) as unknown as Result;
    }
    const response = await fetch('graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization, ...headers },
      body: JSON.stringify(params),
    });
    return watched((await response.json()) as Answer & Result);
  };
}
