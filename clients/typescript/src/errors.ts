import { ClientError } from 'graphql-request';

/** One entry of `errors` in a GraphQL response. */
export interface ErrorDetail {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    /** The status of the legacy API, for example 409, 4091 or 4092. */
    readonly status?: number;
    /** The input fields that caused the error. */
    readonly fields?: readonly string[];
    /** Identifies an internal error in the server's log. */
    readonly requestId?: string;
  };
}

/**
 * A failed request. It contains the server's response, and nothing that was sent: neither the variables, which may
 * contain secrets, nor the token.
 */
export class SipgraphError extends Error {
  override readonly name = 'SipgraphError';
  /**
   * `extensions.code` of the first error, for example `CONFLICT` (see `ErrorCode` in the schema); `NETWORK_ERROR` if
   * there was no response; `BAD_RESPONSE` if the response is not GraphQL, for example a proxy's error page.
   */
  readonly code: string;
  /** The legacy status of the first error, or else the HTTP status, if any. */
  readonly status: number | undefined;
  /** The input fields that caused the error. */
  readonly fields: readonly string[];
  /** All errors of the response. */
  readonly errors: readonly ErrorDetail[];

  constructor(
    message: string,
    { code, status, errors = [] }: { code: string; status?: number; errors?: readonly ErrorDetail[] },
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.fields = errors.flatMap(({ extensions }) => extensions?.fields ?? []);
  }
}

/** The error for a GraphQL response with errors. */
export function responseError(errors: readonly ErrorDetail[], httpStatus?: number): SipgraphError {
  const { code = 'BAD_RESPONSE', status = httpStatus } = errors[0]?.extensions ?? {};
  const message = errors.map((error) => error.message).join('; ');
  return new SipgraphError(message, { code, errors, ...(status !== undefined && { status }) });
}

/** The error for a response that is not GraphQL. */
export function badResponse(status?: number): SipgraphError {
  const withStatus = status === undefined ? '' : ` with status ${String(status)}`;
  return new SipgraphError(`The response${withStatus} is not GraphQL: check that the URL ends with /graphql`, {
    code: 'BAD_RESPONSE',
    ...(status !== undefined && { status }),
  });
}

/** Converts an error of graphql-request or fetch to one without the request. */
export function withoutRequest(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true || error instanceof SipgraphError) return error;
  if (error instanceof ClientError) {
    const { errors, status } = error.response;
    return errors ? responseError(errors as readonly ErrorDetail[], status) : badResponse(status);
  }
  // Without a response, fetch throws a TypeError, possibly of another realm. graphql-request throws an Error if it
  // cannot parse the response.
  return (error as { name?: unknown }).name === 'TypeError' ? networkError(error) : badResponse();
}

/** The error for a missing response or a broken stream. */
export function networkError(error: unknown): SipgraphError {
  const { cause, message = '' } = error as { cause?: { code?: unknown }; message?: string };
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return new SipgraphError(`The server cannot be reached: ${message}${code}`, { code: 'NETWORK_ERROR' });
}
