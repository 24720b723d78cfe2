import { texts } from '../texts';
import { GraphError, unreachable, type ReportedError } from './graph-error';
import { serverUrl } from './server';

/** The variables of an operation. */
export type Variables = Readonly<Record<string, unknown>>;

/** The options of a request. */
export interface PostOptions {
  readonly signal?: AbortSignal | undefined;
  /** Makes a repeated create safe (docs/rest-contract.md, section 10.7). */
  readonly idempotencyKey?: string | undefined;
}

/** Sends a document once. Throws a GraphError. */
export async function post<Data>(
  query: string,
  variables: Variables,
  token: string | undefined,
  { signal, idempotencyKey }: PostOptions = {},
): Promise<Data> {
  const onLost = (error: unknown): never => {
    if (signal?.aborted === true) throw error;
    throw unreachable(texts.graph.unreachable);
  };
  const response = await fetch(serverUrl('graphql'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ query, variables }),
    signal: signal ?? null,
  }).catch(onLost);
  if (response.headers.get('content-type')?.includes('json') !== true)
    throw unreachable(texts.graph.proxy(response.status));
  const { data, errors } = (await response.json().catch(onLost)) as {
    data?: Data | null;
    errors?: readonly ReportedError[];
  };
  if (errors || data === undefined || data === null) throw new GraphError(errors ?? []);
  return data;
}
