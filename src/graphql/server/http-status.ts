import type { ExecutionResult } from 'graphql';

import { retryHeaders } from '../../http/retry-headers';

/** The HTTP status of a result, and its headers. */
export interface HttpStatus {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const OK: HttpStatus = { status: 200, headers: {} };

/**
 * Returns the status of a result: 429 or 503, with Retry-After, if the request may be retried later; 400 for an
 * operation that was not executed, or 500 if the server is the cause; otherwise 200 (GraphQL over HTTP, "Status
 * Codes").
 */
export function httpStatusOf({ data, errors }: ExecutionResult): HttpStatus {
  if (!errors) return OK;
  const all = errors.map(({ extensions }) => extensions);
  const later = all.find(({ status }) => status === 429 || status === 503);
  // retryHeaders reads the extensions that presentFailure wrote.
  if (later) return { status: Number(later['status']), headers: retryHeaders(later) };
  if (data !== undefined) return OK;
  return { status: all.some(({ status }) => status === 500) ? 500 : 400, headers: {} };
}
