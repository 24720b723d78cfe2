import { DomainError, shorten, type ErrorCode } from '../errors';
import { failureStatus, refusesDocument, type FailureContext } from './profile';

/** The body of every response (docs/rest-contract.md, section 2.1). */
export interface Envelope {
  readonly status: string | number;
  readonly message: string;
  readonly data?: unknown;
  readonly result?: unknown;
  readonly meta?: Meta;
}

/** JSON that is written into the body as it is. */
export class Json {
  constructor(readonly text: string) {}
}

/** The position of a page in its list (docs/rest-contract.md, section 2.2). */
export interface Meta {
  readonly currentPage: number;
  readonly totalPages: number;
  readonly itemsPerPage: number;
  readonly totalItems: number;
}

/** The result of an operation. */
export interface Payload {
  readonly status?: 200 | 201;
  /** Replaces the default message. */
  readonly message?: string;
  readonly data?: unknown;
  readonly result?: unknown;
  readonly meta?: Meta;
}

/** A response: the HTTP status, and the body with the same status. */
export interface Answer {
  readonly httpStatus: number;
  readonly body: Envelope;
}

/** Returns the JSON of a body. */
export function jsonOf(body: Envelope): string {
  const members = Object.entries(body) as [string, unknown][];
  return `{${members.map(([key, value]) => `"${key}":${value instanceof Json ? value.text : JSON.stringify(value)}`).join(',')}}`;
}

/** The messages of errors (docs/rest-contract.md, section 7). */
const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  BAD_USER_INPUT: 'Bad Request',
  UNAUTHENTICATED: 'You are unauthorized to make this request.',
  FORBIDDEN: 'You are not allowed to make this request.',
  NOT_FOUND: 'Not found',
  NOT_SUPPORTED: 'Operation not supported by data source the service',
  CONFLICT: 'An attempt was made to create an object that already exists',
  UNFULFILLED_DEPENDENCY: 'Found one or more unfulfilled dependencies',
  DEPENDENT_OBJECTS: 'Found one or more dependent objects',
  CURSOR_GONE: 'The events after the cursor are not available',
  RATE_LIMITED: 'Too many requests',
  UNAVAILABLE: 'Service unavailable',
  INTERNAL_SERVER_ERROR: 'Internal server error',
};

/** Returns the response to a success, with its members in the order of the specification. */
export function success(payload: Payload, numericStatus: boolean): Answer {
  const { status = 200, message = status === 201 ? 'Created' : 'Successful request', meta, result, data } = payload;
  return {
    httpStatus: status,
    body: {
      status: statusOf(status, numericStatus),
      message,
      ...(data !== undefined && { data }),
      ...(result !== undefined && { result }),
      ...(meta && { meta }),
    },
  };
}

/** Returns the response to a failure. All unexpected errors have the same message. */
export function failure(error: unknown, context: FailureContext): Answer {
  const { numericStatus } = context;
  if (refusesDocument(error, context)) {
    const message = shorten(reasonsOf(error).join(', '));
    return { httpStatus: 422, body: { status: statusOf(422, numericStatus), message } };
  }
  const domainError = error instanceof DomainError ? error : undefined;
  const status = failureStatus(domainError?.status ?? 500, context);
  return {
    // 4091 and 4092 are conflicts.
    httpStatus: status > 999 ? 409 : status,
    body: {
      status: statusOf(status, numericStatus),
      message: MESSAGES[domainError?.code ?? 'INTERNAL_SERVER_ERROR'],
      ...((domainError?.code === 'BAD_USER_INPUT' || domainError?.entry !== undefined) && {
        data: reasonsOf(domainError),
      }),
    },
  };
}

function reasonsOf({ issues }: DomainError): readonly string[] {
  return issues.map(({ path, message }) => `${path}: ${message}`);
}

function statusOf(status: number, numeric: boolean): string | number {
  return numeric ? status : String(status);
}
