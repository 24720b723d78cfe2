import { ClientError } from 'graphql-request';

/** One entry of `errors` in a GraphQL response. */
export interface ErrorDetail {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    /** The legacy status, such as 409, 4091 or 4092. */
    readonly status?: number;
    /** The input fields at fault. */
    readonly fields?: readonly string[];
    /** Finds an internal error in the server's log. */
    readonly requestId?: string;
  };
}

/**
 * A request that failed. It holds what the server said and nothing of what was sent: neither variables, which may hold
 * secrets, nor the token.
 */
export class SipgraphError extends Error {
  override readonly name = 'SipgraphError';
  /**
   * `extensions.code` of the first error, such as `CONFLICT` (the schema's `ErrorCode` lists them); `NETWORK_ERROR` where
   * no response came; `BAD_RESPONSE` where it was not GraphQL, such as a proxy's error page.
   */
  readonly code: string;
  /** The legacy status of the first error, else the HTTP status, else undefined. */
  readonly status: number | undefined;
  /** The input fields at fault. */
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

/** The errors of a GraphQL response. */
export function responseError(errors: readonly ErrorDetail[], httpStatus?: number): SipgraphError {
  const { code = 'BAD_RESPONSE', status = httpStatus } = errors[0]?.extensions ?? {};
  const message = errors.map((error) => error.message).join('; ');
  return new SipgraphError(message, { code, errors, ...(status !== undefined && { status }) });
}

/** A response that is not GraphQL. */
export function badResponse(status?: number): SipgraphError {
  const answered = status === undefined ? 'answered' : `answered ${String(status)}`;
  return new SipgraphError(`The server ${answered} with something that is not GraphQL; is the URL its /graphql?`, {
    code: 'BAD_RESPONSE',
    ...(status !== undefined && { status }),
  });
}

/** What graphql-request or fetch threw, without what was sent. */
export function withoutRequest(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true || error instanceof SipgraphError) return error;
  if (error instanceof ClientError) {
    const { errors, status } = error.response;
    return errors ? responseError(errors as readonly ErrorDetail[], status) : badResponse(status);
  }
  // fetch throws a TypeError, perhaps of another realm, where no response came; graphql-request an Error for one that it
  // cannot read.
  return (error as { name?: unknown }).name === 'TypeError' ? networkError(error) : badResponse();
}

/** No response came, or a stream broke. */
export function networkError(error: unknown): SipgraphError {
  const { cause, message = '' } = error as { cause?: { code?: unknown }; message?: string };
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return new SipgraphError(`The server cannot be reached: ${message}${code}`, { code: 'NETWORK_ERROR' });
}
