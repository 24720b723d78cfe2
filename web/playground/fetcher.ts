import type { Fetcher, FetcherReturnType } from '@graphiql/toolkit';
import { OperationTypeNode, getOperationAST } from 'graphql';
import { createClient, NetworkError } from 'graphql-sse';

import { post, UnreachableError, type Answer } from '../shared/request';

type Result = Awaited<FetcherReturnType>;

// The number of events that the result shows. Earlier events are only counted.
const MAX_EVENTS = 200;

/**
 * Sends GraphiQL's documents with the credentials of the session. Calls `onUnauthenticated` with a document if the server
 * rejects them.
 */
export function createFetcher(
  credentials: Readonly<Record<string, string>>,
  onUnauthenticated: (query?: string) => void,
): Fetcher {
  async function* listen(params: Parameters<Fetcher>[0], headers: Record<string, string>): AsyncGenerator<Answer> {
    const client = createClient({ url: 'graphql', headers: { ...credentials, ...headers }, retryAttempts: 0 });
    const { query, operationName } = params;
    const variables = params.variables as Record<string, unknown>; // parsed by GraphiQL
    const named = typeof operationName === 'string' ? { operationName } : {};
    try {
      yield* client.iterate({ query, ...named, variables }) as AsyncIterable<Answer>;
    } finally {
      client.dispose();
    }
  }

  return async (params, options): Promise<Result> => {
    const headers = (options?.headers ?? {}) as Record<string, string>;
    const { documentAST } = options ?? {};
    const watch = <T extends Answer>(answer: T): T => {
      if (answer.errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED'))
        onUnauthenticated(params.operationName === 'IntrospectionQuery' ? undefined : params.query);
      return answer;
    };
    // GraphiQL accepts an async iterable for a subscription.
    if (
      documentAST &&
      getOperationAST(documentAST, params.operationName)?.operation === OperationTypeNode.SUBSCRIPTION
    ) {
      return collect(listen(params, headers), watch) as unknown as Result;
    }
    // Errors are returned instead of thrown, because GraphiQL shows the stack of a thrown error.
    const answer = await post('graphql', params, { ...credentials, ...headers }).catch(answerFor);
    return watch(answer) as Result;
  };
}

/** Yields all events so far with each event, because GraphiQL shows only the last value. */
async function* collect(answers: AsyncIterable<Answer>, watch: (answer: Answer) => Answer): AsyncGenerator {
  const events: Answer[] = [];
  let earlier = 0;
  const result = () => ({ ...(earlier > 0 && { earlierEvents: earlier }), events });
  try {
    for await (const answer of answers) {
      watch(answer);
      if (events.push(answer) > MAX_EVENTS) {
        events.shift();
        earlier++;
      }
      // The subscription failed before its first event.
      yield earlier === 0 && events.length === 1 && !answer.data ? answer : result();
    }
  } catch (error) {
    yield events.length > 0 ? { ...result(), ...answerFor(error) } : answerFor(error);
  }
}

/** The answer to an operation that failed without one. */
function answerFor(error: unknown): Answer {
  // graphql-sse keeps the response of fetch.
  const explained =
    error instanceof NetworkError ? new UnreachableError(error.response as Response | undefined) : error;
  return { errors: [{ message: explained instanceof Error ? explained.message : 'The request failed.' }] };
}
