import { post as postOperation, UnreachableError } from '../../../shared/request';
import { credentialsOf, type Session } from '../../../shared/session';
import { GraphError } from './graph-error';

/**
 * The root of the server, which may be below a path of a proxy. Every bundled module is in console/assets/ below it.
 */
export const ROOT = new URL('../../', import.meta.url);

/** The path below which the console's pages are. */
export const CONSOLE_PATH = new URL('console', ROOT).pathname;

/** Returns the URL of another page of the server, such as `playground`. */
export function serverUrl(path: string): string {
  return new URL(path, ROOT).href;
}

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
  session: Session,
  { signal, idempotencyKey }: PostOptions = {},
): Promise<Data> {
  const headers = {
    ...credentialsOf(session),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  const url = serverUrl('graphql');
  const { data, errors } = await postOperation<Data>(url, { query, variables }, headers, signal).catch(
    (error: unknown) => {
      throw error instanceof UnreachableError ? unreachable(error.message) : error;
    },
  );
  if (errors || data === undefined || data === null) throw new GraphError(errors ?? []);
  return data;
}

/** The error for a server that cannot be reached, or a proxy that responded instead of it. */
function unreachable(message: string): GraphError {
  return new GraphError([{ message, extensions: { code: 'UNREACHABLE' } }]);
}
