/** A name every caller can program against: GraphQL's `extensions.code`, and the choice of message in REST. */
export type ErrorCode =
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'NOT_SUPPORTED'
  | 'CONFLICT'
  | 'UNFULFILLED_DEPENDENCY'
  | 'DEPENDENT_OBJECTS'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR';

/** What is wrong with one field: `field` as GraphQL names it, `path` as the legacy document does. */
export interface Issue {
  readonly field: string;
  readonly path: string;
  readonly message: string;
}

/** A failure that the caller can cause and understand. Its message may be shown as it is; anything else may not. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    /** The status of docs/rest-contract.md, section 7 (4091 and 4092 included), else the HTTP status. */
    readonly status: number,
    message: string,
    readonly issues: readonly Issue[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }

  /** Which entry of a list it is about, if it is about one. */
  readonly entry: string | undefined;
  /** Seconds after which the same request may succeed, where that is known. */
  readonly retryAfter: number | undefined;
}

/** Does something for an entry of a list: its failure names the entry. */
export function inEntry<T>(entry: string, work: () => T): T {
  const named = (error: unknown): unknown => (error instanceof DomainError ? withEntry(error, entry) : error);
  try {
    const result = work();
    return result instanceof Promise
      ? (result.catch((error: unknown) => {
          throw named(error);
        }) as T)
      : result;
  } catch (error) {
    throw named(error);
  }
}

function withEntry({ code, status, message, issues }: DomainError, entry: string): DomainError {
  const placed = issues.map((issue) => ({ ...issue, path: `${entry}.${issue.path}` }));
  const error = new DomainError(code, status, `${entry}: ${message}`, placed);
  return Object.assign(error, { entry });
}

/** Something the caller sent is malformed; nothing was changed. */
export class InvalidInputError extends DomainError {
  constructor(issues: readonly Issue[]) {
    super('BAD_USER_INPUT', 400, issues.map(({ field, message }) => `${field}: ${message}`).join('; '), issues);
  }

  /** For a value that stands under the same name in both protocols. */
  static of(field: string, message: string): InvalidInputError {
    return new InvalidInputError([{ field, path: field, message }]);
  }
}

/** There is no valid token, or the name and secret are wrong. */
export class UnauthenticatedError extends DomainError {
  constructor(message = 'A valid token is needed') {
    super('UNAUTHENTICATED', 401, message);
  }
}

/** The token is valid, the user's role does not allow this. */
export class ForbiddenError extends DomainError {
  constructor(message: string) {
    super('FORBIDDEN', 403, message);
  }
}

/** The thing named by the caller does not exist. */
export class NotFoundError extends DomainError {
  /** Where it was not named by its own ref, `argument` is what named it. */
  constructor(thing: string, ref: string, argument?: string) {
    const message = `${quote(ref)} does not exist`;
    super('NOT_FOUND', 404, `${thing} ${message}`, [
      { field: argument ?? 'ref', path: argument ?? 'metadata.ref', message },
    ]);
  }
}

/** A resource with the same ref or natural key exists already. */
export class ConflictError extends DomainError {
  constructor(message: string, issues: readonly Issue[]) {
    super('CONFLICT', 409, message, issues);
  }
}

/** A resource that the input refers to does not exist (docs/rest-contract.md, section 4.3, rule 1). */
export class UnfulfilledDependencyError extends DomainError {
  constructor(issues: readonly Issue[]) {
    super(
      'UNFULFILLED_DEPENDENCY',
      4091,
      issues.map(({ field, message }) => `${field}: ${message}`).join('; '),
      issues,
    );
  }
}

/** The resource cannot be deleted while others refer to it. */
export class DependentObjectsError extends DomainError {
  constructor(message: string) {
    super('DEPENDENT_OBJECTS', 4092, message);
  }
}

/** The operation is not offered (docs/rest-contract.md, section 7). */
export class NotSupportedError extends DomainError {
  constructor(message: string) {
    super('NOT_SUPPORTED', 405, message);
  }
}

/** A limit as it is told to who exceeds it: so many points in so many seconds. */
export interface Quota {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** The caller has used what they may; nothing was done. */
export class RateLimitedError extends DomainError {
  constructor(
    message: string,
    /** Seconds after which it is worth another try. */
    override readonly retryAfter: number,
    readonly quota?: Quota,
  ) {
    super('RATE_LIMITED', 429, `${message}; try again in ${String(retryAfter)} s`);
  }
}

/** The server has more to do than it can; the same request may succeed later. */
export class OverloadedError extends DomainError {
  constructor(
    /** Seconds after which it is worth another try. */
    override readonly retryAfter: number,
  ) {
    super('UNAVAILABLE', 503, `The server is overloaded; try again in ${String(retryAfter)} s`);
  }
}

/** What the request needs cannot be reached now; the same request may succeed later. */
export class UnavailableError extends DomainError {
  override readonly retryAfter = 5;

  constructor(what: 'The database' | 'The SIP server', options?: ErrorOptions) {
    super('UNAVAILABLE', 503, `${what} cannot be reached; try again later`, [], options);
  }
}

/** A query was stopped because it ran for longer than a request may. */
export class TooSlowError extends DomainError {
  override readonly retryAfter = 8;

  constructor(options?: ErrorOptions) {
    super('UNAVAILABLE', 503, 'The query timed out; narrow the filter, or try again later', [], options);
  }
}

/** More heavy queries wait than the service takes: in all, or of this user. */
export class BusyError extends DomainError {
  override readonly retryAfter = 8;

  constructor() {
    super('UNAVAILABLE', 503, 'Too many heavy queries are waiting; narrow the filter, or try again later');
  }
}

/** A user's value for a message: quoted, escaped, and short. */
export function quote(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
